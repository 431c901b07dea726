//! Deleting past dialogs, without holding up the desk.

use std::{thread, time::Duration};

use askdeck_core::history::{Deleted, Selection};

use super::{Desk, inbox::PostedBy};
use crate::store::{self, Deletion, Store, StoreError};

/// Between two steps, so that other work of the desk comes first.
const PAUSE: Duration = Duration::from_millis(2);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Desk {
    /// Deletes past dialogs for good; as a preview, only tells what that would come to. It may take a
    /// while, and belongs on a thread of its own.
    pub fn delete(&self, which: Selection, preview: bool) -> Result<Deleted, StoreError> {
        let deletion = self.read(move |store| store.plan_deletion(&which))?;
        if preview {
            return Ok(deletion.outlook);
        }
        self.wait(PostedBy::Caller, |desk| desk.deleting += 1);
        let done = self.delete_in_steps(deletion);
        self.wait(PostedBy::Caller, |desk| {
            desk.deleting -= 1;
            desk.quit_if_done();
        });
        done
    }

    fn delete_in_steps(&self, mut deletion: Deletion) -> Result<Deleted, StoreError> {
        let beside = self.wait(PostedBy::Caller, |desk| {
            let effects = desk.return_to_file();
            desk.carry_out(effects);
            desk.store.file().and_then(Store::open_to_read)
        });
        loop {
            let (left, is_more) = self.wait(PostedBy::Caller, move |desk| {
                let is_more = deletion.step(&mut desk.store);
                (deletion, is_more)
            });
            deletion = left;
            if !is_more? {
                return Ok(deletion.outlook);
            }
            if let Some(beside) = &beside {
                deletion.take_in_writes(beside);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Deletes past dialogs that are older than the person wants to keep them: now, and once a day.
    pub(super) fn keep_history_for(&self, time: Duration) {
        let desk = self.clone();
        thread::spawn(move || {
            loop {
                // What cannot be deleted now is tried again the next day.
                desk.delete(store::older_than(time), false).ok();
                thread::sleep(DAY);
            }
        });
    }
}
