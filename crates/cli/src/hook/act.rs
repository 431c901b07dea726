//! What a tool is about to do, as a question: the act, not the name of the tool.

use std::path::Path;

use askdeck_core::{
    dialog::host,
    text,
    words::{self, Words},
};
use serde_json::Value;

use super::{file_change::FileChange, patch::Patch};

/// What agents call the path of a file that a tool works on.
pub(super) const PATHS: [&str; 4] = ["file_path", "notebook_path", "filepath", "filePath"];

/// Tools are known by the names that Claude Code and `OpenCode` have for them.
pub(super) fn question(
    tool: &str,
    input: &Value,
    change: Option<&FileChange>,
    words: &Words,
) -> String {
    let act = act(tool, input, words);
    match change.and_then(FileChange::counts) {
        Some(counts) => format!("{act} {counts}"),
        None => act,
    }
}

fn act(tool: &str, input: &Value, words: &Words) -> String {
    let member = |field: &str| input.get(field).and_then(Value::as_str);
    let file = || PATHS.into_iter().find_map(member).and_then(name);
    let say = |word: &str, name: &'static str, value: String| {
        words::say(words, word, [(name, text::name(&value))])
    };
    let known = match tool {
        "Bash" | "bash" => member("command").map(|_| words["hook_run"].clone()),
        "Edit" | "MultiEdit" | "NotebookEdit" | "edit" => {
            file().map(|file| say("hook_edit", "file", file))
        }
        "Write" => file().map(|file| say("hook_write", "file", file)),
        "Read" | "read" => file().map(|file| say("hook_read", "file", file)),
        "WebFetch" | "webfetch" => {
            let host = member("url").and_then(host).filter(|host| !host.is_empty());
            host.map(|host| say("hook_fetch", "host", host.to_owned()))
        }
        "apply_patch" => member("command").and_then(Patch::read).map(|patch| patch.question(words)),
        "WebSearch" | "websearch" => Some(words["hook_search"].clone()),
        _ => None,
    };
    known.unwrap_or_else(|| {
        let parts = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
        match parts {
            Some((server, tool)) => {
                let values = [("tool", text::name(tool)), ("server", text::name(server))];
                words::say(words, "hook_use_of", values)
            }
            None => say("hook_use", "tool", tool.to_owned()),
        }
    })
}

fn name(path: &str) -> Option<String> {
    Path::new(path).file_name()?.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use askdeck_core::words::Language;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn case(tool: &str, input: &Value, expected: &str) {
        let words = Language::ENGLISH.words();
        let change = FileChange::of(tool, input, words);
        assert_eq!(question(tool, input, change.as_ref(), words), expected);
    }

    #[test]
    fn a_permission_asks_for_the_act() {
        case("Bash", &json!({ "command": "ls" }), "Run this command?");
        case("Edit", &json!({ "file_path": "/srv/shop/src/store.rs" }), "Edit `store.rs`?");
        let input = json!({ "file_path": "/absent/a.md", "content": "one\ntwo\n" });
        case("Write", &input, "Write `a.md`? +2 −0");
        case("NotebookEdit", &json!({ "notebook_path": "/n.ipynb" }), "Edit `n.ipynb`?");
        case("WebFetch", &json!({ "url": "https://docs.rs/serde" }), "Fetch `docs.rs`?");
        case("WebSearch", &json!({ "query": "rust" }), "Search the web?");
        case("bash", &json!({ "command": "ls" }), "Run this command?");
        case("edit", &json!({ "filepath": "/srv/a.rs", "diff": "-a\n+b\n" }), "Edit `a.rs`? +1 −1");
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
