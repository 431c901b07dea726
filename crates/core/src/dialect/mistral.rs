//! Mistral Vibe's `ask_user_question`.
//!
//! Detected by `footer_note`, or by a question with `hide_other`. The answers are a list, several
//! labels joined by a comma; `is_other` tells that own words are among them. Every ending without an
//! answer is `cancelled`: there is no room for more, nor for notes.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::has,
    questions::{self, Need, Style},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{MANY, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "mistral",
    about: "Mistral Vibe's ask_user_question, with `hide_other` or `footer_note`",
    agent: Some("Mistral Vibe"),
    carries: &[Carry::Other, Carry::Multi],
    rules: Rules { options: 2..=MANY, header: 0..=20, ..Rules::OPEN },
    schema: Some(include_str!("mistral.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        questions::have(inside, "hide_other")
            || has(inside, "footer_note") && has(inside, "questions")
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            payload.message = fields.text("footer_note");
            questions::read(payload, fields.need("questions", "an array"), &STYLE);
        })
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call = Call { dialect: "mistral", tools: &["ask_user_question"], ..BARE };

const STYLE: Style = Style {
    header: Need::May,
    short_header: usize::MAX,
    description: Need::May,
    multi: &["multi_select"],
    other: Some(("hide_other", false)),
    ..questions::CLAUDE
};

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let answers: Vec<Value> = match outcome {
        Outcome::Answered { answers } => answers::given(dialog, answers)
            .map(|(_, question, answer)| {
                json!({
                    "question": question.text,
                    "answer": answers::texts(question, answer).join(", "),
                    "is_other": answer.other.is_some() || answer.value.is_some(),
                })
            })
            .collect(),
        _ => Vec::new(),
    };
    let cancelled = !matches!(outcome, Outcome::Answered { .. });
    CALL.answer(dialog, json!({ "answers": answers, "cancelled": cancelled }))
}
