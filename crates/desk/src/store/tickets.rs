//! The tickets of a dialog: what each caller's reply is written with, and who has taken the
//! question back.

use std::{collections::HashMap, sync::Arc};

use askdeck_core::{
    claim::{Claim, Claims},
    dialog::Dialog,
    outcome::Outcome,
    record::{Millis, Record},
};
use rusqlite::params;

use super::{
    Store, StoreError,
    format::{FORMAT, upgrade},
    json,
};

/// A dialog as the caller of one ticket finds it.
#[derive(Debug, PartialEq)]
pub struct Claimed {
    pub record: Record,
    pub claim: Claim,
    /// This caller has taken it back, while others had not.
    pub withdrawn: bool,
}

impl Claimed {
    /// How it ended for this caller, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.withdrawn { Some(Outcome::Withdrawn) } else { self.record.outcome.clone() }
    }
}

/// A row of the table.
struct Row {
    dialog: String,
    ticket: String,
    /// Nothing if it cannot be read.
    claim: Option<Claim>,
    withdrawn: bool,
}

impl Row {
    const COLUMNS: &str = "dialog, ticket, format, claim, withdrawn_at IS NOT NULL AS withdrawn";

    fn read(row: &rusqlite::Row) -> rusqlite::Result<Self> {
        let claim = upgrade(row.get("claim")?, row.get("format")?);
        Ok(Self {
            dialog: row.get("dialog")?,
            ticket: row.get("ticket")?,
            claim: claim.and_then(|claim| serde_json::from_str(&claim).ok()),
            withdrawn: row.get("withdrawn")?,
        })
    }
}

/// The tickets of pending dialogs, by the ticket that each had first.
pub(super) struct PendingTickets(HashMap<String, Vec<Row>>);

impl PendingTickets {
    pub(super) fn claims(&mut self, dialog: &Dialog) -> Claims {
        claims(dialog, self.0.remove(&dialog.id).unwrap_or_default())
    }
}

fn claims(dialog: &Dialog, rows: Vec<Row>) -> Claims {
    let mut claims = Claims::of(dialog);
    for row in rows {
        if row.ticket != dialog.id {
            claims.open.extend(row.claim.map(Arc::new));
        }
        if row.withdrawn {
            claims.withdraw(&row.ticket);
        }
    }
    claims
}

impl Store {
    /// Lets the dialog be found by the ticket of another caller, unless that is taken.
    pub fn add_claim(&mut self, ticket: &str, claim: &Claim) -> Result<(), StoreError> {
        self.change(|db| {
            db.prepare_cached(
                "INSERT INTO tickets (ticket, dialog, format, claim)
                 SELECT ?2, ticket, ?3, ?4 FROM dialogs
                 WHERE ticket = ?1 AND NOT EXISTS (SELECT 1 FROM dialogs WHERE ticket = ?2)
                 ON CONFLICT DO NOTHING",
            )?
            .execute(params![ticket, claim.ticket, FORMAT, json(claim)])
        })?;
        Ok(())
    }

    /// Keeps that a caller has taken the question back, on disk when this returns. It stays open.
    pub fn withdraw_claim(
        &mut self,
        ticket: &str,
        claim: &Claim,
        at: Millis,
    ) -> Result<(), StoreError> {
        self.durably(|store| {
            store.change(|db| {
                db.prepare_cached(
                    "INSERT INTO tickets (ticket, dialog, format, claim, withdrawn_at)
                     SELECT ?2, ticket, ?3, ?4, ?5 FROM dialogs WHERE ticket = ?1
                     ON CONFLICT (ticket)
                     DO UPDATE SET withdrawn_at = coalesce(withdrawn_at, excluded.withdrawn_at)
                     WHERE dialog = excluded.dialog",
                )?
                .execute(params![ticket, claim.ticket, FORMAT, json(claim), at])
            })?;
            Ok(())
        })
    }

    /// The dialog of a ticket, for the caller who has it.
    pub fn claimed(&self, ticket: &str) -> Result<Option<Claimed>, StoreError> {
        let Some(record) = self.find(ticket)? else { return Ok(None) };
        let (claim, withdrawn) = match self.rows("WHERE ticket = ?1", [ticket])?.pop() {
            Some(row) => (row.claim, row.withdrawn),
            None => (Some(Claim::of(&record.dialog)), false),
        };
        Ok(claim.map(|claim| Claimed { record, claim, withdrawn }))
    }

    pub(super) fn tickets_of_pending(&self) -> Result<PendingTickets, StoreError> {
        let pending = "WHERE dialog IN (SELECT ticket FROM dialogs WHERE ended_at IS NULL)
             ORDER BY rowid";
        let mut by_dialog: HashMap<String, Vec<Row>> = HashMap::new();
        for row in self.rows(pending, [])? {
            by_dialog.entry(row.dialog.clone()).or_default().push(row);
        }
        Ok(PendingTickets(by_dialog))
    }

    fn rows(&self, rest: &str, params: impl rusqlite::Params) -> Result<Vec<Row>, StoreError> {
        let sql = format!("SELECT {} FROM tickets {rest}", Row::COLUMNS);
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.query_map(params, Row::read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
