//! VS Code's `vscode_askQuestions`.
//!
//! Detected by the tool, by a question with `allowFreeformInput`, or by one with a `message` of its
//! own. Answers go by header: the labels in `selected`, what was typed in `freeText`, be it own words
//! or a note. Every ending without an answer is that all questions were `skipped`; there is no room
//! for more.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Fields, has},
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
};

pub static DIALECT: Dialect = Dialect {
    name: "vscode",
    about: "VS Code's vscode_askQuestions: questions by header, with `allowFreeformInput`",
    agent: Some("VS Code"),
    carries: &[Carry::Other, Carry::Notes, Carry::Multi],
    rules: Rules { unique_headers: true, ..Rules::OPEN },
    schema: Some(include_str!("vscode.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        let has_message = |question: &Value| has(question, "question") && has(question, "message");
        CALL.wraps(payload)
            || questions::have(inside, "allowFreeformInput")
            || questions::any(inside, has_message)
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            questions::read_each(payload, fields.need("questions", "an array"), &STYLE, complete);
        })
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call =
    Call { dialect: "vscode", tools: &["vscode_askQuestions", "askQuestions"], ..BARE };

const STYLE: Style = Style {
    short_header: 50,
    options: Need::May,
    description: Need::May,
    other: Some(("allowFreeformInput", true)),
    recommends: true,
    ..questions::CLAUDE
};

fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    question.details = fields.text("message");
    let PayloadKind::Choice { option_count, other, .. } = question.kind else { return };
    // What is typed, a note or own words, goes the same way.
    question.notes = other;
    if option_count == 1 && !other {
        let fault = "one option and no own answer, expected at least two options";
        fields.findings.refuse(fields.at("options"), Fault::Rule(fault.into()));
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let answers: &[Answer] =
        if let Outcome::Answered { answers } = outcome { answers } else { &[] };
    let mut by_header = Map::new();
    for (index, question) in dialog.questions.iter().enumerate() {
        let one = one(question, answers.get(index).unwrap_or(&Answer::default()));
        answers::insert(&mut by_header, answers::name(question), one);
    }
    CALL.answer(dialog, json!({ "answers": by_header }))
}

fn one(question: &Question, answer: &Answer) -> Value {
    let mut typed = answers::typed(question, answer);
    typed.extend(answer.note.clone());
    json!({
        "selected": question.labels(answer).collect::<Vec<_>>(),
        "freeText": (!typed.is_empty()).then(|| typed.join("\n")),
        "skipped": !answer.is_given(),
    })
}
