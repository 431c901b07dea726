//! A tool that has to be confirmed before it runs: the requirement of a paused run, or only its tool.
//!
//! The answer has the names under which either keeps it: what `confirm()` and `reject(note)` set. Own
//! words reject, and are the note.

use serde_json::{Map, Value, json};

use super::DIALECT;
use crate::{
    dialect::{
        answers,
        fields::{Field, Fields, has},
        permission::{self, Permission, allow, refuse},
    },
    dialog::Dialog,
    outcome::Outcome,
    payload::Payload,
    tool::{self, FileChange},
};

/// The field in which the tool stands in a requirement.
const TOOL: &str = "tool_execution";

pub(super) fn is_one(payload: &Value) -> bool {
    let tool = payload.get(TOOL).unwrap_or(payload);
    has(tool, "tool_name") && tool["requires_confirmation"] == true
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    payload.agent = fields.text("member_agent_name");
    let Some(field) = fields.get(TOOL) else {
        return read_tool(payload, fields, "confirmed");
    };
    if let Some(tool) = field.object() {
        read_tool(payload, &tool, "confirmation");
    }
}

fn read_tool(payload: &mut Payload, fields: &Fields, kept: &str) {
    payload.metadata[DIALECT.name]["confirmation"] = kept.into();
    let Some(name) = fields.need_text("tool_name") else { return };
    let nothing = Value::Object(Map::new());
    let args = fields.get("tool_args");
    if args.clone().is_some_and(|args| args.object().is_none()) {
        return;
    }
    let args = args.map_or(&nothing, |args: Field| args.value);
    let change = FileChange::of_input(&name, args);
    let permission = Permission {
        text: fields.findings.word(tool::question(&name, args)),
        shown: Some(tool::to_markdown(&name, args, change.as_ref())),
        details: None,
        verbs: vec![
            allow(fields.findings.say("action_approve", []), true),
            refuse(fields.findings.say("action_reject", []), false),
        ],
        own_words: true,
    };
    permission.put(payload, fields);
}

pub(super) fn write(dialog: &Dialog, outcome: &Outcome, kept: &str) -> Value {
    let reject = |note: Option<String>| {
        let mut body = json!({ kept: false });
        if let Some(note) = note {
            body["confirmation_note"] = note.into();
        }
        body
    };
    let words = permission::own_words(outcome).map(str::to_owned);
    let decided = match outcome {
        Outcome::Answered { .. } if words.is_none() => {
            permission::chosen(dialog, outcome).map(|confirmed| json!({ kept: confirmed }))
        }
        Outcome::Answered { .. } | Outcome::Declined { .. } => Some(reject(words)),
        Outcome::Clarify { .. } => Some(reject(Some(answers::told(outcome)))),
        _ => None,
    };
    decided.unwrap_or_else(|| answers::ending("status", outcome, Value::Null).into())
}
