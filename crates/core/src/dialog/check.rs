//! From what was sent to what can be asked.

use std::{collections::HashSet, ops::RangeInclusive};

use serde_json::Value;

use super::{
    Caller, Choice, Dialog, Form, Kind, Question, Schemas,
    lookalikes::{self, Lookalikes},
    recommendation,
    schema::{Allowance, Budget, Schema, Unfit},
};
use crate::{
    payload::{MANY, Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::{self, Fault, Problem},
    text,
};

/// No system has folders with longer paths.
const LONGEST_PATH: usize = 4096;

impl Dialog {
    /// Reports all problems at once, each with its path and limit.
    pub fn check(
        mut payload: Payload,
        rules: &Rules,
        id: String,
        dialect: &str,
        caller: Caller,
    ) -> Result<Self, Vec<Problem>> {
        let rules = payload.rules.unwrap_or(rules);
        let mut problems = std::mem::take(&mut payload.problems);
        // How many were sent is checked all the same.
        payload.questions.truncate(MANY);
        // A list that could not be read at all is among the problems already.
        if problems.is_empty() || payload.questions_at.is_some() {
            let at = payload.questions_at.clone().unwrap_or_default();
            count(&mut problems, at, "questions", payload.question_count, &rules.questions);
        }
        if let Some(folder) = &caller.cwd {
            length(&mut problems, "cwd".into(), folder, &(0..=LONGEST_PATH));
        }
        unique_texts(&mut problems, rules, &payload.questions);
        let schemas = compile(&mut problems, &payload);
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
            return Err(problem::first(problems));
        }
        Ok(Self {
            id,
            dialect: dialect.into(),
            caller,
            title: payload.title,
            message: payload.message,
            questions,
            timeout: payload.timeout,
            no_reason: payload.no_reason,
            form: payload.form,
            fill: payload.fill,
            metadata: payload.metadata,
            wordings: payload.wordings,
            schemas: schemas.into(),
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
                && let Some(fault) = lookalikes::in_yes_and_no(yes.as_deref(), no.as_deref())
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
    let mut labels = Lookalikes::default();
    let mut choices = Vec::new();
    for option in options.into_iter().take(MANY) {
        if let Some(description) = &option.description {
            length(problems, option.description_at, description, &rules.description);
        }
        let Some(label) = option.label else { continue };
        let at = option.label_at;
        let shown = text::clean_line(recommendation(&label).unwrap_or(&label));
        if lookalikes::visible(&shown).is_empty() {
            problems.push(Problem::new(at, Fault::Unreadable));
        } else {
            length(problems, at.clone(), &label, &rules.label);
            problems.extend(labels.add(&shown).map(|fault| Problem::new(at, fault)));
        }
        choices.push(Choice {
            recommended: option.recommended || recommendation(&label).is_some(),
            label,
            description: option.description,
            preview: option.preview,
            value: option.value,
            refuses: option.refuses,
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

/// Compiles the schemas, and sees whether what stands in the boxes from the start can be checked.
fn compile(problems: &mut Vec<Problem>, payload: &Payload) -> Schemas {
    let (mut allowance, mut budget) = (Allowance::default(), Budget::default());
    let mut compile = |at: &str, schema: &Value| match Schema::new(schema, &mut allowance) {
        Ok(schema) => Some(Ok(schema)),
        Err(why) => {
            let fault = Fault::Rule(format!("not a usable JSON Schema: {why}"));
            let problem = Problem::new(at, fault);
            // A form of one value has the schema of its question.
            if !problems.contains(&problem) {
                problems.push(problem);
            }
            None
        }
    };
    let form = payload.form.as_ref().map(Form::schema);
    let form = form.and_then(|schema| compile(&payload.form_at, schema));
    let of_question = |question: &PayloadQuestion| {
        question.schema.as_ref().and_then(|schema| compile(&question.schema_at, schema))
    };
    let questions: Vec<_> = payload.questions.iter().map(of_question).collect();
    for (question, schema) in payload.questions.iter().zip(&questions) {
        let Some((Ok(schema), value)) = schema.as_ref().zip(prefilled(question)) else { continue };
        if let Err(Unfit::TooLarge) = schema.check(&value, &mut budget) {
            let most = Budget::MOST;
            let fault =
                format!("what is in its box from the start takes more than {most} steps to check");
            problems.push(Problem::new(question.schema_at.as_str(), Fault::Rule(fault)));
        }
    }
    Schemas { questions, form }
}

fn prefilled(question: &PayloadQuestion) -> Option<Value> {
    match &question.kind {
        PayloadKind::Plain(Kind::Text { default, .. }) => default.clone().map(Value::from),
        PayloadKind::Plain(Kind::Number { default, .. }) => default.clone().map(Value::from),
        PayloadKind::Plain(Kind::Json { default }) => default.clone(),
        _ => None,
    }
}
