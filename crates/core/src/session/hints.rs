//! The keys that do something here and now, for the footer of every front end.

use std::borrow::Cow;

use serde::Serialize;

use super::{AsideKind, Closing, Focus, Session, cards, decide::verbs};

/// A key, and a key into the words for what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Hint {
    /// As it is written on keyboards; a front end may have to name it otherwise.
    pub keys: Cow<'static, str>,
    #[cfg_attr(feature = "types", ts(type = "Word"))]
    pub word: &'static str,
}

impl Session {
    /// The most useful first.
    pub(super) fn hints(&self) -> Vec<Hint> {
        if self.declining.is_some() {
            return vec![hint("Ctrl+Z", "undo"), hint("Enter", "done")];
        }
        if self.focus == Focus::Keep {
            return vec![hint("Enter", "key_back"), hint("Esc", "key_close")];
        }
        if let Some(aside) = self.aside {
            return self.hints_of_aside(aside);
        }
        let sends = self.is_last_step();
        let goes_on = hint("Enter", if sends { "key_send" } else { "key_next" });
        if self.focus.is_text() {
            let line = self.takes_lines().then(|| hint("Shift+Enter", "key_line"));
            return [goes_on].into_iter().chain(line).chain([hint("Esc", "key_leave")]).collect();
        }
        let mut hints = match (self.focus, self.question()) {
            (Focus::Button, _) => vec![hint("Enter", "key_press")],
            (_, Some(question)) if self.is_decision() => {
                let choose = Hint { keys: digits(verbs(question)), word: "key_choose" };
                let take = matches!(self.focus, Focus::Card { .. });
                let take = take.then(|| hint("Enter", "key_press"));
                [hint("← →", "key_move"), choose].into_iter().chain(take).collect()
            }
            (Focus::Row { .. }, _) => vec![hint("↑ ↓", "key_move"), hint("Enter", "change")],
            (_, Some(question)) if cards(question) > 0 => {
                let choose = Hint { keys: digits(cards(question)), word: "key_choose" };
                let toggle = question.is_multi().then(|| hint("Space", "key_toggle"));
                [hint("↑ ↓", "key_move"), choose]
                    .into_iter()
                    .chain(toggle)
                    .chain((!self.needs_choice()).then_some(goes_on))
                    .collect()
            }
            _ => vec![goes_on],
        };
        if self.has_review() {
            hints.push(hint("← →", "key_tabs"));
        }
        if self.is_complete() && !sends {
            hints.push(hint("Ctrl+Enter", "key_send"));
        }
        let sets_aside = self.settings.closing == Closing::SetsAside;
        hints.push(hint("Esc", if sets_aside { "key_set_aside" } else { "key_close" }));
        hints
    }

    fn hints_of_aside(&self, aside: AsideKind) -> Vec<Hint> {
        let back = hint("Esc", "key_back");
        let word = if aside == AsideKind::Decline { "key_decline" } else { "key_send" };
        match self.focus {
            Focus::Button => vec![hint("Enter", "key_press"), back],
            Focus::Aside => vec![hint("Enter", word), hint("Shift+Enter", "key_line"), back],
            _ => vec![hint("Enter", word), back],
        }
    }

    /// Whether the text box that has the keyboard can hold more than one line.
    pub fn takes_lines(&self) -> bool {
        self.focus != Focus::Text
            || self.question().is_some_and(|question| question.kind.takes_lines())
    }
}

/// The digits that choose a card.
pub(super) fn digits(cards: usize) -> Cow<'static, str> {
    match cards.min(9) {
        1 => "1".into(),
        count => format!("1–{count}").into(),
    }
}

fn hint(keys: &'static str, word: &'static str) -> Hint {
    Hint { keys: keys.into(), word }
}
