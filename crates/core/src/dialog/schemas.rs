//! The JSON Schemas of a dialog, compiled where nobody waits: when it is checked.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::{
    Dialog, Form,
    schema::{Allowance, Schema},
};

/// A schema that is refused stays in its place: no answer satisfies it.
type Compiled = Result<Schema, String>;

#[derive(Debug, Default)]
pub struct Schemas {
    pub questions: Vec<Option<Compiled>>,
    pub form: Option<Compiled>,
}

impl Schemas {
    fn of(dialog: &Dialog) -> Self {
        let mut allowance = Allowance::default();
        let mut compile = |schema: &Value| Schema::new(schema, &mut allowance);
        Self {
            questions: dialog
                .questions
                .iter()
                .map(|question| question.schema.as_ref().map(&mut compile))
                .collect(),
            form: dialog.form.as_ref().map(Form::schema).map(&mut compile),
        }
    }
}

/// They follow from the dialog, so they are neither written nor compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept(OnceLock<Arc<Schemas>>);

#[cfg(test)]
impl Kept {
    /// Nothing can have been evaluated before.
    pub(crate) fn are_compiled(&self) -> bool {
        self.0.get().is_some()
    }
}

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl From<Schemas> for Kept {
    fn from(schemas: Schemas) -> Self {
        Self(Arc::new(schemas).into())
    }
}

impl Dialog {
    /// Whether its answers are checked by a schema of the caller.
    pub fn has_schemas(&self) -> bool {
        self.form.is_some() || self.questions.iter().any(|question| question.schema.is_some())
    }

    /// One that was read from a file has not been checked since, and is compiled now: call it where
    /// nobody waits.
    pub fn schemas(&self) -> Arc<Schemas> {
        Arc::clone(self.schemas.0.get_or_init(|| Arc::new(Schemas::of(self))))
    }
}
