//! `AskUserQuestion`: the answers go in with the questions, so Claude's own picker has nothing left
//! to ask.

use serde_json::{Value, json};

use super::{Event, Question, decision};
use crate::{
    dialect::claude,
    dialog::Dialog,
    hook::inquiry::{Inquiry, Lasts},
    outcome::Outcome,
};

pub(super) fn question(event: Event) -> Question {
    let inquiry = Inquiry {
        payload: event.value.clone(),
        dialect: claude::DIALECT.name,
        caller: event.caller,
        lasts: Lasts::Beyond,
    };
    let decide = move |dialog: &Dialog, outcome: &Outcome| decide(dialog, outcome, event.value);
    Question { inquiry, decide: Box::new(decide) }
}

fn decide(dialog: &Dialog, outcome: &Outcome, event: &Value) -> Option<Value> {
    let written = (claude::DIALECT.write)(dialog, outcome);
    let mut written: Value = serde_json::from_str(&written).unwrap_or_default();
    match outcome {
        Outcome::Answered { .. } => {
            let mut input = event["tool_input"].clone();
            for member in ["answers", "annotations"] {
                if let Some(value) = written.get_mut(member) {
                    input[member] = value.take();
                }
            }
            Some(decision(
                "PreToolUse",
                json!({ "permissionDecision": "allow", "updatedInput": input }),
            ))
        }
        Outcome::Declined { .. } | Outcome::Clarify { .. } => Some(decision(
            "PreToolUse",
            json!({
                "permissionDecision": "deny",
                "permissionDecisionReason": written["message"],
            }),
        )),
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => None,
    }
}
