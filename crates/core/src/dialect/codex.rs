//! Codex's `request_user_input`: the request of its app server, or the tool's input. And what the app
//! server wants approved, see `approval`.
//!
//! Detected by the methods or the tool, by `isBlocking` or `autoResolutionMs` beside `questions`, or
//! by a question with `isOther` or `isSecret`. Answers go by id: the label, then `user_note:` with
//! what was typed; own words stand beside the label that Codex itself gives them. It knows no word
//! for a question that got no answer, and makes an empty answer of an error, so each question has a
//! note then that says what happened; `status` and `partial` are for other readers. A question that
//! does not block waits as long as any other: only `autoResolutionMs` sets a limit.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has},
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Dialog, Kind, Question},
    outcome::{Answer, Outcome},
    payload::{PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
};

mod approval;

pub static DIALECT: Dialect = Dialect {
    name: "codex",
    about: "Codex's request_user_input: the app server's request, or the tool's input; and the app server's approvals of commands, file changes and permissions",
    agent: Some("Codex"),
    carries: &[Carry::Other, Carry::Notes, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("codex.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        let marked = ["isBlocking", "autoResolutionMs"].iter().any(|mark| has(inside, mark));
        CALL.wraps(payload)
            || approval::of(payload).is_some()
            || marked && has(inside, "questions")
            || ["isOther", "isSecret"].iter().any(|mark| questions::have(inside, mark))
    },
    read: |sent| {
        let approval = approval::of(sent);
        CALL.read(sent, |fields, payload| {
            if let Some(approval) = approval {
                return approval::read(payload, fields, approval);
            }
            fields.ignore(&["turnId", "itemId", "isBlocking", "call_id", "turn_id"]);
            let limit = fields.get("autoResolutionMs").and_then(Field::size);
            payload.timeout = limit
                .and_then(|limit| limit.try_into().ok())
                .map(Duration::from_millis)
                .filter(|limit| !limit.is_zero());
            questions::read_each(payload, fields.need("questions", "an array"), &STYLE, complete);
        })
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call = Call {
    dialect: "codex",
    methods: &[
        "item/tool/requestUserInput",
        approval::METHODS[0].0,
        approval::METHODS[1].0,
        approval::METHODS[2].0,
    ],
    tools: &["request_user_input"],
    session: Some("threadId"),
    ..BARE
};

const STYLE: Style = Style {
    options: Need::May,
    multi: &[],
    other: Some(("isOther", true)),
    notes: true,
    ..questions::CLAUDE
};

/// What is not a label stands behind this.
const NOTE: &str = "user_note: ";
/// The label that Codex gives to own words.
const OTHER: &str = "None of the above";

fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    question.id = fields.need("id", "a string").and_then(Field::name);
    if fields.flag("isSecret") != Some(true) {
        return;
    }
    // A note could be read, and would be kept.
    question.notes = false;
    match &mut question.kind {
        PayloadKind::Choice { other, .. } => {
            *other = false;
            let fault = "a secret cannot be typed next to options, so there is no Other box";
            fields.findings.advise(fields.at("isSecret"), Fault::Rule(fault.into()));
        }
        PayloadKind::Plain(kind) => *kind = Kind::Secret,
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if let Some(decided) = approval::write(dialog, outcome) {
        return decided;
    }
    let is_answered = matches!(outcome, Outcome::Answered { .. });
    let mut by_id = Map::new();
    for (question, answer) in dialog.questions.iter().zip(outcome.answers()) {
        if answer.is_given() || answer.note.is_some() || is_answered {
            by_id.insert(question.id.clone(), json!({ "answers": one(question, answer) }));
        }
    }
    if is_answered {
        return CALL.answer(dialog, json!({ "answers": by_id }));
    }
    let notes = answers::all(dialog, outcome).map(|(question, answer)| {
        (question.id.clone(), json!({ "answers": [told(outcome, question, answer)] }))
    });
    let mut body = json!({ "answers": notes.collect::<Map<_, _>>() });
    if let Some(body) = body.as_object_mut() {
        body.extend(answers::ending("status", outcome, by_id.into()));
    }
    CALL.answer(dialog, body)
}

/// What happened instead of an answer, and what had been given for this question by then.
fn told(outcome: &Outcome, question: &Question, answer: Option<&Answer>) -> String {
    let told = answers::told(outcome);
    let given = answer.filter(|_| !matches!(question.kind, Kind::Secret));
    let given = given.map(|answer| {
        answers::texts(question, answer).into_iter().chain(answer.note.clone()).collect::<Vec<_>>()
    });
    match given.filter(|given| !given.is_empty()) {
        Some(given) => format!("{NOTE}{told}\nChosen by then, but not sent: {}", given.join(", ")),
        None => format!("{NOTE}{told}"),
    }
}

fn one(question: &Question, answer: &Answer) -> Vec<Value> {
    let labels = question.labels(answer).chain(answer.other.is_some().then_some(OTHER));
    let notes = answers::typed(question, answer).into_iter().chain(answer.note.clone());
    let notes = notes.map(|note| Value::from(format!("{NOTE}{note}")));
    labels.map(Value::from).chain(notes).collect()
}
