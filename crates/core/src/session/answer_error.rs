//! What can be wrong with an answer, as the person is told.

use jsonschema::{ValidationError, error::ValidationErrorKind};

use super::MAX_TEXT;
use crate::words::Phrase;

const TOO_MUCH_TEXT: &str = "too_much_text";

/// What is wrong, and with which question if one is to blame.
pub type FormError = (Option<usize>, Phrase);

pub(super) fn too_much_text() -> Phrase {
    Phrase::with(TOO_MUCH_TEXT, [("limit", MAX_TEXT / 1024)])
}

/// Whether it satisfies its schema cannot be found out in reasonable time.
pub(super) fn too_much_to_check() -> Phrase {
    Phrase::new("too_much_to_check")
}

pub(super) fn is_too_much_text(error: &Phrase) -> bool {
    error.word == TOO_MUCH_TEXT
}

fn of_format(format: &str) -> Phrase {
    match format {
        "email" => Phrase::new("format_email"),
        "uri" => Phrase::new("format_uri"),
        "date" => Phrase::new("format_date"),
        "date-time" => Phrase::new("format_date_time"),
        _ => Phrase::with("format", [("format", format)]),
    }
}

pub(super) fn of_schema(error: &ValidationError) -> Phrase {
    match error.kind() {
        ValidationErrorKind::MinLength { limit } => Phrase::with("too_short", [("limit", limit)]),
        ValidationErrorKind::MaxLength { limit } => Phrase::with("too_long", [("limit", limit)]),
        ValidationErrorKind::Pattern { pattern } => Phrase::with("pattern", [("pattern", pattern)]),
        ValidationErrorKind::Format { format } => of_format(format),
        ValidationErrorKind::Minimum { limit } => Phrase::with("at_least", [("limit", limit)]),
        ValidationErrorKind::Maximum { limit } => Phrase::with("at_most", [("limit", limit)]),
        ValidationErrorKind::ExclusiveMinimum { limit } => {
            Phrase::with("more_than", [("limit", limit)])
        }
        ValidationErrorKind::ExclusiveMaximum { limit } => {
            Phrase::with("less_than", [("limit", limit)])
        }
        ValidationErrorKind::MultipleOf { multiple_of } => {
            Phrase::with("multiple_of", [("step", multiple_of)])
        }
        ValidationErrorKind::MinItems { limit } => {
            Phrase::with("choose_at_least", [("limit", limit)])
        }
        ValidationErrorKind::MaxItems { limit } => {
            Phrase::with("choose_at_most", [("limit", limit)])
        }
        // Without the value itself, which may be secret.
        _ => Phrase::with("does_not_fit", [("why", error.masked())]),
    }
}
