//! A call of a server's tool that Codex wants approved. It asks for that as for any elicitation, with
//! a form without fields; the call itself stands in `_meta`.
//!
//! The person must see what they approve, so all arguments are shown. `persist` says for how
//! long an approval may count, and goes back the same way.

use serde_json::{Map, json};

use crate::{
    dialect::{
        action::MOST_WORDS,
        fields::{Field, Fields, says},
        permission::{Permission, allow, refuse},
    },
    payload::Payload,
    text, tool,
};

/// What is told of the call, if the elicitation is about one.
pub(super) fn call<'a>(fields: &Fields<'a>) -> Option<Fields<'a>> {
    let meta = fields.get("_meta")?;
    says(meta.value, "codex_approval_kind", &["mcp_tool_call"]).then(|| meta.object())?
}

/// Whether it wants nothing but the approval.
pub(super) fn is_all(fields: &Fields) -> bool {
    let schema = fields.get("requestedSchema").map(|schema| schema.value);
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    properties.is_none_or(Map::is_empty)
}

pub(super) fn read(payload: &mut Payload, fields: &Fields, call: &Fields) {
    fields.ignore(&["mode", "requestedSchema", "turnId", "elicitationId"]);
    let say = |word: &str| fields.findings.say(word, []);
    let accept = json!({ "action": "accept", "content": {} });
    let mut verbs = vec![allow(say("hook_once"), accept.clone())];
    verbs.extend(persist(call).map(|(label, scope)| {
        let mut accept = accept.clone();
        accept["_meta"] = json!({ "persist": scope });
        allow(say(label), accept)
    }));
    verbs.push(refuse(say("hook_deny"), json!({ "action": "decline" })));
    let shown = shown(call);
    let permission = Permission {
        text: fields.need_text("message").unwrap_or_default(),
        details: shown.is_none().then(|| say("permission_unseen")),
        shown: joined(shown, said(call)),
        verbs,
        own_words: false,
    };
    payload.metadata["mcp"]["approval"] = true.into();
    permission.put(payload, fields);
}

/// The call before a form that has to be filled in as well.
pub(super) fn put_before(payload: &mut Payload, call: &Fields) {
    let shown = shown(call);
    if let (None, Some(first)) = (&shown, payload.questions.first_mut()) {
        let unseen = call.findings.say("permission_unseen", []);
        first.details = joined(Some(unseen), first.details.take());
    }
    payload.message = joined(joined(shown, said(call)), payload.message.take());
}

/// How long an approval may count beyond this call: one word for it, or several.
fn persist<'a>(call: &Fields<'a>) -> impl Iterator<Item = (&'static str, &'a str)> + use<'a> {
    let sent = call.get("persist").map(|field| field.value);
    let sent = sent
        .map_or(&[][..], |sent| sent.as_array().map_or(std::slice::from_ref(sent), Vec::as_slice));
    let known = [("session", "permission_session"), ("always", "permission_always_allow")];
    known.into_iter().filter_map(move |(scope, label)| {
        sent.iter().any(|sent| sent == scope).then_some((label, scope))
    })
}

/// The arguments, as they would be sent. How a client should display them is not what they are.
fn shown(call: &Fields) -> Option<String> {
    call.ignore(&["tool_params_display"]);
    Some(tool::rows(call.get("tool_params")?.value))
}

/// What is said about it.
fn said(call: &Fields) -> Option<String> {
    let said = ["tool_title", "tool_description", "connector_name", "connector_description"];
    let said = said.into_iter().filter_map(|name| call.get(name).and_then(Field::text));
    said.filter_map(|said| text::quoted(&said, MOST_WORDS))
        .reduce(|all, said| format!("{all}\n\n{said}"))
}

fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    [first, second].into_iter().flatten().reduce(|all, next| format!("{all}\n\n{next}"))
}
