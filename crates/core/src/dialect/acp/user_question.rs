//! The questions of Qwen Code, which has no elicitation: a request for permission with the questions
//! beside the call, and the answers beside the outcome.

use serde_json::{Map, Value, json};

use super::permission;
use crate::{
    dialect::{
        answers,
        fields::{Field, Fields, has, says},
        gemini, questions,
    },
    dialog::Dialog,
    outcome::Outcome,
    payload::Payload,
    problem::Fault,
};

/// What the dialog remembers of it.
pub(super) const ASKS: &str = "user_question";

/// Whether the call does nothing but ask; all else has to be shown. Older versions tell only the
/// tool's name.
pub(super) fn is_one(params: &Value) -> bool {
    let Some(call) = params.get("toolCall") else { return false };
    let Some(meta) = call.get("_meta") else { return false };
    let asks = call.get("rawInput").is_some_and(|input| has(input, "questions"));
    let has_content =
        call.get("content").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let is_told = says(meta, "qwenInteractionKind", &["user_question"])
        && has(meta, "qwenQuestions")
        && (asks || !has(call, "rawInput"));
    (is_told || says(meta, "toolName", &["ask_user_question"]) && asks) && !has_content
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    payload.metadata["acp"]["asks"] = ASKS.into();
    payload.rules = Some(&gemini::DIALECT.rules);
    if let Some(list) = fields.need("options", "an array") {
        let options = list.value.as_array().into_iter().flatten();
        let allows = |option: &&Value| says(option, "kind", &["allow_once"]);
        let submit = options.filter(allows).find_map(|option| option.get("optionId"));
        if submit.is_none() {
            let fault = "none is of the kind `allow_once`, by which the answers are sent";
            list.refuse(Fault::Rule(fault.into()));
        }
        payload.metadata["acp"]["submit"] = submit.cloned().into();
    }
    let call = fields.get("toolCall").and_then(Field::object);
    let Some(call) = call else { return };
    let meta = call.get("_meta").and_then(Field::object);
    let input = call.get("rawInput").and_then(Field::object);
    let list = meta.as_ref().and_then(|meta| meta.get("qwenQuestions"));
    let list = list.or_else(|| input.as_ref()?.get("questions"));
    questions::read(payload, list, &questions::CLAUDE);
}

pub(super) fn result(dialog: &Dialog, outcome: &Outcome) -> Value {
    let submit = answers::kept(dialog, "acp", "submit");
    let (Outcome::Answered { answers }, Some(id)) = (outcome, submit) else {
        return permission::cancelled(outcome);
    };
    let given: Map<_, _> = gemini::by_place(dialog, answers).collect();
    json!({ "outcome": { "outcome": "selected", "optionId": id }, "answers": given })
}
