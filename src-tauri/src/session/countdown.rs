//! A deadline that only counts the time in which the person is not active.

use std::time::{Duration, Instant};

/// How long after the last sign of the person the countdown goes on.
const ACTIVE_FOR: Duration = Duration::from_secs(15);

pub(super) struct Countdown {
    limit: Duration,
    spent: Duration,
    counted_until: Instant,
    /// Until then the person counts as active.
    active_until: Instant,
}

impl Countdown {
    pub(super) fn new(limit: Duration, now: Instant) -> Self {
        Self { limit, spent: Duration::ZERO, counted_until: now, active_until: now }
    }

    /// The person did something.
    pub(super) fn touch(&mut self, now: Instant) {
        self.count(now);
        self.active_until = now + ACTIVE_FOR;
    }

    pub(super) fn passed(&mut self, now: Instant) -> bool {
        self.count(now);
        self.spent >= self.limit
    }

    /// How much of the time has been used up.
    pub(super) fn spent(&self) -> Duration {
        self.spent
    }

    /// Goes on from where an earlier countdown was.
    pub(super) fn resume(&mut self, spent: Duration) {
        self.spent = spent;
    }

    pub(super) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.spent)
    }

    pub(super) fn is_paused(&self, now: Instant) -> bool {
        now < self.active_until
    }

    fn count(&mut self, now: Instant) {
        let idle_since = self.counted_until.max(self.active_until.min(now));
        self.spent += now.saturating_duration_since(idle_since);
        self.counted_until = now;
    }
}
