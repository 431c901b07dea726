//! Claude Code's `AskUserQuestion`: the tool's input, alone or inside the tool call or hook event
//! that carries it; or only its list of questions.
//!
//! Detected by `questions`, a bare list, or the tool's name; tried last, so a list of questions
//! that bears no other dialect's mark is Claude's. A long header is no mistake: it is cut only on
//! the screen. Endings without an answer take the shape of a denied tool call.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, Findings, has},
    kimi,
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Choice, Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, Rules},
    problem::Fault,
};

pub static DIALECT: Dialect = Dialect {
    name: "claude",
    about: "Claude Code's AskUserQuestion: a `questions` list, or the tool call or hook event with it",
    agent: Some("Claude Code"),
    carries: &[
        Carry::Other,
        Carry::Notes,
        Carry::Multi,
        Carry::Previews,
        Carry::Reason,
        Carry::Partial,
    ],
    rules: Rules { questions: 1..=4, options: 2..=4, unique_texts: true, ..Rules::OPEN },
    schema: Some(include_str!("claude.schema.json")),
    detect: |payload| payload.is_array() || has(payload, "questions") || CALL.wraps(payload),
    read,
    write,
    refuse: |_| None,
    fits: |payload| {
        kimi::is_call_of_either(payload) && questions::have(CALL.inside(payload), "header")
    },
};

const STYLE: Style =
    Style { multi_select: Need::Should, previews: true, notes: true, ..questions::CLAUDE };

const CALL: Call = Call { dialect: "claude", tools: &["AskUserQuestion"], ..BARE };

fn read(sent: &Value) -> Payload {
    if !sent.is_array() {
        return CALL.read(sent, |fields, payload| {
            let list = read_input(payload, fields);
            read_list(payload, list);
        });
    }
    let findings = Findings::default();
    let mut payload = Payload::default();
    read_list(&mut payload, Some(Field::root(sent, &findings)));
    findings.put_into(payload)
}

fn read_list(payload: &mut Payload, list: Option<Field>) {
    if let Some(list) = &list {
        payload.metadata["claude"]["questions"] = list.value.clone();
    }
    questions::read(payload, list, &STYLE);
}

fn read_input<'a>(payload: &mut Payload, fields: &Fields<'a>) -> Option<Field<'a>> {
    let list = fields.need("questions", "an array");
    if let Some(metadata) = fields.get("metadata") {
        payload.metadata["claude"]["metadata"] = metadata.value.clone();
    }
    for name in ["answers", "annotations"] {
        if let Some(field) = fields
            .get(name)
            .filter(|field| field.value.as_object().is_none_or(|map| !map.is_empty()))
        {
            field.advise(Fault::Rule("ignored: the user is asked".into()));
        }
    }
    list
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered { answers } => accept(dialog, answers).to_string(),
        _ => json!({ "behavior": "deny", "message": refusal(dialog, outcome) }).to_string(),
    }
}

fn accept(dialog: &Dialog, given: &[Answer]) -> Value {
    let mut chosen = Map::new();
    let mut annotations = Map::new();
    for (question, answer) in dialog.questions.iter().zip(given) {
        let mut annotation = Map::new();
        if answer.is_given() {
            answers::insert(
                &mut chosen,
                &question.text,
                answers::texts(question, answer).join(", ").into(),
            );
            if let Some(preview) = answers::preview(question, answer) {
                annotation.insert("preview".into(), preview.into());
            }
        }
        if let Some(note) = &answer.note {
            annotation.insert("notes".into(), note.clone().into());
        }
        if !annotation.is_empty() {
            answers::insert(&mut annotations, &question.text, annotation.into());
        }
    }
    let sent = answers::kept(dialog, DIALECT.name, "questions").cloned();
    let questions = sent.unwrap_or_else(|| dialog.questions.iter().map(as_asked).collect());
    let mut body = json!({ "questions": questions, "answers": chosen });
    if !annotations.is_empty() {
        body["annotations"] = annotations.into();
    }
    body
}

/// A question of another dialect, as Claude would have asked it.
fn as_asked(question: &Question) -> Value {
    let option = |option: &Choice| {
        let mut body = json!({ "label": option.label, "description": option.description.as_deref().unwrap_or_default() });
        if let Some(preview) = &option.preview {
            body["preview"] = preview.clone().into();
        }
        body
    };
    json!({
        "question": question.text,
        "header": question.header.as_deref().unwrap_or_default(),
        "options": question.options().iter().map(option).collect::<Vec<_>>(),
        "multiSelect": question.is_multi(),
    })
}

/// Why there is no answer, so that the model cannot take it for one.
fn refusal(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut message = match outcome {
        Outcome::Declined { reason: Some(reason), .. } => {
            format!("The user declined to answer these questions. Their reason: {reason}")
        }
        Outcome::Declined { reason: None, .. } => {
            "The user declined to answer these questions.".into()
        }
        Outcome::Clarify { text, .. } => format!(
            "The user wants to clarify these questions before answering them. They say: {text}\n\
             Respond to that first, then ask again, in other words if needed."
        ),
        Outcome::TimedOut { .. } => {
            "The user did not answer these questions in time. Do not assume an answer.".into()
        }
        Outcome::Withdrawn => {
            return "The questions were withdrawn before the user answered them.".into();
        }
        _ => {
            return "The user closed the questions without answering them. Do not assume an answer."
                .into();
        }
    };
    let began = outcome.answers().iter().any(|answer| answer.is_given() || answer.note.is_some());
    if !began && !matches!(outcome, Outcome::Clarify { .. }) {
        return message;
    }
    message.push_str("\n\nThe questions and what the user had chosen so far, but not sent:");
    for (index, question) in dialog.questions.iter().enumerate() {
        let answer = outcome.answers().get(index).filter(|answer| answer.is_given());
        let chosen = answer
            .map_or("(no answer)".into(), |answer| answers::texts(question, answer).join(", "));
        // Writing to a string cannot fail.
        let _ = write!(message, "\n- \"{}\"\n  {chosen}", question.text);
        if let Some(note) = outcome.answers().get(index).and_then(|answer| answer.note.as_ref()) {
            let _ = write!(message, "\n  note: {note}");
        }
    }
    message
}
