//! Keys that follow one another without a pause: a word or a line that somebody types.
//!
//! Letters typed outside of a text box are meant for one, or for another window. So no key of such a
//! burst chooses, sends or closes anything, though Space, the digits and Enter would.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use super::{
    Action, Focus, Key, Session, cards, decide::verbs, filter::can_filter, hints, other_card,
};
use crate::words::Phrase;

/// A longer pause between two keys ends what was typed.
pub(super) const PAUSE: Duration = Duration::from_millis(400);

/// A key that was pressed longer ago tells a clock that cannot be trusted.
const OLDEST: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct Burst {
    /// When its last key came.
    last: Option<Instant>,
    /// A letter belongs to it that was typed outside of a text box.
    stray: bool,
    /// What was chosen for each question before it: the cards, and whether Other.
    before: Vec<(BTreeSet<usize>, bool)>,
}

impl Burst {
    fn goes_on(&self, at: Instant) -> bool {
        self.last.is_some_and(|last| at < last + PAUSE)
    }
}

impl Session {
    /// A key came, whatever it means.
    pub(super) fn press(&mut self, key: &Key, now: Instant) {
        let age = Duration::from_millis(key.age_ms);
        let at = now.checked_sub(age).filter(|_| age <= OLDEST).unwrap_or(now);
        if !key.repeat {
            self.notice = None;
        }
        self.hear(at);
        let is_enter = key.key == "Enter";
        if !self.arming.is_armed(at) {
            self.arming.too_early(at);
            if is_enter && self.arming.is_open() {
                self.say_how_to_send();
            }
            return;
        }
        let Some(action) = self.meaning(key) else {
            if self.is_stray(key) {
                self.stray(at);
            }
            return;
        };
        if !self.burst.stray || is_harmless(action) {
            self.act(action, now);
            // A person who undoes something knows where they type.
            self.burst.stray &= action != Action::Undo;
            if is_enter {
                // What was chosen until now is confirmed.
                self.burst.before = self.choices();
            }
        } else if is_enter {
            self.say_how_to_send();
        }
    }

    /// Takes note of a key, or of what the window manager made of one.
    pub(super) fn hear(&mut self, at: Instant) {
        if !self.burst.goes_on(at) {
            self.burst.stray = false;
            self.burst.before = self.choices();
        }
        self.burst.last = self.burst.last.max(Some(at));
    }

    /// Whether the person types letters that no text box was there for.
    pub(super) fn is_straying(&self, now: Instant) -> bool {
        self.burst.stray && self.burst.goes_on(now)
    }

    /// Whether the key types something, but not into a text box.
    pub fn is_stray(&self, key: &Key) -> bool {
        let mut letters = key.key.chars();
        let is_letter = match (letters.next(), letters.next()) {
            (Some(letter), None) => letter != ' ' && !letter.is_control(),
            // The first half of a letter.
            _ => key.key == "Dead",
        };
        let is_meant = || self.meaning(&Key { repeat: false, ..key.clone() }).is_some();
        is_letter && !key.ctrl && !key.composing && !self.focus.is_text() && !is_meant()
    }

    fn stray(&mut self, at: Instant) {
        self.burst.stray = true;
        if std::mem::take(&mut self.closing) {
            self.return_to_answer();
        }
        self.take_back();
        let answering = self.aside.is_none() && self.declining.is_none();
        let question = self.question().filter(|_| answering);
        if question.is_some_and(can_filter) {
            return self.move_focus(Focus::Filter);
        }
        match question.and_then(other_card) {
            Some(_) if self.drafts[self.step].other_chosen => self.move_focus(Focus::Other),
            Some(card) => self.choose(card),
            // It can be taken back for a short time only.
            None if self.declining.is_some() => {}
            None => {
                self.arming.begin_anew(at);
                if self.is_decision() {
                    // A digit before the letter was part of the text.
                    self.focus_on_answer();
                }
            }
        }
    }

    /// Takes back what was chosen since the burst began: its keys were part of a text.
    fn take_back(&mut self) {
        let before = std::mem::take(&mut self.burst.before);
        for (step, (chosen, other_chosen)) in before.iter().enumerate() {
            let draft = &mut self.drafts[step];
            if draft.chosen != *chosen || draft.other_chosen != *other_chosen {
                draft.chosen.clone_from(chosen);
                draft.other_chosen = *other_chosen;
                self.recheck(step);
            }
        }
        self.burst.before = before;
    }

    fn choices(&self) -> Vec<(BTreeSet<usize>, bool)> {
        self.drafts.iter().map(|draft| (draft.chosen.clone(), draft.other_chosen)).collect()
    }

    /// An Enter did nothing, and the person should know.
    pub(super) fn say_how_to_send(&mut self) {
        self.notice = Some(match self.question().filter(|_| self.needs_choice()) {
            Some(question) => {
                let cards = if self.is_decision() { verbs(question) } else { cards(question) };
                Phrase::with("choose_first", [("keys", hints::digits(cards))])
            }
            None => Phrase::new("enter_again"),
        });
    }

    /// Whether something is to be allowed or confirmed here, and the cursor is on no card yet.
    pub(super) fn needs_choice(&self) -> bool {
        let is_open =
            |question: &_| cards(question) > 0 && self.drafts[self.step].is_empty(question);
        self.aside.is_none()
            && self.declining.is_none()
            && !matches!(self.focus, Focus::Card { .. })
            && !self.focus.is_text()
            && self.question().is_some_and(|question| question.asks_consent() && is_open(question))
    }
}

/// Whether it neither chooses, sends nor closes anything.
fn is_harmless(action: Action) -> bool {
    matches!(action, Action::LeaveText | Action::Move { .. } | Action::Undo)
}
