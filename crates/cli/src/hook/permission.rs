//! What a tool is about to do, and whether it may: once, from now on, or not.
//!
//! No answer to it is ever used for another request.

use std::path::Path;

use askdeck_core::{
    dialect::askdeck,
    dialog::Dialog,
    outcome::Outcome,
    text,
    tool::{self, FileChange, Verdict},
};
use serde_json::{Value, json};

use super::{
    event::{Event, Question, decision},
    file_change,
    inquiry::{Inquiry, Lasts},
    patch::Patch,
};

pub(super) struct Permission {
    /// The act, as a question.
    pub(super) question: String,
    /// All that it does, as markdown.
    pub(super) shown: String,
    /// What can be allowed beyond this once.
    pub(super) grants: Vec<Grant>,
}

/// Something that can be allowed beyond this once.
pub(super) struct Grant {
    pub(super) label: String,
    pub(super) description: Option<String>,
    /// What the agent is told then, in its own words.
    pub(super) decision: Value,
}

impl Permission {
    /// To use a tool, by the name that [`tool::question`] knows.
    pub(super) fn to_use(name: &str, input: &Value, event: &Event) -> Self {
        let words = event.words;
        let (question, shown) = match input.get("command").and_then(Value::as_str) {
            Some(patch) if name == "apply_patch" => patched(patch, input, event),
            _ => {
                let change = file_change::of(name, input, words);
                let act = tool::question(name, input).say(words);
                let counts = change.as_ref().and_then(FileChange::counts);
                let question = [Some(act), counts].into_iter().flatten().collect::<Vec<_>>();
                (question.join(" "), tool::to_markdown(name, input, change.as_ref()))
            }
        };
        Self { question, shown, grants: Vec::new() }
    }

    pub(super) fn question<'a>(
        self,
        event: &Event,
        lasts: Lasts,
        write: impl FnOnce(Verdict<Value>) -> Value + 'a,
    ) -> Question<'a> {
        let mut options = vec![json!({ "label": event.word("hook_once") })];
        let granted =
            |grant: &Grant| json!({ "label": grant.label, "description": grant.description });
        options.extend(self.grants.iter().map(granted));
        options.push(json!({ "label": event.word("hook_deny"), "refuses": true }));
        let payload = json!({
            "askdeck": 1,
            "message": self.shown,
            // There is no way to hand a note over with a yes.
            "questions": [{
                "question": self.question,
                "options": options,
                "notes": false,
                "consent": true,
            }],
        });
        let inquiry = Inquiry {
            payload,
            dialect: askdeck::DIALECT.name,
            caller: event.caller.clone(),
            lasts,
        };
        let grants = self.grants.into_iter().map(|grant| grant.decision);
        let decide = move |_: &Dialog, outcome: &Outcome| Verdict::of(outcome, grants).map(write);
        Question { inquiry, decide: Box::new(decide) }
    }
}

/// What a patch of Codex does, as a question and to read.
fn patched(patch: &str, input: &Value, event: &Event) -> (String, String) {
    let (words, folder) = (event.words, event.caller.cwd.as_deref().unwrap_or_default());
    let (question, shown) = match Patch::read(patch, Path::new(folder)) {
        Some(patch) => (patch.question(words), patch.to_markdown(words)),
        None => (tool::question("apply_patch", input).say(words), text::fenced("", patch)),
    };
    let rest = tool::without(input, &["command"]);
    (question, [Some(shown), rest].into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// What needs no asking.
pub(super) fn allowed() -> Value {
    decided(Verdict::Once)
}

/// A verdict as Claude Code reads it, and Codex after it.
pub(super) fn decided(verdict: Verdict<Value>) -> Value {
    let behavior = match verdict {
        Verdict::Once => json!({ "behavior": "allow" }),
        Verdict::Granted(decision) => decision,
        Verdict::No(message) => json!({ "behavior": "deny", "message": message }),
    };
    decision("PermissionRequest", json!({ "decision": behavior }))
}

#[cfg(test)]
mod tests {
    use askdeck_core::{dialog::Caller, words::Language};

    use super::*;

    #[track_caller]
    fn case(name: &str, input: &Value, question: &str, shown: &str) {
        let caller = Caller { cwd: Some("/absent".into()), ..Caller::default() };
        let event = Event { value: input, caller, words: Language::ENGLISH.words() };
        let permission = Permission::to_use(name, input, &event);
        assert_eq!((permission.question.as_str(), permission.shown.as_str()), (question, shown));
    }

    #[test]
    fn lines_that_a_tool_changes_are_counted() {
        let input = json!({ "filepath": "/srv/a.rs", "diff": "-a\n+b\n" });
        case("edit", &input, "Edit `a.rs`? +1 −1", "```\n/srv/a.rs\n```\n\n```diff\n-a\n+b\n```");
    }

    #[test]
    fn patch_that_is_not_understood_is_shown_as_it_came() {
        let input = json!({ "command": "*** Begin\n+x", "force": true });
        let shown = "```\n*** Begin\n+x\n```\n\n```yaml\nforce: true\n```";
        case("apply_patch", &input, "Use `apply_patch`?", shown);
        let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";
        let shown = "```\na\n```\n\n```diff\n+x\n```";
        case("apply_patch", &json!({ "command": patch }), "Write `a`? +1 −0", shown);
    }
}
