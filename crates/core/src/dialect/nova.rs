//! Nova's `user_prompt`: one question, and a JSON Schema for its answer.
//!
//! Detected by its type or by `interaction_id`. The schema decides what the person sees (see
//! `form`), and the answer must satisfy it. It has no place for notes, so its dialogs take none.
//! An interaction ends as ANSWERED or CANCELED; `reason` tells how it came to be canceled.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    fields::{Field, Fields, Findings, has, says},
    form,
};
use crate::{
    dialog::{Dialog, Form},
    outcome::Outcome,
    payload::{Payload, Rules},
    problem::Fault,
};

pub static DIALECT: Dialect = Dialect {
    name: "nova",
    about: "Nova's user_prompt: a question with a JSON Schema for the answer",
    agent: Some("Nova"),
    carries: &[Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("nova.schema.json")),
    detect: |payload| has(payload, "interaction_id") || says(payload, "type", &["user_prompt"]),
    read,
    write,
    refuse: |_| None,
};

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    if let Some(fields) = Field::root(value, &findings).object() {
        fields.get("type");
        if let Some(id) = fields.need("interaction_id", "a string or a number") {
            payload.metadata["nova"]["interaction_id"] = id.value.clone();
            id.name();
        }
        payload.agent = fields.text("origin_name");
        if let Some(thread) = fields.get("thread_id") {
            payload.metadata["nova"]["thread_id"] = thread.value.clone();
            payload.session = thread.name();
        }
        read_question(&mut payload, &fields);
        fields.advise_unknown();
    }
    findings.put_into(payload)
}

fn read_question(payload: &mut Payload, fields: &Fields) {
    let text = fields.need_text("question");
    let schema = fields.get("schema").filter(|field| field.clone().object().is_some());
    form::ask(payload, schema.as_ref(), text, fields.at("question"));
    if payload.message.as_ref().is_some_and(|text| text.trim().is_empty()) {
        fields.findings.refuse(fields.at("question"), Fault::Unreadable);
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let id = answers::kept(dialog, DIALECT.name, "interaction_id");
    let answer = form::given(dialog, outcome);
    let mut body = match outcome {
        Outcome::Answered { .. } => {
            json!({ "interaction_id": id, "status": "ANSWERED", "answer": answer })
        }
        _ => json!({
            "interaction_id": id,
            "status": "CANCELED",
            "answer": null,
            "reason": answers::ending("outcome", outcome, answer),
        }),
    };
    if let Value::Object(body) = &mut body {
        answers::add_notes(body, dialog, outcome.answers());
    }
    body.to_string()
}

/// The event by which Nova tells its page that somebody is asked.
pub fn prompt(dialog: &Dialog) -> Value {
    let thread = answers::kept(dialog, DIALECT.name, "thread_id").cloned();
    let schema = match &dialog.form {
        Some(Form::Object(schema) | Form::Value(schema)) => schema.clone(),
        None => json!({}),
    };
    json!({
        "interaction_id": answers::kept(dialog, DIALECT.name, "interaction_id"),
        "question": dialog.message.as_deref().unwrap_or_else(|| dialog.about()),
        "schema": schema,
        "origin_name": dialog.caller.agent,
        "thread_id": thread.or_else(|| Some(dialog.caller.session.clone()?.into())),
    })
}

/// The event by which Nova tells its page how the interaction ended.
pub fn update(dialog: &Dialog, outcome: &Outcome) -> Value {
    let answered = matches!(outcome, Outcome::Answered { .. });
    status(dialog, if answered { "ANSWERED" } else { "CANCELED" })
}

/// The same event, once the answer has arrived.
pub fn resuming(dialog: &Dialog) -> Value {
    status(dialog, "RESUMING")
}

fn status(dialog: &Dialog, status: &str) -> Value {
    json!({
        "interaction_id": answers::kept(dialog, DIALECT.name, "interaction_id"),
        "status": status,
    })
}
