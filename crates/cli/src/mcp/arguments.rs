//! From a tool's arguments to a payload that is read like any other.

use askdeck_core::problem::{Fault, Problem};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// What `ask_user_question` asks: Claude's input is ours, as far as it goes.
pub(super) fn questions(mut arguments: JsonObject) -> Result<Value, Vec<Problem>> {
    only(&arguments, &["questions", "metadata"])?;
    only_kinds(&arguments)?;
    // Without it the rest would be read as one question.
    arguments.entry("questions").or_insert_with(|| Vec::<Value>::new().into());
    arguments.insert("askdeck".into(), 1.into());
    Ok(arguments.into())
}

/// What `confirm_action` asks.
pub(super) fn confirmation(mut arguments: JsonObject) -> Result<Value, Vec<Problem>> {
    only(&arguments, &["action", "details"])?;
    let Some(action) = arguments.remove("action") else {
        return Err(vec![Problem::new("action", Fault::Missing { expected: "a string" })]);
    };
    let mut question = json!({ "type": "confirm", "question": action });
    if let Some(details) = arguments.remove("details") {
        question["details"] = details;
    }
    Ok(json!({ "askdeck": 1, "questions": [question] }))
}

/// What `get_answer` waits for.
pub(super) fn ticket(mut arguments: JsonObject) -> Result<String, Vec<Problem>> {
    only(&arguments, &["ticket"])?;
    match arguments.remove("ticket") {
        Some(Value::String(ticket)) => Ok(ticket),
        _ => Err(vec![Problem::new("ticket", Fault::Missing { expected: "a string" })]),
    }
}

/// A dialog has more fields than a model may set.
fn only(arguments: &JsonObject, names: &[&str]) -> Result<(), Vec<Problem>> {
    let unknown = arguments.keys().filter(|name| !names.contains(&name.as_str()));
    none(unknown.map(|name| Problem::new(name, Fault::UnknownField { meant: None })))
}

/// There are more kinds of question than a client's own form could ask.
fn only_kinds(arguments: &JsonObject) -> Result<(), Vec<Problem>> {
    let questions = arguments.get("questions").and_then(Value::as_array);
    let types = questions.into_iter().flatten().enumerate().filter_map(|(index, question)| {
        let found = question.get("type")?.as_str()?;
        (!["single", "multi", "text"].contains(&found)).then_some((index, found))
    });
    none(types.map(|(index, found)| {
        let expected = "`single`, `multi` or `text`";
        let fault = Fault::UnknownValue { found: found.into(), expected };
        Problem::new(format!("questions[{index}].type"), fault)
    }))
}

fn none(problems: impl Iterator<Item = Problem>) -> Result<(), Vec<Problem>> {
    let problems: Vec<_> = problems.collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
