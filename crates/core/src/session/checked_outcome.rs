//! All answers at once, or how it ended, from another front end.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value;

use super::{
    FormError, Numbers, Session, cards,
    checks::{self, Validity},
    draft::Draft,
    other_card,
};
use crate::{
    dialog::{Dialog, Kind, Question, schema::Budget},
    outcome::{Answer, Outcome},
    words::Phrase,
};

/// A way in which this dialog can end. It is found out before anybody is made to wait for it.
#[derive(Debug)]
pub struct CheckedOutcome {
    dialog: Arc<Dialog>,
    outcome: Outcome,
}

impl CheckedOutcome {
    /// What is wrong, if the dialog cannot end so. Asks the dialog's schemas, which takes a while.
    pub fn new(dialog: Arc<Dialog>, outcome: Outcome) -> Result<Self, FormError> {
        let outcome = match outcome {
            Outcome::Answered { answers } => {
                Outcome::Answered { answers: checked(&dialog, &answers)? }
            }
            outcome => {
                check_offered(&dialog, outcome.answers())?;
                outcome
            }
        };
        Ok(Self { dialog, outcome })
    }

    /// The ticket that the dialog had first.
    pub fn ticket(&self) -> &str {
        &self.dialog.id
    }
}

impl Session {
    /// The person ended the dialog at another front end. Nothing follows if it has ended already.
    pub fn end_elsewhere(&mut self, CheckedOutcome { outcome, .. }: CheckedOutcome) {
        if self.outcome.is_some() {
            return;
        }
        self.outcome = Some(outcome);
        self.elsewhere = true;
        // It is too late to take it back, or to confirm it.
        self.declining = None;
    }
}

/// The answers as a person would have given them here. If nobody could, says what is wrong and with
/// which question.
fn checked(dialog: &Dialog, answers: &[Answer]) -> Result<Vec<Answer>, FormError> {
    if answers.len() != dialog.questions.len() {
        return Err((None, Phrase::new("answer_needed")));
    }
    let mut given = Vec::new();
    let mut budget = Budget::default();
    for (step, (question, answer)) in dialog.questions.iter().zip(answers).enumerate() {
        let at_this = |error| (Some(step), error);
        let draft = draft(question, answer).map_err(at_this)?;
        // A program writes numbers as JSON does.
        let error = match draft.validity(question, Numbers::Point) {
            Validity::Valid => None,
            Validity::Invalid(error) => Some(error),
            Validity::Unknown(value) => checks::schema_error(dialog, step, &value, &mut budget),
        };
        error.map(at_this).map_or(Ok(()), Err)?;
        given.push(draft.answer(question));
    }
    checks::check_form(dialog, &given)?;
    Ok(given)
}

/// What is given in part need not do as an answer, but it is about what was asked.
fn check_offered(dialog: &Dialog, partial: &[Answer]) -> Result<(), FormError> {
    let mut given = dialog.questions.iter().zip(partial);
    let step = given.position(|(question, answer)| !is_offered(question, answer));
    if step.is_some() || partial.len() > dialog.questions.len() {
        return Err((step, Phrase::new("answer_needed")));
    }
    Ok(())
}

/// Whether what is chosen could be chosen.
fn is_offered(question: &Question, answer: &Answer) -> bool {
    let options = question.options().len();
    answer.selected.iter().all(|&index| index < options)
        && (answer.other.is_none() || other_card(question).is_some())
}

/// The draft that has this answer. What is wrong, if nobody could have given it.
fn draft(question: &Question, answer: &Answer) -> Result<Draft, Phrase> {
    if !is_offered(question, answer) {
        return Err(Phrase::new("answer_needed"));
    }
    let yes_or_no = |value: &Value| value.as_bool().map(|yes| usize::from(!yes));
    let chosen: BTreeSet<_> = match question.kind {
        Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => {
            answer.value.as_ref().and_then(yes_or_no).into_iter().collect()
        }
        _ => answer.selected.iter().copied().collect(),
    };
    if !question.is_multi() && chosen.len() + usize::from(answer.other.is_some()) > 1 {
        return Err(Phrase::with("choose_at_most", [("limit", 1)]));
    }
    let text = match (&question.kind, &answer.value) {
        _ if cards(question) > 0 => String::new(),
        (Kind::Json { .. }, Some(value)) => value.to_string(),
        (_, Some(Value::String(text))) => text.clone(),
        (_, Some(value)) => value.to_string(),
        (_, None) => String::new(),
    };
    Ok(Draft {
        chosen,
        other_chosen: answer.other.is_some(),
        other: answer.other.clone().unwrap_or_default(),
        text,
        note: answer.note.clone().unwrap_or_default(),
        // What stood in the box from the start was agreed to there.
        tried: true,
        ..Draft::default()
    })
}
