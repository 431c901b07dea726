//! A deadline that only counts the time in which the caller waits and the person is not active.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::words::Phrase;

/// How long after the last sign of the person the countdown goes on.
const ACTIVE_FOR: Duration = Duration::from_secs(15);
/// How often the person sees how much is left.
const SEEN_EVERY: Duration = Duration::from_secs(1);
/// How long it takes at most until a program that goes on has heard what was done meanwhile.
const GRACE: Duration = Duration::from_secs(5);
/// From so many seconds on the person should hurry.
const SOON: u128 = 30;

/// How much time is left, as every front end shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CountdownView {
    pub text: Phrase,
    pub soon: bool,
}

pub(super) struct Countdown {
    limit: Duration,
    spent: Duration,
    counted_until: Instant,
    /// Until then the person counts as active.
    active_until: Instant,
    /// Nobody waits.
    stopped: bool,
}

impl Countdown {
    pub(super) fn new(limit: Duration, now: Instant) -> Self {
        Self { limit, spent: Duration::ZERO, counted_until: now, active_until: now, stopped: false }
    }

    /// The person did something.
    pub(super) fn touch(&mut self, now: Instant) {
        self.count(now);
        self.active_until = now + ACTIVE_FOR;
    }

    /// The caller has left, or is back.
    pub(super) fn stop(&mut self, stopped: bool, now: Instant) {
        self.count(now);
        self.stopped = stopped;
    }

    pub(super) fn passed(&mut self, now: Instant) -> bool {
        self.count(now);
        self.spent >= self.limit
    }

    /// How much of the time had been used up when it was last counted.
    pub(super) fn counted(&self) -> Duration {
        self.spent
    }

    /// How much of the time has been used up.
    pub(super) fn spent(&self, now: Instant) -> Duration {
        let idle_since = self.counted_until.max(self.active_until.min(now));
        let idle =
            if self.stopped { Duration::ZERO } else { now.saturating_duration_since(idle_since) };
        self.spent.saturating_add(idle)
    }

    /// Goes on from where an earlier countdown was.
    pub(super) fn resume(&mut self, spent: Duration) {
        self.spent = spent.min(self.limit);
    }

    /// The program was stopped, so that nobody could hear the person. If their time has passed, what
    /// they did meanwhile comes first.
    pub(super) fn forgive(&mut self, now: Instant) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.spent = self.limit.saturating_sub(GRACE);
            self.counted_until = now;
        }
    }

    pub(super) fn left(&self, now: Instant) -> Duration {
        self.limit.saturating_sub(self.spent(now))
    }

    /// When the time will be over if the person does nothing more; never with nobody waiting, nor
    /// after ages.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let idle_since = self.counted_until.max(self.active_until);
        let left = self.limit.saturating_sub(self.spent);
        idle_since.checked_add(left).filter(|_| !self.stopped)
    }

    /// When what the person sees of it is not true any more.
    pub(super) fn next_sight(&self) -> Option<Instant> {
        let next = self.counted_until + SEEN_EVERY;
        (!self.stopped).then(|| self.deadline().map_or(next, |deadline| next.min(deadline)))
    }

    pub(super) fn view(&self, now: Instant) -> CountdownView {
        let seconds = self.left(now).as_millis().div_ceil(1000);
        let time = format!("{}:{:02}", seconds / 60, seconds % 60);
        let paused = now < self.active_until;
        let word = if paused { "countdown_paused" } else { "countdown" };
        CountdownView {
            text: Phrase::with(word, [("time", time)]),
            soon: seconds <= SOON && !paused,
        }
    }

    fn count(&mut self, now: Instant) {
        self.spent = self.spent(now);
        self.counted_until = now;
    }
}
