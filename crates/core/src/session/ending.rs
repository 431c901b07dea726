//! The ways in which a dialog ends: answered, declined, a question to the agent, closed, or timed out.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{
    Action, AsideKind, Closing, Focus, FormError, MAX_TEXT, Session, answer_error,
    checks::{Intent, Validity},
    draft::typed,
};
use crate::{
    dialog::Kind,
    outcome::{Answer, Outcome},
    words::Phrase,
};

/// The reason of a decline, and the question to the agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        if self.declining.as_ref().is_some_and(|(_, until)| now >= *until) {
            return self.confirm_decline();
        }
        let passed = self.countdown.as_mut().is_some_and(|countdown| countdown.passed(now));
        // With the caller gone there is nobody to tell.
        if passed && !self.caller_left && !self.is_ending() {
            self.outcome = Some(Outcome::TimedOut { partial: self.partial() });
        }
    }

    /// Whether the person was in time: the dialog ends unless they take that back, or something is
    /// wrong with it.
    pub(super) fn is_ending(&self) -> bool {
        self.declining.is_some() || self.is_being_sent()
    }

    pub(super) fn open_aside(&mut self, kind: AsideKind) {
        if !self.has_aside(kind) {
            return;
        }
        self.aside = Some(kind);
        self.intent = None;
        self.aside_error = None;
        self.focus_on_aside();
    }

    /// Whether this can be done beside answering. A verb that says no leaves nothing to decline, and a
    /// caller that takes no words would not hear a question.
    pub(super) fn has_aside(&self, kind: AsideKind) -> bool {
        let refuses = self.is_decision() && self.dialog.questions[0].can_refuse();
        !(refuses || self.dialog.no_reason && kind == AsideKind::Clarify)
    }

    fn focus_on_aside(&mut self) {
        self.move_focus(if self.dialog.no_reason { Focus::Primary } else { Focus::Aside });
    }

    pub(super) fn close_aside(&mut self) {
        if self.aside.take().is_some() {
            self.return_to_answer();
        }
    }

    pub(super) fn aside_title(&self, kind: AsideKind) -> Phrase {
        match kind {
            AsideKind::Decline if self.has_review() => {
                Phrase::with("decline_title_all", [("n", self.dialog.questions.len())])
            }
            AsideKind::Decline => Phrase::new("decline_title"),
            AsideKind::Clarify => self.dialog.caller.name().clarify_title(),
        }
    }

    pub(super) fn send_aside(&mut self, now: Instant) {
        let Some(kind) = self.aside else { return };
        let words = typed(self.aside_texts.of(kind));
        if words.as_ref().is_some_and(|words| words.len() > MAX_TEXT) {
            self.aside_error = Some(answer_error::too_much_text());
            return;
        }
        let partial = self.partial();
        match (kind, words) {
            (AsideKind::Decline, reason) => {
                self.declining =
                    Some((Outcome::Declined { reason, partial }, now + self.settings.undo));
                if self.settings.undo.is_zero() {
                    self.confirm_decline();
                }
            }
            (AsideKind::Clarify, None) => {
                self.aside_error = Some(Phrase::new("clarify_needed"));
                self.move_focus(Focus::Aside);
            }
            (AsideKind::Clarify, Some(text)) => {
                self.outcome = Some(Outcome::Clarify { text, partial });
            }
        }
    }

    /// Closing is not answering. What was given is not thrown away by one stray key.
    pub(super) fn close(&mut self) {
        if self.declining.is_some() {
            return self.confirm_decline();
        }
        if self.aside.is_some() {
            return self.close_aside();
        }
        self.intent = None;
        match self.settings.closing {
            Closing::SetsAside => {
                self.set_aside = true;
                self.return_to_answer();
            }
            Closing::Dismisses if self.would_lose() && !self.closing => {
                self.closing = true;
                self.move_focus(Focus::Keep);
            }
            Closing::Dismisses => self.outcome = Some(Outcome::Dismissed),
        }
    }

    /// Sends if all is complete; otherwise shows the first thing that is missing.
    pub(super) fn send(&mut self) {
        self.form_error = None;
        if let Some(step) = self.unseen_default() {
            return self.enter_step(step);
        }
        for draft in &mut self.drafts {
            draft.tried = true;
        }
        self.intent = Some(Intent::Send);
        self.send_if_checked(None);
    }

    /// Ends with the answers if all verdicts are good, and goes to the first that is bad. If one is
    /// missing the answers are being sent until it comes. `form` is that about all of them.
    pub(super) fn send_if_checked(&mut self, form: Option<Result<(), FormError>>) {
        if let Some(step) = (0..self.drafts.len()).find(|&step| self.error_of(step).is_some()) {
            return self.enter_step(step);
        }
        let has_unknown =
            self.validity.iter().any(|validity| matches!(validity, Validity::Unknown(_)));
        match form {
            _ if has_unknown => {}
            None if self.dialog.form.is_some() => {}
            None | Some(Ok(())) => {
                self.outcome = Some(Outcome::Answered { answers: self.answers() });
            }
            Some(Err(error)) => {
                self.intent = None;
                if let (Some(step), _) = *self.form_error.insert(error) {
                    self.enter_step(step);
                }
            }
        }
    }

    /// A question whose box holds what the caller put there, and that the person has not seen yet: it
    /// would be an answer that nobody gave. The review shows them all.
    fn unseen_default(&mut self) -> Option<usize> {
        if self.is_review() {
            return None;
        }
        self.page_of(self.step).for_each(|step| self.drafts[step].tried = true);
        let mut questions = self.drafts.iter().zip(&self.dialog.questions);
        questions
            .position(|(draft, question)| draft.is_default(question) && !draft.is_empty(question))
    }

    /// A decline can be taken back for a moment; whatever else the person does confirms it.
    pub(super) fn act_on_decline(&mut self, action: Action) {
        match action {
            Action::Undo => {
                self.declining = None;
                self.close_aside();
            }
            Action::Close | Action::GoOn | Action::ChooseHereAndGoOn | Action::SendNow => {
                self.confirm_decline();
            }
            _ => {}
        }
    }

    fn confirm_decline(&mut self) {
        self.outcome = self.declining.take().map(|(declined, _)| declined);
    }

    /// What has been given so far. A secret is not given before it is sent, and a default not before
    /// the person has gone on from it.
    fn partial(&self) -> Vec<Answer> {
        let mut answers = self.answers();
        let questions = self.dialog.questions.iter().zip(&self.drafts);
        for ((question, draft), answer) in questions.zip(&mut answers) {
            if matches!(question.kind, Kind::Secret) {
                *answer = Answer { skipped: true, ..Answer::default() };
            } else if draft.is_default(question) {
                *answer = Answer { value: None, skipped: true, ..answer.clone() };
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
        self.has_typed() || self.has_review() && chosen
    }
}
