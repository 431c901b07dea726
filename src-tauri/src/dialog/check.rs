//! From what was sent to what can be asked.

use std::{collections::HashSet, ops::RangeInclusive};

use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use super::{
    Caller, Choice, Dialog, Form, Kind, Question,
    looks::{self, Looks},
    recommendation,
};
use crate::{
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::{Fault, Problem},
    text,
};

/// No system has folders with longer paths.
const LONGEST_PATH: usize = 4096;

impl Dialog {
    /// Reports all problems at once, each with its path and limit.
    pub fn check(
        payload: Payload,
        rules: &Rules,
        id: String,
        dialect: &str,
        caller: Caller,
    ) -> Result<Self, Vec<Problem>> {
        let rules = payload.rules.unwrap_or(rules);
        let mut problems = payload.problems;
        // A list that could not be read at all is among the problems already.
        if problems.is_empty() || payload.questions_at.is_some() {
            let at = payload.questions_at.unwrap_or_default();
            count(&mut problems, at, "questions", payload.question_count, &rules.questions);
        }
        if let Some(folder) = &caller.cwd {
            length(&mut problems, "cwd".into(), folder, &(0..=LONGEST_PATH));
        }
        unique_texts(&mut problems, rules, &payload.questions);
        if let Some(form) = &payload.form {
            let (Form::Object(schema) | Form::Value(schema)) = form;
            compiles(&mut problems, &payload.form_at, schema);
        }
        let mut questions: Vec<_> = payload
            .questions
            .into_iter()
            .enumerate()
            .filter_map(|(index, question)| check_question(&mut problems, rules, index, question))
            .collect();
        // Where all that is asked is yes or no, it confirms something.
        if let [Question { kind: Kind::Boolean { .. }, consent, .. }] = &mut questions[..] {
            *consent = true;
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self {
            id,
            dialect: dialect.into(),
            caller,
            title: payload.title,
            message: payload.message,
            questions,
            timeout: payload.timeout,
            wordless: payload.wordless,
            form: payload.form,
            metadata: payload.metadata,
        })
    }
}

fn check_question(
    problems: &mut Vec<Problem>,
    rules: &Rules,
    index: usize,
    question: PayloadQuestion,
) -> Option<Question> {
    let id = id(&question, index);
    if let Some(header) = &question.header {
        length(problems, member(&question.path, "header"), header, &rules.header);
    }
    if let Some(text) = &question.text
        && text::clean(text).trim().is_empty()
    {
        problems.push(Problem::new(question.text_at, Fault::Unreadable));
    }
    if let Some(schema) = &question.schema {
        compiles(problems, &question.schema_at, schema);
    }
    let kind = match question.kind {
        PayloadKind::Choice { options, options_at, option_count, multi, other, default } => {
            if let Some(at) = options_at {
                count(problems, at, "options", option_count, &rules.options);
            }
            let options = check_options(problems, rules, options);
            if multi {
                Kind::Multi { options, other, default }
            } else {
                Kind::Single { options, other, default }
            }
        }
        PayloadKind::Plain(kind) => {
            if let Kind::Confirm { yes, no, .. } = &kind
                && let Some(fault) = looks::of_yes_and_no(yes.as_deref(), no.as_deref())
            {
                problems.push(Problem::new(question.path.clone(), fault));
            }
            kind
        }
    };
    Some(Question {
        id,
        header: question.header,
        text: question.text?,
        details: question.details,
        kind,
        required: question.required,
        notes: question.notes,
        consent: question.consent,
        schema: question.schema,
    })
}

fn check_options(
    problems: &mut Vec<Problem>,
    rules: &Rules,
    options: Vec<PayloadOption>,
) -> Vec<Choice> {
    let mut looks = Looks::default();
    let mut choices = Vec::new();
    for option in options {
        if let Some(description) = &option.description {
            length(problems, option.description_at, description, &rules.description);
        }
        let Some(label) = option.label else { continue };
        let at = option.label_at;
        let shown = text::clean_line(recommendation(&label).unwrap_or(&label));
        if looks::visible(&shown).is_empty() {
            problems.push(Problem::new(at, Fault::Unreadable));
        } else {
            length(problems, at.clone(), &label, &rules.label);
            problems.extend(looks.add(&shown).map(|fault| Problem::new(at, fault)));
        }
        choices.push(Choice {
            recommended: option.recommended || recommendation(&label).is_some(),
            label,
            description: option.description,
            preview: option.preview,
            value: option.value,
        });
    }
    choices
}

fn unique_texts(problems: &mut Vec<Problem>, rules: &Rules, questions: &[PayloadQuestion]) {
    let mut seen = HashSet::new();
    for (index, question) in questions.iter().enumerate() {
        let mut once = |field: &'static str, at: String, value: Option<String>| {
            if let Some(value) = value
                && !seen.insert((field, value.clone()))
            {
                problems.push(Problem::new(at, Fault::Duplicate { value }));
            }
        };
        once("id", member(&question.path, "id"), Some(id(question, index)));
        if rules.unique_texts {
            once("text", question.text_at.clone(), question.text.clone());
        }
        if rules.unique_headers {
            once("header", member(&question.path, "header"), question.header.clone());
        }
    }
}

/// A question that has no id goes by its place.
fn id(question: &PayloadQuestion, index: usize) -> String {
    question.id.clone().unwrap_or_else(|| format!("question-{index}"))
}

fn member(path: &str, field: &str) -> String {
    if path.is_empty() { field.into() } else { format!("{path}.{field}") }
}

fn count(
    problems: &mut Vec<Problem>,
    path: String,
    noun: &'static str,
    found: usize,
    allowed: &RangeInclusive<usize>,
) {
    if !allowed.contains(&found) {
        problems.push(Problem::new(path, Fault::Count { noun, found, allowed: allowed.clone() }));
    }
}

/// Lengths count characters: a Chinese header of twelve is as good as an English one.
fn length(problems: &mut Vec<Problem>, path: String, value: &str, allowed: &RangeInclusive<usize>) {
    let found = value.chars().count();
    if !allowed.contains(&found) {
        problems.push(Problem::new(path, Fault::Length { found, allowed: allowed.clone() }));
    }
}

fn compiles(problems: &mut Vec<Problem>, path: &str, schema: &Value) {
    if let Err(error) = jsonschema::validator_for(schema) {
        let why = match error.kind() {
            ValidationErrorKind::Referencing(_) => {
                "it refers to what is not in it, and nothing is fetched".into()
            }
            _ => error.to_string(),
        };
        let problem = Problem::new(path, Fault::Rule(format!("not a usable JSON Schema: {why}")));
        // A form of one value has the schema of its question.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
}
