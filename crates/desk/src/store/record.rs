//! Reads a dialog from its row.

use askdeck_core::{dialog::Dialog, outcome::Through, record::Record};
use rusqlite::Row;

use super::{damage, format::upgrade};

/// What is in a row of the table; `None` if it cannot be read.
pub(super) fn read(row: &Row) -> Option<Record> {
    let format = row.get("format").ok()?;
    let draft: Option<String> = row.get("draft").ok()?;
    let outcome: Option<String> = row.get("outcome").ok()?;
    let sum: Option<String> = row.get("outcome_sum").ok()?;
    let through: Option<String> = row.get("through").ok()?;
    let ticket: String = row.get("ticket").ok()?;
    let dialog = upgrade(row.get("dialog").ok()?, format)?;
    let dialog: Dialog = serde_json::from_str(&dialog).ok()?;
    if dialog.id != ticket || dialog.questions.is_empty() {
        return None;
    }
    // What a failing disk has changed must not be reported as the person's answer.
    if sum != outcome.as_deref().map(|outcome| damage::sum(&ticket, outcome)) {
        return None;
    }
    Some(Record {
        dialog,
        key: row.get("key").ok()?,
        draft: match draft {
            Some(draft) => Some(upgrade(draft, format)?),
            None => None,
        },
        asked_at: row.get("asked_at").ok()?,
        shown_at: row.get("shown_at").ok()?,
        ended_at: row.get("ended_at").ok()?,
        outcome: match outcome {
            Some(outcome) => Some(serde_json::from_str(&upgrade(outcome, format)?).ok()?),
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
