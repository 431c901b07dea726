//! Sema's `ask:question:request`, and `pick:option:request` of today: the event, or only its data.
//!
//! Detected by the event's name, or by `agentId` beside questions of the types that only Sema has;
//! else it may be what has `agentId` beside `questions`. The answer is the data of the event that
//! answers, inside an event if the request was one. Answers go by `question-0`, several labels joined
//! by a comma; today as a text (see `pick`). It has no place for notes, so its dialogs take none.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    fields::{Field, Fields, Findings, has, says},
    questions,
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
    problem::Fault,
};

mod pick;

const REQUEST: &str = "ask:question:request";
const RESPONSE: &str = "ask:question:response";

pub static DIALECT: Dialect = Dialect {
    name: "sema",
    about: "Sema's ask:question:request and pick:option:request: the event, or its data with `agentId` and `questions`",
    agent: Some("Sema"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=4, options: 2..=4, ..Rules::OPEN },
    schema: Some(include_str!("sema.schema.json")),
    detect: |payload| envelope(payload).is_some() || pick::is_one(payload),
    read,
    write,
    refuse: |_| None,
    fits: |payload| has(payload, "agentId") && has(payload, "questions"),
};

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    let mut picks = pick::is_one(value);
    if let Some(fields) = Field::root(value, &findings).object() {
        if let Some(key) = envelope(value) {
            payload.metadata["sema"]["envelope"] = key.into();
            picks |= says(value, key, &[pick::REQUEST]);
            fields.get(key);
            let data = fields.need("data", "an object").and_then(Field::object);
            fields.advise_unknown();
            if let Some(data) = data {
                read_data(&mut payload, &data, picks);
            }
        } else {
            read_data(&mut payload, &fields, picks);
        }
    }
    findings.put_into(payload)
}

fn read_data(payload: &mut Payload, fields: &Fields, picks: bool) {
    if let Some(agent) = fields.get("agentId") {
        payload.metadata["sema"]["agentId"] = agent.value.clone();
        payload.session = agent.name();
    }
    if picks {
        pick::read(payload, fields);
        return fields.advise_unknown();
    }
    if let Some(metadata) = fields.get("metadata") {
        payload.metadata["sema"]["metadata"] = metadata.value.clone();
    }
    if let Some(answers) = fields.get("answers") {
        answers.advise(Fault::Rule("ignored: the user is asked".into()));
    }
    questions::read(payload, fields.need("questions", "an array"), &questions::CLAUDE);
    fields.advise_unknown();
}

/// The field with the event's name, if the payload is the event.
fn envelope(payload: &Value) -> Option<&'static str> {
    ["event", "type"].into_iter().find(|key| says(payload, key, &[REQUEST, pick::REQUEST]))
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let (name, data) = response(dialog, outcome);
    match answers::kept(dialog, DIALECT.name, "envelope").and_then(Value::as_str) {
        Some(key) => json!({ key: name, "data": data }).to_string(),
        None => data.to_string(),
    }
}

fn picks(dialog: &Dialog) -> bool {
    answers::kept(dialog, DIALECT.name, "picks").is_some()
}

/// The event that asks, and its data.
pub fn request(dialog: &Dialog) -> (&'static str, Value) {
    if picks(dialog) {
        return (pick::REQUEST, pick::request(dialog));
    }
    let questions = dialog.questions.iter().map(|question| {
        let options = question
            .options()
            .iter()
            .map(|option| json!({ "label": option.label, "description": option.description }));
        json!({
            "question": question.text,
            "header": question.header,
            "options": options.collect::<Vec<_>>(),
            "multiSelect": question.is_multi(),
        })
    });
    let mut data = json!({
        "agentId": answers::kept(dialog, DIALECT.name, "agentId"),
        "questions": questions.collect::<Vec<_>>(),
    });
    if let Some(metadata) = answers::kept(dialog, DIALECT.name, "metadata") {
        data["metadata"] = metadata.clone();
    }
    (REQUEST, data)
}

/// The event that answers, and its data.
pub fn response(dialog: &Dialog, outcome: &Outcome) -> (&'static str, Value) {
    if picks(dialog) {
        return (pick::RESPONSE, pick::response(dialog, outcome));
    }
    let mut by_place = Map::new();
    for (index, question, answer) in answers::given(dialog, outcome.answers()) {
        by_place
            .insert(format!("question-{index}"), answers::texts(question, answer).join(",").into());
    }
    let mut data = Map::new();
    if let Some(agent) = answers::kept(dialog, DIALECT.name, "agentId") {
        data.insert("agentId".into(), agent.clone());
    }
    match outcome {
        Outcome::Answered { .. } => {
            data.insert("answers".into(), by_place.into());
        }
        _ => data.extend(answers::ending("status", outcome, by_place.into())),
    }
    answers::add_notes(&mut data, dialog, outcome.answers());
    (RESPONSE, data.into())
}
