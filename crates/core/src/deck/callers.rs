//! The callers of a dialog: who waits for it, who has left, and who has taken it back.

use std::{sync::Arc, time::Instant};

use super::{Deck, DialogEvent, Effect, Entry, Event, News, Ui, Waiter};
use crate::{claim::Claim, dialog::Dialog, record::OpenDialog, session::Saved};

impl Deck {
    /// Somebody waits for a dialog that is open already.
    pub fn wait(&mut self, ticket: &str, waiter: Waiter, now: Instant) -> Vec<Effect> {
        let Some(entry) = self.entries.get_mut(ticket) else { return Vec::new() };
        let Some(claim) = entry.kept.claims.find(ticket).cloned() else { return Vec::new() };
        if !entry.kept.claims.is_open(ticket) {
            let dialog = Arc::clone(entry.session.dialog());
            return vec![Effect::LetGo { waiter, claim, dialog }];
        }
        let had_left = entry.has_no_caller();
        entry.waiters.push((waiter, claim));
        let ticket = &entry.ticket().to_owned();
        // Nobody else will bring back what was pending when the last app went; unless it was set
        // aside, and there is a place to find it.
        entry.kept.set_aside &= self.resident;
        let brings = std::mem::take(&mut entry.restored) && !entry.kept.set_aside;
        let mut effects = Vec::new();
        if had_left {
            effects = self.tell(ticket, Event::CallerBack, now);
            if let Some(entry) = self.entries.get(ticket) {
                entry.tell_of_return(&mut effects, now);
            }
            effects.push(Effect::List);
        }
        if brings && self.is_stage_empty() {
            self.appear(ticket, Ui::Window, &mut effects);
        }
        effects
    }

    /// What was asked with the same ticket before this app knew of it: all that was given then, and
    /// who has a claim to it. Nothing follows if it is not open.
    pub fn unite(&mut self, earlier: &OpenDialog, now: Instant) -> Vec<Effect> {
        let ticket = &earlier.dialog.id;
        for claim in &earlier.claims.open {
            self.entries.add_claim(ticket, claim);
        }
        let Some(entry) = self.entries.get_mut(ticket) else { return Vec::new() };
        if earlier.draft == Saved::default() {
            return Vec::new();
        }
        entry.session.adopt_earlier(&earlier.draft);
        let own = entry.ticket().to_owned();
        self.tell(&own, Event::Stirred, now)
    }

    /// A caller takes its question back. Whether it had one. The dialog ends when nobody has a claim
    /// to it any more.
    pub fn withdraw(&mut self, ticket: &str, now: Instant) -> (bool, Vec<Effect>) {
        let Some(entry) = self.entries.get_mut(ticket) else { return (false, Vec::new()) };
        if !entry.kept.claims.is_open(ticket) {
            return (false, Vec::new());
        }
        let own = entry.ticket().to_owned();
        // How it ends is told to all: the person may have ended it before.
        if entry.kept.claims.open.len() == 1 {
            return (true, self.tell(&own, Event::Withdrawn, now));
        }
        let had_caller = !entry.waiters.is_empty();
        let dialog = Arc::clone(entry.session.dialog());
        let withdrawn = entry.kept.claims.withdraw(ticket).into_iter();
        let mut effects: Vec<_> =
            withdrawn.map(|claim| Effect::WithdrawClaim { ticket: own.clone(), claim }).collect();
        let gone = entry.waiters.extract_if(.., |(_, claim)| claim.ticket == ticket);
        effects.extend(gone.map(|(waiter, claim)| Effect::LetGo {
            waiter,
            claim,
            dialog: Arc::clone(&dialog),
        }));
        if had_caller {
            effects.extend(self.tell_if_left(&own, now));
        }
        (true, effects)
    }

    /// The connection of a waiter has closed.
    pub fn forget(&mut self, waiter: Waiter, now: Instant) -> Vec<Effect> {
        let waits = |entry: &&mut Entry| entry.waiters.iter().any(|(waits, _)| *waits == waiter);
        let Some(entry) = self.entries.iter_mut().find(waits) else { return Vec::new() };
        entry.waiters.retain(|(waits, _)| *waits != waiter);
        let own = entry.ticket().to_owned();
        self.tell_if_left(&own, now)
    }

    /// Says that the caller left, if nobody waits any more.
    fn tell_if_left(&mut self, ticket: &str, now: Instant) -> Vec<Effect> {
        let Some(entry) = self.entries.get(ticket).filter(|entry| entry.has_no_caller()) else {
            return Vec::new();
        };
        let dialog = Arc::clone(entry.session.dialog());
        let mut told = Vec::new();
        entry.tell_front_ends(&mut told, &News::CallerLeft { ticket: dialog.id.clone() });
        let mut effects = self.tell(&dialog.id, Event::CallerLeft, now);
        effects.extend(told);
        effects.push(Effect::Happened { event: DialogEvent::CallerLeft, dialog });
        effects.push(Effect::List);
        effects
    }

    /// Whether the dialog of a ticket is open for the caller who has it.
    pub fn has_claim(&self, ticket: &str) -> bool {
        self.entries.get(ticket).is_some_and(|entry| entry.kept.claims.is_open(ticket))
    }

    /// A ticket by which the dialog of this one can be taken back.
    pub fn open_ticket(&self, ticket: &str) -> Option<&str> {
        let claim = self.entries.get(ticket)?.kept.claims.open.first()?;
        Some(&claim.ticket)
    }

    /// The claim of a ticket that was taken back, while the dialog is open for others.
    pub fn withdrawn(&self, ticket: &str) -> Option<(&Arc<Dialog>, &Arc<Claim>)> {
        let entry =
            self.entries.get(ticket).filter(|entry| entry.kept.claims.is_withdrawn(ticket))?;
        Some((entry.session.dialog(), entry.kept.claims.find(ticket)?))
    }
}
