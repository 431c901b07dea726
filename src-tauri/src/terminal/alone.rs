//! Without an app the terminal keeps the dialog itself, as the app would: before it is shown, while
//! it is typed, and its outcome before anybody hears of it.

use std::{
    os::fd::{AsFd, BorrowedFd},
    time::Duration,
};

use rustix::fs::inotify::WatchFlags;

use super::opening::{Found, Opened, Role};
use crate::{
    asking::{self, Asked},
    dialog::Dialog,
    outcome::{Outcome, Through},
    paths,
    session::{Closing, Saved},
    socket::Place,
    store::{self, Happening, Notice, Record, Store, StoreError},
    watch::Watch,
};

pub(super) struct Alone {
    store: Store,
    dialog: Dialog,
    /// Tells when an app comes, or when another terminal writes.
    watch: Option<Watch>,
}

impl Alone {
    /// Finds the dialog, or begins it. `reuse` is for how long an answer that reached nobody is
    /// given to whoever asks the same again. Nothing if there is no such dialog.
    pub(super) fn open(
        role: &Role,
        place: &Place,
        reuse: Duration,
    ) -> Result<Option<(Self, Found)>, StoreError> {
        let (mut store, mut notice) = Store::open(paths::store().as_deref());
        let found = match role {
            Role::Guest { ticket } => store.find(ticket)?,
            Role::Asker { asked, .. } => {
                let found = find(&mut store, asked, reuse)?;
                Some(found.unwrap_or_else(|| {
                    let (record, kept) = begin(&mut store, asked);
                    notice = notice.take().or(kept.err().map(|error| not_kept(&error)));
                    record
                }))
            }
        };
        let Some(Record { dialog, draft, outcome, .. }) = found else { return Ok(None) };
        // Whoever ends a dialog, and every app that comes or goes, takes a turn in this folder; that
        // is over when its file is closed. Without the kernel's help it is noticed when the dialog
        // ends here.
        let watch = Watch::begin(place.directory(), WatchFlags::CLOSE_WRITE).ok();
        let alone = Self { store, dialog: dialog.clone(), watch };
        let found = match outcome {
            Some(outcome) => Found::Over { ticket: dialog.id, outcome },
            None => Found::Open(Box::new(Opened {
                dialog,
                draft: draft.and_then(|draft| serde_json::from_str(&draft).ok()),
                spent: None,
                closing: role.closing(Closing::Dismisses),
                caller_left: false,
                notice,
            })),
        };
        Ok(Some((alone, found)))
    }

    pub(super) fn shown(&mut self) -> Result<(), StoreError> {
        self.store.note(&self.dialog.id, Happening::Shown, store::now())
    }

    pub(super) fn save_draft(&mut self, draft: &Saved) -> Result<(), StoreError> {
        let draft = serde_json::to_string(draft).unwrap_or_default();
        self.store.save_draft(&self.dialog.id, &draft)
    }

    pub(super) fn end(&mut self, outcome: &Outcome) -> Result<(), StoreError> {
        let through = outcome.is_of_the_person().then_some(Through::Terminal);
        self.store.end(&self.dialog, outcome, through, store::now())
    }

    pub(super) fn set_aside(&mut self) -> Result<(), StoreError> {
        self.store.note(&self.dialog.id, Happening::SetAside, store::now())
    }

    pub(super) fn delivered(&mut self) -> Result<(), StoreError> {
        self.store.deliver(&self.dialog.id, store::now())
    }

    /// How the dialog ended, if it has.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.store.find(&self.dialog.id).ok().flatten()?.outcome
    }

    /// Something has changed where it was watched: forgets what.
    pub(super) fn look_up(&self) {
        if let Some(watch) = &self.watch {
            watch.forget();
        }
    }

    pub(super) fn watched(&self) -> Option<BorrowedFd<'_>> {
        self.watch.as_ref().map(AsFd::as_fd)
    }
}

/// What was asked before: by this command itself, by another one that still waits or is gone, or by
/// one that was gone before its answer came.
fn find(store: &mut Store, asked: &Asked, reuse: Duration) -> Result<Option<Record>, StoreError> {
    let whole = |record: &Record| record.outcome.as_ref().is_some_and(Outcome::is_whole);
    if let Some(record) = store.find(&asked.dialog.id)?.filter(whole) {
        return Ok(Some(record));
    }
    if let Some(record) = store.waiting(&asked.key)? {
        store.add_ticket(&record.dialog.id, &asked.dialog.id)?;
        return Ok(Some(record));
    }
    let undelivered = store.undelivered(&asked.key, store::ago(reuse))?;
    if let Some(record) = &undelivered {
        store.add_ticket(&record.dialog.id, &asked.dialog.id)?;
        store.note(&record.dialog.id, Happening::Reused, store::now())?;
    }
    Ok(undelivered)
}

/// A new dialog. The person is told if it cannot be kept.
fn begin(store: &mut Store, asked: &Asked) -> (Record, Result<(), StoreError>) {
    let mut dialog = asked.dialog.clone();
    // What was answered under this ticket has lost its secret.
    if store.find(&dialog.id).is_ok_and(|found| found.is_some()) {
        dialog.id = asking::new_ticket();
    }
    let asked_at = store::now();
    let kept = store.insert(&dialog, &asked.key, asked_at);
    let record = Record {
        dialog,
        key: asked.key.clone(),
        draft: None,
        asked_at,
        shown_at: None,
        ended_at: None,
        outcome: None,
        through: None,
        delivered_at: None,
        reused: false,
    };
    (record, kept)
}

/// Something that the person should know about how their answers are kept.
pub(super) fn not_kept(error: &StoreError) -> Notice {
    Notice::NotKept { why: error.clone() }
}
