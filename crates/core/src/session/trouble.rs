//! What stands in the way of an answer, as a key into the words of the interface.

use std::collections::BTreeMap;

use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde::Serialize;

use super::MAX_TEXT;

const TOO_MUCH_TEXT: &str = "too_much_text";

/// What is wrong, and with which question if one is to blame.
pub type Misfit = (Option<usize>, Trouble);

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Trouble {
    #[cfg_attr(feature = "types", ts(type = "Word"))]
    pub word: &'static str,
    pub values: BTreeMap<&'static str, String>,
}

impl Trouble {
    pub(super) fn new(word: &'static str) -> Self {
        Self { word, values: BTreeMap::new() }
    }

    pub(super) fn with<const N: usize>(
        word: &'static str,
        values: [(&'static str, impl ToString); N],
    ) -> Self {
        Self {
            word,
            values: values.into_iter().map(|(name, value)| (name, value.to_string())).collect(),
        }
    }

    pub(super) fn too_much_text() -> Self {
        Self::with(TOO_MUCH_TEXT, [("limit", MAX_TEXT / 1024)])
    }

    /// Whether it satisfies its schema cannot be found out in reasonable time.
    pub(super) fn too_much_to_check() -> Self {
        Self::new("too_much_to_check")
    }

    pub(super) fn is_too_much_text(&self) -> bool {
        self.word == TOO_MUCH_TEXT
    }

    fn of_format(format: &str) -> Self {
        match format {
            "email" => Self::new("format_email"),
            "uri" => Self::new("format_uri"),
            "date" => Self::new("format_date"),
            "date-time" => Self::new("format_date_time"),
            _ => Self::with("format", [("format", format)]),
        }
    }

    pub(super) fn of_error(error: &ValidationError) -> Self {
        match error.kind() {
            ValidationErrorKind::MinLength { limit } => Self::with("too_short", [("limit", limit)]),
            ValidationErrorKind::MaxLength { limit } => Self::with("too_long", [("limit", limit)]),
            ValidationErrorKind::Pattern { pattern } => {
                Self::with("pattern", [("pattern", pattern)])
            }
            ValidationErrorKind::Format { format } => Self::of_format(format),
            ValidationErrorKind::Minimum { limit } => Self::with("at_least", [("limit", limit)]),
            ValidationErrorKind::Maximum { limit } => Self::with("at_most", [("limit", limit)]),
            ValidationErrorKind::ExclusiveMinimum { limit } => {
                Self::with("more_than", [("limit", limit)])
            }
            ValidationErrorKind::ExclusiveMaximum { limit } => {
                Self::with("less_than", [("limit", limit)])
            }
            ValidationErrorKind::MultipleOf { multiple_of } => {
                Self::with("multiple_of", [("step", multiple_of)])
            }
            ValidationErrorKind::MinItems { limit } => {
                Self::with("choose_at_least", [("limit", limit)])
            }
            ValidationErrorKind::MaxItems { limit } => {
                Self::with("choose_at_most", [("limit", limit)])
            }
            // Without the value itself, which may be secret.
            _ => Self::with("does_not_fit", [("why", error.masked())]),
        }
    }
}
