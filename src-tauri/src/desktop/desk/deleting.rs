//! Deleting past dialogs, without holding up the desk.

use std::{thread, time::Duration};

use super::Desk;
use crate::store::{Deleted, Deletion, Selection, Store, StoreError};

/// Between two steps: whoever waits for the desk comes first.
const PAUSE: Duration = Duration::from_millis(2);

impl Desk {
    /// Deletes past dialogs for good; as a preview, only tells what that would come to. It may take a
    /// while, and belongs on a thread of its own.
    pub(in crate::desktop) fn delete(
        &self,
        which: &Selection,
        preview: bool,
    ) -> Result<Deleted, StoreError> {
        let mut deletion = self.read(|store| store.plan_deletion(which))?;
        if !preview {
            self.lock().deleting += 1;
            let done = self.delete_in_steps(&mut deletion);
            let mut state = self.lock();
            state.deleting -= 1;
            self.quit_if_done(&mut state);
            done?;
        }
        Ok(deletion.outlook)
    }

    fn delete_in_steps(&self, deletion: &mut Deletion) -> Result<(), StoreError> {
        let mut state = self.lock();
        state.return_to_file();
        let beside = state.store.file().and_then(Store::open_to_read);
        drop(state);
        while deletion.step(&mut self.lock().store)? {
            if let Some(beside) = &beside {
                deletion.take_in_writes(beside);
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }
}
