//! Strands Agents' interrupts: those with which an agent's run stopped.
//!
//! Detected by `interrupts` that have a `name`, or by a list of them. The `reason` is what somebody
//! else's code gave: a text, an object with a `message`, or any JSON, which is then shown. What that
//! code expects back it does not say, so the answer is a text; only the SDK's own steering asks for
//! a yes or no. All interrupts are answered together. Every other ending is an object, which the SDK
//! takes for no response.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    fields::{Field, Findings, has},
    questions::ANY_TEXT,
};
use crate::{
    dialog::{Dialog, Kind},
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "strands",
    about: "Strands Agents' interrupts: a list of them, or the result with `interrupts` that have a name",
    agent: Some("Strands"),
    carries: &[Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("strands.schema.json")),
    detect: |payload| {
        let inside = payload.get("interrupts");
        let list = inside.unwrap_or(payload).as_array();
        let is_one = |one: &Value| {
            let is_whole = ["reason", "response"].iter().all(|name| one.get(name).is_some());
            has(one, "id") && has(one, "name") && (inside.is_some() || is_whole)
        };
        list.is_some_and(|list| list.iter().any(is_one))
    },
    read,
    write,
    refuse: |_| None,
};

/// The SDK's own handler asks by this name whether a tool may go on.
const STEERING: &str = "steering_input_";

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    let mut list = Field::root(value, &findings);
    if !value.is_array()
        && let Some(fields) = list.clone().object()
    {
        fields.ignore(&["type", "stop_reason", "message", "metrics", "state", "structured_output"]);
        let inside = fields.need("interrupts", "an array");
        fields.advise_unknown();
        let Some(inside) = inside else { return findings.put_into(payload) };
        list = inside;
    }
    payload.questions_at = Some(list.at.clone());
    let items = list.list().unwrap_or_default();
    payload.question_count = items.len();
    payload.questions = items.into_iter().filter_map(question).collect();
    findings.put_into(payload)
}

fn question(field: Field) -> Option<PayloadQuestion> {
    let fields = field.object()?;
    fields.ignore(&["response"]);
    let (id, name) = (fields.need_text("id"), fields.need_text("name"));
    let reason = fields.get("reason");
    fields.advise_unknown();
    let (id, name) = (id?, name?);
    let said = reason.as_ref().and_then(|reason| {
        let said = reason.value.get("message").unwrap_or(reason.value);
        said.as_str().filter(|said| !text::is_blank(said)).map(str::to_owned)
    });
    // Whatever else there is may be what is asked about.
    let is_text = |reason: &Field| reason.value.is_string();
    let shown = reason.as_ref().filter(|reason| !is_text(reason));
    let asks_to_go_on = name.starts_with(STEERING);
    Some(PayloadQuestion {
        path: fields.at.clone(),
        id: Some(id),
        header: Some(name),
        text: Some(said.unwrap_or_else(|| fields.findings.say("input_requested", []))),
        text_at: fields.at("reason"),
        details: shown.map(|shown| text::fenced("json", &text::json(shown.value))),
        kind: PayloadKind::Plain(if asks_to_go_on {
            Kind::Confirm { yes: None, no: None, default: None }
        } else {
            ANY_TEXT
        }),
        required: true,
        notes: false,
        consent: asks_to_go_on,
        schema: None,
        schema_at: String::new(),
    })
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let given = answers::given(dialog, outcome.answers());
    let responses = given.filter_map(|(_, question, answer)| {
        Some(json!({ "interruptId": question.id, "response": question.value(answer)? }))
    });
    let responses: Vec<Value> = responses.collect();
    if let Outcome::Answered { .. } = outcome {
        let wrap = |response: Value| json!({ "interruptResponse": response });
        return responses.into_iter().map(wrap).collect::<Value>().to_string();
    }
    let told = answers::told(outcome);
    Value::Object(answers::failure(&told, outcome, responses.into())).to_string()
}
