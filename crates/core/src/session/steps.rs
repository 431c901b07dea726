//! The way through a dialog: from question to question, and where the keyboard is on it.

use std::time::Instant;

use super::{
    Direction, Place, Session, cards,
    checks::{Intent, Standing},
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
        if self.trouble_of(self.step).is_some() {
            self.focus_on_answer();
        } else if self.steps() == 1 {
            self.send();
        } else if let Standing::Unknown(_) = self.standings[self.step] {
            self.intent = Some(Intent::GoOn);
        } else {
            self.enter_step(self.step + 1);
        }
    }

    pub(super) fn go(&mut self, step: usize) {
        if step < self.steps() && (step != self.step || self.aside.is_some()) {
            let on_tabs = matches!(self.place, Place::Tab { .. });
            self.enter_step(step);
            if on_tabs {
                self.focus(Place::Tab { step });
            }
        }
    }

    pub(super) fn move_cursor(&mut self, direction: Direction) {
        let count = self.question().map_or(self.dialog.questions.len(), cards);
        if count == 0 {
            return;
        }
        // Past either end the cursor comes round.
        let index = match (self.place, direction) {
            (Place::Card { index } | Place::Row { index }, Direction::Forward) => {
                (index % count + 1) % count
            }
            (Place::Card { index } | Place::Row { index }, Direction::Backward) => {
                (index % count + count - 1) % count
            }
            (_, Direction::Forward) => 0,
            (_, Direction::Backward) => count - 1,
        };
        self.focus(if self.is_review() { Place::Row { index } } else { Place::Card { index } });
    }

    pub(super) fn enter_step(&mut self, step: usize) {
        self.step = step;
        self.aside = None;
        self.intent = None;
        self.focus_on_answer();
    }

    /// Puts the keyboard where the current step is answered.
    pub(super) fn focus_on_answer(&mut self) {
        let place = match self.question() {
            None => Place::Primary,
            Some(question) if cards(question) == 0 => Place::Text,
            Some(question) => {
                let draft = &self.drafts[self.step];
                if draft.other_chosen && draft.tried && draft.other.trim().is_empty() {
                    Place::Other
                } else {
                    draft.cursor(question).map_or(Place::Panel, |index| Place::Card { index })
                }
            }
        };
        self.focus(place);
    }

    pub(super) fn focus(&mut self, place: Place) {
        self.place = place;
        self.place_turn += 1;
    }

    pub(super) fn leave_text(&mut self) {
        let place = match (self.place, self.question()) {
            (Place::Other, Some(question)) => {
                other_card(question).map_or(Place::Primary, |index| Place::Card { index })
            }
            (Place::Note, Some(question)) if cards(question) > 0 => {
                let cursor = self.drafts[self.step].cursor(question);
                cursor.map_or(Place::Panel, |index| Place::Card { index })
            }
            _ => Place::Primary,
        };
        self.focus(place);
    }

    /// The number of tabs: a single question needs no review.
    pub(super) fn steps(&self) -> usize {
        match self.dialog.questions.len() {
            1 => 1,
            questions => questions + 1,
        }
    }

    pub(super) fn is_review(&self) -> bool {
        self.step == self.dialog.questions.len()
    }
}
