//! The dialogs that were asked, what was typed and how they ended: a dialog outlives every
//! process.
//!
//! One SQLite file, written by the desk alone. What a write means for the person, and when it is made,
//! is decided elsewhere.

use std::{
    collections::HashSet,
    mem,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use askdeck_core::{
    deck::DialogEvent,
    dialog::Dialog,
    key::QuestionKey,
    outcome::{Outcome, Through},
    record::{Millis, OpenDialog, Record},
};
use rusqlite::{
    Connection, OptionalExtension, Params, TransactionBehavior, config::DbConfig, params,
};
use serde::Serialize;

use format::FORMAT;
use lock::Lock;
use returning::Unwritable;

mod damage;
mod deletion;
mod error;
mod file;
mod format;
mod history;
mod lock;
mod record;
mod returning;
mod salvage;
mod stats;
mod tickets;

#[cfg(test)]
mod tests;

pub use deletion::{Deletion, older_than};
pub use error::StoreError;
pub use history::{Callers, start_of_day};
pub use tickets::Claimed;

/// This moment, as it is stored.
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// The moment that was this long ago, as it is stored.
pub fn ago(time: Duration) -> Millis {
    now().saturating_sub(Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX))
}

pub struct Store {
    db: Connection,
    /// None if it lives in memory.
    file: Option<PathBuf>,
    /// Set as long as it lives in memory because that cannot be written.
    unwritable: Option<Unwritable>,
    lock: Lock,
}

/// Something the person should know about the data file.
#[derive(Debug, Clone, PartialEq)]
pub enum StoreNotice {
    /// The file was damaged: it was moved to `file`, and a new one created with what could be read.
    Damaged { file: PathBuf },
    /// Nothing can be written; questions work, but are not kept.
    NotKept { why: StoreError },
    /// The file has dialogs that a newer Askdeck has written, which cannot be read here.
    NewerDialogs,
}

impl Store {
    /// Opens the file, or creates it. Never fails: a damaged file is set aside and replaced by a new one;
    /// where nothing can be written, or a newer Askdeck has written the file, the store lives in memory,
    /// with what can be read.
    pub fn open(file: Option<&Path>) -> (Self, Option<StoreNotice>) {
        let Some(file) = file else {
            return Self::not_kept(StoreError::Nowhere);
        };
        let error = match file::connect(file, lock::AT_START) {
            Ok(db) => return (Self::of(db, Some(file)), None),
            Err(StoreError::Damaged) => return Self::open_afresh(file),
            Err(error) => error,
        };
        // It can be read, and written once it is unlocked.
        if error == StoreError::Busy
            && let Some(db) = file::connect_locked(file)
        {
            let store = Self { lock: Lock::found(), ..Self::of(db, Some(file)) };
            return (store, Some(StoreNotice::NotKept { why: error }));
        }
        let (mut store, notice) = Self::not_kept(error.clone());
        // What was asked and answered before is there all the same.
        let unwritable = file::connect_unwritable(file);
        let was_read = unwritable.is_some_and(|db| salvage::take_all(&db, &mut store.db).is_ok());
        if error != StoreError::Newer {
            store.unwritable = Some(Unwritable { file: file.to_owned(), why: error, was_read });
        }
        (store, notice)
    }

    /// For reading only, beside an app that writes or without one. None if there is no file, or
    /// none that this version can read.
    pub fn open_to_read(file: &Path) -> Option<Self> {
        Some(Self::of(file::connect_to_read(file)?, None))
    }

    pub fn in_memory() -> Self {
        let db = file::in_memory().expect("what lies in memory is written by us alone");
        Self::of(db, None)
    }

    /// What was set aside because it was damaged, oldest first, as it was then.
    pub fn set_aside_before(file: &Path) -> Vec<PathBuf> {
        damage::set_aside_before(file)
    }

    fn of(db: Connection, file: Option<&Path>) -> Self {
        let file = file.map(Path::to_owned);
        Self { db, file, unwritable: None, lock: Lock::none() }
    }

    /// None if it lives in memory.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// After [`StoreError::Damaged`]: sets the file aside and creates a new one with what could be read.
    /// Open dialogs that are missing there must be inserted again.
    pub fn begin_afresh(&mut self) -> Option<StoreNotice> {
        let file = self.file.clone()?;
        let damaged = mem::replace(self, Self::in_memory());
        // Should it fail, the file is set aside with the last writes in it instead of beside it.
        damaged.db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).ok();
        drop(damaged);
        let (fresh, notice) = Self::open_afresh(&file);
        *self = fresh;
        notice
    }

    fn open_afresh(file: &Path) -> (Self, Option<StoreNotice>) {
        let fresh = damage::set_aside(file)
            .and_then(|aside| Ok((aside, file::connect(file, lock::AT_START)?)));
        match fresh {
            Ok((aside, mut db)) => {
                // Should it fail, the new file is empty.
                salvage::take_over(&aside, &mut db).ok();
                damage::remove_old(file, &aside);
                (Self::of(db, Some(file)), Some(StoreNotice::Damaged { file: aside }))
            }
            Err(error) => Self::not_kept(error),
        }
    }

    fn not_kept(why: StoreError) -> (Self, Option<StoreNotice>) {
        (Self::in_memory(), Some(StoreNotice::NotKept { why }))
    }

    /// A new pending dialog, before it is shown. Fails with [`StoreError::Duplicate`] if its key is
    /// pending already.
    pub fn insert(&mut self, dialog: &Dialog, key: &str, at: Millis) -> Result<(), StoreError> {
        match self.try_insert(dialog, key, at) {
            Err(StoreError::Duplicate) if self.free(key)? => self.try_insert(dialog, key, at),
            done => done,
        }
    }

    fn try_insert(&mut self, dialog: &Dialog, key: &str, at: Millis) -> Result<(), StoreError> {
        let caller = &dialog.caller;
        self.write(&dialog.id, DialogEvent::Asked.name(), at, |db| {
            db.prepare_cached(
                "INSERT INTO dialogs
                 (ticket, key, format, agent, project, asked_at, search, dialog)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                dialog.id,
                key,
                FORMAT,
                caller.agent,
                caller.cwd.as_deref().map(history::folder),
                at,
                history::search_text(dialog, None),
                json(dialog),
            ])
        })
    }

    /// Takes the key from a pending dialog that cannot be read: it would block its question until it
    /// is answered, which it cannot be here.
    fn free(&mut self, key: &str) -> Result<bool, StoreError> {
        if self.waiting(key)?.is_some() {
            return Ok(false);
        }
        let sql = "SELECT ticket FROM dialogs WHERE key = ?1 AND ended_at IS NULL";
        let unreadable = self.db.query_row(sql, [key], |row| row.get::<_, String>(0)).optional()?;
        let key = QuestionKey::kept(key.into());
        unreadable.map_or(Ok(false), |ticket| self.leave_key(&ticket, &key).map(|_| true))
    }

    /// Whether a newer Askdeck has written dialogs that cannot be read here.
    pub fn has_newer_dialogs(&self) -> Result<bool, StoreError> {
        let newest = self.db.query_row("SELECT max(format) FROM dialogs", [], |row| row.get(0));
        Ok(newest.map(|newest: Option<u32>| newest > Some(FORMAT))?)
    }

    /// Keeps the draft, whatever it holds; it must not hold a secret.
    pub fn save_draft(&mut self, ticket: &str, draft: &str) -> Result<(), StoreError> {
        let sql = "UPDATE dialogs SET draft = ?2, format = ?3
             WHERE ticket = ?1 AND ended_at IS NULL AND format <= ?3";
        found(self.change(|db| db.prepare_cached(sql)?.execute(params![ticket, draft, FORMAT]))?)
    }

    /// Ends the dialog, on disk when this returns; the draft stays, secret answers are not kept.
    pub fn end(
        &mut self,
        dialog: &Dialog,
        outcome: &Outcome,
        through: Option<Through>,
        at: Millis,
    ) -> Result<(), StoreError> {
        let kept = outcome.without_secrets(dialog);
        let written = json(&kept);
        self.durably(|store| {
            store.write(&dialog.id, outcome.name(), at, |db| {
                db.prepare_cached(
                    "UPDATE dialogs
                     SET ended_at = ?2, ended_as = ?3, through = ?4, outcome = ?5, search = ?6,
                         outcome_sum = ?7, format = ?8
                     WHERE ticket = ?1 AND ended_at IS NULL AND format <= ?8",
                )?
                .execute(params![
                    dialog.id,
                    at,
                    kept.name(),
                    through.map(Through::name),
                    written,
                    history::search_text(dialog, Some(&kept)),
                    damage::sum(&dialog.id, &written),
                    FORMAT,
                ])
            })
        })
    }

    /// What is written here is on disk when it returns.
    fn durably(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.db.pragma_update(None, "synchronous", "FULL")?;
        let written = write(self);
        // Should it fail, the next writes are slower, and as safe.
        self.db.pragma_update(None, "synchronous", "NORMAL").ok();
        written
    }

    /// The outcome has reached a caller.
    pub fn deliver(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        self.write(ticket, "delivered", at, |db| {
            db.prepare_cached(
                "UPDATE dialogs SET delivered_at = coalesce(delivered_at, ?2)
                 WHERE ticket = ?1 AND ended_at IS NOT NULL",
            )?
            .execute(params![ticket, at])
        })
    }

    /// Adds to the journal of the dialog.
    pub fn note(
        &mut self,
        ticket: &str,
        event: &DialogEvent,
        at: Millis,
    ) -> Result<(), StoreError> {
        self.write(ticket, event.name(), at, |db| match event {
            DialogEvent::Shown => db
                .prepare_cached(
                    "UPDATE dialogs SET shown_at = coalesce(shown_at, ?2) WHERE ticket = ?1",
                )?
                .execute(params![ticket, at]),
            _ => db
                .prepare_cached("SELECT 1 FROM dialogs WHERE ticket = ?1")?
                .exists([ticket])
                .map(usize::from),
        })
    }

    /// Changes one dialog and adds to its journal, both or neither.
    fn write(
        &mut self,
        ticket: &str,
        what: &str,
        at: Millis,
        change: impl FnOnce(&Connection) -> rusqlite::Result<usize>,
    ) -> Result<(), StoreError> {
        let changed = self.change(|db| {
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let changed = change(&transaction)?;
            if changed > 0 {
                transaction
                    .prepare_cached("INSERT INTO events (ticket, what, at) VALUES (?1, ?2, ?3)")?
                    .execute(params![ticket, what, at])?;
                transaction.commit()?;
            }
            Ok(changed)
        })?;
        found(changed)
    }

    /// Writes, unless the file was just found to be locked. How many rows it changed.
    fn change(
        &mut self,
        change: impl FnOnce(&mut Connection) -> rusqlite::Result<usize>,
    ) -> Result<usize, StoreError> {
        // In memory nothing has to wait for the file.
        if self.awaits_file() {
            return Ok(change(&mut self.db)?);
        }
        self.lock.check()?;
        let changed = change(&mut self.db).map_err(StoreError::from);
        self.lock.note(&changed);
        changed
    }

    /// All pending dialogs, oldest first. One that cannot be read any more is left out.
    pub fn pending(&self) -> Result<Vec<OpenDialog>, StoreError> {
        let pending = "WHERE ended_at IS NULL ORDER BY asked_at, rowid";
        let records = self.records(pending, [], usize::MAX)?.into_iter();
        let (submitted, set_aside) = (self.submitted()?, self.set_aside()?);
        let mut tickets = self.tickets_of_pending()?;
        Ok(records
            .map(|Record { dialog, key, draft, asked_at, .. }| OpenDialog {
                submitted: submitted.contains(&dialog.id),
                set_aside: set_aside.contains(&dialog.id),
                claims: tickets.claims(&dialog),
                dialog: dialog.into(),
                key: QuestionKey::kept(key),
                // A draft that cannot be read keeps nobody from answering.
                draft: draft.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default(),
                asked_at,
            })
            .collect())
    }

    /// The pending dialog with this key.
    pub fn waiting(&self, key: &str) -> Result<Option<Record>, StoreError> {
        Ok(self.records("WHERE key = ?1 AND ended_at IS NULL", [key], 1)?.pop())
    }

    /// The tickets of the pending dialogs whose askers did not wait.
    fn submitted(&self) -> Result<HashSet<String>, StoreError> {
        self.tickets(
            "SELECT ticket FROM dialogs JOIN events USING (ticket)
             WHERE ended_at IS NULL AND what = 'submitted'",
        )
    }

    /// The tickets of the pending dialogs that were last seen when they were set aside.
    fn set_aside(&self) -> Result<HashSet<String>, StoreError> {
        self.tickets(
            "SELECT ticket FROM dialogs WHERE ended_at IS NULL AND 'set_aside' = (
                 SELECT what FROM events
                 WHERE ticket = dialogs.ticket AND what IN ('set_aside', 'shown', 'asked_again')
                 ORDER BY id DESC LIMIT 1)",
        )
    }

    fn tickets(&self, sql: &str) -> Result<HashSet<String>, StoreError> {
        let mut tickets = self.db.prepare_cached(sql)?;
        let tickets = tickets.query_map([], |row| row.get("ticket"))?;
        Ok(tickets.collect::<Result<_, _>>()?)
    }

    /// Until when the person does not want to be disturbed; [`Millis::MAX`] if until they say so.
    pub fn quiet_until(&self) -> Result<Millis, StoreError> {
        let until = self.db.query_row("SELECT max(until) FROM quiet", [], |row| row.get(0));
        Ok(until.map(Option::unwrap_or_default)?)
    }

    pub fn set_quiet_until(&mut self, until: Millis) -> Result<(), StoreError> {
        let sql = "INSERT INTO quiet (only, until) VALUES (1, ?1)
             ON CONFLICT (only) DO UPDATE SET until = excluded.until";
        self.change(|db| db.execute(sql, [until]))?;
        Ok(())
    }

    /// The dialog of a ticket: its own, or a further one.
    pub fn find(&self, ticket: &str) -> Result<Option<Record>, StoreError> {
        // If it is both, its caller goes on with the other.
        let found = "WHERE ticket = ?1
             OR ticket = (SELECT dialog FROM tickets WHERE tickets.ticket = ?1)
             ORDER BY ticket = ?1";
        Ok(self.records(found, [ticket], 1)?.pop())
    }

    /// The newest answered dialog that has this key and asks the same as this one, ended at or after
    /// `since` and never reached a caller. One with a secret is not found: its answer is not whole
    /// any more.
    pub fn undelivered(
        &self,
        key: &str,
        asked: &Dialog,
        since: Millis,
    ) -> Result<Option<Record>, StoreError> {
        let undelivered = "WHERE key = ?1 AND ended_at >= ?2
             AND ended_as = 'answered' AND delivered_at IS NULL ORDER BY ended_at DESC";
        let mut records = self.records(undelivered, params![key, since], usize::MAX)?.into_iter();
        let record = records.find(|record| record.dialog.asks_the_same(asked));
        Ok(record.filter(|record| record.outcome.as_ref().is_some_and(Outcome::is_whole)))
    }

    /// Up to `limit` dialogs that the rest of the statement selects; those that cannot be read any
    /// more are left out.
    fn records(
        &self,
        rest: &str,
        params: impl Params,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let reused = "SELECT 1 FROM events WHERE ticket = dialogs.ticket AND what = 'reused'";
        let sql = format!("SELECT *, EXISTS ({reused}) AS reused FROM dialogs {rest}");
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut rows = statement.query(params)?;
        let mut records = Vec::new();
        while records.len() < limit
            && let Some(row) = rows.next()?
        {
            records.extend(record::read(row));
        }
        Ok(records)
    }
}

fn json(kept: &impl Serialize) -> String {
    serde_json::to_string(kept).expect("all its keys are strings")
}

fn found(changed: usize) -> Result<(), StoreError> {
    if changed == 0 { Err(StoreError::NotThere) } else { Ok(()) }
}
