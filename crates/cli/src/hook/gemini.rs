//! Gemini CLI's hook before a tool. It can refuse the tool but not approve it, so it serves for
//! questions alone.

use askdeck_core::dialect::{gemini, text};
use serde_json::{Value, json};

use super::{
    event::{Event, Hook, Reaction},
    refusal,
};

pub static HOOK: Hook = Hook { agent: "Gemini CLI", react: reaction };

fn reaction<'a>(event: &Event<'a>) -> Reaction<'a> {
    match (event.text("hook_event_name"), event.text("tool_name")) {
        ("BeforeTool", "ask_user") => {
            refusal::question(event, &gemini::DIALECT, &text::DIALECT, refused).into()
        }
        _ => Reaction::Nothing,
    }
}

fn refused(reason: &str) -> Value {
    let output = json!({ "hookEventName": "BeforeTool" });
    json!({ "decision": "deny", "reason": reason, "hookSpecificOutput": output })
}
