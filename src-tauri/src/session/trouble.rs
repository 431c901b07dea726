//! What stands in the way of an answer, as a key into the words of the interface.

use std::collections::BTreeMap;

use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde::Serialize;
use serde_json::{Map, Value};

use super::MAX_TEXT;
use crate::{
    dialog::{Dialog, Form},
    outcome::Answer,
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trouble {
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
        Self::with("too_much_text", [("limit", MAX_TEXT / 1024)])
    }

    /// The first thing that the schema finds wrong with the value.
    pub(super) fn of_value(schema: &Value, value: &Value) -> Option<Self> {
        let validator = validator(schema)?;
        validator.iter_errors(value).next().map(|error| Self::of_error(&error))
    }

    fn of_error(error: &ValidationError) -> Self {
        match error.kind() {
            ValidationErrorKind::MinLength { limit } => Self::with("too_short", [("limit", limit)]),
            ValidationErrorKind::MaxLength { limit } => Self::with("too_long", [("limit", limit)]),
            ValidationErrorKind::Pattern { pattern } => {
                Self::with("pattern", [("pattern", pattern)])
            }
            ValidationErrorKind::Format { format } => Self::with("format", [("format", format)]),
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
            _ => Self::with("does_not_fit", [("why", error)]),
        }
    }
}

/// What the form as a whole finds wrong, and with which question if one is to blame.
pub(super) fn of_form(dialog: &Dialog, answers: &[Answer]) -> Option<(Option<usize>, Trouble)> {
    match dialog.form.as_ref()? {
        Form::Value(schema) => {
            let value = dialog.questions[0].value(&answers[0])?;
            Trouble::of_value(schema, &value).map(|trouble| (Some(0), trouble))
        }
        Form::Object(schema) => {
            let object: Map<_, _> = dialog
                .questions
                .iter()
                .zip(answers)
                .filter_map(|(question, answer)| {
                    Some((question.id.clone(), question.value(answer)?))
                })
                .collect();
            let object = Value::Object(object);
            let validator = validator(schema)?;
            let error = validator.iter_errors(&object).next()?;
            let pointer = error.instance_path().to_string();
            let field =
                pointer.split('/').nth(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
            let step =
                dialog.questions.iter().position(|question| Some(&question.id) == field.as_ref());
            Some((step, Trouble::of_error(&error)))
        }
    }
}

/// `Dialog::check` has refused schemas that do not compile.
fn validator(schema: &Value) -> Option<jsonschema::Validator> {
    jsonschema::options().should_validate_formats(true).build(schema).ok()
}
