//! The JSON Schemas of a dialog, compiled once and asked after every change.

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

use super::{Misfit, Trouble};
use crate::{
    dialog::{Dialog, Form},
    outcome::Answer,
};

/// A hostile pattern gives up after this many steps, long before the person notices.
const MOST_STEPS: usize = 100_000;

pub(super) struct Schemas {
    questions: Vec<Option<Validator>>,
    form: Option<Validator>,
}

impl Schemas {
    pub(super) fn new(dialog: &Dialog) -> Self {
        let form = dialog.form.as_ref().map(|(Form::Object(schema) | Form::Value(schema))| schema);
        Self {
            questions: dialog
                .questions
                .iter()
                .map(|question| compiled(question.schema.as_ref()?))
                .collect(),
            form: form.and_then(compiled),
        }
    }

    /// What the question's own schema finds wrong with its value.
    pub(super) fn misfit(&self, step: usize, value: &Value) -> Option<Trouble> {
        self.questions[step]
            .as_ref()
            .and_then(|schema| first(schema, value).map(|(_, trouble)| trouble))
    }

    /// What the form as a whole finds wrong.
    pub(super) fn misfit_of_form(&self, dialog: &Dialog, answers: &[Answer]) -> Option<Misfit> {
        let schema = self.form.as_ref()?;
        if let Some(Form::Value(_)) = dialog.form {
            let value = dialog.questions[0].value(&answers[0])?;
            return first(schema, &value).map(|(_, trouble)| (Some(0), trouble));
        }
        let object: Map<_, _> = dialog
            .questions
            .iter()
            .zip(answers)
            .filter_map(|(question, answer)| Some((question.id.clone(), question.value(answer)?)))
            .collect();
        let (pointer, trouble) = first(schema, &object.into())?;
        let field =
            pointer.split('/').nth(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
        let step =
            dialog.questions.iter().position(|question| Some(&question.id) == field.as_ref());
        Some((step, trouble))
    }
}

fn first(schema: &Validator, value: &Value) -> Option<(String, Trouble)> {
    let error = schema.iter_errors(value).next()?;
    Some((error.instance_path().to_string(), Trouble::of_error(&error)))
}

/// `Dialog::check` has refused schemas that do not compile.
fn compiled(schema: &Value) -> Option<Validator> {
    jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MOST_STEPS))
        .build(schema)
        .ok()
}
