//! Zed's `ask_user`: one question, with texts to choose from, an own answer, or both.
//!
//! Detected by `allow_free_text`. The answer is `selected`; every other ending is an `error`, in
//! the tool's own words where it has some. It has no place for notes, so its dialogs take none.

use serde_json::json;

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::has,
    single::{self, OwnWords},
};
use crate::{
    outcome::Outcome,
    payload::{MANY, Rules},
    problem::Problem,
};

pub static DIALECT: Dialect = Dialect {
    name: "zed",
    about: "Zed's ask_user: one question with `allow_free_text`, and texts to choose from",
    agent: Some("Zed"),
    carries: &[Carry::Other, Carry::Reason, Carry::Partial],
    rules: Rules {
        questions: 1..=1,
        // Without any, the question is a text.
        options: 2..=MANY,
        ..Rules::OPEN
    },
    schema: Some(include_str!("zed.schema.json")),
    detect: |payload| has(CALL.inside(payload), "allow_free_text"),
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            let own_words = match fields.flag("allow_free_text") {
                Some(true) => OwnWords::Alone,
                _ => OwnWords::Never,
            };
            single::read(payload, fields, &["options"], own_words, single::text);
        })
    },
    write: |dialog, outcome| {
        single::write(&CALL, dialog, outcome, |given| json!({ "selected": given }), error)
    },
    refuse: |problems| {
        let told: Vec<_> = problems.iter().map(Problem::to_string).collect();
        Some(json!({ "error": told.join("; ") }).to_string())
    },
    fits: |_| false,
};

const CALL: Call = Call { dialect: "zed", tools: &["ask_user"], ..BARE };

fn error(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Declined { reason: None, .. } => {
            "The user declined to answer the question.".into()
        }
        Outcome::Dismissed => "The user cancelled the question without answering.".into(),
        _ => answers::told(outcome),
    }
}
