//! What a seed fixes: who asks what, and which fault comes when.
//!
//! Everybody has a share of the chance of their own, drawn before anything happens, so that nothing
//! that happens moves what is still to come.

use std::time::Duration;

use super::{
    chance::Chance,
    fault::{self, Fault},
};

const AGENTS: usize = 3;
pub(super) const FAULTS: u64 = 10;

pub(super) struct Plan {
    /// Whether the app stays when nothing is asked.
    pub(super) stays: bool,
    /// Whether there is one to be lost.
    pub(super) has_tray_host: bool,
    pub(super) mishaps: Vec<Mishap>,
    pub(super) agents: [Inquiries; AGENTS],
    /// What the person does also depends on what they see.
    pub(super) person: Chance,
}

#[derive(Debug, PartialEq)]
pub(super) struct Mishap {
    pub(super) fault: Fault,
    /// How long nothing happens before it.
    pub(super) calm: Duration,
    /// How long after an answer is sent, if it waits for that.
    pub(super) ambush: Option<Duration>,
    pub(super) lasts: Duration,
    /// What comes on top of it.
    pub(super) blow: Option<Blow>,
    /// For where it strikes.
    pub(super) chance: Chance,
}

#[derive(Debug, PartialEq)]
pub(super) struct Blow {
    pub(super) fault: Fault,
    pub(super) lasts: Duration,
    pub(super) chance: Chance,
}

/// What an agent asks, one after the other, without end.
pub(super) struct Inquiries(Chance);

#[derive(Debug, PartialEq)]
pub(super) struct Inquiry {
    /// As large as a payload may be.
    pub(super) is_large: bool,
    /// For how each asking goes. Who asks the same again asks anew, and needs a new answer.
    pub(super) askings: Vec<Chance>,
    pub(super) rest: Duration,
}

impl Plan {
    pub(super) fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let has_tray_host = deal(seed).any(|fault| fault == Fault::TrayGone);
        Self {
            // Only an app that stays is seen in the tray.
            stays: chance.once_in(2) || has_tray_host,
            has_tray_host,
            mishaps: deal(seed).map(|fault| Mishap::draw(fault, chance.share())).collect(),
            agents: [(); AGENTS].map(|()| Inquiries(chance.share())),
            person: chance.share(),
        }
    }
}

impl Mishap {
    fn draw(fault: Fault, mut chance: Chance) -> Self {
        let calm = chance.millis(0..1500);
        let ambush = (fault.strikes_who_sends() && chance.once_in(2)).then(|| chance.millis(0..60));
        let lasts = chance.millis(0..2500);
        let blow = chance.once_in(4).then(|| Blow {
            fault: *chance.pick(&fault::BLOWS).expect("there are some"),
            lasts: chance.millis(0..1000),
            chance: chance.share(),
        });
        Self { fault, calm, ambush, lasts, blow, chance }
    }
}

impl Iterator for Inquiries {
    type Item = Inquiry;

    fn next(&mut self) -> Option<Inquiry> {
        let mut chance = self.0.share();
        let is_large = chance.once_in(8);
        let times = if chance.once_in(4) { 2 } else { 1 };
        let askings = (0..times).map(|_| chance.share()).collect();
        Some(Inquiry { is_large, askings, rest: chance.millis(0..400) })
    }
}

/// How many rounds deal every fault twice, if the first of them begins a deck.
pub(super) fn rounds_of_two_decks() -> u64 {
    (2 * fault::ALL.len() as u64).div_ceil(FAULTS)
}

/// The faults of a round. Each deck has one of every kind, and is dealt on from one seed to the
/// next: rounds in a row leave no kind out, and each of them alone is dealt the same again.
fn deal(seed: u64) -> impl Iterator<Item = Fault> {
    (0..FAULTS).map(move |number| {
        let at = u128::from(seed) * u128::from(FAULTS) + u128::from(number);
        let size = fault::ALL.len() as u128;
        // Both are smaller than what they are made of: a seed, and the number of kinds.
        let deck = u64::try_from(at / size).unwrap_or_default();
        let card = usize::try_from(at % size).unwrap_or_default();
        let mut kinds = fault::ALL;
        Chance::new(!deck).shuffle(&mut kinds);
        kinds[card]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_which_fault_comes_when_and_who_asks_what() {
        let plan = |seed| {
            let Plan { stays, mishaps, agents, .. } = Plan::new(seed);
            (stays, mishaps, agents.map(|inquiries| inquiries.take(20).collect::<Vec<_>>()))
        };
        assert_eq!(plan(7), plan(7));
        assert_ne!(plan(7).1, plan(8).1);
        assert_ne!(plan(7).2, plan(8).2);
        assert_eq!(plan(u64::MAX), plan(u64::MAX));
    }

    #[test]
    fn one_inquiry_does_not_change_the_next() {
        let [mut quick, ..] = Plan::new(7).agents;
        let [mut slow, ..] = Plan::new(7).agents;
        for _ in 0..20 {
            let (one, mut other) = (quick.next().unwrap(), slow.next().unwrap());
            assert_eq!(one, other);
            for _ in 0..9 {
                other.askings[0].millis(0..9);
            }
        }
    }

    #[test]
    fn rounds_in_a_row_deal_every_fault_as_often() {
        let first = 3 * fault::ALL.len() as u64;
        let dealt: Vec<Fault> = (first..first + rounds_of_two_decks()).flat_map(deal).collect();
        for fault in fault::ALL {
            let count = dealt[..2 * fault::ALL.len()].iter().filter(|it| **it == fault).count();
            assert_eq!(count, 2, "{fault}");
        }
    }
}
