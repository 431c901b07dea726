//! What an agent sent, read but not yet checked.
//!
//! A dialect's `read` fills a [`Payload`] as far as it can and notes every problem on the way, so
//! that [`crate::dialog::Dialog::check`] can report all of them at once. Paths are those of the
//! sender's own JSON.

use std::{ops::RangeInclusive, time::Duration};

use serde_json::Value;

use crate::{
    dialog::{Form, Kind, Wording},
    outcome::Answer,
    problem::Problem,
};

/// The most bytes a payload may have.
pub const MAX_BYTES: usize = 1024 * 1024;

#[derive(Debug, Default)]
pub struct Payload {
    /// The name under which the agent is shown, if the payload tells.
    pub agent: Option<String>,
    /// The agent's own name for the conversation.
    pub session: Option<String>,
    /// The folder the agent works in, if the payload tells.
    pub cwd: Option<String>,
    pub title: Option<String>,
    pub message: Option<String>,
    pub questions: Vec<PayloadQuestion>,
    /// Where the list of questions stood; `None` if there was no list to count.
    pub questions_at: Option<String>,
    /// How many questions were sent, readable or not.
    pub question_count: usize,
    pub timeout: Option<Duration>,
    /// The limits of this form of the dialect, where it has several with limits of their own.
    pub rules: Option<&'static Rules>,
    /// The answer cannot carry why the person declined, nor what they want to know.
    pub no_reason: bool,
    /// The JSON Schema that the answers together must satisfy.
    pub form: Option<Form>,
    /// The questions are the fields of a form.
    pub fill: bool,
    /// Where that schema stood.
    pub form_at: String,
    /// What the dialect's own `write` needs to find again; never shown.
    pub metadata: Value,
    /// The texts that the dialect has put in by itself.
    pub wordings: Vec<Wording>,
    /// Answers that came along: nothing is left to ask.
    pub answered: Option<Vec<Answer>>,
    /// What makes the payload unusable.
    pub problems: Vec<Problem>,
    /// What the sender should know but what stops nothing.
    pub advice: Vec<Problem>,
}

/// A field is `None` where it was absent, or of a wrong type and then already among the problems.
#[derive(Debug)]
pub struct PayloadQuestion {
    /// Where it stood, such as `questions[1]`.
    pub path: String,
    pub id: Option<String>,
    pub header: Option<String>,
    pub text: Option<String>,
    /// Where the text stood, such as `questions[1].question`.
    pub text_at: String,
    pub details: Option<String>,
    pub kind: PayloadKind,
    pub required: bool,
    /// Whether the dialect can carry a note back.
    pub notes: bool,
    /// An answer allows, approves or confirms something.
    pub consent: bool,
    /// The JSON Schema that this answer must satisfy.
    pub schema: Option<Value>,
    /// Where the schema stood, or what it was made of.
    pub schema_at: String,
}

#[derive(Debug)]
pub enum PayloadKind {
    Choice {
        options: Vec<PayloadOption>,
        /// Where the list of options stood; `None` if there was no list to count.
        options_at: Option<String>,
        /// How many options were sent, readable or not.
        option_count: usize,
        multi: bool,
        other: bool,
        /// The option on which the cursor starts.
        default: Option<usize>,
    },
    /// A kind in which nothing is left to check.
    Plain(Kind),
}

#[derive(Debug, Default)]
pub struct PayloadOption {
    pub label: Option<String>,
    /// Where the label stood: `options[0].label`, or `options[0]` where an option is a text.
    pub label_at: String,
    pub description: Option<String>,
    pub description_at: String,
    pub preview: Option<String>,
    /// What stands for this option in the answer, where that is not its label.
    pub value: Option<Value>,
    pub recommended: bool,
    /// It says no to what is to be allowed, approved or confirmed.
    pub refuses: bool,
}

/// A dialect's limits.
#[derive(Debug)]
pub struct Rules {
    pub questions: RangeInclusive<usize>,
    pub options: RangeInclusive<usize>,
    pub header: RangeInclusive<usize>,
    pub label: RangeInclusive<usize>,
    pub description: RangeInclusive<usize>,
    /// Answers go back under the question's text, so no two may be the same.
    pub unique_texts: bool,
    /// Answers go back under the header, so no two may be the same.
    pub unique_headers: bool,
}

impl Rules {
    /// Those of a format that knows none: what a window can still show.
    pub const OPEN: Self = Self {
        questions: 1..=MANY,
        options: 1..=MANY,
        header: ANY,
        label: ANY,
        description: ANY,
        unique_texts: false,
        unique_headers: false,
    };
}

/// The limit where a format knows none: what a window can still show.
pub const MANY: usize = 500;

/// No limit but that of the payload's size.
pub const ANY: RangeInclusive<usize> = 0..=usize::MAX;
