//! Whether a tool may run, as Claude Code asks for it: once, from now on as it suggests itself, or not.

use serde_json::{Value, json};

use crate::{
    dialog::Wording,
    outcome::{Answer, Outcome},
};

/// What Claude itself would offer beyond this once.
pub struct Suggestion {
    pub label: Wording,
    /// Where that is kept.
    pub place: Option<Wording>,
    /// As it came.
    pub value: Value,
}

const PLACES: [&str; 4] = ["localSettings", "projectSettings", "session", "userSettings"];

/// No two of them read the same.
pub fn suggestions(offered: Option<&Value>) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> = Vec::new();
    for value in offered.and_then(Value::as_array).into_iter().flatten() {
        let Some(label) = label(value) else { continue };
        if found.iter().any(|other| other.label == label) {
            continue;
        }
        let place = value.get("destination").and_then(Value::as_str);
        let place = place.filter(|place| PLACES.contains(place));
        let place = place.map(|place| Wording::new(&format!("hook_in_{place}"), []));
        found.push(Suggestion { label, place, value: value.clone() });
    }
    found
}

/// Only what allows more is offered; what it would take to understand the rest, Claude asks for.
fn label(suggestion: &Value) -> Option<Wording> {
    let text = |field: &str| suggestion.get(field).and_then(Value::as_str);
    let list = |field: &str| suggestion.get(field).and_then(Value::as_array);
    let (word, what) = match text("type")? {
        "addRules" if text("behavior") == Some("allow") => {
            let rules = list("rules")?.iter().map(rule).collect::<Option<Vec<_>>>()?;
            ("hook_always", rules.join(", "))
        }
        "setMode" if text("mode") == Some("acceptEdits") => {
            return Some(Wording::new("hook_accept_edits", []));
        }
        "setMode" => ("hook_mode", text("mode")?.to_owned()),
        "addDirectories" => {
            let folders: Option<Vec<_>> = list("directories")?.iter().map(Value::as_str).collect();
            ("hook_folders", folders?.join(", "))
        }
        _ => return None,
    };
    Some(Wording::new(word, [("what", what)]))
}

fn rule(rule: &Value) -> Option<String> {
    let tool = rule.get("toolName")?.as_str()?;
    let content = rule.get("ruleContent").and_then(Value::as_str);
    Some(content.map_or_else(|| tool.into(), |content| rule_label(tool, content)))
}

/// A rule as people read it: a command and a host say what they are.
pub fn rule_label(tool: &str, content: &str) -> String {
    match (tool, content.strip_prefix("domain:")) {
        ("Bash" | "bash", _) => content.into(),
        ("WebFetch", Some(host)) => host.into(),
        _ => format!("{tool}({content})"),
    }
}

/// What the person decided.
pub enum Verdict<G> {
    Once,
    /// What was offered beyond this once.
    Granted(G),
    /// With what the model shall read.
    No(String),
}

impl<G> Verdict<G> {
    /// Nothing if nobody decided. The options were, in this order: once, the grants, not.
    pub fn of(outcome: &Outcome, grants: impl IntoIterator<Item = G>) -> Option<Self> {
        Some(Self::No(match outcome {
            Outcome::Answered { answers } => match answers.first()? {
                Answer { other: Some(words), .. } => denied(Some(words)),
                Answer { selected, .. } => match *selected.first()? {
                    0 => return Some(Self::Once),
                    place => match grants.into_iter().nth(place - 1) {
                        Some(grant) => return Some(Self::Granted(grant)),
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
}

/// The verdict as Claude Code reads it, if the person decided.
pub fn decided(outcome: &Outcome, suggestions: &[Value]) -> Option<Value> {
    Some(match Verdict::of(outcome, suggestions)? {
        Verdict::Once => json!({ "behavior": "allow" }),
        Verdict::Granted(granted) => {
            json!({ "behavior": "allow", "updatedPermissions": [granted] })
        }
        Verdict::No(message) => json!({ "behavior": "deny", "message": message }),
    })
}

fn denied(words: Option<&str>) -> String {
    match words {
        Some(words) => format!("The user did not allow this. They say: {words}"),
        None => "The user did not allow this.".into(),
    }
}
