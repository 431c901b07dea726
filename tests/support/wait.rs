//! Waiting for a condition, never for a length of time.

use std::{
    fmt, thread,
    time::{Duration, Instant},
};

/// Long enough for a busy machine; a test that passes waits a fraction of it.
const PATIENCE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(15);

/// Looks until `look` finds something, and fails saying what was waited for.
#[track_caller]
pub(crate) fn until<T>(what: impl fmt::Display, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} in vain for {what}");
        thread::sleep(POLL);
    }
}
