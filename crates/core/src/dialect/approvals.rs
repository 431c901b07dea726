//! The calls of tools for which a run waits, as most frameworks hand them out: one or a list of
//! them, each with an id under which the decision goes back.
//!
//! Every call has a question of its own. Declining and asking a question reject all of them, with
//! the words as the reason. In all other endings nobody decided anything, so nothing is said about
//! the calls; half a decision is not told.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{
    action::{self, ALWAYS, Action, Decision, May, Words},
    answers,
    fields::{Field, Findings},
    text,
};
use crate::{dialog::Dialog, outcome::Outcome, payload::Payload, problem::Fault};

/// A call that waits.
pub(super) struct Waiting<'a> {
    pub(super) at: String,
    pub(super) name: String,
    pub(super) args: Cow<'a, Value>,
    pub(super) args_at: String,
    /// What the agent says about it.
    pub(super) description: Option<String>,
    pub(super) may: May,
    /// Whether a note goes back with the decision.
    pub(super) notes: bool,
    /// Under which the decision goes back.
    pub(super) id: String,
    /// What else the answer needs to know of it.
    pub(super) kept: Value,
}

/// Where nothing but yes and no goes back.
pub(super) const YES_OR_NO: May =
    May { approve: true, reject: true, edit: false, always: false, respond: false };

/// How a call was decided.
pub(super) struct Verdict<'a> {
    pub(super) id: &'a str,
    pub(super) kept: &'a Value,
    pub(super) decision: Decision<'a>,
    /// Whether later calls of the tool are approved, too.
    pub(super) always: bool,
    /// Why, or what else there is to say.
    pub(super) words: Option<Cow<'a, str>>,
}

impl Verdict<'_> {
    pub(super) fn approves(&self) -> bool {
        matches!(self.decision, Decision::Approve | Decision::Edit(_))
    }
}

/// The items of a list, or the one that stands in its place.
pub(super) fn one_or_list(field: Field) -> Vec<Field> {
    if field.value.is_array() { field.list().unwrap_or_default() } else { vec![field] }
}

/// Whether this is so of the payload, or of an item if it is a list.
pub(super) fn any(payload: &Value, is_so: impl Fn(&Value) -> bool) -> bool {
    payload.as_array().map_or_else(|| is_so(payload), |list| list.iter().any(&is_so))
}

/// Arguments that were sent as JSON in a text, as most models write them. A text that is none is
/// shown as it is.
pub(super) fn arguments(sent: Option<&Value>) -> Cow<'_, Value> {
    match sent {
        None => Cow::Owned(Value::Object(serde_json::Map::new())),
        Some(Value::String(text)) => {
            serde_json::from_str(text).map_or_else(|_| Cow::Owned(text.clone().into()), Cow::Owned)
        }
        Some(args) => Cow::Borrowed(args),
    }
}

/// Asks about each of these calls; `None` is one that is already among the problems.
pub(super) fn ask<'a>(
    payload: &mut Payload,
    dialect: &str,
    words: Words,
    calls: impl IntoIterator<Item = Option<Waiting<'a>>>,
    findings: &Findings,
) {
    let mut asked = 0;
    for call in calls {
        asked += 1;
        if let Some(call) = call {
            ask_one(payload, dialect, words, call, findings);
        }
    }
    payload.question_count = payload.questions.len().max(asked);
}

/// Asks about this call, too.
pub(super) fn ask_one(
    payload: &mut Payload,
    dialect: &str,
    words: Words,
    call: Waiting,
    findings: &Findings,
) {
    let mut kept = match payload.metadata[dialect]["calls"].take() {
        Value::Array(kept) => kept,
        _ => Vec::new(),
    };
    let index = kept.len();
    // One decision would be taken for the other.
    if kept.iter().any(|other| other["id"] == call.id) {
        findings.refuse(&call.at, Fault::Duplicate { value: call.id.clone() });
    }
    kept.push(json!({ "id": call.id, "kept": call.kept }));
    payload.metadata[dialect]["calls"] = kept.into();
    let action = Action {
        may_at: call.at.clone(),
        at: call.at,
        name: call.name,
        args: &call.args,
        args_at: call.args_at,
        schema: None,
        schema_at: String::new(),
        description: call.description,
        may: call.may,
        words,
        notes: call.notes,
    };
    payload.questions.extend(action.questions(index, findings));
}

/// How each call was decided; `None` if none was.
pub(super) fn verdicts<'a>(
    dialect: &str,
    dialog: &'a Dialog,
    outcome: &'a Outcome,
) -> Option<Vec<Verdict<'a>>> {
    let calls = answers::kept(dialog, dialect, "calls")?.as_array()?;
    let calls = calls.iter().filter_map(|call| Some((call["id"].as_str()?, &call["kept"])));
    match outcome {
        Outcome::Answered { answers } => {
            let verdicts = calls.enumerate().filter_map(|(index, (id, kept))| {
                let asked = format!("action-{index}");
                let mut asked_and_given = dialog.questions.iter().zip(answers);
                let (question, answer) =
                    asked_and_given.find(|(question, _)| question.id == asked)?;
                Some(Verdict {
                    id,
                    kept,
                    decision: action::decision(dialog, answers, question, answer)?,
                    always: question.value(answer).is_some_and(|chosen| chosen == ALWAYS),
                    words: answer.note.as_deref().map(Cow::Borrowed),
                })
            });
            Some(verdicts.collect())
        }
        Outcome::Declined { .. } | Outcome::Clarify { .. } => {
            let reject = |(id, kept)| Verdict {
                id,
                kept,
                decision: Decision::Reject,
                always: false,
                words: Some(answers::told(outcome).into()),
            };
            Some(calls.map(reject).collect())
        }
        _ => None,
    }
}

/// What goes back where no call was decided: how the dialog ended. To the questions of another
/// dialect the answer is a text, as a tool returns it.
pub(super) fn undecided(dialog: &Dialog, outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Answered { .. } => (text::DIALECT.write)(dialog, outcome).into(),
        _ => answers::failure(&answers::told(outcome), outcome, Value::Null).into(),
    }
}

/// What goes back to one request by itself, and to a list as a list.
pub(super) fn like_sent(mut responses: Vec<Value>, is_list: bool) -> Value {
    match responses.pop() {
        Some(response) if responses.is_empty() && !is_list => response,
        last => responses.into_iter().chain(last).collect(),
    }
}
