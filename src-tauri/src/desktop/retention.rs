//! Deletes past dialogs that are older than the person wants to keep them.

use std::{sync::Arc, thread, time::Duration};

use super::desk::Desk;
use crate::store::Selection;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// At once, and then once a day.
pub(super) fn start(desk: Arc<Desk>, kept_for: Duration) {
    thread::spawn(move || {
        loop {
            // What cannot be deleted now is tried again the next day.
            let _tomorrow = desk.delete(&Selection::older_than(kept_for), false);
            thread::sleep(DAY);
        }
    });
}
