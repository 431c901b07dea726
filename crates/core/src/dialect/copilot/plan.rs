//! `exit_plan_mode.requested`: a plan to read, and how to go on with it.
//!
//! Own words do not approve it, and are the feedback. Where nobody decided there is an `error` instead
//! of a decision.

use serde_json::{Value, json};

use super::{CALL, DIALECT};
use crate::{
    dialect::{
        action::MOST_WORDS,
        answers,
        fields::{Field, Fields, has},
        permission::{self, Permission, allow, refuse},
    },
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, PayloadOption},
    text,
};

pub(super) fn is_one(payload: &Value) -> bool {
    ["summary", "actions", "recommendedAction"].iter().all(|name| has(payload, name))
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    // The model that wrote it.
    fields.ignore(&["model"]);
    payload.metadata[DIALECT.name]["plan"] = true.into();
    let say = |word: &str| fields.findings.say(word, []);
    let summary = fields.need_text("summary");
    let plan = fields.text("planContent").filter(|plan| !text::is_blank(plan));
    let recommended = fields.text("recommendedAction");
    let actions = fields.need("actions", "an array").and_then(Field::list).unwrap_or_default();
    let mut verbs: Vec<_> = actions
        .into_iter()
        .filter_map(|action| {
            let action = action.text()?;
            let label = fields.findings.say("plan_action", [("action", action.clone())]);
            let value = json!({ "approved": true, "selectedAction": action });
            let recommended = recommended.as_ref() == Some(&action);
            Some(PayloadOption { recommended, ..allow(label, value) })
        })
        .collect();
    if verbs.is_empty() {
        verbs.push(allow(say("hook_approve"), json!({ "approved": true })));
    }
    verbs.push(refuse(say("hook_keep"), json!({ "approved": false })));
    let details = plan.is_none().then(|| say("permission_unseen"));
    let summary = summary.and_then(|summary| text::quoted(&summary, MOST_WORDS));
    let shown = plan.into_iter().chain(summary).collect::<Vec<_>>().join("\n\n");
    Permission { text: say("hook_plan"), shown: Some(shown), details, verbs, own_words: true }
        .put(payload, fields);
}

pub(super) fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let not_yet = |feedback: Option<String>| {
        let mut body = json!({ "approved": false });
        if let Some(feedback) = feedback {
            body["feedback"] = feedback.into();
        }
        body
    };
    let words = permission::own_words(outcome).map(str::to_owned);
    let decided = match outcome {
        Outcome::Answered { .. } if words.is_none() => permission::chosen(dialog, outcome),
        Outcome::Answered { .. } | Outcome::Declined { .. } => Some(not_yet(words)),
        Outcome::Clarify { .. } => Some(not_yet(Some(answers::told(outcome)))),
        _ => None,
    };
    match decided {
        Some(decided) => CALL.answer(dialog, decided),
        None => CALL.fail(dialog, answers::failure(&answers::told(outcome), outcome, Value::Null)),
    }
}
