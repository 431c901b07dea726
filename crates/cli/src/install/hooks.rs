//! The hooks of Claude Code, and of Codex, which has them in the same shape: a command for each event
//! that asks the person something.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    PATIENCE_SECONDS,
    json::{self, JsonError, Step, keys},
};

/// The hooks of one client.
#[derive(Debug)]
pub(super) struct Hooks {
    /// What follows our program in the command.
    arguments: &'static str,
    /// Each event, and for which tools.
    events: &'static [(&'static str, Option<&'static str>)],
    /// How long a person may take, in the unit of the client.
    timeout: u64,
}

pub(super) static CLAUDE_CODE: Hooks = Hooks {
    arguments: " hook claude-code",
    events: &[
        ("PreToolUse", Some("AskUserQuestion|ExitPlanMode")),
        ("PermissionRequest", None),
        ("Elicitation", None),
    ],
    timeout: PATIENCE_SECONDS,
};

pub(super) static CODEX: Hooks = Hooks {
    arguments: " hook codex",
    events: &[("PreToolUse", Some("request_user_input")), ("PermissionRequest", None)],
    timeout: PATIENCE_SECONDS,
};

/// It counts milliseconds.
pub(super) static GEMINI: Hooks = Hooks {
    arguments: " hook gemini",
    events: &[("BeforeTool", Some("^ask_user$"))],
    timeout: PATIENCE_SECONDS * 1_000,
};

/// It takes 1000 and more for milliseconds.
pub(super) static QWEN: Hooks = Hooks {
    arguments: " hook qwen",
    events: &[("PermissionRequest", None)],
    timeout: PATIENCE_SECONDS * 1_000,
};

impl Hooks {
    pub(super) fn insert(&self, text: &str, program: &str) -> Result<String, JsonError> {
        let command = self.command(program);
        self.events.iter().try_fold(text.to_owned(), |text, (event, matcher)| {
            let ours = self.ours(&json::read(&text)?, event);
            if ours.is_empty() {
                let group = self.group(*matcher, &command);
                return json::push(&text, &keys(&["hooks", event]), &group);
            }
            // Whom it is for and how long it may take is the person's to change.
            ours.into_iter().try_fold(text, |text, hook| {
                let place = [hook.as_slice(), &keys(&["command"])].concat();
                json::put(&text, &place, &command.clone().into())
            })
        })
    }

    pub(super) fn remove(&self, text: &str, before: Option<&str>) -> Result<String, JsonError> {
        self.events.iter().try_fold(text.to_owned(), |text, (event, _)| {
            // From the last to the first, so that those that remain keep their places.
            self.ours(&json::read(&text)?, event).into_iter().rev().try_fold(text, |text, hook| {
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
    pub(super) fn programs(&self, text: &str) -> Result<Vec<String>, JsonError> {
        let root = json::read(text)?;
        let hooks = self.all(&root).into_iter();
        let mut programs: Vec<_> =
            hooks.filter_map(|hook| self.program(json::find(&root, &hook)?)).collect();
        programs.dedup();
        Ok(programs)
    }

    /// Where all our hooks are.
    pub(super) fn all(&self, root: &Value) -> Vec<Vec<Step>> {
        self.events.iter().flat_map(|(event, _)| self.ours(root, event)).collect()
    }

    /// Where our hooks for an event are.
    fn ours(&self, root: &Value, event: &str) -> Vec<Vec<Step>> {
        let path = keys(&["hooks", event]);
        let list = |value: &Value| value.as_array().map_or(0, Vec::len);
        let groups = json::find(root, &path).map_or(0, list);
        let hooks = (0..groups).flat_map(|group| {
            let path = [path.as_slice(), &[Step::Item(group)], &keys(&["hooks"])].concat();
            let hooks = json::find(root, &path).map_or(0, list);
            (0..hooks).map(move |hook| [path.as_slice(), &[Step::Item(hook)]].concat())
        });
        let is_ours =
            |hook: &Vec<Step>| json::find(root, hook).and_then(|hook| self.program(hook)).is_some();
        hooks.filter(is_ours).collect()
    }

    /// The program of a hook, if it is one of ours.
    fn program(&self, hook: &Value) -> Option<String> {
        let command = hook.get("command")?.as_str()?;
        let program = unquoted(command.strip_suffix(self.arguments)?);
        let is_ours = Path::new(&program).file_name().is_some_and(|name| name == "askdeck");
        is_ours.then_some(program)
    }

    fn group(&self, matcher: Option<&str>, command: &str) -> Value {
        let hooks = json!([{ "type": "command", "command": command, "timeout": self.timeout }]);
        match matcher {
            Some(matcher) => json!({ "matcher": matcher, "hooks": hooks }),
            None => json!({ "hooks": hooks }),
        }
    }

    /// The command as a shell reads it.
    fn command(&self, program: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
        let program = if program.chars().all(plain) {
            program.to_owned()
        } else {
            format!("'{}'", program.replace('\'', r"'\''"))
        };
        program + self.arguments
    }
}

fn unquoted(program: &str) -> String {
    let inside = program.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inside.map_or_else(|| program.to_owned(), |inside| inside.replace(r"'\''", "'"))
}

#[cfg(test)]
mod tests;
