//! From memory back to the file, once that can be written.

use std::{collections::HashSet, path::PathBuf};

use askdeck_core::{key::QuestionKey, record::OpenDialog};

use super::{Store, StoreError, file, salvage};

/// A file that cannot be written.
pub(super) struct Unwritable {
    pub(super) file: PathBuf,
    pub(super) why: StoreError,
    /// What it holds was read into memory.
    pub(super) was_read: bool,
}

impl Store {
    /// If it lives in memory because its file could not be written: goes over to the file once that
    /// can be. If it has just done so, what is pending there and was not known before, with the drafts
    /// from before.
    pub fn return_to_file(&mut self) -> Option<Vec<OpenDialog>> {
        let Unwritable { file, was_read, .. } = self.unwritable.as_ref()?;
        self.lock.check().ok()?;
        let taken = file::connect(file, self.lock.patience).and_then(|db| {
            let mut there = Self::of(db, Some(file));
            let found = if *was_read { Vec::new() } else { there.make_way(&self.pending()?)? };
            salvage::take_all(&self.db, &mut there.db)?;
            Ok((there, found))
        });
        self.lock.note(&taken);
        let (there, mut found) = taken.ok()?;
        *self = there;
        // What has ended in memory is not pending any more.
        let pending = self.pending().unwrap_or_default();
        let pending: HashSet<_> = pending.iter().map(|pending| &pending.dialog.id).collect();
        found.retain(|found| pending.contains(&found.dialog.id));
        Some(found)
    }

    /// Whether it lives in memory only until it can go over to its file.
    pub fn awaits_file(&self) -> bool {
        self.unwritable.is_some()
    }

    /// Lets another have the key of an open dialog, and returns the one that this has from now on.
    pub(super) fn leave_key(
        &mut self,
        ticket: &str,
        key: &QuestionKey,
    ) -> Result<QuestionKey, StoreError> {
        let left = key.left_by(ticket);
        let sql = "UPDATE dialogs SET key = ?2 WHERE ticket = ?1";
        self.change(|db| db.execute(sql, [ticket, left.as_str()]))?;
        Ok(left)
    }

    /// All that is pending. Where the same key was given out anew, in memory, the older dialog leaves
    /// it to the newer one, since two cannot have it.
    fn make_way(&mut self, newer: &[OpenDialog]) -> Result<Vec<OpenDialog>, StoreError> {
        let mut found = self.pending()?;
        for OpenDialog { dialog, key, .. } in &mut found {
            if newer.iter().any(|newer| newer.key == *key && newer.dialog.id != dialog.id) {
                *key = self.leave_key(&dialog.id, key)?;
            }
        }
        Ok(found)
    }
}
