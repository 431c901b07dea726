//! Codex's hooks. They are Claude Code's in shape, but Codex refuses a decision with anything in it
//! that it does not know, and waits for the hook before it asks in its terminal.

use askdeck_core::{
    dialect::{codex, text},
    dialog::Dialog,
    outcome::Outcome,
};
use serde_json::Value;

use super::{
    event::{Event, Hook, Question, Reaction, denied_use},
    inquiry::{Inquiry, Lasts},
    permission::{self, Permission},
};

pub static HOOK: Hook = Hook { agent: "Codex", react: reaction };

fn reaction<'a>(event: &Event<'a>) -> Reaction<'a> {
    match (event.text("hook_event_name"), event.text("tool_name")) {
        ("PreToolUse", "request_user_input") => questions(event).into(),
        ("PermissionRequest", _) => {
            let permission = Permission::of_tool(event);
            permission.question(event, Lasts::UntilDecided(None), permission::decided).into()
        }
        _ => Reaction::Nothing,
    }
}

/// There is no way to hand answers to the tool. What keeps it from asking again is the reason why
/// it need not run, and that is what the model reads in the place of its result.
fn questions(event: &Event) -> Question<'static> {
    let inquiry = Inquiry {
        payload: event.value["tool_input"].clone(),
        dialect: codex::DIALECT.name,
        caller: event.caller.clone(),
        lasts: Lasts::Beyond,
    };
    Question { inquiry, decide: Box::new(decide) }
}

fn decide(dialog: &Dialog, outcome: &Outcome) -> Option<Value> {
    match outcome {
        Outcome::Answered { .. } => {
            let result = (codex::DIALECT.write)(dialog, outcome);
            Some(denied_use(format!(
                "The user has already answered, in Askdeck. This is the result of the tool: {result}"
            )))
        }
        Outcome::Declined { .. } | Outcome::Clarify { .. } => {
            Some(denied_use((text::DIALECT.write)(dialog, outcome)))
        }
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => None,
    }
}
