//! What becomes of a write while another program has locked the file: nobody who types waits for
//! that program.

use std::time::{Duration, Instant};

use super::{Store, StoreError};

/// A write of our own takes no longer than this, and a person does not notice it.
pub(super) const WHILE_SERVING: Duration = Duration::from_millis(10);
/// An app that has just ended may still close the file.
pub(super) const AT_START: Duration = Duration::from_millis(250);
/// For what would be lost otherwise, when nobody types any more.
const AT_THE_END: Duration = Duration::from_secs(2);
/// How long no write is tried once one has found the file locked.
const TRY_AGAIN: Duration = Duration::from_millis(800);

/// What is known of a lock, and how long one is waited for.
pub(super) struct Lock {
    until: Option<Instant>,
    pub(super) patience: Duration,
}

impl Lock {
    pub(super) fn none() -> Self {
        Self { until: None, patience: WHILE_SERVING }
    }

    pub(super) fn found() -> Self {
        Self { until: Some(Instant::now() + TRY_AGAIN), ..Self::none() }
    }

    /// Fails if a write is not worth a try.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let is_locked = self.until.is_some_and(|until| Instant::now() < until);
        if is_locked { Err(StoreError::Busy) } else { Ok(()) }
    }

    /// Learns from what became of a write.
    pub(super) fn note<T>(&mut self, done: &Result<T, StoreError>) {
        let is_locked = matches!(done, Err(StoreError::Busy));
        self.until = is_locked.then(|| Instant::now() + TRY_AGAIN);
    }
}

impl Store {
    /// From now on nobody types, and what is not written would be lost: a lock is waited for.
    pub fn wait_for_lock(&mut self) {
        self.lock = Lock { until: None, patience: AT_THE_END };
        // Should it fail, a write is tried once, as before.
        self.db.busy_timeout(AT_THE_END).ok();
    }
}
