//! The `OpenAI` Agents SDK's tool approvals: the interruptions of a run, in Python and in TypeScript.
//!
//! Detected by the type `tool_approval_item`, of one item, in a list or in `interruptions`. The SDK
//! takes the decisions by its methods `approve` and `reject`, so the answer has what they need: for
//! each call its id, `approve`, and `always` or `message`.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect,
    action::{May, Words},
    approvals::{self, Verdict, Waiting, YES_OR_NO},
    fields::{Field, Findings, says},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "openai-agents",
    about: "the OpenAI Agents SDK's interruptions: one `tool_approval_item`, or a list of them",
    agent: Some("OpenAI Agents"),
    carries: &[Carry::Notes, Carry::Reason],
    rules: Rules::OPEN,
    schema: Some(include_str!("openai_agents.schema.json")),
    detect: |payload| {
        let items = payload.get("interruptions").unwrap_or(payload);
        approvals::any(items, |item| says(item, "type", &["tool_approval_item"]))
    },
    read,
    write,
    refuse: |_| None,
};

const WORDS: Words = Words { approve: "action_approve", reject: "action_reject" };

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    let mut items = Field::root(value, &findings);
    if value.get("interruptions").is_some()
        && let Some(fields) = items.clone().object()
    {
        items = fields.need("interruptions", "an array").unwrap_or(items);
        fields.advise_unknown();
    }
    payload.questions_at = Some(items.at.clone());
    let calls = approvals::one_or_list(items).into_iter().map(call);
    approvals::ask(&mut payload, DIALECT.name, WORDS, calls, &findings);
    findings.put_into(payload)
}

fn call(field: Field<'_>) -> Option<Waiting<'_>> {
    let fields = field.object()?;
    fields.ignore(&[
        "type",
        "agent",
        "tool_namespace",
        "tool_origin",
        "tool_lookup_key",
        "allow_bare_name_alias",
        "functionToolStateKey",
    ]);
    let named = fields.any(&["toolName", "tool_name"]).and_then(Field::text);
    let sent = fields.need_any(&["rawItem", "raw_item"], "an object");
    fields.advise_unknown();
    let sent = sent?;
    let raw = sent.clone().object()?;
    let id = ["callId", "call_id", "id"].into_iter().find_map(|name| raw.get(name));
    let id = id.or_else(|| raw.need("call_id", "a string")).and_then(Field::text);
    let name = named.or_else(|| raw.text("name")).or_else(|| raw.need_text("type"));
    // A function has arguments alone. What else there is, a patch or a server's name, says as much.
    let is_function = says(sent.value, "type", &["function_call"]);
    let args = if is_function { sent.value.get("arguments") } else { Some(sent.value) };
    Some(Waiting {
        name: name?,
        args: approvals::arguments(args),
        args_at: raw.at("arguments"),
        description: None,
        may: May { always: true, ..YES_OR_NO },
        notes: true,
        id: id?,
        kept: Value::Null,
        at: fields.at,
    })
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let Some(verdicts) = approvals::verdicts(DIALECT.name, dialog, outcome) else {
        return approvals::undecided(dialog, outcome).to_string();
    };
    let decisions: Vec<Value> = verdicts.iter().map(decision).collect();
    Value::from(decisions).to_string()
}

fn decision(verdict: &Verdict) -> Value {
    let approves = verdict.approves();
    let mut body = Map::from_iter([
        ("call_id".into(), verdict.id.into()),
        ("approve".into(), approves.into()),
    ]);
    if verdict.always {
        body.insert("always".into(), true.into());
    }
    // Only a rejection is told to the model.
    let name = if approves { "note" } else { "message" };
    body.extend(verdict.words.as_ref().map(|words| (name.into(), json!(words))));
    body.into()
}
