//! `OpenCode`'s `question`, which Kilo Code took over: the request object, the event that announces
//! it, or the tool's input. And its permissions, see `permissions`.
//!
//! Detected by the events or the tool, by `sessionID` beside `questions`, or by a question with
//! `multiple`. An event has what it tells in `properties` or, of the second server, in `data`, and may
//! stand as the `payload` in that of all folders. The answers go by position: a list of labels for
//! each question, with the person's own words as one more. `OpenCode` rejects a question that got no
//! answer, in a call of its own without a body; that is an `error` here. It has no place for notes, so
//! its dialogs take none.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers, askdeck,
    call::{BARE, Call},
    fields::{Fields, has},
    questions::{self, Need, Style},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
};

mod permissions;

pub static DIALECT: Dialect = Dialect {
    name: "opencode",
    about: "OpenCode's question, and Kilo Code's: the request, its event, or the tool's input; and their permissions",
    agent: Some("OpenCode"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("opencode.schema.json")),
    detect: |payload| {
        let event = event(payload);
        let inside = CALL.inside(event);
        CALL.wraps(event)
            || permissions::is_one(inside)
            || has(inside, "sessionID") && has(inside, "questions")
            || !askdeck::is_ours(inside) && questions::have(inside, "multiple")
    },
    read: |sent| {
        let event = event(sent);
        let mut payload = CALL.read(event, |fields, payload| {
            if permissions::is_one(CALL.inside(event)) || permissions::is_event(event) {
                return permissions::read(payload, fields);
            }
            fields.ignore(&["id", "tool", "blocking"]);
            questions::read_each(payload, fields.need("questions", "an array"), &STYLE, complete);
        });
        let folder = sent.get("directory").and_then(Value::as_str);
        payload.cwd = payload.cwd.or(folder.map(str::to_owned));
        payload
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call = Call {
    dialect: "opencode",
    tools: &["question"],
    events: &[
        ("question.asked", "properties"),
        ("question.asked", "data"),
        ("question.v2.asked", "properties"),
        ("question.v2.asked", "data"),
        (permissions::EVENTS[0], "properties"),
        (permissions::EVENTS[0], "data"),
        (permissions::EVENTS[1], "properties"),
        (permissions::EVENTS[1], "data"),
    ],
    session: Some("sessionID"),
    ..BARE
};

/// The event, also from among those of all folders.
fn event(payload: &Value) -> &Value {
    payload.get("payload").filter(|event| CALL.wraps(event)).unwrap_or(payload)
}

/// Kilo's mark for the option on which the cursor starts.
fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    let Some(field) = fields.get("default") else { return };
    let Some(label) = field.clone().text() else { return };
    if let PayloadKind::Choice { options, default, .. } = &mut question.kind {
        *default = options.iter().position(|option| option.label.as_ref() == Some(&label));
        if default.is_none() {
            field.advise(Fault::Rule("matches no option, using the first".into()));
        }
    }
}

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
    if answers::kept(dialog, DIALECT.name, "permission").is_some() {
        return permissions::write(dialog, outcome);
    }
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
