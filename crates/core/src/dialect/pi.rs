//! pi's dialogs in its RPC mode: an `extension_ui_request` with the method `select`, `confirm`,
//! `input` or `editor`.
//!
//! Detected by this type. The answer is a `value`, to `confirm` it is `confirmed`; `cancelled` is the
//! format's only word for everything else. Extensions ask by `select` whether a command may run,
//! so it is taken for an approval.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    Dialect,
    action::MOST_WORDS,
    answers,
    call::BARE,
    fields::{Field, Fields, says},
    single,
};
use crate::{
    dialog::{Dialog, Kind},
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "pi",
    about: "pi's `extension_ui_request`: select, confirm, input or editor",
    agent: Some("pi"),
    carries: &[],
    rules: Rules { questions: 1..=1, ..Rules::OPEN },
    schema: Some(include_str!("pi.schema.json")),
    detect: |payload| says(payload, "type", &["extension_ui_request"]),
    read: |sent| BARE.read(sent, read),
    write,
    refuse: |_| None,
};

fn read(fields: &Fields, payload: &mut Payload) {
    fields.ignore(&["type"]);
    let (id, method) = (fields.need_text("id"), fields.need_text("method"));
    // pi takes 0 for none.
    let milliseconds = fields.get("timeout").and_then(Field::size).filter(|time| *time > 0);
    payload.timeout = milliseconds.and_then(|it| Some(Duration::from_millis(it.try_into().ok()?)));
    let Some(method) = method else { return };
    let mut details = None;
    let kind = match method.as_str() {
        "select" => options(fields),
        "confirm" => {
            details = fields.text("message").and_then(|said| text::quoted(&said, MOST_WORDS));
            PayloadKind::Plain(Kind::Confirm { yes: None, no: None, default: None })
        }
        "input" => PayloadKind::Plain(Kind::Text {
            multiline: false,
            placeholder: fields.text("placeholder"),
            default: None,
        }),
        "editor" => PayloadKind::Plain(Kind::Text {
            multiline: true,
            placeholder: None,
            default: fields.text("prefill"),
        }),
        _ => {
            let expected =
                "`select`, `confirm`, `input` or `editor`; pi awaits no response to others";
            let fault = Fault::UnknownValue { found: method, expected };
            return fields.findings.refuse(fields.at("method"), fault);
        }
    };
    let title = fields.need_text("title");
    // What markdown would make something else of is shown as it is, too: it may be a command.
    let is_plain = |c: char| c.is_alphanumeric() || " .,:;?!'\"()/-".contains(c);
    let shown = title.as_ref().filter(|title| !title.chars().all(is_plain));
    let shown = shown.map(|title| text::fenced("", title));
    let details = shown.into_iter().chain(details).reduce(|a, b| format!("{a}\n\n{b}"));
    payload.metadata["pi"] = json!({ "id": id, "confirms": method == "confirm" });
    payload.questions_at = Some(String::new());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: None,
        text: title,
        text_at: fields.at("title"),
        details,
        kind,
        required: true,
        notes: false,
        consent: matches!(method.as_str(), "select" | "confirm"),
        schema: None,
        schema_at: String::new(),
    }];
}

fn options(fields: &Fields) -> PayloadKind {
    let list = fields.need("options", "an array").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("options"));
    let list = list.unwrap_or_default();
    PayloadKind::Choice {
        option_count: list.len(),
        options: list.into_iter().map(single::text).collect(),
        options_at,
        multi: false,
        other: false,
        default: None,
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let kept = |name| answers::kept(dialog, DIALECT.name, name);
    let mut body = json!({ "type": "extension_ui_response", "id": kept("id") });
    let given = answers::given(dialog, outcome.answers()).next();
    match (outcome, given) {
        (Outcome::Answered { .. }, Some((_, question, answer))) => {
            let confirms = kept("confirms").is_some_and(|confirms| *confirms == true);
            let (name, value) = if confirms {
                ("confirmed", answer.value.clone().unwrap_or_default())
            } else {
                ("value", Value::from(answers::texts(question, answer).join(", ")))
            };
            body[name] = value;
        }
        _ => body["cancelled"] = true.into(),
    }
    body.to_string()
}
