//! What a tool is about to do, and whether it may: once, from now on, or not.
//!
//! No answer to it is ever used for another request.

use askdeck_core::{
    dialect::askdeck,
    dialog::Dialog,
    outcome::{Answer, Outcome},
};
use serde_json::{Value, json};

use super::{
    act,
    event::{Event, Question, decision},
    file_change::FileChange,
    inquiry::{Inquiry, Lasts},
    tool_input,
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

/// What the person decided.
pub(super) enum Verdict {
    Once,
    Granted(Value),
    /// With what the model shall read.
    No(String),
}

impl Permission {
    /// To use the tool that the event is about, by the name that [`act`] knows.
    pub(super) fn of_tool(event: &Event, tool: &str) -> Self {
        let input = &event.value["tool_input"];
        let change = FileChange::of(tool, input, event.words);
        Self {
            question: act::question(tool, input, change.as_ref(), event.words),
            shown: tool_input::to_markdown(tool, input, change.as_ref(), event.words),
            grants: Vec::new(),
        }
    }

    pub(super) fn question<'a>(
        self,
        event: &Event,
        lasts: Lasts,
        write: impl FnOnce(Verdict) -> Value + 'a,
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
        let grants = self.grants;
        let decide = move |_: &Dialog, outcome: &Outcome| verdict(outcome, grants).map(write);
        Question { inquiry, decide: Box::new(decide) }
    }
}

/// A rule as people read it: a command and a host say what they are.
pub(super) fn rule_label(tool: &str, content: &str) -> String {
    match (tool, content.strip_prefix("domain:")) {
        ("Bash" | "bash", _) => content.into(),
        ("WebFetch", Some(host)) => host.into(),
        _ => format!("{tool}({content})"),
    }
}

/// What needs no asking.
pub(super) fn allowed() -> Value {
    decided(Verdict::Once)
}

/// A verdict as Claude Code reads it, and Codex after it.
pub(super) fn decided(verdict: Verdict) -> Value {
    let behavior = match verdict {
        Verdict::Once => json!({ "behavior": "allow" }),
        Verdict::Granted(decision) => decision,
        Verdict::No(message) => json!({ "behavior": "deny", "message": message }),
    };
    decision("PermissionRequest", json!({ "decision": behavior }))
}

fn verdict(outcome: &Outcome, grants: Vec<Grant>) -> Option<Verdict> {
    Some(Verdict::No(match outcome {
        Outcome::Answered { answers } => match answers.first()? {
            Answer { other: Some(words), .. } => denied(Some(words)),
            Answer { selected, .. } => match *selected.first()? {
                0 => return Some(Verdict::Once),
                place => match grants.into_iter().nth(place - 1) {
                    Some(grant) => return Some(Verdict::Granted(grant.decision)),
                    None => denied(None),
                },
            },
        },
        Outcome::Declined { reason, .. } => denied(reason.as_deref()),
        Outcome::Clarify { text, .. } => format!(
            "The user has not allowed this yet but asks: {text}\n\
             Respond to that before you try again."
        ),
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => return None,
    }))
}

fn denied(words: Option<&str>) -> String {
    match words {
        Some(words) => format!("The user did not allow this. They say: {words}"),
        None => "The user did not allow this.".into(),
    }
}
