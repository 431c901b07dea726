//! Qwen Code's hook, which has Claude Code's shape. It waits for the hook before it asks in its
//! terminal, and has its questions as permissions of a tool.

use askdeck_core::{
    dialect::{claude, text},
    tool::Verdict,
};

use super::{
    event::{Event, Hook, Reaction},
    inquiry::Lasts,
    permission::{self, Permission},
    refusal,
};

pub static HOOK: Hook = Hook { agent: "Qwen Code", react: reaction };

fn reaction<'a>(event: &Event<'a>) -> Reaction<'a> {
    match (event.text("hook_event_name"), event.text("tool_name")) {
        ("PermissionRequest", "ask_user_question") => {
            let refuse = |told: &str| permission::decided(Verdict::No(told.into()));
            refusal::question(event, &claude::DIALECT, &text::DIALECT, refuse).into()
        }
        ("PermissionRequest", tool) => {
            let permission = Permission::to_use(as_claude_calls(tool), event.input(), event);
            permission.question(event, Lasts::UntilDecided(None), permission::decided).into()
        }
        _ => Reaction::Nothing,
    }
}

/// These tools are given the same as Claude Code's.
fn as_claude_calls(tool: &str) -> &str {
    match tool {
        "run_shell_command" => "Bash",
        "edit" => "Edit",
        "write_file" => "Write",
        "read_file" => "Read",
        "web_fetch" => "WebFetch",
        tool => tool,
    }
}
