//! The hooks of Claude Code: a command for each event that asks the person something.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    PATIENCE_SECONDS,
    json::{self, JsonError, Step, keys},
};

/// Each event, and for which tools.
const EVENTS: [(&str, Option<&str>); 3] = [
    ("PreToolUse", Some("AskUserQuestion|ExitPlanMode")),
    ("PermissionRequest", None),
    ("Elicitation", None),
];

const ARGUMENTS: &str = " hook claude-code";

pub(super) fn insert(text: &str, program: &str) -> Result<String, JsonError> {
    EVENTS.into_iter().try_fold(text.to_owned(), |text, (event, matcher)| {
        let ours = ours(&json::read(&text)?, event);
        if ours.is_empty() {
            return json::push(&text, &keys(&["hooks", event]), &group(matcher, program));
        }
        // Whom it is for and how long it may take is the person's to change.
        ours.into_iter().try_fold(text, |text, hook| {
            let command = [hook.as_slice(), &keys(&["command"])].concat();
            json::put(&text, &command, &shell(program).into())
        })
    })
}

pub(super) fn remove(text: &str, before: Option<&str>) -> Result<String, JsonError> {
    EVENTS.into_iter().try_fold(text.to_owned(), |text, (event, _)| {
        // From the last to the first, so that those that remain keep their places.
        ours(&json::read(&text)?, event).into_iter().rev().try_fold(text, |text, hook| {
            let (hooks, group, event) = (&hook[..4], &hook[..3], &hook[..2]);
            let text = json::take(&text, &hook)?;
            match json::find(&json::read(&text)?, hooks) {
                Some(Value::Array(others)) if !others.is_empty() => Ok(text),
                _ => json::prune(&json::take(&text, group)?, event, before),
            }
        })
    })
}

/// Which programs the hooks start, once for each.
pub(super) fn programs(text: &str) -> Result<Vec<String>, JsonError> {
    let root = json::read(text)?;
    let hooks = EVENTS.into_iter().flat_map(|(event, _)| ours(&root, event));
    let mut programs: Vec<_> =
        hooks.filter_map(|hook| program(json::find(&root, &hook)?)).collect();
    programs.dedup();
    Ok(programs)
}

fn group(matcher: Option<&str>, program: &str) -> Value {
    let hooks =
        json!([{ "type": "command", "command": shell(program), "timeout": PATIENCE_SECONDS }]);
    match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": hooks }),
        None => json!({ "hooks": hooks }),
    }
}

/// Where our hooks for an event are.
fn ours(root: &Value, event: &str) -> Vec<Vec<Step>> {
    let path = keys(&["hooks", event]);
    let list = |value: &Value| value.as_array().map_or(0, Vec::len);
    let groups = json::find(root, &path).map_or(0, list);
    let hooks = (0..groups).flat_map(|group| {
        let path = [path.as_slice(), &[Step::Item(group)], &keys(&["hooks"])].concat();
        let hooks = json::find(root, &path).map_or(0, list);
        (0..hooks).map(move |hook| [path.as_slice(), &[Step::Item(hook)]].concat())
    });
    hooks.filter(|hook| json::find(root, hook).and_then(program).is_some()).collect()
}

/// The program of a hook, if it is one of ours.
fn program(hook: &Value) -> Option<String> {
    let command = hook.get("command")?.as_str()?;
    let program = unquoted(command.strip_suffix(ARGUMENTS)?);
    let is_ours = Path::new(&program).file_name().is_some_and(|name| name == "askdeck");
    is_ours.then_some(program)
}

/// The command as a shell reads it.
fn shell(program: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    let program = if program.chars().all(plain) {
        program.to_owned()
    } else {
        format!("'{}'", program.replace('\'', r"'\''"))
    };
    program + ARGUMENTS
}

fn unquoted(program: &str) -> String {
    let inside = program.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inside.map_or_else(|| program.to_owned(), |inside| inside.replace(r"'\''", "'"))
}

#[cfg(test)]
mod tests;
