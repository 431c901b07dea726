//! What the JSON Schemas of a dialog find wrong with its answers.

use serde_json::{Map, Value};

use super::{Misfit, Session, Trouble};
use crate::{
    dialog::{
        Form,
        schema::{Budget, Schema, Unfit},
    },
    outcome::Answer,
};

impl Session {
    /// What the question's own schema finds wrong with its value.
    pub(super) fn misfit(
        &self,
        step: usize,
        value: &Value,
        budget: &mut Budget,
    ) -> Option<Trouble> {
        let schema = self.schemas.questions.get(step)?.as_ref()?;
        first(schema.as_ref().ok(), value, budget).map(|(_, trouble)| trouble)
    }

    /// What the form as a whole finds wrong.
    pub(super) fn misfit_of_form(&self, answers: &[Answer]) -> Option<Misfit> {
        let schema = self.schemas.form.as_ref()?.as_ref().ok();
        let dialog = &self.dialog;
        let mut budget = Budget::default();
        if let Some(Form::Value(_)) = dialog.form {
            let value = dialog.questions[0].value(&answers[0])?;
            return first(schema, &value, &mut budget).map(|(_, trouble)| (Some(0), trouble));
        }
        let object: Map<_, _> = dialog
            .questions
            .iter()
            .zip(answers)
            .filter_map(|(question, answer)| Some((question.id.clone(), question.value(answer)?)))
            .collect();
        let (pointer, trouble) = first(schema, &object.into(), &mut budget)?;
        let field =
            pointer.split('/').nth(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
        let step =
            dialog.questions.iter().position(|question| Some(&question.id) == field.as_ref());
        Some((step, trouble))
    }
}

/// Where something is wrong, and what. Nothing satisfies a schema that was refused.
fn first(schema: Option<&Schema>, value: &Value, budget: &mut Budget) -> Option<(String, Trouble)> {
    let Some(schema) = schema else { return Some((String::new(), Trouble::too_much_to_check())) };
    match schema.check(value, budget) {
        Ok(()) => None,
        Err(Unfit::TooLarge) => Some((String::new(), Trouble::too_much_to_check())),
        Err(Unfit::Wrong(error)) => {
            Some((error.instance_path().to_string(), Trouble::of_error(&error)))
        }
    }
}
