//! One decision about what an agent is about to do: what that is, and the verbs that allow or refuse
//! it. Each verb has what the format calls it; none of them is where the cursor starts.

use serde_json::Value;

use super::fields::Fields;
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion},
    problem::Fault,
};

pub(super) struct Permission {
    pub(super) text: String,
    /// All that would be allowed, as markdown.
    pub(super) shown: Option<String>,
    /// What has to be known of that, in words of ours.
    pub(super) details: Option<String>,
    pub(super) verbs: Vec<PayloadOption>,
    /// Whether the agent can be told why not, or asked something.
    pub(super) own_words: bool,
}

impl Permission {
    pub(super) fn put(self, payload: &mut Payload, fields: &Fields) {
        if self.verbs.is_empty() {
            let fault = "allows nothing, expected at least one decision".into();
            fields.findings.refuse(&fields.at, Fault::Rule(fault));
        }
        payload.message = self.shown;
        payload.no_reason = !self.own_words;
        payload.questions_at = Some(fields.at.clone());
        payload.question_count = 1;
        payload.questions = vec![PayloadQuestion {
            path: fields.at.clone(),
            id: Some("action-0".into()),
            header: None,
            text: Some(self.text),
            text_at: fields.at.clone(),
            details: self.details,
            kind: PayloadKind::Choice {
                option_count: self.verbs.len(),
                options: self.verbs,
                options_at: None,
                multi: false,
                other: self.own_words,
                default: None,
            },
            required: true,
            notes: false,
            consent: true,
            schema: None,
            schema_at: String::new(),
        }];
    }
}

/// What allows it, with what the format calls that.
pub(super) fn allow(label: String, value: impl Into<Value>) -> PayloadOption {
    PayloadOption { label: Some(label), value: Some(value.into()), ..PayloadOption::default() }
}

/// What refuses it.
pub(super) fn refuse(label: String, value: impl Into<Value>) -> PayloadOption {
    PayloadOption { refuses: true, ..allow(label, value) }
}

/// What the chosen verb is called in the format.
pub(super) fn chosen(dialog: &Dialog, outcome: &Outcome) -> Option<Value> {
    let Outcome::Answered { answers } = outcome else { return None };
    let (question, answer) = (dialog.questions.first()?, answers.first()?);
    let option = question.options().get(*answer.selected.first()?)?;
    option.value.clone().filter(|_| answer.other.is_none())
}

/// What the person wrote instead of choosing a verb, for the agent to read.
pub(super) fn own_words(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Answered { answers } => answers.first()?.other.as_deref(),
        Outcome::Declined { reason, .. } => reason.as_deref(),
        _ => None,
    }
}
