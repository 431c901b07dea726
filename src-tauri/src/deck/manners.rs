//! Which callers may make the window appear.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

use super::{Deck, Effect, Entry};
use crate::dialog::Caller;

/// More questions than this in a minute are listed quietly.
const MOST_A_MINUTE: usize = 20;
const MINUTE: Duration = Duration::from_secs(60);
const MUTED_FOR: Duration = Duration::from_secs(60 * 60);

#[derive(Default)]
pub(super) struct Manners {
    asked: HashMap<Who, VecDeque<Instant>>,
    muted_until: HashMap<Who, Instant>,
}

type Who = (String, Option<String>, Option<String>, Option<String>);

impl Manners {
    /// Counts a question. Whether it should not make the window appear.
    pub(super) fn asks_too_much(&mut self, caller: &Caller, now: Instant) -> bool {
        let recent = |at: &Instant| now.saturating_duration_since(*at) < MINUTE;
        self.asked.retain(|_, times| times.back().is_some_and(recent));
        let times = self.asked.entry(who(caller)).or_default();
        times.push_back(now);
        while times.front().is_some_and(|at| !recent(at)) {
            times.pop_front();
        }
        // No more are needed to know that they are too many.
        times.drain(..times.len().saturating_sub(MOST_A_MINUTE + 1));
        times.len() > MOST_A_MINUTE
    }

    pub(super) fn is_muted(&self, caller: &Caller, now: Instant) -> bool {
        self.muted_until.get(&who(caller)).is_some_and(|until| now < *until)
    }

    /// When the next one is heard again.
    pub(super) fn next_end(&self) -> Option<Instant> {
        self.muted_until.values().min().copied()
    }
}

impl Deck {
    /// The caller of this dialog has nothing to say for an hour.
    pub fn mute(&mut self, ticket: &str, now: Instant) -> Vec<Effect> {
        let Some(who) = self.caller(ticket).map(who) else { return Vec::new() };
        self.of_caller(&who).for_each(|entry| entry.muted = true);
        self.manners.muted_until.insert(who, now + MUTED_FOR);
        vec![Effect::List]
    }

    /// The person wants to hear from the caller of this dialog again.
    pub fn unmute(&mut self, ticket: &str) -> Vec<Effect> {
        let Some(who) = self.caller(ticket).map(who) else { return Vec::new() };
        self.of_caller(&who).for_each(|entry| entry.muted = false);
        self.manners.muted_until.remove(&who);
        vec![Effect::List]
    }

    /// Those who were quiet for an hour are heard again.
    pub(super) fn end_mutes(&mut self, now: Instant) -> Vec<Effect> {
        let ended: Vec<_> = self.manners.muted_until.extract_if(|_, until| now >= *until).collect();
        let mut effects = Vec::new();
        for (who, _) in ended {
            self.of_caller(&who).for_each(|entry| entry.muted = false);
            effects.push(Effect::List);
        }
        if !effects.is_empty() && self.is_stage_empty() {
            self.bring_next(&mut effects);
        }
        effects
    }

    pub fn is_muted(&self, ticket: &str, now: Instant) -> bool {
        self.caller(ticket).is_some_and(|caller| self.manners.is_muted(caller, now))
    }

    fn caller(&self, ticket: &str) -> Option<&Caller> {
        let entry = self.entries.get(ticket)?;
        Some(&entry.session.dialog().caller)
    }

    fn of_caller(&mut self, asks: &Who) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().filter(move |entry| who(&entry.session.dialog().caller) == *asks)
    }
}

fn who(caller: &Caller) -> Who {
    let Caller { agent, session, cwd, host, .. } = caller.clone();
    (agent, session, cwd, host)
}
