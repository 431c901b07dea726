//! A dialog as it is kept.

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use super::{Millis, damage};
use crate::{
    dialog::Dialog,
    outcome::{Outcome, Through},
};

/// All that is kept of a dialog; its ticket is the dialog's id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub dialog: Dialog,
    pub key: String,
    pub draft: Option<String>,
    pub asked_at: Millis,
    /// The first time.
    pub shown_at: Option<Millis>,
    pub ended_at: Option<Millis>,
    pub outcome: Option<Outcome>,
    /// What the outcome was given through; none if it is not of the person.
    pub through: Option<Through>,
    /// The first time.
    pub delivered_at: Option<Millis>,
    /// Its answer was given to one who asked the same later.
    #[serde(default)]
    pub reused: bool,
}

impl Record {
    /// Whether another program answered in the person's place.
    pub fn is_by_program(&self) -> bool {
        self.through == Some(Through::Socket)
    }

    /// Whether the person has said something in it that reached nobody yet.
    pub fn is_undelivered(&self) -> bool {
        let said = self.outcome.as_ref().map(Outcome::name);
        self.delivered_at.is_none() && said.is_some_and(|name| Outcome::SAID.contains(&name))
    }

    /// What stands in a row of the table; `None` if it cannot be read any more.
    pub(super) fn read(row: &Row) -> Option<Self> {
        let outcome: Option<String> = row.get("outcome").ok()?;
        let sum: Option<String> = row.get("outcome_sum").ok()?;
        let through: Option<String> = row.get("through").ok()?;
        let ticket: String = row.get("ticket").ok()?;
        let dialog: Dialog =
            serde_json::from_str(row.get_ref("dialog").ok()?.as_str().ok()?).ok()?;
        if dialog.id != ticket || dialog.questions.is_empty() {
            return None;
        }
        if let (Some(outcome), Some(sum)) = (&outcome, sum) {
            // What a failing disk has changed must not be told as the person's answer.
            if sum != damage::sum(&ticket, outcome) {
                return None;
            }
        }
        Some(Self {
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
}
