//! Claude Code's hooks, one event each: what to ask about it, and what Claude shall be told then.
//! The decision is all in the JSON: the hook itself always ends well, since other exit codes would
//! block Claude.

use askdeck_core::{
    dialog::{Caller, Dialog},
    outcome::Outcome,
    words::Words,
};
use askdeck_desk::client::Receipt;
use serde_json::{Value, json};

use super::inquiry::{HookError, Inquiry};

mod elicitation;
mod permission;
mod plan;
mod questions;
mod server;

/// An event, and what is needed to ask about it.
struct Event<'a> {
    value: &'a Value,
    caller: Caller,
    words: &'a Words,
}

/// What an event calls for.
pub enum Reaction<'a> {
    Nothing,
    /// The person need not be asked.
    Decided(Value),
    Ask(Box<Question<'a>>),
}

/// What is asked about an event, and what follows from the outcome.
pub struct Question<'a> {
    pub inquiry: Inquiry,
    pub decide: Decide<'a>,
}

/// What Claude Code shall be told of an outcome.
pub type Decide<'a> = Box<dyn FnOnce(&Dialog, &Outcome) -> Option<Value> + 'a>;

/// What Claude Code shall be told about an event; nothing where it should go on by itself. The
/// receipt is for when it has been told.
pub fn answer(
    value: &Value,
    here: Caller,
    words: &Words,
) -> Result<(Option<Value>, Receipt), HookError> {
    match reaction(value, here, words)? {
        Reaction::Nothing => Ok((None, Receipt::of_nobody())),
        Reaction::Decided(decision) => Ok((Some(decision), Receipt::of_nobody())),
        Reaction::Ask(question) => {
            let Question { inquiry, decide } = *question;
            let (dialog, outcome, receipt) = inquiry.put()?;
            Ok((decide(&dialog, &outcome), receipt))
        }
    }
}

/// What an event calls for, before anybody is asked.
pub fn reaction<'a>(
    value: &'a Value,
    here: Caller,
    words: &'a Words,
) -> Result<Reaction<'a>, HookError> {
    if !value.is_object() {
        return Err(HookError::NoObject);
    }
    let event = Event { value, caller: caller(value, here), words };
    let tool = event.text("tool_name");
    let ask = |question| Reaction::Ask(Box::new(question));
    Ok(match (event.text("hook_event_name"), tool) {
        ("PreToolUse", "AskUserQuestion") => ask(questions::question(event)),
        ("PreToolUse", "ExitPlanMode") => plan::question(event).map_or(Reaction::Nothing, ask),
        // These two come again when their own event was left to Claude's own picker.
        ("PermissionRequest", "AskUserQuestion" | "ExitPlanMode") => Reaction::Nothing,
        // Nobody wants to be asked whether they may be asked.
        ("PermissionRequest", _) if server::is_ours(&event) => {
            Reaction::Decided(permission::allowed())
        }
        ("PermissionRequest", _) => ask(permission::question(event)),
        ("Elicitation", _) => ask(elicitation::question(&event)),
        _ => Reaction::Nothing,
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
