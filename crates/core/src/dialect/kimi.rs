//! Kimi CLI's `AskUserQuestion`: the request of its wire, or the tool's input.
//!
//! Detected by the request's type, or by questions that have `multi_select` and a header. Answers go
//! by the question's text, several labels joined by a comma. An ending without an answer has none,
//! and a `note` that tells why. It has no place for notes on an answer, so its dialogs take none.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::says,
    questions::{self, Need, Style},
};
use crate::{dialog::Dialog, outcome::Outcome, payload::Rules};

pub static DIALECT: Dialect = Dialect {
    name: "kimi",
    about: "Kimi CLI's AskUserQuestion: like Claude's, with `multi_select`; or its QuestionRequest",
    agent: Some("Kimi"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason],
    rules: Rules { questions: 1..=4, options: 2..=4, unique_texts: true, ..Rules::OPEN },
    schema: Some(include_str!("kimi.schema.json")),
    detect: |payload| {
        let is_request = |it: &Value| says(it, "type", &["QuestionRequest"]);
        is_request(payload) || payload.get("params").is_some_and(is_request)
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            fields.get("tool_call_id");
            if let Some(id) = fields.get("id") {
                payload.metadata["kimi"]["request_id"] = id.value.clone();
            }
            questions::read(payload, fields.need("questions", "an array"), &STYLE);
        })
    },
    write,
    refuse: |_| None,
    fits: |payload| {
        let inside = CALL.inside(payload);
        questions::have(inside, "multi_select") && questions::have(inside, "header")
            || questions::lack_headers(inside)
    },
};

const CALL: Call = Call {
    dialect: "kimi",
    methods: &["request"],
    tools: &["AskUserQuestion"],
    events: &[("QuestionRequest", "payload")],
    ..BARE
};

const STYLE: Style = Style {
    header: Need::May,
    description: Need::May,
    multi: &["multi_select"],
    ..questions::CLAUDE
};

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut body = Map::new();
    if let Some(id) = answers::kept(dialog, DIALECT.name, "request_id") {
        body.insert("request_id".into(), id.clone());
    }
    let mut by_text = Map::new();
    if let Outcome::Answered { answers } = outcome {
        for (_, question, answer) in answers::given(dialog, answers) {
            let text = Value::from(answers::texts(question, answer).join(", "));
            answers::insert(&mut by_text, &question.text, text);
        }
    }
    body.insert("answers".into(), by_text.into());
    let note = match outcome {
        Outcome::Answered { .. } => None,
        Outcome::Dismissed => Some("User dismissed the question without answering.".into()),
        _ => Some(answers::told(outcome)),
    };
    body.extend(note.map(|note| ("note".into(), json!(note))));
    CALL.answer(dialog, body.into())
}
