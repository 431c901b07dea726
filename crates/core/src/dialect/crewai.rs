//! `CrewAI`'s human feedback: the context of a flow that waits for it, or the event that asks for it.
//!
//! Detected by `flow_class` beside `method_name`, or by the event's type. The answer is the feedback,
//! a JSON string for `resume`: an outcome of `emit`, or the person's own words, of which `CrewAI` makes
//! an outcome. It takes an empty text for the default outcome, which may approve; so every other
//! ending is an object, which is no feedback.

use serde_json::Value;

use super::{
    Carry, Dialect, answers,
    call::BARE,
    fields::{Field, Fields, has, says},
    questions::ANY_TEXT,
    single,
};
use crate::{
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "crewai",
    about: "CrewAI's human feedback: a flow's pending context, or `human_feedback_requested`",
    agent: Some("CrewAI"),
    carries: &[Carry::Other, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=1, ..Rules::OPEN },
    schema: Some(include_str!("crewai.schema.json")),
    detect: |payload| {
        let is_context = has(payload, "flow_class") && has(payload, "method_name");
        is_context || says(payload, "type", &["human_feedback_requested"])
    },
    read: |sent| BARE.read(sent, read),
    write: |dialog, outcome| single::write(&BARE, dialog, outcome, Into::into, answers::told),
    refuse: |_| None,
};

fn read(fields: &Fields, payload: &mut Payload) {
    // A default outcome is what CrewAI takes for silence.
    fields.ignore(&[
        "type",
        "flow_class",
        "flow_name",
        "default_outcome",
        "metadata",
        "llm",
        "requested_at",
        "request_id",
        "execution_uuid",
        "trace_context",
        "timestamp",
    ]);
    payload.session = fields.text("flow_id");
    let output = fields.any(&["method_output", "output"]).map(|output| match output.value {
        Value::String(output) => text::fenced("", output),
        output => text::fenced("json", &text::json(output)),
    });
    let outcomes = fields.get("emit").and_then(Field::list).filter(|list| !list.is_empty());
    let consent = outcomes.is_some();
    let kind = match outcomes {
        Some(list) => PayloadKind::Choice {
            option_count: list.len(),
            options: list.into_iter().map(single::text).collect(),
            options_at: Some(fields.at("emit")),
            multi: false,
            other: true,
            default: None,
        },
        None => PayloadKind::Plain(ANY_TEXT),
    };
    payload.questions_at = Some(String::new());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: fields.text("method_name"),
        text: fields.need_text("message"),
        text_at: fields.at("message"),
        details: output,
        kind,
        required: true,
        notes: false,
        consent,
        schema: None,
        schema_at: String::new(),
    }];
}
