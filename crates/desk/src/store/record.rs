//! Reads a dialog from its row.

use askdeck_core::{dialog::Dialog, outcome::Through, record::Record};
use rusqlite::Row;

use super::damage;

/// What stands in a row of the table; `None` if it cannot be read any more.
pub(super) fn read(row: &Row) -> Option<Record> {
    let outcome: Option<String> = row.get("outcome").ok()?;
    let sum: Option<String> = row.get("outcome_sum").ok()?;
    let through: Option<String> = row.get("through").ok()?;
    let ticket: String = row.get("ticket").ok()?;
    let dialog: Dialog = serde_json::from_str(row.get_ref("dialog").ok()?.as_str().ok()?).ok()?;
    if dialog.id != ticket || dialog.questions.is_empty() {
        return None;
    }
    if let (Some(outcome), Some(sum)) = (&outcome, sum) {
        // What a failing disk has changed must not be told as the person's answer.
        if sum != damage::sum(&ticket, outcome) {
            return None;
        }
    }
    Some(Record {
        dialog,
        key: row.get("key").ok()?,
        draft: row.get("draft").ok()?,
        asked_at: row.get("asked_at").ok()?,
        shown_at: row.get("shown_at").ok()?,
        ended_at: row.get("ended_at").ok()?,
        outcome: match outcome {
            Some(outcome) => Some(serde_json::from_str(&outcome).ok()?),
            None => None,
        },
        through: match through {
            Some(name) => Some(Through::by_name(&name)?),
            None => None,
        },
        delivered_at: row.get("delivered_at").ok()?,
        // The journal tells, where it was looked into.
        reused: row.get("reused").unwrap_or_default(),
    })
}
