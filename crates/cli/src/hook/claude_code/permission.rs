//! `PermissionRequest`: what a tool is about to do, and whether it may: once, from now on, or not.
//!
//! Claude asks in its terminal at the same time, and the first answer counts. So the question goes
//! once it is decided there, and no answer to it is ever used for another request.

use askdeck_core::{
    dialect::askdeck,
    dialog::Dialog,
    outcome::{Answer, Outcome},
    words,
};
use askdeck_desk::store;
use serde_json::{Value, json};

use super::{Event, Question, decision};
use crate::hook::{
    act,
    cancellation::ToolUse,
    file_change::FileChange,
    inquiry::{Inquiry, Lasts},
    tool_input,
};

pub(super) fn question(event: Event) -> Question<'static> {
    let tool = event.text("tool_name").to_owned();
    let suggestions = suggestions(&event);
    let mut options = vec![json!({ "label": event.word("hook_once") })];
    options.extend(suggestions.iter().map(|(option, _)| option.clone()));
    let deny = options.len();
    options.push(json!({ "label": event.word("hook_deny"), "refuses": true }));
    let asked_at = store::now();
    let input = &event.value["tool_input"];
    let change = FileChange::of(&tool, input, event.words);
    let payload = json!({
        "askdeck": 1,
        "message": tool_input::to_markdown(&tool, input, change.as_ref()),
        // There is no way to hand a note over with a yes.
        "questions": [{
            "question": act::question(&tool, input, change.as_ref(), event.words),
            "options": options,
            "notes": false,
            "consent": true,
        }],
    });
    let used = ToolUse {
        transcript: event.text("transcript_path").into(),
        tool: event.text("tool_name").into(),
        input: input.clone(),
        asked_at,
    };
    let inquiry = Inquiry {
        payload,
        dialect: askdeck::DIALECT.name,
        caller: event.caller,
        lasts: Lasts::UntilDecided(used),
    };
    let granted = suggestions.into_iter().map(|(_, suggestion)| suggestion).collect::<Vec<_>>();
    let decide = move |_: &Dialog, outcome: &Outcome| {
        decide(outcome, deny, &granted).map(|behavior| decided(&behavior))
    };
    Question { inquiry, decide: Box::new(decide) }
}

/// What needs no asking.
pub(super) fn allowed() -> Value {
    decided(&allow())
}

fn decided(behavior: &Value) -> Value {
    decision("PermissionRequest", json!({ "decision": behavior }))
}

fn allow() -> Value {
    json!({ "behavior": "allow" })
}

/// What Claude itself would offer beyond this once: how it is shown, and as it came.
fn suggestions(event: &Event) -> Vec<(Value, Value)> {
    let offered = event.value.get("permission_suggestions").and_then(Value::as_array);
    let mut options: Vec<(Value, Value)> = Vec::new();
    for suggestion in offered.into_iter().flatten() {
        let Some(label) = label(event, suggestion) else { continue };
        if options.iter().any(|(option, _)| option["label"] == label) {
            continue;
        }
        let place = suggestion.get("destination").and_then(Value::as_str).unwrap_or_default();
        let place = event.words.get(&format!("hook_in_{place}")).cloned();
        let option = json!({ "label": label, "description": place });
        options.push((option, suggestion.clone()));
    }
    options
}

/// Only what allows more is offered; what it would take to understand the rest, Claude asks for.
fn label(event: &Event, suggestion: &Value) -> Option<String> {
    let text = |field: &str| suggestion.get(field).and_then(Value::as_str);
    let list = |field: &str| suggestion.get(field).and_then(Value::as_array);
    let (word, what) = match text("type")? {
        "addRules" if text("behavior") == Some("allow") => {
            let rules = list("rules")?.iter().map(rule).collect::<Option<Vec<_>>>()?;
            ("hook_always", rules.join(", "))
        }
        "setMode" if text("mode") == Some("acceptEdits") => ("hook_accept_edits", String::new()),
        "setMode" => ("hook_mode", text("mode")?.to_owned()),
        "addDirectories" => {
            let folders: Option<Vec<_>> = list("directories")?.iter().map(Value::as_str).collect();
            ("hook_folders", folders?.join(", "))
        }
        _ => return None,
    };
    Some(words::say(event.words, word, [("what", what)]))
}

fn rule(rule: &Value) -> Option<String> {
    let tool = rule.get("toolName")?.as_str()?;
    Some(match rule.get("ruleContent").and_then(Value::as_str) {
        // A command and a host say what they are.
        Some(content) if tool == "Bash" => content.into(),
        Some(content) if tool == "WebFetch" && content.starts_with("domain:") => {
            content["domain:".len()..].into()
        }
        Some(content) => format!("{tool}({content})"),
        None => tool.into(),
    })
}

fn decide(outcome: &Outcome, deny: usize, suggestions: &[Value]) -> Option<Value> {
    let message = match outcome {
        Outcome::Answered { answers } => match answers.first()? {
            Answer { other: Some(words), .. } => denied(Some(words)),
            Answer { selected, .. } => match *selected.first()? {
                0 => return Some(allow()),
                place if place == deny => denied(None),
                place => {
                    let granted = suggestions.get(place - 1)?;
                    return Some(json!({ "behavior": "allow", "updatedPermissions": [granted] }));
                }
            },
        },
        Outcome::Declined { reason, .. } => denied(reason.as_deref()),
        Outcome::Clarify { text, .. } => format!(
            "The user has not allowed this yet but asks: {text}\n\
             Respond to that before you try again."
        ),
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => return None,
    };
    Some(json!({ "behavior": "deny", "message": message }))
}

fn denied(words: Option<&str>) -> String {
    match words {
        Some(words) => format!("The user did not allow this. They say: {words}"),
        None => "The user did not allow this.".into(),
    }
}
