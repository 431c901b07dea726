//! Waiting for a condition, never for a length of time.

use std::{
    fmt, thread,
    time::{Duration, Instant},
};

use crate::Result;

const POLL: Duration = Duration::from_millis(10);

/// Long enough for a busy machine; a test that passes waits a fraction of it.
const PATIENCE: Duration = Duration::from_secs(30);
/// A busy machine may take this long to start a large program of others.
const START: Duration = Duration::from_secs(120);

/// Looks until `look` finds something, and fails once `limit` has passed.
pub fn within<T>(
    limit: Duration,
    what: impl fmt::Display,
    mut look: impl FnMut() -> Result<Option<T>>,
) -> Result<T> {
    let start = Instant::now();
    loop {
        if let Some(found) = look()? {
            return Ok(found);
        }
        if start.elapsed() > limit {
            return Err(format!("waited {} s in vain for {what}", limit.as_secs()));
        }
        thread::sleep(POLL);
    }
}

/// Looks until `look` finds something, and panics if that takes too long.
#[track_caller]
pub fn until<T>(what: impl fmt::Display, look: impl FnMut() -> Option<T>) -> T {
    found(PATIENCE, what, look)
}

/// The same for the start of a large program of others.
#[track_caller]
pub fn until_started<T>(what: impl fmt::Display, look: impl FnMut() -> Option<T>) -> T {
    found(START, what, look)
}

#[track_caller]
fn found<T>(limit: Duration, what: impl fmt::Display, mut look: impl FnMut() -> Option<T>) -> T {
    // Not `unwrap_or_else`: a closure would hide the caller.
    match within(limit, what, || Ok(look())) {
        Ok(found) => found,
        Err(problem) => panic!("{problem}"),
    }
}

/// Looks for what `press` brings about, and presses anew now and then: a window that has just opened
/// takes no keys until none came for a while.
#[track_caller]
pub fn pressing_until<T>(
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
