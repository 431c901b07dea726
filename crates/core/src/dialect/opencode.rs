//! `OpenCode`'s `question`, which Kilo Code took over: the request object, the event that announces
//! it, or the tool's input.
//!
//! Detected by the event or the tool, by `sessionID` beside `questions`, or by a question with
//! `multiple`. The answers go by position: a list of labels for each question, with the person's own
//! words as one more. `OpenCode` rejects a question that got no answer, in a call of its own without
//! a body; that is an `error` here. It has no place for notes, so its dialogs take none.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers, askdeck,
    call::{BARE, Call},
    fields::has,
    questions::{self, Need, Style},
};
use crate::{dialog::Dialog, outcome::Outcome, payload::Rules};

pub static DIALECT: Dialect = Dialect {
    name: "opencode",
    about: "OpenCode's question, and Kilo Code's: the request, its event, or the tool's input",
    agent: Some("OpenCode"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("opencode.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        CALL.wraps(payload)
            || has(inside, "sessionID") && has(inside, "questions")
            || !askdeck::is_ours(inside) && questions::have(inside, "multiple")
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            fields.ignore(&["id", "tool", "blocking"]);
            questions::read(payload, fields.need("questions", "an array"), &STYLE);
        })
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call = Call {
    dialect: "opencode",
    tools: &["question"],
    events: &[("question.asked", "properties")],
    session: Some("sessionID"),
    ..BARE
};

const STYLE: Style = Style {
    short_header: 30,
    options: Need::May,
    multi: &["multiple"],
    other: Some(("custom", true)),
    // Kilo's keys into its own translations, and the mode in which it would go on.
    unused: &["questionKey", "headerKey", "labelKey", "descriptionKey", "mode"],
    ..questions::CLAUDE
};

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let by_place: Vec<Vec<String>> = dialog
        .questions
        .iter()
        .zip(outcome.answers())
        .map(|(question, answer)| answers::texts(question, answer))
        .collect();
    let error = match outcome {
        Outcome::Answered { .. } => {
            return CALL.answer(dialog, json!({ "answers": by_place }));
        }
        Outcome::Dismissed => "The user dismissed this question".into(),
        _ => answers::told(outcome),
    };
    let begun = by_place.iter().any(|given| !given.is_empty());
    let partial = if begun { by_place.into() } else { Value::Null };
    CALL.fail(dialog, answers::failure(&error, outcome, partial))
}
