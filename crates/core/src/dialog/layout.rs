//! The three ways to lay a dialog out, and which one it gets.

use std::ops::Range;

use serde::Serialize;

use super::{Dialog, Kind, Question};

/// The most verbs that fit into one bar; more are cards.
const MOST_VERBS: usize = 5;

/// The most room that the fields of a page may take, counted in simple fields.
const PAGE: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// One decision: the content large, and below it a bar of verbs.
    Decide,
    /// Cards, one question at a time.
    Choose,
    /// A form: several fields on a page.
    Fill,
}

impl Dialog {
    pub fn layout(&self) -> Layout {
        match &self.questions[..] {
            [question] if question.is_decision() => Layout::Decide,
            [_] => Layout::Choose,
            _ if self.form.is_some() || self.fill => Layout::Fill,
            _ => Layout::Choose,
        }
    }

    /// The questions that stand on each page, in order.
    pub fn pages(&self) -> Vec<Range<usize>> {
        if self.layout() != Layout::Fill {
            return (0..self.questions.len()).map(|index| index..index + 1).collect();
        }
        let mut pages: Vec<Range<usize>> = Vec::new();
        let mut room = 0;
        for (index, question) in self.questions.iter().enumerate() {
            let needed = question.room().min(PAGE);
            match pages.last_mut() {
                Some(page) if needed <= room => {
                    page.end = index + 1;
                    room -= needed;
                }
                _ => {
                    pages.push(index..index + 1);
                    room = PAGE - needed;
                }
            }
        }
        pages
    }
}

impl Question {
    /// Whether a bar of verbs can answer it: something is allowed, approved or confirmed, and
    /// nothing has to be compared for that.
    fn is_decision(&self) -> bool {
        let options = self.options();
        self.asks_consent()
            && self.required
            && match self.kind {
                Kind::Single { .. } => {
                    !options.is_empty()
                        && options.len() <= MOST_VERBS
                        && options.iter().all(|option| option.preview.is_none())
                }
                Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => true,
                _ => false,
            }
    }

    /// How much room it takes on a page, counted in simple fields.
    fn room(&self) -> usize {
        match &self.kind {
            Kind::Json { .. } => 4,
            Kind::Single { options, .. } | Kind::Multi { options, .. } if options.len() > 4 => {
                options.len().div_ceil(2)
            }
            _ => 1,
        }
    }

    /// Whether choosing this card says no.
    pub fn refuses(&self, card: usize) -> bool {
        match &self.kind {
            Kind::Single { options, .. } | Kind::Multi { options, .. } => {
                options.get(card).is_some_and(|option| option.refuses)
            }
            Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => card == 1,
            Kind::Text { .. } | Kind::Number { .. } | Kind::Json { .. } | Kind::Secret => false,
        }
    }

    /// Whether one of its cards says no.
    pub fn can_refuse(&self) -> bool {
        (0..self.options().len().max(2)).any(|card| self.refuses(card))
    }
}
