//! A dialog as it is kept.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    claim::Claims,
    dialog::Dialog,
    key::QuestionKey,
    outcome::{Outcome, Through},
    session::Saved,
};

/// A point in time as stored: milliseconds since 1970.
pub type Millis = i64;

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
    /// Its answer was given to a caller that asked the same later.
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
}

/// A dialog that has not ended, or had not until now.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenDialog {
    pub dialog: Arc<Dialog>,
    pub key: QuestionKey,
    pub asked_at: Millis,
    pub claims: Claims,
    /// As it was last kept; the default if nothing was.
    pub draft: Saved,
    /// Nobody waits for its answer: it was asked for a ticket.
    pub submitted: bool,
    /// The person has put it away, and nobody has asked for it since.
    pub set_aside: bool,
}

impl OpenDialog {
    /// One that was just asked.
    pub fn new(dialog: Arc<Dialog>, key: QuestionKey, asked_at: Millis) -> Self {
        Self {
            claims: Claims::of(&dialog),
            dialog,
            key,
            asked_at,
            draft: Saved::default(),
            submitted: false,
            set_aside: false,
        }
    }
}
