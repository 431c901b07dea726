//! Continue's `AskQuestion`: one question, with texts to choose from or none, and a default answer.
//!
//! Detected by `defaultAnswer` beside the question, or by the tool's name with one `question`: Cursor
//! has a tool of the same name. A bare input without a default is a payload of our own dialect. The
//! answer is a JSON string; every other ending is an object, which nobody takes for one.

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Fields, has},
    single::{self, OwnWords},
};
use crate::{
    dialog::Kind,
    payload::{Payload, PayloadKind, Rules},
    problem::Fault,
};

pub static DIALECT: Dialect = Dialect {
    name: "continue",
    about: "Continue's AskQuestion: one question with texts to choose from, and a `defaultAnswer`",
    agent: Some("Continue"),
    carries: &[Carry::Other, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=1, ..Rules::OPEN },
    schema: Some(include_str!("continue_cli.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        has(inside, "question") && (CALL.wraps(payload) || has(inside, "defaultAnswer"))
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            single::read(payload, fields, &["options"], OwnWords::Alone, single::text);
            read_default(payload, fields);
        })
    },
    write: |dialog, outcome| single::write(&CALL, dialog, outcome, Into::into, answers::told),
    refuse: |_| None,
};

const CALL: Call = Call { dialect: "continue", tools: &["AskQuestion"], ..BARE };

/// The answer with which the question starts; it has to be given all the same.
fn read_default(payload: &mut Payload, fields: &Fields) {
    let Some(answer) = fields.text("defaultAnswer").filter(|answer| !answer.is_empty()) else {
        return;
    };
    for question in &mut payload.questions {
        match &mut question.kind {
            PayloadKind::Choice { options, default, .. } => {
                let is_it = |label: &String| *label == answer;
                *default =
                    options.iter().position(|option| option.label.as_ref().is_some_and(is_it));
                if default.is_none() {
                    let fault = Fault::Rule("is none of the options, so none is marked".into());
                    fields.findings.advise(fields.at("defaultAnswer"), fault);
                }
            }
            PayloadKind::Plain(Kind::Text { default, .. }) => *default = Some(answer.clone()),
            PayloadKind::Plain(_) => {}
        }
    }
}
