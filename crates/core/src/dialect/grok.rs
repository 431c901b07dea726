//! Grok Build's `ask_user_question`: the request to its client, or the tool's input.
//!
//! Detected by the method, by `mode` and `toolCallId` beside `questions`, or by questions that have
//! `multi_select` and no header. Answers go by the question's text: lists of labels. What was typed
//! is in the annotations, own words beside the label `Other`. Every ending without an answer is
//! `cancelled`; only in plan mode can the person want to talk about it first. There is no room for
//! the person's reason.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has, says},
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{PayloadQuestion, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "grok",
    about: "Grok Build's ask_user_question: the request to its client, or the tool's input",
    agent: Some("Grok"),
    carries: &[Carry::Other, Carry::Notes, Carry::Multi, Carry::Previews],
    rules: Rules { unique_texts: true, ..Rules::OPEN },
    schema: Some(include_str!("grok.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        let is_request = says(inside, "mode", MODES) && has(inside, "toolCallId");
        says(payload, "method", METHODS) || has(inside, "questions") && is_request
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            fields.get("toolCallId");
            if let Some(mode) = fields.text("mode") {
                payload.metadata["grok"]["mode"] = mode.into();
            }
            questions::read_each(payload, fields.need("questions", "an array"), &STYLE, complete);
        })
    },
    write,
    refuse: |_| None,
    fits: |payload| {
        let inside = CALL.inside(payload);
        let is_described = |question: &Value| {
            let options = question.get("options").and_then(Value::as_array);
            options.is_some_and(|options| options.iter().all(|option| has(option, "description")))
        };
        questions::have(inside, "multi_select") && !questions::have(inside, "header")
            || questions::lack_headers(inside) && questions::any(inside, is_described)
    },
};

const METHODS: &[&str] = &["_x.ai/ask_user_question", "x.ai/ask_user_question"];
const MODES: &[&str] = &["default", "plan"];
const CALL: Call = Call {
    dialect: "grok",
    methods: METHODS,
    tools: &["ask_user_question"],
    session: Some("sessionId"),
    ..BARE
};

const STYLE: Style = Style {
    header: Need::May,
    multi: &["multi_select", "multiSelect"],
    previews: true,
    notes: true,
    unused: &["id"],
    ..questions::CLAUDE
};

/// The label that Grok gives to own words.
const OTHER: &str = "Other";

fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    question.id = fields.get("id").and_then(Field::name);
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let plans = answers::kept(dialog, DIALECT.name, "mode").is_some_and(|mode| mode == "plan");
    let response = match outcome {
        Outcome::Answered { answers } => accepted(dialog, answers),
        Outcome::Clarify { partial, .. } if plans => {
            let partial = by_text(dialog, partial, |labels| labels.join(", ").into());
            json!({ "outcome": "chat_about_this", "partial_answers": partial })
        }
        _ => json!({ "outcome": "cancelled" }),
    };
    CALL.answer(dialog, response)
}

fn accepted(dialog: &Dialog, given: &[Answer]) -> Value {
    let answers = by_text(dialog, given, |labels| labels.into());
    let mut response = json!({ "outcome": "accepted", "answers": answers });
    let mut annotations = Map::new();
    for (question, answer) in dialog.questions.iter().zip(given) {
        let annotation = annotation(question, answer);
        if !annotation.is_empty() {
            answers::insert(&mut annotations, &question.text, annotation.into());
        }
    }
    if !annotations.is_empty() {
        response["annotations"] = annotations.into();
    }
    response
}

/// The chosen labels under each question's text.
fn by_text(
    dialog: &Dialog,
    given: &[Answer],
    say: impl Fn(Vec<&str>) -> Value,
) -> Map<String, Value> {
    let mut members = Map::new();
    for (_, question, answer) in answers::given(dialog, given) {
        let mut labels: Vec<&str> = question.labels(answer).collect();
        if labels.is_empty() {
            labels.push(OTHER);
        }
        answers::insert(&mut members, &question.text, say(labels));
    }
    members
}

fn annotation(question: &Question, answer: &Answer) -> Map<String, Value> {
    let mut annotation = Map::new();
    if let Some(preview) = answers::preview(question, answer) {
        annotation.insert("preview".into(), preview.into());
    }
    let mut notes = answers::typed(question, answer);
    notes.extend(answer.note.clone());
    if !notes.is_empty() {
        annotation.insert("notes".into(), notes.join("\n").into());
    }
    annotation
}
