//! gencode's `ask_user` event, and the `ask_user_question` result of its tool.
//!
//! Detected by these types. The strictest of the formats that follow Claude's: every field is
//! required and has a length. The answer keeps labels and free text apart. It has no place for
//! notes, so its dialogs take none; one that comes with another dialect's dialog goes back as
//! `note`.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers, deepagents,
    fields::{Field, Findings, says},
    gemini, questions,
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "gencode",
    about: "gencode's ask_user event, with strict limits",
    agent: Some("gencode"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules {
        questions: 1..=4,
        options: 2..=4,
        header: 1..=12,
        label: 1..=50,
        description: 1..=200,
        unique_texts: false,
        unique_headers: false,
    },
    schema: Some(include_str!("gencode.schema.json")),
    // Others have events of these types, too.
    detect: |payload| {
        says(payload, "type", &["ask_user", "ask_user_question"])
            && !(deepagents::DIALECT.detect)(payload)
            && !gemini::is_confirmation(payload)
    },
    read,
    write,
    refuse: |_| None,
    fits: |_| false,
};

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    if let Some(fields) = Field::root(value, &findings).object() {
        fields.get("type");
        if let Some(id) = fields.get("id") {
            payload.metadata["gencode"]["id"] = id.value.clone();
        }
        questions::read(&mut payload, fields.need("questions", "an array"), &questions::STRICT);
        fields.advise_unknown();
    }
    findings.put_into(payload)
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut body = Map::new();
    if let Some(id) = answers::kept(dialog, DIALECT.name, "id") {
        body.insert("id".into(), id.clone());
    }
    let given = answers::given(dialog, outcome.answers());
    let given: Value = given.map(|(_, question, answer)| one(question, answer)).collect();
    match outcome {
        Outcome::Answered { .. } => {
            body.insert("answers".into(), given);
        }
        _ => body.extend(answers::ending("status", outcome, given)),
    }
    Value::Object(body).to_string()
}

fn one(question: &Question, answer: &Answer) -> Value {
    let mut body = json!({
        "question": question.text,
        "header": question.header.as_deref().unwrap_or_default(),
        "selectedOptions": question.labels(answer).collect::<Vec<_>>(),
    });
    if let Some(text) = answers::typed(question, answer).into_iter().next() {
        body["customInput"] = text.into();
    }
    if let Some(note) = &answer.note {
        body["note"] = note.clone().into();
    }
    body
}
