//! Which callers may make the window appear.
//!
//! What counts is where a question comes from, by what the kernel says; a caller may call itself
//! something else each time.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

use crate::{dialog::Caller, origin::Origin};

use super::{Deck, Effect};

/// More questions of one caller than this in a minute are listed quietly.
const MOST_A_MINUTE: usize = 20;
/// More of all together are, too: where they come from may change as well, at some cost.
const MOST_OF_ALL_A_MINUTE: usize = 60;
const MINUTE: Duration = Duration::from_secs(60);
const MUTED_FOR: Duration = Duration::from_secs(60 * 60);

#[derive(Default)]
pub(super) struct CallerLimits {
    asked: HashMap<Origin, Times>,
    asked_by_all: Times,
    muted_until: HashMap<Muted, Instant>,
}

/// When something was asked within the last minute, as far as it matters.
#[derive(Default)]
struct Times(VecDeque<Instant>);

/// What the person does not want to hear from.
#[derive(PartialEq, Eq, Hash)]
enum Muted {
    /// The agent as it is shown.
    Agent(String, Option<String>, Option<String>, Option<String>),
    /// Wherever that is, so that another name does not help.
    Origin(Origin),
}

impl Times {
    /// Counts one more. Whether these are more than `most`.
    fn add(&mut self, now: Instant, most: usize) -> bool {
        self.0.push_back(now);
        while self.0.front().is_some_and(|at| !is_recent(*at, now)) {
            self.0.pop_front();
        }
        // No more are needed to know that they are too many.
        self.0.drain(..self.0.len().saturating_sub(most + 1));
        self.0.len() > most
    }
}

fn is_recent(at: Instant, now: Instant) -> bool {
    now.saturating_duration_since(at) < MINUTE
}

impl Muted {
    /// All by which a caller can be muted.
    fn all(caller: &Caller) -> impl Iterator<Item = Self> {
        let Caller { agent, session, cwd, host, origin, .. } = caller.clone();
        let origin = (origin != Origin::Unknown).then_some(Self::Origin(origin));
        [Self::Agent(agent, session, cwd, host)].into_iter().chain(origin)
    }
}

impl CallerLimits {
    /// Counts a question. Whether it should not make the window appear.
    pub(super) fn asks_too_much(&mut self, caller: &Caller, now: Instant) -> bool {
        self.asked.retain(|_, times| times.0.back().is_some_and(|at| is_recent(*at, now)));
        let too_much = self.asked.entry(caller.origin).or_default().add(now, MOST_A_MINUTE);
        // What is quiet already disturbs nobody else.
        too_much || self.asked_by_all.add(now, MOST_OF_ALL_A_MINUTE)
    }

    pub(super) fn is_muted(&self, caller: &Caller, now: Instant) -> bool {
        Muted::all(caller).any(|it| self.muted_until.get(&it).is_some_and(|until| now < *until))
    }

    /// When the next one is heard again.
    pub(super) fn next_end(&self) -> Option<Instant> {
        self.muted_until.values().min().copied()
    }
}

impl Deck {
    /// The caller of this dialog has nothing to say for an hour.
    pub fn mute(&mut self, ticket: &str, now: Instant) -> Vec<Effect> {
        let Some(caller) = self.caller(ticket).cloned() else { return Vec::new() };
        let until = Muted::all(&caller).map(|it| (it, now + MUTED_FOR));
        self.caller_limits.muted_until.extend(until);
        self.apply_mutes(now)
    }

    /// The person wants to hear from the caller of this dialog again.
    pub fn unmute(&mut self, ticket: &str, now: Instant) -> Vec<Effect> {
        let Some(caller) = self.caller(ticket).cloned() else { return Vec::new() };
        for it in Muted::all(&caller) {
            self.caller_limits.muted_until.remove(&it);
        }
        self.apply_mutes(now)
    }

    /// Those who were quiet for an hour are heard again.
    pub(super) fn end_mutes(&mut self, now: Instant) -> Vec<Effect> {
        let muted = self.caller_limits.muted_until.len();
        self.caller_limits.muted_until.retain(|_, until| now < *until);
        if self.caller_limits.muted_until.len() == muted {
            return Vec::new();
        }
        let mut effects = self.apply_mutes(now);
        if self.is_stage_empty() {
            self.bring_next(&mut effects);
        }
        effects
    }

    fn caller(&self, ticket: &str) -> Option<&Caller> {
        let entry = self.entries.get(ticket)?;
        Some(&entry.session.dialog().caller)
    }

    fn apply_mutes(&mut self, now: Instant) -> Vec<Effect> {
        for entry in self.entries.iter_mut() {
            entry.muted = self.caller_limits.is_muted(&entry.session.dialog().caller, now);
        }
        vec![Effect::List]
    }
}
