//! What of a session outlives the process: everything given so far, but never a secret.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Session, Update, countdown::Countdown, draft::Draft, ending::AsideTexts};
use crate::{
    dialog::{Dialog, Kind},
    outcome::Answer,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saved {
    pub(super) step: usize,
    pub(super) drafts: Vec<Draft>,
    pub(super) asides: AsideTexts,
    /// How much of the dialog's time was used up.
    spent: Duration,
}

impl Saved {
    /// All that was chosen and typed for each question, sent or not.
    pub fn everything(&self, dialog: &Dialog) -> Vec<Answer> {
        let drafts = dialog.questions.iter().zip(&self.drafts);
        drafts.map(|(question, draft)| draft.everything(question)).collect()
    }

    /// Whether the same was given in both, however much of the time was used up.
    pub fn gives_the_same(&self, other: &Self) -> bool {
        let Self { step, drafts, asides, spent: _ } = self;
        (step, drafts, asides) == (&other.step, &other.drafts, &other.asides)
    }

    /// The reason of a decline, and the question to the agent.
    pub fn asides(&self) -> impl Iterator<Item = &str> {
        let AsideTexts { decline, clarify } = &self.asides;
        [decline, clarify].into_iter().map(|text| text.trim()).filter(|text| !text.is_empty())
    }
}

impl Session {
    pub fn save(&self) -> Saved {
        let mut drafts = self.drafts.clone();
        for (question, draft) in self.dialog.questions.iter().zip(&mut drafts) {
            if matches!(question.kind, Kind::Secret) {
                draft.text.clear();
            }
        }
        Saved {
            step: self.step,
            drafts,
            asides: self.aside_texts.clone(),
            // To the minute: the countdown alone is not worth writing every second.
            spent: Duration::from_secs(self.counted().as_secs() / 60 * 60),
        }
    }

    /// Takes over what was changed at another front end meanwhile. The time goes on as it was, and a
    /// secret, which no draft holds, stays where it was typed.
    pub fn adopt(&mut self, update: &Update) {
        let is_of_this = update.drafts.is_empty() || update.drafts.len() == self.drafts.len();
        if self.outcome.is_some() || update.is_empty() || !is_of_this {
            return;
        }
        for (step, update) in update.drafts.iter().enumerate() {
            let question = &self.dialog.questions[step];
            let draft = &mut self.drafts[step];
            let secret = matches!(question.kind, Kind::Secret).then(|| draft.text.clone());
            draft.take(update);
            draft.fit(question);
            if let Some(secret) = secret {
                draft.text = secret;
            }
            self.recheck(step);
        }
        self.aside_texts.take(&update.asides);
        self.text_turn += 1;
        let step = update.step.map_or(self.step, |step| step.min(self.last_step()));
        if step != self.step {
            self.enter_step(step);
        }
    }

    /// Takes over what was given to the same dialog before it was asked anew, with nothing in it.
    /// Where something is given here already, both stay.
    pub fn adopt_earlier(&mut self, earlier: &Saved) {
        let untouched = Saved {
            drafts: self.dialog.questions.iter().map(Draft::new).collect(),
            ..Saved::default()
        };
        let mut update = earlier.since(Some(&untouched));
        update.come_before(&self.save().since(Some(&untouched)));
        self.adopt(&update);
    }

    /// How much of the dialog's time is used up.
    pub fn spent(&self, now: Instant) -> Duration {
        self.countdown.as_ref().map_or(Duration::ZERO, |countdown| countdown.spent(now))
    }

    fn counted(&self) -> Duration {
        self.countdown.as_ref().map_or(Duration::ZERO, Countdown::counted)
    }

    /// Nobody could hear the person until now: a deadline that has passed waits a moment for them.
    pub fn forgive_deadline(&mut self, now: Instant) {
        if let Some(countdown) = &mut self.countdown {
            countdown.forgive(now);
        }
    }

    /// Goes on counting from there.
    pub fn resume_countdown(&mut self, spent: Duration) {
        if let Some(countdown) = &mut self.countdown {
            countdown.resume(spent);
        }
    }

    /// Goes on where an earlier session of the same dialog was.
    pub fn restore(&mut self, saved: Saved) {
        if saved.drafts.len() != self.drafts.len() {
            return;
        }
        self.drafts = saved.drafts;
        self.aside_texts = saved.asides;
        for (draft, question) in self.drafts.iter_mut().zip(&self.dialog.questions) {
            draft.fit(question);
        }
        self.recheck_all();
        // More than all of it makes no sense.
        if self.dialog.timeout.is_some_and(|limit| saved.spent <= limit) {
            self.resume_countdown(saved.spent);
        }
        self.enter_step(saved.step.min(self.last_step()));
    }
}
