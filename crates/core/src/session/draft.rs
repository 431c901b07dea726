//! What has been given to one question so far.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    MAX_TEXT, answer_error, cards,
    checks::Validity,
    numbers::{self, Numbers},
    other_card,
};
use crate::{
    dialog::{Kind, Question},
    diff,
    outcome::Answer,
    text,
    words::Phrase,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Draft {
    pub(super) chosen: BTreeSet<usize>,
    pub(super) other_chosen: bool,
    /// Stays when another option is chosen.
    pub(super) other: String,
    pub(super) text: String,
    pub(super) note: String,
    pub(super) note_open: bool,
    /// The person tried to go on, so what is missing may be said.
    pub(super) tried: bool,
}

impl Draft {
    pub(super) fn new(question: &Question) -> Self {
        Self { text: prefilled(question), ..Self::default() }
    }

    /// Drops what nobody could have given here, as a file or another program may have it.
    pub(super) fn fit(&mut self, question: &Question) {
        let options = cards(question) - usize::from(question.has_other());
        self.chosen.retain(|card| *card < options);
        self.other_chosen &= question.has_other();
        if !question.is_multi() {
            let most = usize::from(!self.other_chosen);
            self.chosen = std::mem::take(&mut self.chosen).into_iter().take(most).collect();
        }
        if !question.has_other() {
            self.other.clear();
        }
        if cards(question) > 0 || matches!(question.kind, Kind::Secret) {
            self.text.clear();
        }
        if !question.notes {
            self.note.clear();
            self.note_open = false;
        }
    }

    pub(super) fn choose(&mut self, question: &Question, card: usize) {
        let is_other = other_card(question) == Some(card);
        match (question.is_multi(), is_other) {
            (true, true) => self.other_chosen = !self.other_chosen,
            (true, false) => {
                if !self.chosen.remove(&card) {
                    self.chosen.insert(card);
                }
            }
            (false, true) => {
                self.chosen.clear();
                self.other_chosen = true;
            }
            // What need not be answered can be taken back.
            (false, false) if !question.required && self.chosen.contains(&card) => {
                self.chosen.clear();
            }
            (false, false) => {
                self.chosen = BTreeSet::from([card]);
                self.other_chosen = false;
            }
        }
    }

    /// Typing into the Other box chooses it.
    pub(super) fn write_other(&mut self, question: &Question, text: String) {
        if !text.trim().is_empty() && text != self.other && !self.other_chosen {
            self.other_chosen = true;
            if !question.is_multi() {
                self.chosen.clear();
            }
        }
        self.other = text;
    }

    /// The chosen cards, Other's included.
    pub(super) fn chosen(&self, question: &Question) -> impl Iterator<Item = usize> {
        let other = other_card(question).filter(|_| self.other_chosen);
        self.chosen.iter().copied().chain(other)
    }

    pub(super) fn is_chosen(&self, question: &Question, card: usize) -> bool {
        if other_card(question) == Some(card) {
            self.other_chosen
        } else {
            self.chosen.contains(&card)
        }
    }

    pub(super) fn has_other(&self) -> bool {
        self.other_chosen && !text::is_blank(&self.other)
    }

    /// The card on which the cursor starts: what was chosen, the default, or else the first. Where
    /// something is to be allowed or confirmed, there is none that nobody has named.
    pub(super) fn cursor(&self, question: &Question) -> Option<usize> {
        let chosen = self.chosen.first().copied();
        let other = other_card(question).filter(|_| self.other_chosen);
        let default = match &question.kind {
            Kind::Single { default, .. } | Kind::Multi { default, .. } => *default,
            Kind::Confirm { default, .. } | Kind::Boolean { default } => {
                default.map(|yes| usize::from(!yes))
            }
            _ => None,
        };
        let first = (!question.asks_consent()).then_some(0);
        chosen.or(other).or(default.filter(|card| *card < cards(question))).or(first)
    }

    pub(super) fn is_empty(&self, question: &Question) -> bool {
        if cards(question) > 0 {
            self.chosen.is_empty() && !self.has_other()
        } else if matches!(question.kind, Kind::Secret) {
            self.text.is_empty()
        } else {
            text::is_blank(&self.text)
        }
    }

    /// Whether this is what stood there when the dialog opened, and nothing the person has agreed to.
    pub(super) fn is_default(&self, question: &Question) -> bool {
        cards(question) == 0 && !self.tried && self.text == prefilled(question)
    }

    pub(super) fn has_typed(&self, question: &Question) -> bool {
        let typed = |text: &str| !text::is_blank(text);
        typed(&self.other)
            || typed(&self.note)
            || (typed(&self.text) && self.text != prefilled(question))
    }

    /// What is given now. Nothing given is `skipped`, never an empty answer.
    pub(super) fn answer(&self, question: &Question) -> Answer {
        let note = typed(&self.note);
        if self.is_empty(question) {
            return Answer { note, skipped: true, ..Answer::default() };
        }
        match question.kind {
            Kind::Single { .. } | Kind::Multi { .. } => Answer {
                selected: self.chosen.iter().copied().collect(),
                other: typed(&self.other).filter(|_| self.other_chosen),
                note,
                ..Answer::default()
            },
            _ => {
                let value = self.value(question).ok();
                Answer { note, skipped: value.is_none(), value, ..Answer::default() }
            }
        }
    }

    /// All that was chosen and typed, also what would not do as an answer.
    pub(super) fn everything(&self, question: &Question) -> Answer {
        let answer = self.answer(question);
        let value = match cards(question) {
            0 if self.text == prefilled(question) => None,
            0 => typed(&self.text).map(Value::from),
            _ => answer.value,
        };
        Answer { other: typed(&self.other), value, ..answer }
    }

    /// How the JSON that stood in the box was changed; `None` if it was not, or is none now.
    pub(super) fn changes(&self, question: &Question) -> Option<Vec<diff::Line>> {
        let Kind::Json { default: Some(sent) } = &question.kind else { return None };
        let now = self.value(question).ok().filter(|now| now != sent)?;
        Some(diff::lines(&text::json(sent), &text::json(&now)))
    }

    /// What our own rules say about it. If there is a schema, that has the last word.
    pub(super) fn validity(&self, question: &Question, numbers: Numbers) -> Validity {
        if let Some(error) = self.own_error(question, numbers) {
            return Validity::Invalid(error);
        }
        let value = || question.value(&self.answer(question));
        question.schema.as_ref().and_then(|_| value()).map_or(Validity::Valid, Validity::Unknown)
    }

    fn own_error(&self, question: &Question, numbers: Numbers) -> Option<Phrase> {
        if [&self.other, &self.text, &self.note].into_iter().any(|text| text.len() > MAX_TEXT) {
            return Some(answer_error::too_much_text());
        }
        if self.other_chosen && !self.has_other() && (self.chosen.is_empty() || question.is_multi())
        {
            return Some(Phrase::new("other_needed"));
        }
        if self.is_empty(question) {
            return question.required.then(|| Phrase::new("answer_needed"));
        }
        if cards(question) > 0 {
            return None;
        }
        let is_typed =
            matches!(question.kind, Kind::Number { .. }) && self.text != prefilled(question);
        let unclear = is_typed.then(|| numbers.error(self.text.trim())).flatten();
        unclear.or_else(|| self.value(question).err())
    }

    /// The value of an answer that is not chosen from options.
    fn value(&self, question: &Question) -> Result<Value, Phrase> {
        let text = self.text.trim();
        match question.kind {
            Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => {
                Ok(Value::Bool(self.chosen.contains(&0)))
            }
            Kind::Number { integer, .. } => numbers::read(text, integer),
            Kind::Json { .. } => serde_json::from_str(text).map_err(|error| {
                Phrase::with("not_json", [("line", error.line()), ("column", error.column())])
            }),
            // A secret goes as it was typed: a space at its end may belong to it.
            Kind::Secret => Ok(self.text.clone().into()),
            Kind::Text { .. } | Kind::Single { .. } | Kind::Multi { .. } => Ok(text.into()),
        }
    }
}

/// What was typed, as it was typed; nothing if none of it can be seen.
pub(super) fn typed(text: &str) -> Option<String> {
    (!text::is_blank(text)).then(|| text.trim().into())
}

/// The text that stands in the box when the dialog opens.
fn prefilled(question: &Question) -> String {
    match &question.kind {
        Kind::Text { default: Some(text), .. } => text::clean(text).into_owned(),
        Kind::Number { default: Some(number), .. } => number.to_string(),
        Kind::Json { default: Some(value) } => text::json(value),
        Kind::Text { default: None, .. }
        | Kind::Number { default: None, .. }
        | Kind::Json { default: None }
        | Kind::Secret
        | Kind::Single { .. }
        | Kind::Multi { .. }
        | Kind::Confirm { .. }
        | Kind::Boolean { .. }
        | Kind::Link { .. } => String::new(),
    }
}
