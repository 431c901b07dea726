//! Waiting for a condition, never for a length of time.

use std::{
    fmt, thread,
    time::{Duration, Instant},
};

/// Long enough for a busy machine; a test that passes waits a fraction of it.
const PATIENCE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(15);

/// A busy machine may take this long to start a large program of others.
const START: Duration = Duration::from_secs(120);

/// Looks until `look` finds something, and fails saying what was waited for.
#[track_caller]
pub(crate) fn until<T>(what: impl fmt::Display, look: impl FnMut() -> Option<T>) -> T {
    within(PATIENCE, what, look)
}

/// The same for the start of a large program of others.
#[track_caller]
pub(crate) fn until_started<T>(what: impl fmt::Display, look: impl FnMut() -> Option<T>) -> T {
    within(START, what, look)
}

#[track_caller]
fn within<T>(
    patience: Duration,
    what: impl fmt::Display,
    mut look: impl FnMut() -> Option<T>,
) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < patience, "waited {patience:?} in vain for {what}");
        thread::sleep(POLL);
    }
}
