//! `permission.asked`, and `permission.v2.asked` of the second server: once, always for what it names,
//! or not, with a message for the model.
//!
//! Own words reject, and are the message. Where nobody decided there is an `error` instead of a reply.

use serde_json::{Map, Value, json};

use super::{CALL, DIALECT};
use crate::{
    dialect::{
        answers,
        fields::{Field, Fields, has, says},
        permission::{self, Permission, allow, refuse},
    },
    dialog::Dialog,
    outcome::Outcome,
    payload::Payload,
    text, tool,
};

pub(super) const EVENTS: [&str; 2] = ["permission.asked", "permission.v2.asked"];

pub(super) fn is_event(payload: &Value) -> bool {
    says(payload, "type", &EVENTS)
}

/// Whether it is the request that such an event tells of.
pub(super) fn is_one(payload: &Value) -> bool {
    let first = has(payload, "permission") && has(payload, "patterns");
    let second = has(payload, "action") && has(payload, "resources");
    has(payload, "sessionID") && (first || second)
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    fields.ignore(&["id", "tool", "source"]);
    payload.metadata[DIALECT.name]["permission"] = true.into();
    let say = |word: &str| fields.findings.say(word, []);
    let what = fields.need_any(&["permission", "action"], "a string").and_then(Field::text);
    let tool = what.as_deref().unwrap_or_default();
    let always = names(fields, &["always", "save"]).into_iter();
    let always: Vec<_> = always.map(|pattern| tool::rule_label(tool, &pattern)).collect();
    let mut verbs = vec![allow(say("hook_once"), json!({ "reply": "once" }))];
    if !always.is_empty() {
        let label = fields.findings.say("hook_always", [("what", always.join(", "))]);
        verbs.push(allow(label, json!({ "reply": "always" })));
    }
    verbs.push(refuse(say("hook_deny"), json!({ "reply": "reject" })));
    let metadata = fields.get("metadata").map_or(&Value::Null, |metadata| metadata.value);
    let runs = tool == "bash" && metadata["command"].is_string();
    let is_told = metadata.as_object().is_some_and(|metadata| !metadata.is_empty());
    let details = (!is_told).then(|| say("permission_unseen"));
    let text = if runs {
        say("hook_run")
    } else {
        fields.findings.say("permission_what", [("what", text::name(tool))])
    };
    let patterns = fields.any(&["patterns", "resources"]);
    let shown = shown(metadata, patterns.map(|patterns| patterns.value));
    Permission { text, shown: Some(shown), details, verbs, own_words: true }.put(payload, fields);
}

fn names(fields: &Fields, lists: &[&'static str]) -> Vec<String> {
    let list = fields.any(lists).and_then(Field::list).unwrap_or_default();
    list.into_iter().filter_map(Field::text).collect()
}

/// The command or the change, then what it is about, and all that the tool tells besides.
fn shown(metadata: &Value, patterns: Option<&Value>) -> String {
    let member = |name: &str| metadata.get(name).and_then(Value::as_str);
    let (first, told): (_, &[&str]) = match (member("command"), member("filepath"), member("diff"))
    {
        (Some(command), _, _) => (Some(text::fenced("sh", command)), &["command"]),
        (None, Some(path), Some(diff)) => {
            let change = format!("{}\n\n{}", text::fenced("", path), text::fenced("diff", diff));
            (Some(change), &["filepath", "diff"])
        }
        _ => (None, &[]),
    };
    let mut rest = Map::new();
    rest.extend(patterns.map(|patterns| ("patterns".into(), patterns.clone())));
    let rest = (!rest.is_empty()).then(|| tool::rows(&rest.into()));
    let shown = [first, rest, tool::without(metadata, told)];
    shown.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

pub(super) fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let reject = |message: Option<String>| {
        let mut body = json!({ "reply": "reject" });
        if let Some(message) = message {
            body["message"] = message.into();
        }
        body
    };
    let words = permission::own_words(outcome).map(str::to_owned);
    let reply = match outcome {
        Outcome::Answered { .. } if words.is_none() => permission::chosen(dialog, outcome),
        Outcome::Answered { .. } | Outcome::Declined { .. } => Some(reject(words)),
        Outcome::Clarify { .. } => Some(reject(Some(answers::told(outcome)))),
        _ => None,
    };
    match reply {
        Some(reply) => CALL.answer(dialog, reply),
        None => CALL.fail(dialog, answers::failure(&answers::told(outcome), outcome, Value::Null)),
    }
}
