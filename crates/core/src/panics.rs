//! Work on what a caller sent, done by somebody else's code, which may panic on it.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread is caught: it says nothing about our own state.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What comes of it, or nothing if it panics: a caller must not be able to end the app.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    GUARDED.set(false);
    done
}
