//! Which callers may make the window appear.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

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

    pub(super) fn is_muted(&mut self, caller: &Caller, now: Instant) -> bool {
        self.muted_until.retain(|_, until| now < *until);
        self.muted_until.contains_key(&who(caller))
    }

    pub(super) fn mute(&mut self, caller: &Caller, now: Instant) {
        self.muted_until.insert(who(caller), now + MUTED_FOR);
    }
}

pub(super) fn same(one: &Caller, other: &Caller) -> bool {
    who(one) == who(other)
}

fn who(caller: &Caller) -> Who {
    let Caller { agent, session, cwd, host, .. } = caller.clone();
    (agent, session, cwd, host)
}
