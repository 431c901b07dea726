//! What Claude Code itself would offer beyond this once: rules, folders, a mode.

use askdeck_core::words;
use serde_json::{Value, json};

use crate::hook::{
    event::Event,
    permission::{Grant, rule_label},
};

pub(super) fn grants(event: &Event) -> Vec<Grant> {
    let offered = event.value.get("permission_suggestions").and_then(Value::as_array);
    let mut grants: Vec<Grant> = Vec::new();
    for suggestion in offered.into_iter().flatten() {
        let Some(label) = label(event, suggestion) else { continue };
        if grants.iter().any(|grant| grant.label == label) {
            continue;
        }
        let place = suggestion.get("destination").and_then(Value::as_str).unwrap_or_default();
        let place = event.words.get(&format!("hook_in_{place}")).cloned();
        let decision = json!({ "behavior": "allow", "updatedPermissions": [suggestion] });
        grants.push(Grant { label, description: place, decision });
    }
    grants
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
    let content = rule.get("ruleContent").and_then(Value::as_str);
    Some(content.map_or_else(|| tool.into(), |content| rule_label(tool, content)))
}
