//! `AskUserQuestion`: the answers go in with the questions, so Claude's own picker has nothing left
//! to ask.

use serde_json::{Value, json};

use super::{Event, decision};
use crate::{
    dialect::claude,
    hook::{
        HookError,
        inquiry::{Inquiry, Lasts},
    },
    outcome::Outcome,
};

pub(super) fn answer(event: Event) -> Result<Option<Value>, HookError> {
    let inquiry = Inquiry {
        payload: event.value.clone(),
        dialect: claude::DIALECT.name,
        caller: event.caller,
        lasts: Lasts::Beyond,
    };
    let (dialog, outcome) = inquiry.put()?;
    let written = (claude::DIALECT.write)(&dialog, &outcome);
    let mut written: Value = serde_json::from_str(&written).unwrap_or_default();
    Ok(match outcome {
        Outcome::Answered { .. } => {
            let mut input = event.value["tool_input"].clone();
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
    })
}
