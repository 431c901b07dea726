//! Hermes Agent's `clarify`: one question, with up to four texts to choose from or none.
//!
//! Detected by the tool's name; the bare input is a payload of our own dialect. The answer is what
//! the tool returns: the question, the choices and the `user_response`. Every other ending is an
//! `error`, as the tool itself has it. It has no place for notes, so its dialogs take none.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    single::{self, OwnWords},
};
use crate::{
    dialog::{Dialog, Question},
    payload::Rules,
};

pub static DIALECT: Dialect = Dialect {
    name: "hermes",
    about: "Hermes Agent's clarify: a call of the tool, with one question and up to 4 texts",
    agent: Some("Hermes"),
    carries: &[Carry::Other, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=1, options: 1..=4, ..Rules::OPEN },
    schema: Some(include_str!("hermes.schema.json")),
    detect: |payload| CALL.wraps(payload),
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            single::read(payload, fields, &["choices"], OwnWords::Alone, single::text);
        })
    },
    write: |dialog, outcome| {
        let say = |given: String| result(dialog, &given);
        single::write(&CALL, dialog, outcome, say, answers::told)
    },
    refuse: |_| None,
};

const CALL: Call = Call { dialect: "hermes", tools: &["clarify"], ..BARE };

fn result(dialog: &Dialog, given: &str) -> Value {
    let question = dialog.questions.first();
    let choices = question.map(Question::options).unwrap_or_default();
    let choices: Vec<&str> = choices.iter().map(|option| option.label.as_str()).collect();
    json!({
        "question": question.map(|question| &question.text),
        "choices_offered": (!choices.is_empty()).then_some(choices),
        "user_response": given,
    })
}
