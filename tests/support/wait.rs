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

/// Looks for what `press` brings about, and presses anew now and then: a window that has just opened
/// takes no keys until none came for a while.
#[track_caller]
pub(crate) fn pressing_until<T>(
    what: impl fmt::Display,
    mut press: impl FnMut(),
    mut look: impl FnMut() -> Option<T>,
) -> T {
    const AGAIN: Duration = Duration::from_millis(500);
    let mut last: Option<Instant> = None;
    until(what, || {
        if last.is_none_or(|last| last.elapsed() > AGAIN) {
            press();
            last = Some(Instant::now());
        }
        look()
    })
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
