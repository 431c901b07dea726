//! Deleting what has ended, for good: its rows, and every trace of them in the file.

use std::{collections::BTreeSet, time::Duration};

use askdeck_core::{
    history::{Deleted, Filter, Selection},
    outcome::Outcome,
};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params_from_iter};

use super::{
    Store, StoreError, ago,
    format::FORMAT,
    history::{fits, values},
    returning::Unwritable,
};

/// So many dialogs are deleted in one step: it takes a few milliseconds, in which nobody can write.
const BATCH: usize = 25;
/// So many free pages are given back to the disk in one step.
const PAGES: usize = 50;
/// After so many steps, what they wrote is taken into the file: before SQLite does it by itself, in the
/// middle of somebody's write.
const ROUND: usize = 16;
/// How often the last writes are tried to be cleared away while other programs read them.
const TRIES: usize = 500;

/// All that ended longer ago than this.
pub fn older_than(time: Duration) -> Selection {
    Selection::Matching(Filter { before: Some(ago(time)), ..Filter::default() })
}

/// A deletion on its way, a step at a time.
pub struct Deletion {
    /// The own tickets of the dialogs that are left to delete.
    tickets: Vec<String>,
    is_named: bool,
    stage: Stage,
    steps: usize,
    tries: usize,
    /// What it will come to, or has come to when it is done.
    pub outlook: Deleted,
}

/// What is left to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Rows,
    FreePages,
    LastWrites,
}

impl Deletion {
    /// Does a few milliseconds' worth of it. Whether there is more to do.
    pub fn step(&mut self, store: &mut Store) -> Result<bool, StoreError> {
        if self.outlook.deleted == 0 {
            return Ok(false);
        }
        self.steps += 1;
        match self.stage {
            Stage::Rows => {
                let batch = self.tickets.split_off(self.tickets.len().saturating_sub(BATCH));
                let deleted = store.delete(&batch, self.is_named)?;
                // Another program may have deleted some meanwhile.
                self.outlook.deleted -= batch.len().saturating_sub(deleted);
                if self.tickets.is_empty() {
                    self.stage = Stage::FreePages;
                }
                Ok(true)
            }
            Stage::FreePages => {
                if !store.give_back(PAGES)? {
                    self.stage = Stage::LastWrites;
                }
                Ok(true)
            }
            Stage::LastWrites => {
                self.tries += 1;
                Ok(!store.clear_last_writes()? && self.tries < TRIES)
            }
        }
    }

    /// Between two steps: takes what they wrote into the file. With another connection than theirs,
    /// since the disk takes its time, and for this one nobody waits.
    pub fn take_in_writes(&self, beside: &Store) {
        if self.stage == Stage::LastWrites || self.steps.is_multiple_of(ROUND) {
            // What is left is taken in with the next ones.
            beside.db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).ok();
        }
    }
}

impl Store {
    /// What would be deleted now.
    pub fn plan_deletion(&self, which: &Selection) -> Result<Deletion, StoreError> {
        let (tickets, outlook) = match which {
            Selection::Tickets(named) => self.named(named)?,
            Selection::Matching(filter) => self.matching(filter)?,
        };
        let outlook = Deleted { deleted: tickets.len(), ..outlook };
        let is_named = matches!(which, Selection::Tickets(_));
        Ok(Deletion { tickets, is_named, stage: Stage::Rows, steps: 0, tries: 0, outlook })
    }

    fn named(&self, named: &[String]) -> Result<(Vec<String>, Deleted), StoreError> {
        let mut statement = self.db.prepare_cached(
            "SELECT ticket, ended_at IS NULL FROM dialogs WHERE format <= ?2 AND (ticket = ?1
             OR ticket = (SELECT dialog FROM tickets WHERE tickets.ticket = ?1))",
        )?;
        let mut tickets = BTreeSet::new();
        let mut outlook = Deleted::default();
        for name in named {
            let found = statement.query_row((name, FORMAT), |row| Ok((row.get(0)?, row.get(1)?)));
            match found.optional()? {
                None => outlook.unknown.push(name.clone()),
                Some((_, true)) => outlook.still_open.push(name.clone()),
                Some((ticket, false)) => drop(tickets.insert(ticket)),
            }
        }
        Ok((tickets.into_iter().collect(), outlook))
    }

    fn matching(&self, filter: &Filter) -> Result<(Vec<String>, Deleted), StoreError> {
        let (ended, open) = (fits("ended_at"), fits("asked_at"));
        let values = || params_from_iter(values(filter));
        let (mut tickets, mut undelivered) = (Vec::new(), Vec::new());
        let sql = format!(
            "SELECT ticket, {} FROM dialogs WHERE {ended} AND format <= {FORMAT} ORDER BY ended_at DESC",
            undelivered_sql()
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut rows = statement.query(values())?;
        while let Some(row) = rows.next()? {
            let stays: bool = row.get(1)?;
            if stays { &mut undelivered } else { &mut tickets }.push(row.get(0)?);
        }
        let sql = format!("SELECT ticket FROM dialogs WHERE ended_at IS NULL AND {open}");
        let mut statement = self.db.prepare_cached(&sql)?;
        let still_open =
            statement.query_map(values(), |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok((tickets, Deleted { undelivered, still_open, ..Deleted::default() }))
    }

    /// Deletes these dialogs, as far as they have ended; and only if `is_named`, answers that reached
    /// nobody. How many there were.
    fn delete(&mut self, tickets: &[String], is_named: bool) -> Result<usize, StoreError> {
        if let Some(Unwritable { why, .. }) = &self.unwritable {
            // In the file they would still be there.
            return Err(why.clone());
        }
        let undelivered = undelivered_sql();
        self.change(|db| {
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut deleted = 0;
            let mut statement = transaction.prepare_cached(&format!(
                "DELETE FROM dialogs WHERE ticket = ?1 AND ended_at IS NOT NULL
                 AND (?2 OR NOT ({undelivered}))"
            ))?;
            for ticket in tickets {
                deleted += statement.execute((ticket, is_named))?;
            }
            drop(statement);
            transaction.commit()?;
            Ok(deleted)
        })
    }

    /// Gives free pages back to the disk. Whether there may be more.
    fn give_back(&mut self, pages: usize) -> Result<bool, StoreError> {
        let free =
            |db: &Connection| db.pragma_query_value(None, "freelist_count", |row| row.get(0));
        let before: u32 = free(&self.db)?;
        if before == 0 {
            return Ok(false);
        }
        self.change(|db| {
            // It takes one page for each row that is asked for.
            let mut vacuum = db.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
            let mut rows = vacuum.query([])?;
            while rows.next()?.is_some() {}
            Ok(0)
        })?;
        let after: u32 = free(&self.db)?;
        Ok(0 < after && after < before)
    }

    /// Takes what SQLite wrote beside the file into it, where the deleted rows could still be read.
    /// Whether nobody was in the way.
    fn clear_last_writes(&mut self) -> Result<bool, StoreError> {
        // It is tried again, so the desk need not wait for a reader.
        self.db.busy_timeout(Duration::ZERO)?;
        let busy = self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
        self.db.busy_timeout(self.lock.patience)?;
        Ok(!busy?)
    }
}

/// Whether the person has said something that reached nobody yet.
fn undelivered_sql() -> String {
    let said = Outcome::SAID.map(|name| format!("'{name}'")).join(", ");
    format!("ended_as IN ({said}) AND delivered_at IS NULL")
}
