//! Microsoft Agent Framework: the `function_approval_request`s with which an agent's run stopped.
//!
//! Detected by this type, of one content or in a list such as a message's contents. The response
//! repeats the call. It has no place for words, so declining says only that.

use serde_json::{Map, Value, json};

use super::{
    Dialect,
    action::Words,
    answers,
    approvals::{self, Waiting, YES_OR_NO},
    fields::{Field, Findings, says},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "agent-framework",
    about: "Microsoft Agent Framework's `function_approval_request`, or a list of contents with some",
    agent: Some("Agent Framework"),
    carries: &[],
    rules: Rules::OPEN,
    schema: Some(include_str!("agent_framework.schema.json")),
    detect: |payload| approvals::any(payload, is_one),
    read,
    write,
    refuse: |_| None,
};

const WORDS: Words = Words { approve: "action_approve", reject: "action_reject" };

fn is_one(content: &Value) -> bool {
    says(content, "type", &["function_approval_request"])
}

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload =
        Payload { questions_at: Some(String::new()), no_reason: true, ..Payload::default() };
    payload.metadata["agent-framework"]["list"] = value.is_array().into();
    let contents = approvals::one_or_list(Field::root(value, &findings)).into_iter();
    let calls = contents.filter(|content| !value.is_array() || is_one(content.value)).map(call);
    approvals::ask(&mut payload, DIALECT.name, WORDS, calls, &findings);
    findings.put_into(payload)
}

fn call(field: Field<'_>) -> Option<Waiting<'_>> {
    let fields = field.object()?;
    fields.ignore(&["type", "user_input_request", "annotations"]);
    let id = fields.need_text("id");
    let sent = fields.need("function_call", "an object");
    let more = fields.get("additional_properties").map(|more| more.value);
    fields.advise_unknown();
    let sent = sent?;
    let call = sent.clone().object()?;
    let name = call.need_text("name");
    Some(Waiting {
        name: name?,
        args: approvals::arguments(call.get("arguments").map(|args| args.value)),
        args_at: call.at("arguments"),
        description: None,
        may: YES_OR_NO,
        notes: false,
        id: id?,
        kept: json!({ "function_call": sent.value, "additional_properties": more }),
        at: fields.at,
    })
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let verdicts = match outcome {
        // It has no place for the question.
        Outcome::Clarify { .. } => None,
        _ => approvals::verdicts(DIALECT.name, dialog, outcome),
    };
    let Some(verdicts) = verdicts else {
        return approvals::undecided(dialog, outcome).to_string();
    };
    let responses = verdicts.iter().map(|verdict| {
        let mut body = Map::from_iter([
            ("type".into(), "function_approval_response".into()),
            ("id".into(), verdict.id.into()),
            ("approved".into(), verdict.approves().into()),
        ]);
        let sent = verdict.kept.as_object().into_iter().flatten();
        let sent = sent.filter(|(_, value)| !value.is_null());
        body.extend(sent.map(|(name, value)| (name.clone(), value.clone())));
        Value::from(body)
    });
    let responses: Vec<Value> = responses.collect();
    let is_list = answers::kept(dialog, DIALECT.name, "list").is_some_and(|list| *list == true);
    approvals::like_sent(responses, is_list).to_string()
}
