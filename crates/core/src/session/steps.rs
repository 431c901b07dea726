//! The way through a dialog: from question to question, and where the keyboard is on it.

use std::time::Instant;

use super::{
    Direction, Focus, Session, cards,
    checks::{Intent, Validity},
    other_card,
};

impl Session {
    /// Leaves the current question if it is answered well enough; from the last step, sends.
    pub(super) fn go_on(&mut self, now: Instant) {
        if self.aside.is_some() {
            return self.send_aside(now);
        }
        if self.is_review() {
            return self.send();
        }
        self.drafts[self.step].tried = true;
        if self.error_of(self.step).is_some() {
            self.focus_on_answer();
        } else if self.steps() == 1 {
            self.send();
        } else if let Validity::Unknown(_) = self.validity[self.step] {
            self.intent = Some(Intent::GoOn);
        } else {
            self.enter_step(self.step + 1);
        }
    }

    pub(super) fn go(&mut self, step: usize) {
        if step < self.steps() && (step != self.step || self.aside.is_some()) {
            let on_tabs = matches!(self.focus, Focus::Tab { .. });
            self.enter_step(step);
            if on_tabs {
                self.move_focus(Focus::Tab { step });
            }
        }
    }

    pub(super) fn move_cursor(&mut self, direction: Direction) {
        let count = self.question().map_or(self.dialog.questions.len(), cards);
        if count == 0 {
            return;
        }
        // Past either end the cursor comes round.
        let index = match (self.focus, direction) {
            (Focus::Card { index } | Focus::Row { index }, Direction::Forward) => {
                (index % count + 1) % count
            }
            (Focus::Card { index } | Focus::Row { index }, Direction::Backward) => {
                (index % count + count - 1) % count
            }
            (_, Direction::Forward) => 0,
            (_, Direction::Backward) => count - 1,
        };
        self.move_focus(if self.is_review() {
            Focus::Row { index }
        } else {
            Focus::Card { index }
        });
    }

    pub(super) fn enter_step(&mut self, step: usize) {
        self.step = step;
        self.aside = None;
        self.intent = None;
        self.focus_on_answer();
    }

    /// Puts the keyboard where the current step is answered.
    pub(super) fn focus_on_answer(&mut self) {
        let focus = match self.question() {
            None => Focus::Primary,
            Some(question) if cards(question) == 0 => Focus::Text,
            Some(question) => {
                let draft = &self.drafts[self.step];
                if draft.other_chosen && draft.tried && draft.other.trim().is_empty() {
                    Focus::Other
                } else {
                    draft.cursor(question).map_or(Focus::Panel, |index| Focus::Card { index })
                }
            }
        };
        self.move_focus(focus);
    }

    pub(super) fn move_focus(&mut self, focus: Focus) {
        self.focus = focus;
        self.focus_turn += 1;
    }

    pub(super) fn leave_text(&mut self) {
        let focus = match (self.focus, self.question()) {
            (Focus::Other, Some(question)) => {
                other_card(question).map_or(Focus::Primary, |index| Focus::Card { index })
            }
            (Focus::Note, Some(question)) if cards(question) > 0 => {
                let cursor = self.drafts[self.step].cursor(question);
                cursor.map_or(Focus::Panel, |index| Focus::Card { index })
            }
            _ => Focus::Primary,
        };
        self.move_focus(focus);
    }

    /// The number of tabs: a single question needs no review.
    pub(super) fn steps(&self) -> usize {
        match self.dialog.questions.len() {
            1 => 1,
            questions => questions + 1,
        }
    }

    /// Whether going on from here sends.
    pub(super) fn is_last_step(&self) -> bool {
        self.step + 1 == self.steps()
    }

    pub(super) fn is_review(&self) -> bool {
        self.step == self.dialog.questions.len()
    }
}
