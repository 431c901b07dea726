//! What a tool is about to do, as a question: the act, not the name of the tool.

use std::path::Path;

use serde_json::Value;

use crate::{
    dialog::{Wording, host},
    text,
};

/// Whether the tool may do what it is called for.
pub fn question(tool: &str, input: &Value) -> Wording {
    let member = |field: &str| input.get(field).and_then(Value::as_str);
    let file = || member("file_path").or_else(|| member("notebook_path")).and_then(name);
    let about =
        |word: &str, name: &str, value: &str| Wording::new(word, [(name, text::name(value))]);
    let known = match tool {
        "Bash" => member("command").map(|_| Wording::new("hook_run", [])),
        "Edit" | "MultiEdit" | "NotebookEdit" => {
            file().map(|file| about("hook_edit", "file", file))
        }
        "Write" => file().map(|file| about("hook_write", "file", file)),
        "Read" => file().map(|file| about("hook_read", "file", file)),
        "WebFetch" => {
            let host = member("url").and_then(host).filter(|host| !host.is_empty());
            host.map(|host| about("hook_fetch", "host", host))
        }
        "WebSearch" => Some(Wording::new("hook_search", [])),
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
        case("WebFetch", &json!({ "url": "https://docs.rs/serde" }), "Fetch `docs.rs`?");
        case("WebSearch", &json!({ "query": "rust" }), "Search the web?");
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
