//! Claude Code's hooks, one event each: what to ask about it, and what Claude shall be told then.
//! The decision is all in the JSON: the hook itself always ends well, since other exit codes would
//! block Claude.

use askdeck_desk::store;

use super::{
    cancellation::ToolUse,
    event::{Event, Hook, Question, Reaction},
    inquiry::Lasts,
    permission::{self, Permission},
};

mod elicitation;
mod plan;
mod questions;
mod server;
mod suggestions;

pub static HOOK: Hook = Hook { agent: "Claude Code", react: reaction };

fn reaction<'a>(event: &Event<'a>) -> Reaction<'a> {
    let tool = event.text("tool_name");
    match (event.text("hook_event_name"), tool) {
        ("PreToolUse", "AskUserQuestion") => questions::question(event).into(),
        ("PreToolUse", "ExitPlanMode") => {
            plan::question(event).map_or(Reaction::Nothing, Reaction::from)
        }
        // These two come again when their own event was left to Claude's own picker.
        ("PermissionRequest", "AskUserQuestion" | "ExitPlanMode") => Reaction::Nothing,
        // Nobody wants to be asked whether they may be asked.
        ("PermissionRequest", _) if server::is_ours(event) => {
            Reaction::Decided(permission::allowed())
        }
        ("PermissionRequest", _) => permitted(event).into(),
        ("Elicitation", _) => elicitation::question(event).into(),
        _ => Reaction::Nothing,
    }
}

/// Claude asks in its terminal at the same time, and the first answer counts. So the question goes
/// once it is decided there.
fn permitted(event: &Event) -> Question<'static> {
    let used = ToolUse {
        transcript: event.text("transcript_path").into(),
        tool: event.text("tool_name").into(),
        input: event.value["tool_input"].clone(),
        asked_at: store::now(),
    };
    let permission = Permission {
        grants: suggestions::grants(event),
        ..Permission::to_use(event.text("tool_name"), event.input(), event)
    };
    permission.question(event, Lasts::UntilDecided(Some(used)), permission::decided)
}
