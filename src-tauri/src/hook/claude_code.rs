//! Claude Code's hooks, one event each: what to ask about it, and what Claude shall be told then.
//! The decision is all in the JSON: the hook itself always ends well, since other exit codes would
//! block Claude.

use serde_json::{Value, json};

use super::inquiry::{HookError, Inquiry};
use crate::{
    dialog::{Caller, Dialog},
    outcome::Outcome,
    words::Words,
};

mod elicitation;
mod permission;
mod plan;
mod questions;

/// An event, and what is needed to ask about it.
struct Event<'a> {
    value: &'a Value,
    caller: Caller,
    words: &'a Words,
}

/// What is asked about an event, and what follows from the outcome.
pub struct Question<'a> {
    pub inquiry: Inquiry,
    decide: Decide<'a>,
}

/// What Claude Code shall be told of an outcome.
type Decide<'a> = Box<dyn FnOnce(&Dialog, &Outcome) -> Option<Value> + 'a>;

/// What Claude Code shall be told about an event; nothing where it should go on by itself.
pub fn answer(value: &Value, here: Caller, words: &Words) -> Result<Option<Value>, HookError> {
    let Some(question) = question(value, here, words)? else { return Ok(None) };
    let (dialog, outcome) = question.inquiry.put()?;
    Ok((question.decide)(&dialog, &outcome))
}

/// What to ask the person about an event, if it is one for them.
pub fn question<'a>(
    value: &'a Value,
    here: Caller,
    words: &'a Words,
) -> Result<Option<Question<'a>>, HookError> {
    if !value.is_object() {
        return Err(HookError::NoObject);
    }
    let event = Event { value, caller: caller(value, here), words };
    let tool = event.text("tool_name");
    Ok(match (event.text("hook_event_name"), tool) {
        ("PreToolUse", "AskUserQuestion") => Some(questions::question(event)),
        ("PreToolUse", "ExitPlanMode") => plan::question(event),
        // These two come again when their own event was left to Claude's own picker.
        ("PermissionRequest", "AskUserQuestion" | "ExitPlanMode") => None,
        ("PermissionRequest", _) => Some(permission::question(event)),
        ("Elicitation", _) => Some(elicitation::question(&event)),
        _ => None,
    })
}

impl Event<'_> {
    fn text(&self, field: &str) -> &str {
        self.value.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    fn word(&self, key: &str) -> String {
        self.words.get(key).cloned().unwrap_or_default()
    }
}

fn caller(event: &Value, here: Caller) -> Caller {
    let text = |field: &str| event.get(field).and_then(Value::as_str).map(str::to_owned);
    Caller {
        agent: "Claude Code".into(),
        session: text("session_id"),
        cwd: text("cwd").or(here.cwd),
        ..here
    }
}

fn decision(event: &str, members: Value) -> Value {
    let mut output = json!({ "hookEventName": event });
    if let (Value::Object(output), Value::Object(members)) = (&mut output, members) {
        output.extend(members);
    }
    json!({ "hookSpecificOutput": output })
}
