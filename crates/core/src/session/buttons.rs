//! The buttons that are there now, for every front end.

use serde::Serialize;

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
        let takes_note = self.question().is_some_and(|question| question.notes)
            && !self.drafts[self.step].note_open;
        let aside = |word, aside| Button::new(word, Action::OpenAside { aside });
        let back = || Button::new("back", Action::Turn { direction: Direction::Backward });
        [
            takes_note.then(|| Button::new("add_note", Action::OpenNote)),
            Some(aside("decline", AsideKind::Decline)),
            (!self.dialog.no_reason).then(|| aside("clarify", AsideKind::Clarify)),
            (self.step > 0).then(back),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The main button.
    pub(super) fn primary(&self) -> Button {
        let word = match self.aside {
            Some(AsideKind::Decline) => "send_decline",
            Some(AsideKind::Clarify) => "send",
            None if self.is_last_step() => "send",
            None if self.step + 1 == self.dialog.questions.len() => "review",
            None => "next",
        };
        Button::new(word, Action::GoOn)
    }
}
