//! The Agent Client Protocol: `elicitation/create`, a form or an address to open, and
//! `session/request_permission`; the JSON-RPC request, or only its `params`.
//!
//! Detected by these methods, the first only with the `sessionId` or `requestId` that MCP's has not;
//! or by such `params`. The answer is a JSON-RPC response if the request was one. A choice and the
//! `…_custom` or `…_note` that belongs to it are one question with an Other box or a note, as several
//! agents write theirs. `decline` and `cancel` say little, so `_meta` tells how the dialog ended.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    fields::{Field, Fields, Findings, has},
    form,
};
use crate::{
    dialog::{Dialog, Form, Kind},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
};

mod permission;

pub static DIALECT: Dialect = Dialect {
    name: "acp",
    about: "the Agent Client Protocol's elicitation/create and session/request_permission",
    agent: Some("ACP agent"),
    carries: &[Carry::Other, Carry::Notes, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("acp.schema.json")),
    detect: |payload| {
        let params = payload.get("params").unwrap_or(payload);
        permission::is_one(payload) || is_elicitation(params)
    },
    read,
    write,
    refuse: |_| None,
};

fn is_elicitation(params: &Value) -> bool {
    let scoped = has(params, "sessionId") || has(params, "requestId");
    scoped && has(params, "mode") && (has(params, "requestedSchema") || has(params, "url"))
}

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    if let Some(fields) = Field::root(value, &findings).object() {
        if has(value, "method") {
            payload.metadata["acp"]["id"] = value.get("id").cloned().unwrap_or_default();
            fields.left(&["jsonrpc", "id", "method"]);
            let params = fields.need("params", "an object").and_then(Field::object);
            fields.advise_unknown();
            if let Some(params) = params {
                read_params(&mut payload, &params, permission::is_one(value));
            }
        } else {
            read_params(&mut payload, &fields, permission::is_one(value));
        }
    }
    findings.put_into(payload)
}

fn read_params(payload: &mut Payload, fields: &Fields, is_permission: bool) {
    payload.session = fields.get("sessionId").and_then(Field::name);
    if is_permission {
        payload.metadata["acp"]["asks"] = "permission".into();
        permission::read(payload, fields);
    } else {
        fields.left(&["requestId", "toolCallId"]);
        let message = fields.need_text("message");
        let mode = fields.need_text("mode");
        payload.metadata["acp"]["asks"] = mode.clone().into();
        match mode.as_deref() {
            Some("form") => read_form(payload, fields, message),
            Some("url") => read_url(payload, fields, message),
            Some(other) => {
                let fault =
                    Fault::UnknownValue { found: other.into(), expected: "`form` or `url`" };
                fields.findings.refuse(fields.at("mode"), fault);
            }
            None => {}
        }
    }
    fields.get("_meta");
    fields.advise_unknown();
}

fn read_form(payload: &mut Payload, fields: &Fields, message: Option<String>) {
    let Some(field) = fields.need("requestedSchema", "an object") else { return };
    let (schema, at) = (field.value, field.at.clone());
    if field.clone().object().is_none() {
        return;
    }
    let properties = form::properties(&field);
    let asked = properties.len();
    let (questions, folded) = fold(properties);
    payload.questions_at = Some(format!("{at}.properties"));
    payload.question_count = questions.len();
    payload.questions = questions;
    payload.message = message;
    payload.metadata["acp"]["folded"] = folded.into();
    // With the folded ones apart, the answers are no object of this schema.
    if payload.questions.len() == asked {
        payload.form = Some(Form::Object(schema.clone()));
    }
    payload.form_at = at;
}

/// Makes one question of a choice and the text that belongs to it, and names those texts.
fn fold(properties: Vec<PayloadQuestion>) -> (Vec<PayloadQuestion>, Map<String, Value>) {
    let mut questions: Vec<PayloadQuestion> = Vec::new();
    let mut folded = Map::new();
    for property in properties {
        let is_text = matches!(property.kind, PayloadKind::Plain(Kind::Text { .. }));
        let name = property.id.clone().unwrap_or_default();
        let split = name.rsplit_once('_').filter(|_| is_text);
        let owner = split.and_then(|(id, part)| {
            let owner = questions.iter_mut().find(|question| question.id.as_deref() == Some(id))?;
            Some((owner, part))
        });
        match owner {
            Some((
                PayloadQuestion { kind: PayloadKind::Choice { other, .. }, schema, .. },
                "custom",
            )) => {
                *other = true;
                // It knows nothing of words in place of its values.
                *schema = None;
            }
            Some((PayloadQuestion { notes, kind: PayloadKind::Choice { .. }, .. }, "note")) => {
                *notes = true;
            }
            _ => {
                questions.push(property);
                continue;
            }
        }
        folded.insert(name, true.into());
    }
    (questions, folded)
}

/// The person only agrees: opening it is up to whoever asked.
fn read_url(payload: &mut Payload, fields: &Fields, message: Option<String>) {
    fields.left(&["elicitationId"]);
    let url = fields.need_text("url");
    let agree = "Agree to open it";
    payload.questions_at = Some(fields.at.clone());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: None,
        text: message,
        text_at: fields.at("message"),
        details: url.map(|url| format!("```\n{}\n```", url.replace('\n', " "))),
        kind: PayloadKind::Plain(Kind::Confirm {
            yes: Some(agree.into()),
            no: Some("Do not open it".into()),
            default: None,
        }),
        required: true,
        notes: false,
        schema: None,
        schema_at: String::new(),
    }];
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let asks = answers::kept(dialog, DIALECT.name, "asks").and_then(Value::as_str);
    let result = match asks {
        Some("permission") => permission::result(dialog, outcome),
        _ => elicited(dialog, outcome, asks == Some("url")),
    };
    match answers::kept(dialog, DIALECT.name, "id") {
        Some(id) => json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string(),
        None => result.to_string(),
    }
}

fn elicited(dialog: &Dialog, outcome: &Outcome, is_url: bool) -> Value {
    if let (Outcome::Answered { answers }, true) = (outcome, is_url) {
        let agreed = answers.first().is_some_and(|answer| answer.value == Some(true.into()));
        return json!({ "action": if agreed { "accept" } else { "decline" } });
    }
    let content = content(dialog, outcome.answers());
    match outcome {
        Outcome::Answered { .. } => json!({ "action": "accept", "content": content }),
        Outcome::Declined { .. } | Outcome::Clarify { .. } => ended("decline", outcome, content),
        _ => ended("cancel", outcome, content),
    }
}

fn ended(action: &str, outcome: &Outcome, content: Map<String, Value>) -> Value {
    let ending = answers::ending("outcome", outcome, content.into());
    json!({ "action": action, "_meta": { "askdeck": ending } })
}

/// What was given, by the fields' names; own words and notes under the names that were folded.
fn content(dialog: &Dialog, given: &[Answer]) -> Map<String, Value> {
    let folded = |name: &str| {
        answers::kept(dialog, DIALECT.name, "folded").is_some_and(|names| has(names, name))
    };
    let mut content = Map::new();
    for (question, answer) in dialog.questions.iter().zip(given) {
        let (custom, note) = (format!("{}_custom", question.id), format!("{}_note", question.id));
        let apart = answer.other.clone().filter(|_| folded(&custom));
        let chosen = match &apart {
            Some(_) => Answer { other: None, ..answer.clone() },
            None => answer.clone(),
        };
        if chosen.is_given() {
            content.extend(question.value(&chosen).map(|value| (question.id.clone(), value)));
        }
        content.extend(apart.map(|text| (custom, text.into())));
        content.extend(answer.note.clone().map(|text| (note, text.into())));
    }
    content
}
