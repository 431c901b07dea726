//! Copilot's `user_input.requested`: one question with choices, as its SDK hands it to a host.
//!
//! Detected by the event, or by `allowFreeform` or `requestId` beside `question`. The answer tells
//! whether it is a choice or the person's own words. Hosts say an empty answer for a question that
//! was closed; here every ending without an answer is an `error`, since an empty answer is one. It
//! has no place for notes, so its dialogs take none.

use serde_json::json;

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::has,
    single::{self, OwnWords},
};
use crate::{dialog::Dialog, outcome::Outcome, payload::Rules};

pub static DIALECT: Dialect = Dialect {
    name: "copilot",
    about: "GitHub Copilot's user_input.requested: one question with `choices` and `allowFreeform`",
    agent: Some("GitHub Copilot"),
    carries: &[Carry::Other, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=1, ..Rules::OPEN },
    schema: Some(include_str!("copilot.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        CALL.wraps(payload)
            || has(inside, "question") && (has(inside, "allowFreeform") || has(inside, "requestId"))
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            fields.ignore(&["requestId", "toolCallId"]);
            let own_words = match fields.flag("allowFreeform") {
                Some(false) => OwnWords::Never,
                _ => OwnWords::Alone,
            };
            single::read(payload, fields, &["choices"], own_words, single::text);
        })
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call = Call {
    dialect: "copilot",
    events: &[("user_input.requested", "data")],
    session: Some("sessionId"),
    ..BARE
};

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let typed =
        outcome.answers().iter().any(|given| given.other.is_some() || given.value.is_some());
    let say = |answer: String| json!({ "answer": answer, "wasFreeform": typed });
    single::write(&CALL, dialog, outcome, say, answers::told)
}
