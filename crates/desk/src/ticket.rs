//! Names for new dialogs.

use std::{
    process,
    sync::atomic::{AtomicU32, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// No two processes make one in the same nanosecond under the same pid,
/// and no process makes two with the same number.
pub fn fresh() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    format!("{:x}-{:x}-{number:x}", since.as_nanos(), process::id())
}
