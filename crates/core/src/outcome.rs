//! How a dialog ended.

use std::ops::Deref;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dialog::{Dialog, Kind, present};

/// Every ending has its own name: none of them can be taken for another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The person sent answers, one for each question in order.
    Answered { answers: Vec<Answer> },
    /// The person said no to being asked.
    Declined {
        reason: Option<String>,
        #[serde(default)]
        partial: Vec<Answer>,
    },
    /// The person closed the window.
    Dismissed,
    /// The deadline passed; `partial` is what had been given by then.
    TimedOut {
        #[serde(default)]
        partial: Vec<Answer>,
    },
    /// The caller took the question back.
    Withdrawn,
    /// The person asks back.
    Clarify {
        text: String,
        #[serde(default)]
        partial: Vec<Answer>,
    },
}

/// An outcome without its secrets: all that anybody but a caller hears of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PublicOutcome(Outcome);

impl PublicOutcome {
    pub fn of(outcome: &Outcome, dialog: &Dialog) -> Self {
        Self(outcome.without_secrets(dialog))
    }
}

impl Deref for PublicOutcome {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        &self.0
    }
}

/// By what way an outcome of the person came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Through {
    Window,
    /// The command in a terminal of the person.
    Terminal,
    /// Another program, in the person's place.
    Socket,
}

/// What the person gave for one question; the parts are kept apart.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Answer {
    /// The chosen options, by their place in the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<usize>,
    /// The text of the Other box, if Other was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The answer to a question without options: text, number, yes or no, JSON.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Value>,
    /// The question was left open; in an answered dialog, because it was optional.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// Given, but not kept: a secret.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
}

impl Outcome {
    /// The names of those in which the person says something to the caller.
    pub const SAID: [&str; 3] = ["answered", "declined", "clarify"];

    /// The exit code of a command that ends with this outcome.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Answered { .. } => 0,
            Self::Declined { .. } | Self::Dismissed | Self::Clarify { .. } => 1,
            Self::TimedOut { .. } => 124,
            Self::Withdrawn => 130,
        }
    }

    /// The name that the outcome has in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Declined { .. } => "declined",
            Self::Dismissed => "dismissed",
            Self::TimedOut { .. } => "timed_out",
            Self::Withdrawn => "withdrawn",
            Self::Clarify { .. } => "clarify",
        }
    }

    /// Whether the person chose it. Otherwise their time ran out, or the caller withdrew the question.
    pub fn is_of_the_person(&self) -> bool {
        !matches!(self, Self::TimedOut { .. } | Self::Withdrawn)
    }

    /// Whether nothing of it was withheld when it was kept.
    pub fn is_whole(&self) -> bool {
        !self.answers().iter().any(|answer| answer.withheld)
    }

    /// The outcome as it is kept: of a secret, only whether it was given.
    #[must_use]
    pub fn without_secrets(&self, dialog: &Dialog) -> Self {
        let mut kept = self.clone();
        for (question, answer) in dialog.questions.iter().zip(kept.answers_mut()) {
            if matches!(question.kind, Kind::Secret) {
                *answer = Answer {
                    skipped: answer.skipped,
                    withheld: answer.withheld || answer.is_given(),
                    ..Answer::default()
                };
            }
        }
        kept
    }

    /// What was given for each question, all of it or in part.
    pub fn answers(&self) -> &[Answer] {
        match self {
            Self::Answered { answers: given }
            | Self::Declined { partial: given, .. }
            | Self::TimedOut { partial: given }
            | Self::Clarify { partial: given, .. } => given,
            Self::Dismissed | Self::Withdrawn => &[],
        }
    }

    fn answers_mut(&mut self) -> &mut [Answer] {
        match self {
            Self::Answered { answers: given }
            | Self::Declined { partial: given, .. }
            | Self::TimedOut { partial: given }
            | Self::Clarify { partial: given, .. } => given,
            Self::Dismissed | Self::Withdrawn => &mut [],
        }
    }
}

impl Through {
    const ALL: [Self; 3] = [Self::Window, Self::Terminal, Self::Socket];

    /// The name that it has in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Terminal => "terminal",
            Self::Socket => "socket",
        }
    }

    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|through| through.name() == name)
    }
}

impl Answer {
    /// Whether anything was chosen or typed; a note alone answers nothing.
    pub fn is_given(&self) -> bool {
        !self.skipped && (!self.selected.is_empty() || self.other.is_some() || self.value.is_some())
    }
}
