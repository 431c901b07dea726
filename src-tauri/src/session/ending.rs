//! The ways in which a dialog ends: sent, declined, asked back, closed, too late, or left alone.

use std::time::Instant;

use super::{AsideKind, MAX_TEXT, Place, Session, Trouble};
use crate::{
    dialog::Kind,
    outcome::{Answer, Outcome},
    text,
};

/// What was typed while declining or asking back.
#[derive(Default)]
pub(super) struct AsideTexts {
    pub(super) decline: String,
    pub(super) clarify: String,
}

impl AsideTexts {
    pub(super) fn of(&mut self, kind: AsideKind) -> &mut String {
        match kind {
            AsideKind::Decline => &mut self.decline,
            AsideKind::Clarify => &mut self.clarify,
        }
    }
}

impl Session {
    pub(super) fn tick(&mut self, now: Instant) {
        let passed = self.countdown.as_mut().is_some_and(|countdown| countdown.passed(now));
        // With the caller gone there is nobody to tell, and closing would lose what was typed.
        if passed && !self.caller_left {
            self.outcome = Some(Outcome::TimedOut { partial: self.partial() });
        }
    }

    /// Nobody waits any more. What was typed stays in sight, so that it can be copied.
    pub(super) fn lose_caller(&mut self) {
        self.caller_left = true;
        if !self.has_typed() {
            self.outcome = Some(Outcome::Withdrawn);
        }
    }

    pub(super) fn open_aside(&mut self, kind: AsideKind) {
        self.aside = Some(kind);
        self.aside_trouble = None;
        self.focus(Place::Aside);
    }

    pub(super) fn close_aside(&mut self) {
        if self.aside.take().is_some() {
            self.focus_on_answer();
        }
    }

    pub(super) fn send_aside(&mut self) {
        let Some(kind) = self.aside else { return };
        if self.caller_left {
            self.aside = None;
            return self.close();
        }
        let text = text::clean(self.aside_texts.of(kind).trim()).into_owned();
        if text.len() > MAX_TEXT {
            self.aside_trouble = Some(Trouble::too_much_text());
            return;
        }
        let partial = self.partial();
        match kind {
            AsideKind::Decline => {
                let reason = (!text.is_empty()).then_some(text);
                self.outcome = Some(Outcome::Declined { reason, partial });
            }
            AsideKind::Clarify if text.is_empty() => {
                self.aside_trouble = Some(Trouble::new("clarify_needed"));
                self.focus(Place::Aside);
            }
            AsideKind::Clarify => self.outcome = Some(Outcome::Clarify { text, partial }),
        }
    }

    /// Closing is not answering. What was given is not thrown away by one stray key.
    pub(super) fn close(&mut self) {
        if self.aside.is_some() {
            return self.close_aside();
        }
        if self.would_lose() && !self.closing {
            self.closing = true;
            return;
        }
        self.outcome = Some(if self.caller_left { Outcome::Withdrawn } else { Outcome::Dismissed });
    }

    /// Sends if all is complete; otherwise shows the first thing that is missing.
    pub(super) fn send(&mut self) {
        if self.caller_left {
            return self.close();
        }
        self.form_trouble = None;
        for draft in &mut self.drafts {
            draft.tried = true;
        }
        if let Some(step) = (0..self.drafts.len()).find(|&step| self.trouble_of(step).is_some()) {
            return self.enter_step(step);
        }
        let answers = self.answers();
        self.form_trouble = self.schemas.misfit_of_form(&self.dialog, &answers);
        match self.form_trouble {
            None => self.outcome = Some(Outcome::Answered { answers }),
            Some((Some(step), _)) => self.enter_step(step),
            Some((None, _)) => {}
        }
    }

    /// What has been given so far. A secret is not given before it is sent.
    fn partial(&self) -> Vec<Answer> {
        let mut answers = self.answers();
        for (question, answer) in self.dialog.questions.iter().zip(&mut answers) {
            if matches!(question.kind, Kind::Secret) {
                *answer = Answer { skipped: true, ..Answer::default() };
            }
        }
        answers
    }

    fn has_typed(&self) -> bool {
        let mut given = self.dialog.questions.iter().zip(&self.drafts);
        given.any(|(question, draft)| draft.has_typed(question))
            || !self.aside_texts.decline.trim().is_empty()
            || !self.aside_texts.clarify.trim().is_empty()
    }

    /// Whether closing would lose more than the one choice that is quickly made again.
    fn would_lose(&self) -> bool {
        let chosen = self.drafts.iter().any(|draft| !draft.chosen.is_empty());
        self.has_typed() || self.steps() > 1 && chosen
    }
}
