//! A decision: verbs that answer at once, and a box whose words go along with them.

use std::{collections::BTreeSet, time::Instant};

use super::{Focus, Session, TextField, cards, other_card};
use crate::{
    dialog::{Layout, Question},
    text,
    words::Phrase,
};

impl Session {
    pub(super) fn is_decision(&self) -> bool {
        self.layout == Layout::Decide
    }

    /// Takes a verb, with what was typed beside it.
    pub(super) fn decide(&mut self, verb: usize, now: Instant) {
        let question = &self.dialog.questions[0];
        if verb >= verbs(question) {
            return;
        }
        let draft = &mut self.drafts[0];
        let has_words = !text::is_blank(&draft.other);
        match other_card(question) {
            Some(other) if has_words && question.refuses(verb) => draft.choose(question, other),
            // A yes that cannot carry words would drop them.
            Some(_) if has_words && !question.notes && self.overruled != Some(verb) => {
                self.overruled = Some(verb);
                self.notice = Some(Phrase::new("words_not_sent"));
                return self.move_focus(Focus::Card { index: verb });
            }
            _ => {
                if has_words && question.notes {
                    draft.note = std::mem::take(&mut draft.other);
                }
                draft.chosen = BTreeSet::from([verb]);
                draft.other_chosen = false;
            }
        }
        self.recheck(0);
        self.go_on(now);
    }
}

/// How many verbs the bar of a decision has.
pub(super) fn verbs(question: &Question) -> usize {
    cards(question) - usize::from(question.has_other())
}

/// The box beside the verbs, if words can go back at all.
pub fn words_box(question: &Question) -> Option<TextField> {
    if question.has_other() {
        Some(TextField::Other)
    } else {
        question.notes.then_some(TextField::Note)
    }
}
