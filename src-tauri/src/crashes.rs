//! How often the page has crashed lately.

use std::time::{Duration, Instant};

/// A page that crashes more often than this within [`LATELY`] will crash again.
const MOST: usize = 3;
const LATELY: Duration = Duration::from_secs(60);

#[derive(Default)]
pub(super) struct Crashes {
    recent: Vec<Instant>,
}

impl Crashes {
    /// It has crashed again. Whether it is worth another try.
    pub(super) fn again(&mut self, now: Instant) -> bool {
        self.recent.retain(|crash| now.saturating_duration_since(*crash) < LATELY);
        self.recent.push(now);
        self.recent.len() <= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_app_that_stays_for_weeks_bears_a_crash_now_and_then() {
        let (mut crashes, start) = (Crashes::default(), Instant::now());
        let mut after = |seconds| crashes.again(start + Duration::from_secs(seconds));
        assert!([0, 70, 140, 210, 280].into_iter().all(&mut after));
        assert_eq!([281, 282, 283].map(after), [true, true, false]);
    }
}
