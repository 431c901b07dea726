//! Roo Code's `ask_followup_question`: one question with one to four suggestions, each of which may
//! name the mode in which Roo would go on.
//!
//! Detected by `follow_up` or `suggest` with objects in it: the tool's input, or what Roo's own page
//! gets. The answer is a JSON string, the suggestion's or the person's own; every other ending is an
//! object, which nobody takes for one. It has no place for notes, so its dialogs take none.

use serde_json::Value;

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, has},
    single::{self, OwnWords},
};
use crate::payload::{PayloadOption, Rules};

pub static DIALECT: Dialect = Dialect {
    name: "roo",
    about: "Roo Code's ask_followup_question: one question with `follow_up`, or Roo's own `suggest`",
    agent: Some("Roo Code"),
    carries: &[Carry::Other, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=1, options: 1..=4, ..Rules::OPEN },
    schema: Some(include_str!("roo.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        let suggests = |(list, text): &(&str, &str)| {
            let list = inside.get(list).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|item| has(item, text)))
        };
        LISTS.iter().any(suggests) || CALL.wraps(payload) && has(inside, LISTS[0].0)
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            let lists = LISTS.map(|(list, _)| list);
            single::read(payload, fields, &lists, OwnWords::Beside, suggestion);
        })
    },
    write: |dialog, outcome| single::write(&CALL, dialog, outcome, Into::into, answers::told),
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call = Call { dialect: "roo", tools: &["ask_followup_question"], ..BARE };

/// The names of the list, and of a suggestion's text in it.
const LISTS: [(&str, &str); 2] = [("follow_up", "text"), ("suggest", "answer")];

fn suggestion(field: Field) -> PayloadOption {
    let at = field.at.clone();
    let Some(fields) = field.object() else { return PayloadOption::default() };
    let text = fields.need_any(&LISTS.map(|(_, text)| text), "a string");
    let option = PayloadOption {
        label_at: text.as_ref().map_or(at, |text| text.at.clone()),
        label: text.and_then(Field::text),
        description: fields.text("mode").map(|mode| format!("mode: {mode}")),
        description_at: fields.at("mode"),
        ..PayloadOption::default()
    };
    fields.advise_unknown();
    option
}
