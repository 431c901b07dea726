//! Without an app the terminal keeps the dialog itself, as the app would: before it is shown, while
//! it is typed, and its outcome before anybody hears of it.

use std::{
    os::fd::{AsFd, BorrowedFd},
    time::Duration,
};

use askdeck_core::{
    asking::Asked,
    claim::{Claim, Taken},
    dialog::Dialog,
    key::QuestionKey,
    outcome::{Outcome, Through},
    record::{Millis, Record},
    session::{Closing, Saved},
};
use askdeck_desk::{
    paths,
    socket::Place,
    store::{self, Happening, Later, Notice, Store, StoreError},
    watch::Watch,
};
use rustix::fs::inotify::WatchFlags;

use super::{
    TerminalError,
    opening::{Found, Opened, Role},
};

pub(super) struct Alone {
    store: Store,
    dialog: Dialog,
    /// That of the caller, if this command asks. A guest has none.
    ticket: Option<String>,
    /// Under which key and when it was asked, as long as that is not kept.
    unkept: Option<(String, Millis)>,
    /// Small writes that could not be made.
    later: Vec<Later>,
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
    ) -> Result<Option<(Self, Found)>, TerminalError> {
        let (mut store, mut notice) = Store::open(paths::store().as_deref());
        let (mut unkept, mut later) = (None, Vec::new());
        let (found, ticket) = match role {
            Role::Guest { ticket } => (store.find(ticket)?, None),
            Role::Asker { asked: Asked { dialog, key, .. }, .. } => {
                let mut dialog = dialog.clone();
                dialog.id = store.current_ticket(&dialog.id)?;
                let ticket = Some(dialog.id.clone());
                if let Some(found) = find(&mut store, &dialog, key, reuse, &mut later)? {
                    (Some(found), ticket)
                } else {
                    let (record, kept) = begin(&mut store, dialog, key);
                    if let Err(error) = kept {
                        unkept = Some((record.key.clone(), record.asked_at));
                        notice = notice.or(Some(not_kept(&error)));
                    }
                    (Some(record), ticket)
                }
            }
        };
        let Some(Record { dialog, draft, outcome, .. }) = found else { return Ok(None) };
        // Whoever ends a dialog, and every app that comes or goes, takes a turn in this folder; that
        // is over when its file is closed. Without the kernel's help it is noticed when the dialog
        // ends here.
        let watch = Watch::begin(place.directory(), WatchFlags::CLOSE_WRITE).ok();
        let alone = Self { store, dialog: dialog.clone(), ticket, unkept, later, watch };
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
        self.note(Happening::Shown)
    }

    /// Keeps the draft, and all that could not be kept before.
    pub(super) fn save_draft(&mut self, draft: &Saved) -> Result<(), StoreError> {
        self.keep_dialog()?;
        let draft = serde_json::to_string(draft).unwrap_or_default();
        self.store.save_draft(&self.dialog.id, &draft)?;
        Later::write_all(&mut self.store, &mut self.later)
    }

    /// What cannot be kept now cannot be kept at all, so that a lock is waited for.
    pub(super) fn end(&mut self, outcome: &Outcome) -> Result<(), StoreError> {
        // The caller may have taken it back in the same moment, while others had not.
        if self.outcome().is_some() {
            return Err(StoreError::NotThere);
        }
        self.store.wait_for_lock();
        self.keep_dialog()?;
        let through = outcome.is_of_the_person().then_some(Through::Terminal);
        self.store.end(&self.dialog, outcome, through, store::now())?;
        Later::write_all(&mut self.store, &mut self.later)
    }

    /// Takes the question back for the caller alone. Whether it was open.
    pub(super) fn withdraw(&mut self) -> Result<bool, StoreError> {
        self.store.wait_for_lock();
        match &self.ticket {
            Some(ticket) => self.store.withdraw(ticket, store::now()),
            None => Ok(false),
        }
    }

    pub(super) fn set_aside(&mut self) -> Result<(), StoreError> {
        self.note(Happening::SetAside)
    }

    pub(super) fn delivered(&mut self) -> Result<(), StoreError> {
        self.store.wait_for_lock();
        Later::write_all(&mut self.store, &mut self.later)?;
        self.store.deliver(&self.dialog.id, store::now())
    }

    /// Whether all is kept that was told to be.
    pub(super) fn is_all_kept(&self) -> bool {
        self.unkept.is_none() && self.later.is_empty() && !self.store.awaits_file()
    }

    /// Keeps the dialog itself, if that is still to be done.
    fn keep_dialog(&mut self) -> Result<(), StoreError> {
        self.store.return_to_file();
        if let Some((key, asked_at)) = &self.unkept {
            self.store.insert(&self.dialog, key, *asked_at)?;
            self.unkept = None;
        }
        Ok(())
    }

    fn note(&mut self, what: Happening) -> Result<(), StoreError> {
        let note = Later::Note { ticket: self.dialog.id.clone(), what, at: store::now() };
        if self.unkept.is_some() {
            self.later.push(note);
            return Ok(());
        }
        note.write(&mut self.store, &mut self.later)
    }

    /// How the dialog ended, if it has; for the caller, if this command asks.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match &self.ticket {
            Some(ticket) => self.store.claimed(ticket).ok().flatten()?.outcome(),
            None => self.store.find(&self.dialog.id).ok().flatten()?.outcome,
        }
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
fn find(
    store: &mut Store,
    dialog: &Dialog,
    key: &QuestionKey,
    reuse: Duration,
    later: &mut Vec<Later>,
) -> Result<Option<Record>, TerminalError> {
    if let Some(claimed) = store.claimed(&dialog.id)? {
        let outcome = claimed.outcome();
        let record = claimed.record;
        if record.key != key.as_str() || !record.dialog.asks_the_same(dialog) {
            return Err(Taken::Ticket(dialog.id.clone()).into());
        }
        if outcome.is_some() {
            return Ok(Some(Record { outcome, ..record }));
        }
    }
    let claim_to = |record: &Record| Later::Claim {
        ticket: record.dialog.id.clone(),
        claim: Claim::of(dialog),
    };
    // The person is told when their draft is not kept, for the same reason.
    let mut write = |store: &mut Store, write: Later| drop(write.write(store, later));
    if let Some(record) = store.waiting(key.as_str())? {
        if !record.dialog.asks_the_same(dialog) {
            return Err(Taken::Key.into());
        }
        write(store, claim_to(&record));
        return Ok(Some(record));
    }
    let undelivered = store.undelivered(key.as_str(), dialog, store::ago(reuse))?;
    if let Some(record) = &undelivered {
        write(store, claim_to(record));
        let (ticket, at) = (record.dialog.id.clone(), store::now());
        write(store, Later::Note { ticket, what: Happening::Reused, at });
    }
    Ok(undelivered)
}

/// A new dialog. The person is told if it cannot be kept.
fn begin(store: &mut Store, dialog: Dialog, key: &QuestionKey) -> (Record, Result<(), StoreError>) {
    let asked_at = store::now();
    let kept = store.insert(&dialog, key.as_str(), asked_at);
    let record = Record {
        dialog,
        key: key.as_str().into(),
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
