//! The buttons that are there now, for every front end.

use serde::Serialize;

use super::{Action, AsideKind, Direction, Focus, Key, Phase, Session, draft::typed, other_card};
use crate::{dialog::Question, words::Phrase};

/// What is on it, and what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Button {
    #[serde(flatten)]
    pub label: Phrase,
    /// The card of the current question whose label goes into `{answer}`.
    pub card: Option<usize>,
    pub action: Action,
}

impl Button {
    pub(super) fn new(word: &'static str, action: Action) -> Self {
        Self::with(Phrase::new(word), action)
    }

    fn with(label: Phrase, action: Action) -> Self {
        Self { label, card: None, action }
    }
}

impl Session {
    /// Those beside the main one, in their order.
    pub(super) fn buttons(&self) -> Vec<Button> {
        if self.phase() != Phase::Asking {
            return Vec::new();
        }
        if self.aside.is_some() {
            return vec![Button::new("go_back", Action::CloseAside)];
        }
        // Beside the verbs of a decision there may be a box already.
        let has_box = |question: &Question| self.is_decision() && question.has_other();
        let takes_note = !self.question().is_some_and(has_box)
            && self.question().is_some_and(|question| question.notes)
            && !self.drafts[self.step].note_open;
        let aside = |word, aside| Button::new(word, Action::OpenAside { aside });
        let decline = if self.has_review() { "decline_all" } else { "decline" };
        let back = || Button::new("back", Action::Turn { direction: Direction::Backward });
        [
            takes_note.then(|| Button::new("add_note", Action::OpenNote)),
            self.has_aside(AsideKind::Decline).then(|| aside(decline, AsideKind::Decline)),
            self.has_aside(AsideKind::Clarify).then(|| aside("clarify", AsideKind::Clarify)),
            (self.page_of(self.step).start > 0).then(back),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The main button. A decision has verbs instead.
    pub(super) fn primary(&self) -> Option<Button> {
        if self.is_decision() && self.aside.is_none() {
            return None;
        }
        let word = match self.aside {
            Some(AsideKind::Decline) if self.has_review() => {
                let count = [("n", self.dialog.questions.len())];
                return Some(Button::with(Phrase::with("send_decline_all", count), Action::GoOn));
            }
            Some(AsideKind::Decline) => "send_decline",
            Some(AsideKind::Clarify) => "send",
            None if self.is_last_step() => return Some(self.send_button()),
            None if self.page_of(self.step).end == self.dialog.questions.len() => "review",
            None => "next",
        };
        Some(Button::new(word, Action::GoOn))
    }

    /// With one question it names what was chosen.
    fn send_button(&self) -> Button {
        let send = Button::new("send", Action::GoOn);
        let ([question], [draft]) = (&self.dialog.questions[..], &self.drafts[..]) else {
            return send;
        };
        let chosen: Vec<_> = draft.chosen(question).collect();
        match chosen[..] {
            [card] if other_card(question) != Some(card) => {
                Button { label: Phrase::new("send_answer"), card: Some(card), ..send }
            }
            [_, _, ..] => {
                Button { label: Phrase::with("send_chosen", [("n", chosen.len())]), ..send }
            }
            _ => send,
        }
    }

    /// Whether Enter does what the main button does.
    pub(super) fn enter_goes_on(&self) -> bool {
        if self.primary().is_none() {
            return false;
        }
        let is_last = !self.is_form() || self.step + 1 >= self.page_of(self.step).end;
        match self.meaning(&Key { key: "Enter".into(), ..Key::default() }) {
            Some(Action::GoOn | Action::SendAside) => true,
            Some(Action::NextField) => is_last,
            Some(Action::ChooseHereAndGoOn) => {
                is_last && !self.needs_choice() && !self.chooses_first()
            }
            _ => false,
        }
    }

    /// Whether Enter would choose the card under the cursor, which the main button does not name.
    fn chooses_first(&self) -> bool {
        let (Focus::Card { index }, Some(question)) = (self.focus, self.question()) else {
            return false;
        };
        let draft = &self.drafts[self.step];
        (!question.is_multi() || draft.is_empty(question)) && !draft.is_chosen(question, index)
    }

    /// Whether the main button would do more than say what is missing.
    pub(super) fn is_ready(&mut self) -> bool {
        match self.aside {
            Some(AsideKind::Decline) => true,
            Some(AsideKind::Clarify) => typed(self.aside_texts.of(AsideKind::Clarify)).is_some(),
            None => {
                let page = self.page_of(self.step);
                let mut steps = if self.is_review() { 0..self.drafts.len() } else { page };
                steps.all(|step| self.error_of(step).is_none())
            }
        }
    }
}
