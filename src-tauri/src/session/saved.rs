//! What of a session outlives the process: everything given so far, but never a secret.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Session, draft::Draft, ending::AsideTexts};
use crate::{
    dialog::{Dialog, Kind},
    outcome::Answer,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saved {
    step: usize,
    drafts: Vec<Draft>,
    asides: AsideTexts,
    /// How much of the dialog's time was used up.
    spent: Duration,
}

impl Saved {
    /// All that was chosen and typed for each question, sent or not.
    pub fn everything(&self, dialog: &Dialog) -> Vec<Answer> {
        let drafts = dialog.questions.iter().zip(&self.drafts);
        drafts.map(|(question, draft)| draft.everything(question)).collect()
    }

    /// What was typed while declining or asking back.
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
            spent: self.countdown.as_ref().map_or(Duration::ZERO, |countdown| {
                // To the minute: the countdown alone is not worth writing every second.
                Duration::from_secs(countdown.spent().as_secs() / 60 * 60)
            }),
        }
    }

    /// Goes on where an earlier session of the same dialog was.
    pub fn restore(&mut self, saved: Saved) {
        if saved.drafts.len() != self.drafts.len() {
            return;
        }
        self.drafts = saved.drafts;
        self.aside_texts = saved.asides;
        for step in 0..self.drafts.len() {
            self.recheck(step);
        }
        if let Some(countdown) = &mut self.countdown {
            countdown.resume(saved.spent);
        }
        self.enter_step(saved.step.min(self.steps() - 1));
    }
}
