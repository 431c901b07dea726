//! What a tool is about to do, as markdown that the person can judge.

use std::{fmt::Write as _, fs};

use serde_json::{Map, Value};

use crate::{diff, text};

/// As many characters of one text as a person will read; the rest is only counted.
const MOST: usize = 20_000;

/// The input of a tool: a command, a change to a file, or as it came.
pub(super) fn tool(name: &str, input: &Value) -> String {
    let member = |field: &str| input.get(field).and_then(Value::as_str);
    let about = member("description").map(|text| format!("{text}\n\n")).unwrap_or_default();
    match (name, member("file_path").or_else(|| member("notebook_path"))) {
        ("Bash", _) if member("command").is_some() => {
            let command = block("sh", member("command").unwrap_or_default());
            format!("{about}{command}{}", rest(input, &["command", "description"]))
        }
        ("Edit", Some(path)) => {
            let change = diff::text(
                member("old_string").unwrap_or_default(),
                member("new_string").unwrap_or_default(),
            );
            let rest = rest(input, &["file_path", "old_string", "new_string"]);
            format!("{}{}{rest}", file(path), block("diff", &change))
        }
        ("Write", Some(path)) => {
            let change = diff::text(&content(path), member("content").unwrap_or_default());
            let rest = rest(input, &["file_path", "content"]);
            format!("{}{}{rest}", file(path), block("diff", &change))
        }
        (_, Some(path)) => format!("{}{}", file(path), json(input)),
        _ => json(input),
    }
}

/// A block of code, as far as anybody reads it.
fn block(language: &str, code: &str) -> String {
    let (shown, rest) = match code.char_indices().nth(MOST) {
        Some((end, _)) => code.split_at(end),
        None => (code, ""),
    };
    let mut block = text::fenced(language, shown);
    if !rest.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(block, "\n\n… +{}", rest.chars().count());
    }
    block
}

/// What stands in a file. One that is not there, or is no text, is shown as a new one.
fn content(path: &str) -> String {
    const LARGEST: u64 = 1024 * 1024;
    let readable = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
    readable.then(|| fs::read_to_string(path).ok()).flatten().unwrap_or_default()
}

fn file(path: &str) -> String {
    format!("{}\n\n", block("", path))
}

/// What else the tool is told, such as to replace every occurrence; what it is told not to do
/// changes nothing.
fn rest(input: &Value, shown: &[&str]) -> String {
    let matters = |(name, value): &(&String, &Value)| {
        !shown.contains(&name.as_str()) && !value.is_null() && **value != false
    };
    let members = input.as_object().into_iter().flatten().filter(matters);
    let rest: Map<_, _> = members.map(|(name, value)| (name.clone(), value.clone())).collect();
    if rest.is_empty() { String::new() } else { format!("\n\n{}", json(&rest.into())) }
}

fn json(input: &Value) -> String {
    block("json", &text::json(input))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_command_can_end_its_own_block() {
        let input = json!({ "command": "echo '```'\n````", "description": "Say it" });
        assert_eq!(tool("Bash", &input), "Say it\n\n`````sh\necho '```'\n````\n`````");
    }

    #[test]
    fn nothing_that_changes_what_happens_is_left_out() {
        let input = json!({ "command": "ls", "dangerouslyDisableSandbox": true });
        let shown = "```sh\nls\n```\n\n```json\n{\n  \"dangerouslyDisableSandbox\": true\n}\n```";
        assert_eq!(tool("Bash", &input), shown);
        let edit = |all: bool| {
            tool(
                "Edit",
                &json!({ "file_path": "a", "old_string": "x", "new_string": "y", "replace_all": all }),
            )
        };
        assert!(edit(true).ends_with("{\n  \"replace_all\": true\n}\n```"), "{}", edit(true));
        assert_eq!(edit(false), "```\na\n```\n\n```diff\n-x\n+y\n```");
    }

    #[test]
    fn what_is_too_long_is_cut_and_counted() {
        let shown = block("", &"字".repeat(MOST + 7));
        assert!(shown.ends_with("\n```\n\n… +7"), "{}", &shown[shown.len() - 20..]);
    }
}
