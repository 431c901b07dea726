//! What a tool is about to do, as markdown that the person can judge: first what is allowed, then
//! what is said about it.

use serde_json::{Map, Value};

use super::act::path;
use crate::{diff, text};

/// As many characters of one text as a person will read; the rest is only counted.
const MOST: usize = 20_000;
/// As many characters of the agent's own words.
const MOST_WORDS: usize = 300;
/// Members with more characters than this stand below the shorter ones, which they would hide.
const SHORT: usize = 200;

/// What a tool changes in a file.
pub struct FileChange<'a> {
    pub path: &'a str,
    /// As a diff.
    pub lines: String,
    /// What the diff does not show.
    pub said: Option<String>,
    /// The members of the tool's input that it tells of.
    pub tells: &'static [&'static str],
}

impl<'a> FileChange<'a> {
    /// What an edit replaces by what, as far as its input alone tells. What is written over cannot be
    /// known here, so a file that is written is no such change.
    pub fn of_input(tool: &str, input: &'a Value) -> Option<Self> {
        let member = |field: &str| input.get(field).and_then(Value::as_str);
        if tool != "Edit" {
            return None;
        }
        Some(Self {
            path: member("file_path")?,
            lines: diff::text(member("old_string")?, member("new_string")?),
            said: None,
            tells: &["file_path", "old_string", "new_string"],
        })
    }

    /// How many lines are added, and how many removed, if all of that is shown.
    pub fn counts(&self) -> Option<String> {
        let (added, removed) = diff::count(&self.lines);
        self.said.is_none().then(|| format!("+{added} −{removed}"))
    }
}

/// The input of a tool: a command, a change to a file, or as it came.
pub fn to_markdown(name: &str, input: &Value, change: Option<&FileChange>) -> String {
    let member = |field: &str| input.get(field).and_then(Value::as_str);
    let path = path(name, input);
    if let Some(FileChange { path, lines, said, tells }) = change {
        let diff = block("diff", lines);
        // The path stands right before its diff, whose header it is.
        let shown = [said.clone(), Some(text::fenced("", path)), Some(diff), rest(input, tells)];
        return shown.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    }
    let shown = match (name, path, member("command")) {
        ("Bash" | "bash", _, Some(command)) => {
            let said = member("description").map(text::clean_line);
            let told: &[_] =
                if said.is_some() { &["command", "description"] } else { &["command"] };
            let said = said.and_then(|said| text::quoted(&said, MOST_WORDS));
            [Some(text::fenced("sh", command)), rest(input, told), said]
        }
        (
            "Read" | "Edit" | "MultiEdit" | "NotebookEdit" | "Write" | "read" | "edit",
            Some(path),
            _,
        ) => [Some(text::fenced("", path)), rest(input, &[]), None],
        // What a no means to a tool that is not known, nobody knows either.
        (_, Some(path), _) => [Some(text::fenced("", path)), Some(rows(input)), None],
        (_, None, Some(command)) => {
            [Some(text::fenced("sh", command)), without(input, &["command"]), None]
        }
        _ => [Some(rows(input)), None, None],
    };
    shown.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// A block of code, as far as anybody reads it.
pub fn block(language: &str, code: &str) -> String {
    match code.char_indices().nth(MOST) {
        Some((end, _)) => {
            let (shown, rest) = code.split_at(end);
            format!("{}\n\n{}", text::fenced(language, shown), more(rest))
        }
        None => text::fenced(language, code),
    }
}

fn more(rest: &str) -> String {
    format!("… +{}", rest.chars().count())
}

/// What else the tool is told, such as to replace every occurrence; what it is told not to do
/// changes nothing.
fn rest(input: &Value, shown: &[&str]) -> Option<String> {
    members(input, |name, value| !shown.contains(&name) && !value.is_null() && *value != false)
}

/// All members but these.
pub fn without(input: &Value, shown: &[&str]) -> Option<String> {
    members(input, |name, _| !shown.contains(&name))
}

fn members(input: &Value, matters: impl Fn(&str, &Value) -> bool) -> Option<String> {
    let members = input.as_object().into_iter().flatten();
    let members = members.filter(|(name, value)| matters(name, value));
    let members: Map<_, _> = members.map(|(name, value)| (name.clone(), value.clone())).collect();
    (!members.is_empty()).then(|| rows(&members.into()))
}

/// The members one below the other: short ones first, so that none is hidden by a long one. What has
/// several lines stands below its name, further in, so that no value can look like another member.
pub fn rows(input: &Value) -> String {
    let Value::Object(members) = input else { return text::fenced("json", &text::json(input)) };
    if members.is_empty() {
        return text::fenced("json", "{}");
    }
    let is_long = |value: &Value| value.to_string().len() > SHORT;
    let (long, short): (Vec<_>, Vec<_>) = members.iter().partition(|(_, value)| is_long(value));
    let rows: Vec<_> = short.into_iter().chain(long).map(row).collect();
    text::fenced("yaml", &rows.join("\n"))
}

fn row((name, value): (&String, &Value)) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let name = if is_plain { name.clone() } else { Value::from(name.as_str()).to_string() };
    let value = match value {
        Value::String(text) if !text.trim().is_empty() => cut(text),
        value => cut(&text::json(value)),
    };
    if value.contains(['\n', '\r']) {
        format!("{name}:\n  {}", value.replace(['\n', '\r'], "\n  "))
    } else {
        format!("{name}: {value}")
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}{}", &text[..end], more(&text[end..])),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(name: &str, input: &Value) -> String {
        let change = FileChange::of_input(name, input);
        to_markdown(name, input, change.as_ref())
    }

    #[test]
    fn a_command_is_first_and_whole_whatever_is_said_about_it() {
        let command = format!("rm -rf ~/work # {}", "x".repeat(2 * MOST));
        let description =
            format!("List the files\n\n```sh\nls -la\n```\n{}", "\n\n&nbsp;".repeat(80));
        let input = json!({ "description": description, "command": command });
        let text = shown("Bash", &input);
        let said = text.strip_prefix(&format!("```sh\n{command}\n```\n\n")).expect(&text);
        assert!(
            said.starts_with("> List the files \\`\\`\\`sh ls \\-la \\`\\`\\` \\&nbsp\\;"),
            "{said}"
        );
        assert!(said.ends_with('…') && !said.contains('\n'), "{said}");
        let input = json!({ "note": "```\nls\n```", "command": "rm -rf ~" });
        let rest = "```sh\nrm -rf ~\n```\n\n````yaml\nnote:\n  ```\n  ls\n  ```\n````";
        assert_eq!(shown("mcp__x__run", &input), rest);
    }

    #[test]
    fn no_member_hides_another() {
        let input = json!({ "prompt": "字".repeat(MOST + 7), "url": "https://a.example" });
        let text = shown("WebFetch", &input);
        assert!(text.starts_with("```yaml\nurl: https://a.example\nprompt: 字"));
        assert!(text.ends_with("字… +7\n```"), "{}", &text[text.len() - 40..]);
    }

    #[test]
    fn no_value_looks_like_another_member() {
        let input = json!({
            "note": "fine\nurl: https://good.example",
            "url": "https://bad.example",
            "a\nb": { "deep": [1, "x"] },
            "none": "",
        });
        let expected = "```yaml\nnote:\n  fine\n  url: https://good.example\n\
            url: https://bad.example\n\
            \"a\\nb\":\n  {\n    \"deep\": [\n      1,\n      \"x\"\n    ]\n  }\n\
            none: \"\"\n```";
        assert_eq!(shown("Task", &input), expected);
    }

    #[test]
    fn command_cannot_end_its_own_markdown_block() {
        let input = json!({ "command": "echo '```'\n````", "description": "Say it" });
        assert_eq!(shown("Bash", &input), "`````sh\necho '```'\n````\n`````\n\n> Say it");
    }

    #[test]
    fn permission_shows_every_field_that_changes_the_effect() {
        let input = json!({ "command": "ls", "dangerouslyDisableSandbox": true });
        let text = "```sh\nls\n```\n\n```yaml\ndangerouslyDisableSandbox: true\n```";
        assert_eq!(shown("Bash", &input), text);
        let input = json!({ "command": "wipe", "dry_run": false });
        let text = "```sh\nwipe\n```\n\n```yaml\ndry_run: false\n```";
        assert_eq!(shown("mcp__x__run", &input), text);
        let edit = |all: bool| {
            shown(
                "Edit",
                &json!({ "file_path": "a", "old_string": "x", "new_string": "y", "replace_all": all }),
            )
        };
        assert!(edit(true).ends_with("```yaml\nreplace_all: true\n```"), "{}", edit(true));
        assert_eq!(edit(false), "```\na\n```\n\n```diff\n-x\n+y\n```");
    }

    #[test]
    fn lines_of_a_change_are_counted_if_all_are_shown() {
        let input = json!({ "file_path": "a", "old_string": "x", "new_string": "y\nz" });
        let change = FileChange::of_input("Edit", &input).expect("it changes");
        assert_eq!(change.counts().as_deref(), Some("+2 −1"));
        let hidden = FileChange { said: Some("Replaces more".into()), ..change };
        assert_eq!(hidden.counts(), None);
    }

    #[test]
    fn what_is_too_long_is_cut_and_counted() {
        let shown = block("", &"字".repeat(MOST + 7));
        assert!(shown.ends_with("\n```\n\n… +7"), "{}", &shown[shown.len() - 20..]);
    }
}
