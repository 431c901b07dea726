//! Codex's hooks. They are Claude Code's in shape, but Codex refuses a decision with anything in it
//! that it does not know, and waits for the hook before it asks in its terminal.

use askdeck_core::dialect::codex;

use super::{
    event::{Event, Hook, Reaction, denied_use},
    inquiry::Lasts,
    permission::{self, Permission},
    refusal,
};

pub static HOOK: Hook = Hook { agent: "Codex", react: reaction };

fn reaction<'a>(event: &Event<'a>) -> Reaction<'a> {
    match (event.text("hook_event_name"), event.text("tool_name")) {
        ("PreToolUse", "request_user_input") => {
            refusal::question(event, &codex::DIALECT, &codex::DIALECT, denied_use).into()
        }
        ("PermissionRequest", tool) => {
            let permission = Permission::to_use(tool, event.input(), event);
            permission.question(event, Lasts::UntilDecided(None), permission::decided).into()
        }
        _ => Reaction::Nothing,
    }
}
