//! A caller's claim to the outcome of a question: every ticket has its own.
//!
//! Several callers may ask the same. Each gets its reply with the ids of its own payload, and takes
//! the question back for itself alone.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{
    dialect,
    dialog::{Dialog, Question},
    outcome::Outcome,
};

/// What it takes to write a caller's reply. All else it has in common with the dialog.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    pub ticket: String,
    /// The dialect of the reply.
    pub dialect: String,
    /// What the dialect needs of the caller's payload.
    pub metadata: Value,
    /// What the caller calls its questions, in their order.
    pub question_ids: Vec<String>,
}

impl Claim {
    /// That of the caller who asked this.
    pub fn of(dialog: &Dialog) -> Self {
        Self::under(&dialog.id, dialog)
    }

    /// The same under another ticket.
    pub fn under(ticket: &str, dialog: &Dialog) -> Self {
        Self {
            ticket: ticket.into(),
            dialect: dialog.dialect.clone(),
            metadata: dialog.metadata.clone(),
            question_ids: dialog.questions.iter().map(|question| question.id.clone()).collect(),
        }
    }

    /// The dialog as this caller has asked it.
    #[must_use]
    pub fn dialog(&self, asked: &Dialog) -> Dialog {
        let ids = self.question_ids.iter().cloned();
        let questions = asked.questions.iter().zip(ids);
        Dialog {
            dialect: self.dialect.clone(),
            metadata: self.metadata.clone(),
            questions: questions.map(|(asked, id)| Question { id, ..asked.clone() }).collect(),
            ..asked.clone()
        }
    }

    /// How the dialog ended, as this caller wants to read it.
    pub fn write(&self, asked: &Dialog, outcome: &Outcome) -> String {
        let dialect = dialect::by_name(&self.dialect);
        dialect.map(|dialect| (dialect.write)(&self.dialog(asked), outcome)).unwrap_or_default()
    }
}

/// Under which ticket a question is asked anew whose answer has lost its secret. It follows from the
/// caller's own, which is all that the caller knows to take the question back with.
pub fn ticket_after(lost: &str) -> String {
    let digest = format!("{:x}", Sha256::digest(format!("lost:{lost}")));
    digest[..32].into()
}

/// The claims to one dialog.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Claims {
    pub open: Vec<Arc<Claim>>,
    /// Of callers that have taken the question back, while others had not.
    pub withdrawn: Vec<Arc<Claim>>,
}

impl Claims {
    /// That of the caller who asked this, and no other.
    pub fn of(dialog: &Dialog) -> Self {
        Self { open: vec![Arc::new(Claim::of(dialog))], withdrawn: Vec::new() }
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<Claim>> {
        self.open.iter().chain(&self.withdrawn)
    }

    /// The claim of a ticket, whether it was taken back or not.
    pub fn find(&self, ticket: &str) -> Option<&Arc<Claim>> {
        self.all().find(|claim| claim.ticket == ticket)
    }

    pub fn is_open(&self, ticket: &str) -> bool {
        self.open.iter().any(|claim| claim.ticket == ticket)
    }

    pub fn is_withdrawn(&self, ticket: &str) -> bool {
        self.withdrawn.iter().any(|claim| claim.ticket == ticket)
    }

    /// Takes a claim back. Returns it if it was open.
    pub fn withdraw(&mut self, ticket: &str) -> Option<Arc<Claim>> {
        let place = self.open.iter().position(|claim| claim.ticket == ticket)?;
        let claim = self.open.remove(place);
        self.withdrawn.push(Arc::clone(&claim));
        Some(claim)
    }
}

/// Why a question cannot be asked as its caller wants: its answer would be that of another.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Taken {
    #[error("another question has the ticket `{0}`; choose another, or none")]
    Ticket(String),
    #[error("another question with the same key is open; choose another key, or none")]
    Key,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{asking, dialog::Caller, outcome::Answer, protocol::Ask};

    fn asked(ticket: &str, payload: Value) -> Dialog {
        let ask = Ask { payload, ..Ask::default() };
        asking::check(&ask, ticket.into(), |_, _| Caller::default()).unwrap().dialog
    }

    #[test]
    fn reply_has_the_ids_of_the_callers_own_payload() {
        let question = |id: &str, question: &str| {
            json!({ "jsonrpc": "2.0", "id": id, "method": "item/tool/requestUserInput", "params": {
                "itemId": "i", "threadId": "t", "turnId": "u",
                "questions": [{ "id": question, "header": "Q", "question": "Which?", "isOther": false,
                    "isSecret": false, "options": [{ "label": "A", "description": "a" }] }],
            }})
        };
        let (first, second) = (asked("a", question("1", "x")), asked("b", question("2", "y")));
        assert!(first.asks_the_same(&second));
        let outcome =
            Outcome::Answered { answers: vec![Answer { selected: vec![0], ..Answer::default() }] };
        let written = Claim::of(&second).write(&first, &outcome);
        let own = dialect::by_name(&second.dialect).unwrap();
        assert_eq!(written, (own.write)(&second, &outcome));
        let written: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(written["id"], "2");
        assert_eq!(written["result"]["answers"]["y"]["answers"], json!(["A"]));
    }

    #[test]
    fn a_claim_is_taken_back_once() {
        let mut claims = Claims::of(&asked("a", json!({ "question": "Which?" })));
        assert!(claims.is_open("a") && claims.withdraw("b").is_none());
        assert!(claims.withdraw("a").is_some() && claims.withdraw("a").is_none());
        assert!(claims.is_withdrawn("a") && !claims.is_open("a") && claims.find("a").is_some());
    }

    #[test]
    fn a_claim_is_kept_and_read_again() {
        let claim = Claim::of(&asked("a", json!({ "interaction_id": 7, "question": "Which?" })));
        let kept = serde_json::to_string(&claim).unwrap();
        assert_eq!(serde_json::from_str::<Claim>(&kept).unwrap(), claim);
    }
}
