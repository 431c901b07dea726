//! Waiting for a condition, never for a length of time.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::Result;

const POLL: Duration = Duration::from_millis(10);

/// Looks until `look` finds something, and fails once `limit` has passed.
pub(crate) fn until<T>(
    what: &str,
    limit: Duration,
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
