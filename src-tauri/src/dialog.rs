//! What is asked, checked: nothing after this module has to look for mistakes again.

use std::{collections::HashSet, time::Duration};

use jsonschema::error::ValidationErrorKind;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::{
    outcome::Answer,
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::{Fault, Problem},
    text,
};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    pub id: String,
    /// The dialect in which the answer goes back.
    pub dialect: String,
    pub caller: Caller,
    pub title: Option<String>,
    pub message: Option<String>,
    /// Never empty.
    pub questions: Vec<Question>,
    /// How long the person has, not counting the time in which they are active.
    pub timeout: Option<Duration>,
    pub form: Option<Form>,
    /// What the dialect's `write` needs to find again; never shown.
    pub metadata: Value,
}

/// Who asks; always in sight.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caller {
    pub agent: String,
    pub session: Option<String>,
    pub cwd: Option<String>,
    /// Set when the question comes from another machine.
    pub host: Option<String>,
    pub pid: Option<u32>,
    pub program: Option<String>,
}

/// The JSON Schema that all answers together must satisfy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "of", content = "schema", rename_all = "snake_case")]
pub enum Form {
    /// An object with a member for each question, by the question's id.
    Object(Value),
    /// The value of the only question.
    Value(Value),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Unique in the dialog.
    pub id: String,
    /// The short name on the tab, as it was sent.
    pub header: Option<String>,
    pub text: String,
    pub details: Option<String>,
    pub kind: Kind,
    pub required: bool,
    pub notes: bool,
    pub schema: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Kind {
    /// `default` is where the cursor starts; it is never an answer by itself.
    Single {
        options: Vec<Choice>,
        other: bool,
        default: Option<usize>,
    },
    Multi {
        options: Vec<Choice>,
        other: bool,
        default: Option<usize>,
    },
    /// `default` stands in the box when the dialog opens.
    Text {
        multiline: bool,
        placeholder: Option<String>,
        default: Option<String>,
    },
    Confirm {
        yes: Option<String>,
        no: Option<String>,
        default: Option<bool>,
    },
    Number {
        integer: bool,
        default: Option<Number>,
    },
    Boolean {
        default: Option<bool>,
    },
    Json {
        default: Option<Value>,
    },
    Secret,
}

/// An option of a question. Its label goes back exactly as it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub label: String,
    pub description: Option<String>,
    pub preview: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Value>,
    pub recommended: bool,
}

/// Tells a value that is null from one that is absent, which serde by itself does not.
pub(crate) fn present<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl Dialog {
    /// Reports all problems at once, each with its path and limit.
    pub fn check(
        payload: Payload,
        rules: &Rules,
        id: String,
        dialect: &str,
        caller: Caller,
    ) -> Result<Self, Vec<Problem>> {
        let mut problems = payload.problems;
        // A list that could not be read at all is among the problems already.
        if problems.is_empty() || payload.questions_at.is_some() {
            let at = payload.questions_at.unwrap_or_default();
            count(&mut problems, at, "questions", payload.question_count, &rules.questions);
        }
        unique_texts(&mut problems, rules, &payload.questions);
        if let Some(form) = &payload.form {
            let (Form::Object(schema) | Form::Value(schema)) = form;
            compiles(&mut problems, "schema", schema);
        }
        let questions = payload
            .questions
            .into_iter()
            .enumerate()
            .filter_map(|(index, question)| check_question(&mut problems, rules, index, question))
            .collect();
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
            form: payload.form,
            metadata: payload.metadata,
        })
    }
}

impl Question {
    /// The options of a single or multiple choice.
    pub fn options(&self) -> &[Choice] {
        match &self.kind {
            Kind::Single { options, .. } | Kind::Multi { options, .. } => options,
            _ => &[],
        }
    }

    pub fn is_multi(&self) -> bool {
        matches!(self.kind, Kind::Multi { .. })
    }

    /// The labels that were chosen, as they were sent, in the order of the options.
    pub fn labels<'a>(&'a self, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
        answer
            .selected
            .iter()
            .filter_map(|&index| self.options().get(index))
            .map(|option| option.label.as_str())
    }

    /// The labels that were chosen, and the free text in place of a label.
    pub fn labels_and_other<'a>(&'a self, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
        self.labels(answer).chain(answer.other.as_deref())
    }

    /// The answer as a JSON value; `None` if the question was left open.
    pub fn value(&self, answer: &Answer) -> Option<Value> {
        let mut chosen = answer
            .selected
            .iter()
            .filter_map(|&index| self.options().get(index))
            .map(|option| option.value.clone().unwrap_or_else(|| option.label.clone().into()))
            .chain(answer.other.clone().map(Value::from));
        match self.kind {
            Kind::Single { .. } => chosen.next(),
            Kind::Multi { .. } if answer.skipped => None,
            Kind::Multi { .. } => Some(chosen.collect()),
            _ => answer.value.clone(),
        }
    }
}

impl Choice {
    /// The label without its "(Recommended)", which the badge says.
    pub fn shown(&self) -> &str {
        recommendation(&self.label).unwrap_or(&self.label)
    }
}

/// The label without the mark by which agents recommend an option, if it has one.
fn recommendation(label: &str) -> Option<&str> {
    const MARKS: [&str; 6] = [
        "(recommended)",
        "(recomendado)",
        "(recomendada)",
        "(推荐)",
        "（推荐）",
        "（recommended）",
    ];
    let label = label.trim_end();
    let bare = MARKS.iter().find_map(|mark| {
        let start = label.len().checked_sub(mark.len())?;
        let tail = label.get(start..)?;
        tail.eq_ignore_ascii_case(mark).then(|| label[..start].trim_end())
    })?;
    (!bare.is_empty()).then_some(bare)
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
        problems.push(Problem::new(
            question.text_at,
            Fault::Rule("empty, expected a text that can be read".into()),
        ));
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
        PayloadKind::Text { multiline, placeholder, default } => {
            Kind::Text { multiline, placeholder, default }
        }
        PayloadKind::Confirm { yes, no, default } => Kind::Confirm { yes, no, default },
        PayloadKind::Number { integer, default } => Kind::Number { integer, default },
        PayloadKind::Boolean { default } => Kind::Boolean { default },
        PayloadKind::Json { default } => Kind::Json { default },
        PayloadKind::Secret => Kind::Secret,
    };
    Some(Question {
        id,
        header: question.header,
        text: question.text?,
        details: question.details,
        kind,
        required: question.required,
        notes: question.notes,
        schema: question.schema,
    })
}

fn check_options(
    problems: &mut Vec<Problem>,
    rules: &Rules,
    options: Vec<PayloadOption>,
) -> Vec<Choice> {
    let mut seen = HashSet::new();
    let mut choices = Vec::new();
    for option in options {
        if let Some(description) = &option.description {
            length(problems, option.description_at, description, &rules.description);
        }
        let Some(label) = option.label else { continue };
        let at = option.label_at;
        // What looks the same to the person must not mean two things.
        let shown = text::clean(&label).trim().to_owned();
        if shown.is_empty() {
            problems.push(Problem::new(
                at,
                Fault::Rule("empty, expected a text that can be read".into()),
            ));
        } else {
            length(problems, at.clone(), &label, &rules.label);
            if !seen.insert(shown.clone()) {
                problems.push(Problem::new(at, Fault::Duplicate { value: shown }));
            }
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
    allowed: &std::ops::RangeInclusive<usize>,
) {
    if !allowed.contains(&found) {
        problems.push(Problem::new(path, Fault::Count { noun, found, allowed: allowed.clone() }));
    }
}

/// Lengths count characters: a Chinese header of twelve is as good as an English one.
fn length(
    problems: &mut Vec<Problem>,
    path: String,
    value: &str,
    allowed: &std::ops::RangeInclusive<usize>,
) {
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
