//! What a tool is about to do, as markdown that the person can judge.

use std::{fmt::Write as _, fs};

use serde_json::Value;

use crate::diff::{self, Line, Mark};

/// As many characters of one text as a person will read; the rest is only counted.
const MOST: usize = 20_000;

/// The input of a tool: a command, a change to a file, an address, or as it came.
pub(super) fn tool(name: &str, input: &Value) -> String {
    let text = |field: &str| input.get(field).and_then(Value::as_str);
    let about = text("description").map(|text| format!("{text}\n\n")).unwrap_or_default();
    match (name, text("file_path").or_else(|| text("notebook_path"))) {
        ("Bash", _) if text("command").is_some() => {
            format!("{about}{}", fenced("sh", text("command").unwrap_or_default()))
        }
        ("Edit", Some(path)) => {
            let change = change(
                text("old_string").unwrap_or_default(),
                text("new_string").unwrap_or_default(),
            );
            format!("{}{}", file(path), fenced("diff", &change))
        }
        ("Write", Some(path)) => {
            let change = change(&content(path), text("content").unwrap_or_default());
            format!("{}{}", file(path), fenced("diff", &change))
        }
        (_, Some(path)) => format!("{}{}", file(path), json(input)),
        _ => json(input),
    }
}

/// A block of code that its own content cannot end.
pub(super) fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let (shown, rest) = match text.char_indices().nth(MOST) {
        Some((end, _)) => text.split_at(end),
        None => (text, ""),
    };
    let mut block = format!("{fence}{language}\n{}\n{fence}", shown.trim_end_matches('\n'));
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
    format!("{}\n\n", fenced("", path))
}

fn json(input: &Value) -> String {
    fenced("json", &serde_json::to_string_pretty(input).unwrap_or_default())
}

/// The lines that go and come, with a few around them.
fn change(before: &str, after: &str) -> String {
    let mut lines = String::new();
    for Line { mark, text } in diff::lines(before, after) {
        let mark = match mark {
            Mark::Same | Mark::Gap => ' ',
            Mark::Removed => '-',
            Mark::Added => '+',
        };
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{mark}{text}");
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_shows_what_goes_and_what_comes() {
        let before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
        let after = "one\ntwo\nthree\nfour\n5\nsix\nseven\neight\n";
        assert_eq!(change(before, after), " …\n three\n four\n-five\n+5\n six\n seven\n …\n");
        assert_eq!(change("", "new\n"), "+new\n");
        assert_eq!(change("a\na\n", "a\na\na\n"), " a\n a\n+a\n");
        assert_eq!(change("gone\n", ""), "-gone\n");
    }

    #[test]
    fn no_command_can_end_its_own_block() {
        let input = json!({ "command": "echo '```'\n````", "description": "Say it" });
        assert_eq!(tool("Bash", &input), "Say it\n\n`````sh\necho '```'\n````\n`````");
    }

    #[test]
    fn what_is_too_long_is_cut_and_counted() {
        let shown = fenced("", &"字".repeat(MOST + 7));
        assert!(shown.ends_with("\n```\n\n… +7"), "{}", &shown[shown.len() - 20..]);
    }
}
