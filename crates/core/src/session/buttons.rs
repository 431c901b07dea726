//! The buttons that are there now, for every front end.

use serde::Serialize;

use crate::dialog::Question;

use super::{Action, AsideKind, Direction, Phase, Session};

/// A key into the words for what is on it, and what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Button {
    #[cfg_attr(feature = "types", ts(type = "Word"))]
    pub word: &'static str,
    pub action: Action,
}

impl Button {
    fn new(word: &'static str, action: Action) -> Self {
        Self { word, action }
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
        let back = || Button::new("back", Action::Turn { direction: Direction::Backward });
        [
            takes_note.then(|| Button::new("add_note", Action::OpenNote)),
            self.has_aside(AsideKind::Decline).then(|| aside("decline", AsideKind::Decline)),
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
            Some(AsideKind::Decline) => "send_decline",
            Some(AsideKind::Clarify) => "send",
            None if self.is_last_step() => "send",
            None if self.page_of(self.step).end == self.dialog.questions.len() => "review",
            None => "next",
        };
        Some(Button::new(word, Action::GoOn))
    }
}
