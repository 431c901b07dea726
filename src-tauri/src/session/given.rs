//! All answers at once, or how it ended, from another front end.

use serde_json::Value;

use super::{Session, Trouble, cards, draft::Draft};
use crate::{
    dialog::{Kind, Question},
    outcome::{Answer, Outcome},
};

impl Session {
    /// The person ended the dialog at another front end. What is wrong, if it cannot end so.
    pub fn end_elsewhere(&mut self, outcome: Outcome) -> Result<(), (Option<usize>, Trouble)> {
        match outcome {
            Outcome::Answered { answers } => self.answer(&answers)?,
            outcome => self.outcome = self.outcome.take().or(Some(outcome)),
        }
        self.elsewhere = true;
        // It is too late to take it back, or to confirm it.
        self.declining = None;
        Ok(())
    }

    /// Sends these answers as the person's own. If they cannot be sent, says what is wrong and with
    /// which question, and leaves what was given before.
    pub(super) fn answer(&mut self, answers: &[Answer]) -> Result<(), (Option<usize>, Trouble)> {
        if self.outcome.is_some() || answers.len() != self.drafts.len() {
            return Err((None, Trouble::new("answer_needed")));
        }
        let given: Vec<Draft> =
            self.dialog.questions.iter().zip(answers).map(|(q, a)| draft(q, a)).collect();
        let before = std::mem::replace(&mut self.drafts, given);
        for step in 0..self.drafts.len() {
            self.recheck(step);
        }
        let (step, form_trouble) = {
            self.send();
            (self.step, self.form_trouble.clone())
        };
        if self.outcome.is_some() {
            return Ok(());
        }
        let trouble = match form_trouble {
            Some((blamed, trouble)) => (blamed, trouble),
            None => (
                Some(step),
                self.trouble_of(step).cloned().unwrap_or_else(|| Trouble::new("answer_needed")),
            ),
        };
        self.drafts = before;
        for step in 0..self.drafts.len() {
            self.recheck(step);
        }
        Err(trouble)
    }
}

fn draft(question: &Question, answer: &Answer) -> Draft {
    let yes_or_no = |value: &Value| value.as_bool().map(|yes| usize::from(!yes));
    let chosen = match question.kind {
        Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => {
            answer.value.as_ref().and_then(yes_or_no).into_iter().collect()
        }
        _ => answer
            .selected
            .iter()
            .copied()
            .filter(|&index| index < question.options().len())
            .collect(),
    };
    let text = match (&question.kind, &answer.value) {
        _ if cards(question) > 0 => String::new(),
        (Kind::Json { .. }, Some(value)) => value.to_string(),
        (_, Some(Value::String(text))) => text.clone(),
        (_, Some(value)) => value.to_string(),
        (_, None) => String::new(),
    };
    Draft {
        chosen,
        other_chosen: answer.other.is_some(),
        other: answer.other.clone().unwrap_or_default(),
        text,
        note: answer.note.clone().unwrap_or_default(),
        ..Draft::default()
    }
}
