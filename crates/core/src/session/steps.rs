//! The way through a dialog: from question to question, and where the keyboard is on it.

use std::time::Instant;

use super::{
    Direction, Focus, Session, cards,
    checks::{Intent, Validity},
    decide::verbs,
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
        if self.is_form() {
            return self.leave_page();
        }
        self.drafts[self.step].tried = true;
        if self.error_of(self.step).is_some() {
            self.focus_on_answer();
        } else if !self.has_review() {
            self.send();
        } else if let Validity::Unknown(_) = self.validity[self.step] {
            self.intent = Some(Intent::GoOn);
        } else {
            self.enter_step(self.step + 1);
        }
    }

    pub(super) fn go(&mut self, step: usize) {
        if step <= self.last_step() && (step != self.step || self.aside.is_some()) {
            let on_tabs = matches!(self.focus, Focus::Tab { .. });
            self.enter_step(step);
            if on_tabs {
                self.move_focus(Focus::Tab { step });
            }
        }
    }

    pub(super) fn move_cursor(&mut self, direction: Direction) {
        let stops = match self.question() {
            None => (0..self.dialog.questions.len()).collect(),
            Some(question) if self.is_decision() => (0..verbs(question)).collect(),
            Some(_) => self.cards_in_sight(),
        };
        let here = match (self.focus, self.question().and_then(other_card)) {
            (Focus::Card { index } | Focus::Row { index }, _) => Some(index),
            (Focus::Other, other) => other,
            _ => None,
        };
        let here = here.and_then(|here| stops.iter().position(|stop| *stop == here));
        // Past either end the cursor comes round.
        let next = match (here, direction) {
            (Some(here), Direction::Forward) => stops.get(here + 1).or(stops.first()),
            (Some(0) | None, Direction::Backward) => stops.last(),
            (Some(here), Direction::Backward) => stops.get(here - 1),
            (None, Direction::Forward) => stops.first(),
        };
        if let Some(&index) = next {
            self.move_focus(if self.is_review() {
                Focus::Row { index }
            } else {
                Focus::Card { index }
            });
        }
    }

    pub(super) fn enter_step(&mut self, step: usize) {
        self.step = step;
        self.aside = None;
        self.intent = None;
        self.focus_on_answer();
    }

    /// Puts the keyboard where the current step is answered.
    pub(super) fn focus_on_answer(&mut self) {
        self.move_focus(self.answer_start());
        self.answer_focus = self.focus;
    }

    /// Where answering the current step begins.
    pub(super) fn answer_start(&self) -> Focus {
        match self.question() {
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
        }
    }

    /// Puts the keyboard back where the current step was being answered.
    pub(super) fn return_to_answer(&mut self) {
        self.move_focus(self.answer_focus);
    }

    /// The keyboard is there.
    pub(super) fn rest_at(&mut self, focus: Focus) {
        self.focus = focus;
        if focus.is_answer() {
            self.answer_focus = focus;
        }
    }

    pub(super) fn move_focus(&mut self, focus: Focus) {
        let other = self.question().and_then(other_card);
        // The row for own words is its box: who comes to it can type.
        self.rest_at(match focus {
            Focus::Card { index } if other == Some(index) => Focus::Other,
            focus => focus,
        });
        self.focus_turn += 1;
    }

    pub(super) fn leave_text(&mut self) {
        if self.focus == Focus::Filter {
            self.filters[self.step].clear();
        }
        let focus = match (self.focus, self.question()) {
            (Focus::Other | Focus::Note, _) if self.is_decision() => Focus::Panel,
            (Focus::Filter | Focus::Note, Some(question)) if cards(question) > 0 => {
                let cursor = self.drafts[self.step].cursor(question);
                cursor.map_or(Focus::Panel, |index| Focus::Card { index })
            }
            _ => Focus::Primary,
        };
        self.move_focus(focus);
    }

    /// Whether going on from here sends.
    pub(super) fn is_last_step(&self) -> bool {
        !self.has_review() || self.is_review()
    }

    pub(super) fn is_review(&self) -> bool {
        self.step == self.dialog.questions.len()
    }
}
