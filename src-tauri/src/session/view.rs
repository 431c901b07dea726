//! What a front end draws: all that changes while a dialog is answered.

use std::time::Instant;

use serde::Serialize;
use serde_json::Value;

use super::{AsideKind, MAX_TEXT, Place, Session, Trouble, draft::Draft, other_card};
use crate::{
    dialog::{Kind, Question},
    outcome::Outcome,
    text,
};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    pub phase: Phase,
    /// Keys and clicks act.
    pub armed: bool,
    /// Text boxes take text.
    pub open: bool,
    /// The current question; one past the last is the review.
    pub step: usize,
    pub questions: Vec<QuestionView>,
    pub complete: bool,
    pub primary: Primary,
    pub place: Place,
    /// Changes when the front end must move the keyboard to `place`.
    pub place_turn: u32,
    pub aside: Option<AsideView>,
    /// Closing was asked for and would lose typed text.
    pub closing: bool,
    pub trouble: Option<Trouble>,
    pub countdown: Option<CountdownView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Asking,
    /// The caller is gone; what was typed can still be copied.
    CallerLeft,
    Sent,
    Declined,
    AskedBack,
    TimedOut,
    /// Closed or withdrawn: there is nothing more to show.
    Over,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestionView {
    pub answered: bool,
    /// The chosen cards, Other's included.
    pub chosen: Vec<usize>,
    pub other: String,
    pub text: String,
    pub note: String,
    pub note_open: bool,
    pub trouble: Option<Trouble>,
    /// What the review says, a line each.
    pub summary: Vec<String>,
    /// How full the fullest text box is, once that is worth knowing: bytes of [`MAX_TEXT`].
    pub fullness: Option<usize>,
}

/// What the main button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Primary {
    Next,
    Review,
    Send,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AsideView {
    pub kind: AsideKind,
    pub text: String,
    pub trouble: Option<Trouble>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CountdownView {
    pub seconds: u64,
    pub paused: bool,
}

impl Session {
    pub fn view(&mut self, now: Instant) -> View {
        View {
            phase: self.phase(),
            armed: self.arming.is_armed(now),
            open: self.arming.is_open(),
            step: self.step,
            questions: self
                .dialog
                .questions
                .iter()
                .zip(&self.drafts)
                .map(|(question, draft)| shown(question, draft))
                .collect(),
            complete: self.is_complete() && !self.caller_left,
            primary: self.primary(),
            place: self.place,
            place_turn: self.place_turn,
            aside: self.aside.as_ref().map(|aside| AsideView {
                kind: aside.kind,
                text: aside.text.clone(),
                trouble: aside.trouble.clone(),
            }),
            closing: self.closing,
            trouble: self.trouble.clone(),
            countdown: self.countdown.as_ref().map(|countdown| CountdownView {
                seconds: countdown.left().as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX),
                paused: countdown.is_paused(now),
            }),
        }
    }

    fn phase(&self) -> Phase {
        match &self.outcome {
            None if self.caller_left => Phase::CallerLeft,
            None => Phase::Asking,
            Some(Outcome::Answered { .. }) => Phase::Sent,
            Some(Outcome::Declined { .. }) => Phase::Declined,
            Some(Outcome::Clarify { .. }) => Phase::AskedBack,
            Some(Outcome::TimedOut { .. }) => Phase::TimedOut,
            Some(Outcome::Dismissed | Outcome::Withdrawn) => Phase::Over,
        }
    }

    fn primary(&self) -> Primary {
        match self.dialog.questions.len() {
            questions if questions == 1 || self.step == questions => Primary::Send,
            questions if self.step + 1 == questions => Primary::Review,
            _ => Primary::Next,
        }
    }
}

fn shown(question: &Question, draft: &Draft) -> QuestionView {
    let trouble = draft.trouble(question);
    let fullest =
        [&draft.other, &draft.text, &draft.note].into_iter().map(String::len).max().unwrap_or(0);
    QuestionView {
        answered: trouble.is_none() && !draft.is_empty(question),
        chosen: draft
            .chosen
            .iter()
            .copied()
            .chain(other_card(question).filter(|_| draft.other_chosen))
            .collect(),
        other: draft.other.clone(),
        text: draft.text.clone(),
        note: draft.note.clone(),
        note_open: draft.note_open,
        trouble: trouble.filter(|trouble| draft.tried || trouble.word == "too_much_text"),
        summary: summary(question, draft),
        fullness: Some(fullest).filter(|&bytes| bytes > MAX_TEXT * 4 / 5),
    }
}

fn summary(question: &Question, draft: &Draft) -> Vec<String> {
    let answer = draft.answer(question);
    let chosen = answer.selected.iter().filter_map(|&index| question.options().get(index));
    let labels = chosen.map(|option| text::clean_line(option.shown()));
    let value = answer.value.as_ref().map(|value| match (&question.kind, value) {
        (Kind::Secret, _) => "••••••••".to_owned(),
        (Kind::Confirm { yes: Some(label), .. }, Value::Bool(true))
        | (Kind::Confirm { no: Some(label), .. }, Value::Bool(false)) => text::clean_line(label),
        (_, Value::String(text)) => text.clone(),
        (_, value) => value.to_string(),
    });
    labels.chain(answer.other).chain(value).collect()
}
