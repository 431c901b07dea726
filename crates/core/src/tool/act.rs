//! What a tool is about to do, as a question: the act, not the name of the tool.

use std::path::Path;

use serde_json::Value;

use crate::{
    dialog::{Wording, host},
    text,
};

/// The file that a tool works on. By no other name than its own: what else it is given, it ignores.
pub fn path<'a>(tool: &str, input: &'a Value) -> Option<&'a str> {
    let names: &[&str] = match tool {
        "NotebookEdit" => &["notebook_path"],
        "edit" | "read" => &["filepath", "filePath"],
        _ => &["file_path"],
    };
    names.iter().find_map(|name| input.get(name)?.as_str())
}

/// Whether the tool may do what it is called for. Tools are known by the names that Claude Code and
/// `OpenCode` have for them.
pub fn question(tool: &str, input: &Value) -> Wording {
    let member = |field: &str| input.get(field).and_then(Value::as_str);
    let file = || path(tool, input).and_then(name);
    let about =
        |word: &str, name: &str, value: &str| Wording::new(word, [(name, text::name(value))]);
    let known = match tool {
        "Bash" | "bash" => member("command").map(|_| Wording::new("hook_run", [])),
        "Edit" | "MultiEdit" | "NotebookEdit" | "edit" => {
            file().map(|file| about("hook_edit", "file", file))
        }
        "Write" => file().map(|file| about("hook_write", "file", file)),
        "Read" | "read" => file().map(|file| about("hook_read", "file", file)),
        "WebFetch" | "webfetch" => {
            let host = member("url").and_then(host).filter(|host| !host.is_empty());
            host.map(|host| about("hook_fetch", "host", host))
        }
        "WebSearch" | "websearch" => Some(Wording::new("hook_search", [])),
        _ => None,
    };
    known.unwrap_or_else(|| {
        let parts = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
        match parts {
            Some((server, tool)) => Wording::new(
                "hook_use_of",
                [("tool", text::name(tool)), ("server", text::name(server))],
            ),
            None => about("hook_use", "tool", tool),
        }
    })
}

fn name(path: &str) -> Option<&str> {
    Path::new(path).file_name()?.to_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::words::Language;

    #[track_caller]
    fn case(tool: &str, input: &Value, expected: &str) {
        assert_eq!(question(tool, input).say(Language::ENGLISH.words()), expected);
    }

    #[test]
    fn a_permission_asks_for_the_act() {
        case("Bash", &json!({ "command": "ls" }), "Run this command?");
        case("Edit", &json!({ "file_path": "/srv/shop/src/store.rs" }), "Edit `store.rs`?");
        case("Write", &json!({ "file_path": "/absent/a.md" }), "Write `a.md`?");
        case("NotebookEdit", &json!({ "notebook_path": "/n.ipynb" }), "Edit `n.ipynb`?");
        let forged = json!({ "file_path": "/tmp/a.md", "notebook_path": "/n.ipynb" });
        case("NotebookEdit", &forged, "Edit `n.ipynb`?");
        case("WebFetch", &json!({ "url": "https://docs.rs/serde" }), "Fetch `docs.rs`?");
        case("WebSearch", &json!({ "query": "rust" }), "Search the web?");
        case("bash", &json!({ "command": "ls" }), "Run this command?");
        case("edit", &json!({ "filepath": "/srv/a.rs" }), "Edit `a.rs`?");
        case("read", &json!({ "filePath": "/etc/hosts" }), "Read `hosts`?");
        case("mcp__tracker__close_issue", &json!({}), "Use `close_issue` of `tracker`?");
    }

    #[test]
    fn a_tool_that_is_not_known_or_oddly_called_is_named() {
        case("Task", &json!({ "prompt": "x" }), "Use `Task`?");
        case("Bash", &json!({}), "Use `Bash`?");
        case("Edit", &json!({ "file_path": 7 }), "Use `Edit`?");
        case("WebFetch", &json!({ "url": "file:///etc/passwd" }), "Use `WebFetch`?");
        case("Edit", &json!({ "file_path": "a`b.rs" }), "Edit `a'b.rs`?");
    }
}
