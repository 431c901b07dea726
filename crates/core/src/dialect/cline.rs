//! Cline's `ask_question`, once `ask_followup_question`: one question with two to five texts.
//!
//! Detected by the tool's name; the bare input is a payload of our own dialect. The answer is a JSON
//! string, the option's or the person's own; every other ending is an object, which nobody takes
//! for one. It has no place for notes, so its dialogs take none.

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::has,
    single::{self, OwnWords},
};
use crate::payload::Rules;

pub static DIALECT: Dialect = Dialect {
    name: "cline",
    about: "Cline's ask_question: a call of the tool, with one question and 2 to 5 texts",
    agent: Some("Cline"),
    carries: &[Carry::Other, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=1, options: 2..=5, ..Rules::OPEN },
    schema: Some(include_str!("cline.schema.json")),
    detect: |payload| CALL.wraps(payload) && !has(CALL.inside(payload), "follow_up"),
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            single::read(payload, fields, &["options"], OwnWords::Beside, single::text);
        })
    },
    write: |dialog, outcome| single::write(&CALL, dialog, outcome, Into::into, answers::told),
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call =
    Call { dialect: "cline", tools: &["ask_question", "ask_followup_question"], ..BARE };
