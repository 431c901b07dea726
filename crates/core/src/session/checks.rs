//! What the JSON Schemas of a dialog find wrong with its answers.
//!
//! A caller wrote the schemas, so a session never evaluates one: others may be waiting for it. It
//! hands out [`Checks`], which run anywhere else, and takes the [`Verdicts`] back.

use std::{sync::Arc, time::Instant};

use serde_json::{Map, Value};

use super::{FormError, Session, View, answer_error};
use crate::{
    dialog::{
        Dialog, Form,
        schema::{Budget, Schema, Unfit},
    },
    outcome::Answer,
    words::Phrase,
};

/// What is known about an answer.
#[derive(Debug)]
pub(super) enum Validity {
    Valid,
    Invalid(Phrase),
    /// Our own rules are satisfied. The schema has not been asked about this value yet.
    Unknown(Value),
}

/// What the person wants to do once the verdict is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// To leave the current question.
    GoOn,
    Send,
}

/// Values and the schemas that they must satisfy. Running them takes a while, so it
/// must not hold up anybody.
#[derive(Debug, Clone, PartialEq)]
pub struct Checks {
    dialog: Arc<Dialog>,
    /// The state of the answers that they are about.
    answers_turn: u64,
    /// By question.
    values: Vec<(usize, Value)>,
    /// All answers, if they are to be checked together.
    answers: Option<Vec<Answer>>,
}

/// What [`Checks`] found.
#[derive(Debug)]
pub struct Verdicts {
    answers_turn: u64,
    values: Vec<(usize, Option<Phrase>)>,
    /// Nothing if the answers together were not checked.
    form: Option<Result<(), FormError>>,
}

impl Checks {
    pub fn run(self) -> Verdicts {
        let Self { dialog, answers_turn, values, answers } = self;
        let mut budget = Budget::default();
        let values: Vec<_> = values
            .into_iter()
            .map(|(step, value)| (step, schema_error(&dialog, step, &value, &mut budget)))
            .collect();
        let all_fit = values.iter().all(|(_, error)| error.is_none());
        let form = answers.filter(|_| all_fit).map(|answers| check_form(&dialog, &answers));
        Verdicts { answers_turn, values, form }
    }
}

impl Session {
    /// What is to be checked now. The verdicts must come back: nothing more is handed out before.
    pub fn take_checks(&mut self) -> Option<Checks> {
        if self.checking || self.outcome.is_some() {
            return None;
        }
        let unknown = |(step, validity): (usize, &Validity)| match validity {
            Validity::Unknown(value) => Some((step, value.clone())),
            Validity::Valid | Validity::Invalid(_) => None,
        };
        let values: Vec<_> = self.validity.iter().enumerate().filter_map(unknown).collect();
        let sends_form = self.is_being_sent() && self.dialog.form.is_some();
        let answers = sends_form.then(|| self.answers());
        self.checking = answers.is_some() || !values.is_empty();
        self.checking.then(|| Checks {
            dialog: Arc::clone(&self.dialog),
            answers_turn: self.answers_turn,
            values,
            answers,
        })
    }

    /// Takes the verdicts, and does what the person waited for. Verdicts about answers that have
    /// changed since mean nothing.
    pub fn take_verdicts(&mut self, verdicts: Verdicts, now: Instant) -> View {
        self.checking = false;
        let Verdicts { answers_turn, values, form } = verdicts;
        if self.outcome.is_none() && answers_turn == self.answers_turn {
            for (step, error) in values {
                self.validity[step] = error.map_or(Validity::Valid, Validity::Invalid);
            }
            match self.intent {
                Some(Intent::GoOn) => {
                    self.intent = None;
                    self.go_on(now);
                }
                Some(Intent::Send) => self.send_if_checked(form),
                None => {}
            }
        }
        self.view(now)
    }

    /// Runs all checks here, where nobody else waits. What is to be drawn then, if there were any.
    pub fn settle(&mut self, now: Instant) -> Option<View> {
        let mut view = None;
        while let Some(checks) = self.take_checks() {
            view = Some(self.take_verdicts(checks.run(), now));
        }
        view
    }

    /// Whether the person has sent the answers, and only the verdict is missing.
    pub(super) fn is_being_sent(&self) -> bool {
        self.intent == Some(Intent::Send)
    }
}

/// What the question's own schema finds wrong with its value.
pub(super) fn schema_error(
    dialog: &Dialog,
    step: usize,
    value: &Value,
    budget: &mut Budget,
) -> Option<Phrase> {
    let schemas = dialog.schemas();
    let schema = schemas.questions.get(step)?.as_ref()?;
    first(schema.as_ref().ok(), value, budget).map(|(_, error)| error)
}

/// Whether the form as a whole is satisfied.
pub(super) fn check_form(dialog: &Dialog, answers: &[Answer]) -> Result<(), FormError> {
    form_error(dialog, answers).map_or(Ok(()), Err)
}

fn form_error(dialog: &Dialog, answers: &[Answer]) -> Option<FormError> {
    let schemas = dialog.schemas();
    let schema = schemas.form.as_ref()?.as_ref().ok();
    let mut budget = Budget::default();
    if let Some(Form::Value(_)) = dialog.form {
        let value = dialog.questions[0].value(&answers[0])?;
        return first(schema, &value, &mut budget).map(|(_, error)| (Some(0), error));
    }
    let object: Map<_, _> = dialog
        .questions
        .iter()
        .zip(answers)
        .filter_map(|(question, answer)| Some((question.id.clone(), question.value(answer)?)))
        .collect();
    let (pointer, error) = first(schema, &object.into(), &mut budget)?;
    let field = pointer.split('/').nth(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
    let step = dialog.questions.iter().position(|question| Some(&question.id) == field.as_ref());
    Some((step, error))
}

/// Where something is wrong, and what. Nothing satisfies a schema that was refused.
fn first(schema: Option<&Schema>, value: &Value, budget: &mut Budget) -> Option<(String, Phrase)> {
    let Some(schema) = schema else {
        return Some((String::new(), answer_error::too_much_to_check()));
    };
    match schema.check(value, budget) {
        Ok(()) => None,
        Err(Unfit::TooLarge) => Some((String::new(), answer_error::too_much_to_check())),
        Err(Unfit::Unusable) => Some((String::new(), Phrase::new("schema_unusable"))),
        Err(Unfit::Wrong(error)) => {
            Some((error.instance_path().to_string(), answer_error::of_schema(&error)))
        }
    }
}
