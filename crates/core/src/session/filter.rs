//! Finding an option among many by a few of its letters.

use super::{Session, cards};
use crate::{dialog::Question, text};

/// From so many options on nobody reads them all, and not all of them have a digit.
const MANY: usize = 10;

/// Whether the options of this question can be filtered.
pub fn can_filter(question: &Question) -> bool {
    question.options().len() >= MANY
}

impl Session {
    /// The cards of a question that do not match its filter. Other always does.
    pub(super) fn hidden_cards(&self, step: usize) -> Vec<usize> {
        let filter = self.filters[step].trim().to_lowercase();
        if filter.is_empty() {
            return Vec::new();
        }
        let contains = |text: &str| text::clean_line(text).to_lowercase().contains(&filter);
        let options = self.dialog.questions[step].options().iter().enumerate();
        options
            .filter(|(_, option)| {
                let description = option.description.as_deref();
                !contains(option.shown()) && !description.is_some_and(contains)
            })
            .map(|(card, _)| card)
            .collect()
    }

    /// The cards of the current question that match its filter, in order.
    pub(super) fn cards_in_sight(&self) -> Vec<usize> {
        let Some(question) = self.question() else { return Vec::new() };
        let hidden = self.hidden_cards(self.step);
        (0..cards(question)).filter(|card| !hidden.contains(card)).collect()
    }
}
