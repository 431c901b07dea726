//! Which MCP server a tool is of. Its name says nothing: a project's `.mcp.json` can give it to any
//! server, and so can whoever starts Claude Code.

use std::path::Path;

use askdeck_desk::{files, paths};
use serde_json::Value;

use crate::{hook::event::Event, install, mcp};

/// The name under which `askdeck install` connects the server.
const NAME: &str = "askdeck";

/// Whether it is a tool of the server of this program: Claude Code says that the person has set up
/// the server, and the person's file says that it is this program. Where either is not known, it is
/// a tool like any other. A project's file never counts: it could give this program an environment in
/// which it does something else.
pub(super) fn is_ours(event: &Event) -> bool {
    let tool = event.text("tool_name").strip_prefix("mcp__askdeck__");
    let server = &event.value["mcp_server"];
    tool.is_some_and(|tool| mcp::NAMES.contains(&tool))
        && server["name"] == NAME
        && person_has_set_up_ours(server["source"].as_str(), event.text("cwd"))
}

fn person_has_set_up_ours(source: Option<&str>, folder: &str) -> bool {
    let state = || {
        let text = files::read(&paths::claude_state()?, install::LARGEST).ok()?;
        serde_json::from_str::<Value>(&text).ok()
    };
    let entry = |scope: &Value| scope["mcpServers"].get(NAME).map(starts_this_program);
    match source {
        Some("user") => state().and_then(|state| entry(&state)),
        // In this project alone. The agent may have gone to a folder below it.
        Some("local") => state().and_then(|state| {
            let mut projects = Path::new(folder).ancestors().filter_map(Path::to_str);
            projects.find_map(|project| entry(&state["projects"][project]))
        }),
        _ => None,
    }
    .unwrap_or_default()
}

fn starts_this_program(server: &Value) -> bool {
    let is_command = server.get("type").is_none_or(|kind| kind == "stdio");
    is_command
        && server["args"][0] == "mcp"
        && server["command"].as_str().is_some_and(paths::is_this_program)
}
