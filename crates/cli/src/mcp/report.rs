//! What the agent is told: for programs as structured content, for the model as text.

use askdeck_core::{
    asking::Refusal,
    dialect,
    dialog::{Dialog, Kind},
    outcome::Outcome,
    protocol::Ended,
};
use askdeck_desk::paths;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::elicitation;

/// How a dialog ended. One that is not known here is told as the app wrote it.
pub(super) fn ended(dialog: Option<&Dialog>, ended: &Ended) -> CallToolResult {
    let Some(dialog) = dialog else {
        // Another program may have asked it, in any dialect.
        let structured = serde_json::from_str(&ended.written)
            .ok()
            .filter(|written: &Value| written.get("outcome").is_some())
            .unwrap_or_else(|| json!({ "outcome": ended.outcome.name() }));
        return told(structured, ended.written.clone(), advice(&ended.outcome));
    };
    outcome(dialog, &ended.outcome)
}

fn outcome(dialog: &Dialog, outcome: &Outcome) -> CallToolResult {
    let text = (dialect::text::DIALECT.write)(dialog, outcome);
    told(structured(dialog, outcome), text, advice(outcome))
}

fn structured(dialog: &Dialog, outcome: &Outcome) -> Value {
    let written = (dialect::askdeck::DIALECT.write)(dialog, outcome);
    let mut structured: Value = serde_json::from_str(&written).unwrap_or_default();
    if let Some(confirmed) = confirmed(dialog, outcome) {
        structured["confirmed"] = confirmed.into();
    }
    structured
}

/// The question stays open, and the agent must come back for the answer.
pub(super) fn pending(ticket: &str) -> CallToolResult {
    let text = "The user has not answered yet. The question stays open in their window.".into();
    let advice = format!(
        "Call get_answer with ticket \"{ticket}\" to wait for the answer; do not ask again."
    );
    told(json!({ "outcome": "pending", "ticket": ticket }), text, Some(&advice))
}

/// What came back from the client's own form.
pub(super) fn elicited(dialog: &Dialog, result: &Value) -> CallToolResult {
    match elicitation::outcome(dialog, result, paths::language().words()) {
        Some(dismissed @ Outcome::Dismissed) => {
            // Some clients close it by themselves.
            let text = "The client's form was closed without an answer. \
                The user may not have seen it.";
            told(structured(dialog, &dismissed), text.into(), advice(&dismissed))
        }
        Some(outcome) => self::outcome(dialog, &outcome),
        None => error("The client's own form brought back something else than was asked for."),
    }
}

/// Nobody could be asked, or the answer cannot be had.
pub(super) fn failed(why: &str) -> CallToolResult {
    error(&format!("There is no answer: {why}."))
}

/// The arguments cannot be asked.
pub(super) fn refused(refusal: &Refusal) -> CallToolResult {
    error(&format!("The user was not asked, because the arguments are wrong:\n{refusal}"))
}

/// Nobody reads this any more.
pub(super) fn cancelled() -> CallToolResult {
    error("The call was cancelled.")
}

fn error(what: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(format!("{what}\nDo not assume an answer."))])
}

/// Some clients show their model only the structured content, so what is no answer says so there
/// as well.
fn told(mut structured: Value, text: String, advice: Option<&str>) -> CallToolResult {
    let text = match advice {
        Some(advice) => format!("{text}\n\n{advice}"),
        None => text,
    };
    if advice.is_some() {
        structured["message"] = text.clone().into();
    }
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    result
}

fn advice(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Answered { .. } => None,
        Outcome::Clarify { .. } => {
            Some("This is no answer. Respond to it, then ask again if you still need to know.")
        }
        _ => {
            Some("This is no answer. Do not assume one, and do not ask the same again by yourself.")
        }
    }
}

fn confirmed(dialog: &Dialog, outcome: &Outcome) -> Option<bool> {
    match (dialog.questions.as_slice(), outcome) {
        ([question], Outcome::Answered { answers })
            if matches!(question.kind, Kind::Confirm { .. }) =>
        {
            answers.first()?.value.as_ref()?.as_bool()
        }
        _ => None,
    }
}
