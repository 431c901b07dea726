//! All answers at once, or how it ended, from another front end.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Misfit, Numbers, Session, Trouble, cards, draft::Draft, other_card};
use crate::{
    dialog::{Kind, Question, schema::Budget},
    outcome::{Answer, Outcome},
};

impl Session {
    /// The person ended the dialog at another front end. What is wrong, if it cannot end so; nothing
    /// follows if it has ended already.
    pub fn end_elsewhere(&mut self, outcome: Outcome) -> Result<(), Misfit> {
        if self.outcome.is_some() {
            return Ok(());
        }
        match outcome {
            Outcome::Answered { answers } => self.answer(&answers)?,
            outcome => {
                self.check_offered(outcome.answers())?;
                self.outcome = Some(outcome);
            }
        }
        self.elsewhere = true;
        // It is too late to take it back, or to confirm it.
        self.declining = None;
        Ok(())
    }

    /// Sends these answers as the person's own. If they cannot be sent, says what is wrong and with
    /// which question, and leaves all as it was.
    pub(super) fn answer(&mut self, answers: &[Answer]) -> Result<(), Misfit> {
        if answers.len() != self.drafts.len() {
            return Err((None, Trouble::new("answer_needed")));
        }
        let mut drafts = Vec::new();
        let mut budget = Budget::default();
        for (step, (question, answer)) in self.dialog.questions.iter().zip(answers).enumerate() {
            let at_this = |trouble| (Some(step), trouble);
            let mut draft = draft(question, answer).map_err(at_this)?;
            // A program writes numbers as JSON does.
            let misfit = |value: &_| self.misfit(step, value, &mut budget);
            draft.check(question, Numbers::Point, misfit);
            if let Some(trouble) = draft.trouble {
                return Err(at_this(trouble));
            }
            drafts.push(draft);
        }
        let before = std::mem::replace(&mut self.drafts, drafts);
        let answers = self.answers();
        if let Some(misfit) = self.misfit_of_form(&answers) {
            self.drafts = before;
            return Err(misfit);
        }
        self.form_trouble = None;
        self.outcome = Some(Outcome::Answered { answers });
        Ok(())
    }

    /// What is given in part need not do as an answer, but it is about what was asked.
    fn check_offered(&self, partial: &[Answer]) -> Result<(), Misfit> {
        let questions = &self.dialog.questions;
        let mut given = questions.iter().zip(partial);
        let step = given.position(|(question, answer)| !is_offered(question, answer));
        if step.is_some() || partial.len() > questions.len() {
            return Err((step, Trouble::new("answer_needed")));
        }
        Ok(())
    }
}

/// Whether what is chosen could be chosen.
fn is_offered(question: &Question, answer: &Answer) -> bool {
    let options = question.options().len();
    answer.selected.iter().all(|&index| index < options)
        && (answer.other.is_none() || other_card(question).is_some())
}

/// The draft that has this answer. What is wrong, if nobody could have given it.
fn draft(question: &Question, answer: &Answer) -> Result<Draft, Trouble> {
    if !is_offered(question, answer) {
        return Err(Trouble::new("answer_needed"));
    }
    let yes_or_no = |value: &Value| value.as_bool().map(|yes| usize::from(!yes));
    let chosen: BTreeSet<_> = match question.kind {
        Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => {
            answer.value.as_ref().and_then(yes_or_no).into_iter().collect()
        }
        _ => answer.selected.iter().copied().collect(),
    };
    if !question.is_multi() && chosen.len() + usize::from(answer.other.is_some()) > 1 {
        return Err(Trouble::with("choose_at_most", [("limit", 1)]));
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
