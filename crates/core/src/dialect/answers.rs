//! What the written formats share: an answer as texts, and the endings that are no answer.

use serde_json::{Map, Value};

use crate::{
    dialog::{Dialog, Kind, Question},
    outcome::{Answer, Outcome},
};

/// The questions that were answered, with their place and answer.
pub(super) fn given<'a>(
    dialog: &'a Dialog,
    answers: &'a [Answer],
) -> impl Iterator<Item = (usize, &'a Question, &'a Answer)> {
    let pairs = dialog.questions.iter().zip(answers).enumerate();
    pairs
        .filter(|(_, (_, answer))| answer.is_given())
        .map(|(index, (question, answer))| (index, question, answer))
}

/// All questions, each with its answer if it got one.
pub(super) fn all<'a>(
    dialog: &'a Dialog,
    outcome: &'a Outcome,
) -> impl Iterator<Item = (&'a Question, Option<&'a Answer>)> {
    let answers = outcome.answers();
    dialog.questions.iter().enumerate().map(|(index, question)| (question, answers.get(index)))
}

/// All that was given for a question: the labels and the free text, or the value.
pub(super) fn texts(question: &Question, answer: &Answer) -> Vec<String> {
    let value = answer.value.as_ref().map(|value| text(question, value));
    question.labels_and_other(answer).map(str::to_owned).chain(value).collect()
}

/// What the person wrote or said instead of choosing an option.
pub(super) fn typed(question: &Question, answer: &Answer) -> Vec<String> {
    texts(question, &Answer { selected: Vec::new(), ..answer.clone() })
}

/// The preview of the option that was chosen.
pub(super) fn preview<'a>(question: &'a Question, answer: &Answer) -> Option<&'a str> {
    match (&question.kind, answer.selected.first()) {
        (Kind::Single { options, .. }, Some(&index)) => options.get(index)?.preview.as_deref(),
        _ => None,
    }
}

fn text(question: &Question, value: &Value) -> String {
    match (&question.kind, value) {
        (Kind::Confirm { yes, .. }, Value::Bool(true)) => {
            yes.clone().unwrap_or_else(|| "Yes".into())
        }
        (Kind::Confirm { no, .. }, Value::Bool(false)) => no.clone().unwrap_or_else(|| "No".into()),
        (Kind::Link { .. }, Value::Bool(yes)) => if *yes { "Yes" } else { "No" }.into(),
        (_, Value::String(text)) => text.clone(),
        (_, value) => value.to_string(),
    }
}

/// The short name by which a person or model recognises the question.
pub(super) fn name(question: &Question) -> &str {
    question.header.as_deref().unwrap_or(&question.text)
}

/// Puts a value under a key, or under a numbered one rather than over another value: a dialog of
/// another dialect may have two questions of the same name.
pub(super) fn insert(members: &mut Map<String, Value>, key: &str, value: Value) {
    let numbered = (2..).map(|number| format!("{key} ({number})"));
    let free =
        std::iter::once(key.to_owned()).chain(numbered).find(|key| !members.contains_key(key));
    if let Some(free) = free {
        members.insert(free, value);
    }
}

/// The notes by the questions' names, as a further member for formats that have no place for them:
/// their own dialogs take no notes, but those of another dialect may.
pub(super) fn add_notes(members: &mut Map<String, Value>, dialog: &Dialog, answers: &[Answer]) {
    let mut notes = Map::new();
    for (question, answer) in dialog.questions.iter().zip(answers) {
        if let Some(note) = &answer.note {
            insert(&mut notes, name(question), note.clone().into());
        }
    }
    if !notes.is_empty() {
        members.insert("notes".into(), notes.into());
    }
}

/// An ending that is no answer: its name under `key`, the person's words, and what they had given
/// by then. Nothing in it can be taken for an answer.
pub(super) fn ending(key: &str, outcome: &Outcome, partial: Value) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert(key.into(), outcome.name().into());
    match outcome {
        Outcome::Declined { reason: Some(reason), .. } => {
            members.insert("reason".into(), reason.clone().into());
        }
        Outcome::Clarify { text, .. } => {
            members.insert("text".into(), text.clone().into());
        }
        _ => {}
    }
    let has_partial = match &partial {
        Value::Object(partial) => !partial.is_empty(),
        Value::Array(partial) => !partial.is_empty(),
        partial => !partial.is_null(),
    };
    if has_partial {
        members.insert("partial".into(), partial);
    }
    members
}

/// An ending none of whose members has a question's name, for formats that have the answers by name
/// in its place: a form may well ask for a `status`.
pub(super) fn apart<'a, const N: usize>(
    ending: Map<String, Value>,
    dialog: &'a Dialog,
    names: impl Fn(&'a Question) -> [&'a str; N],
) -> Value {
    let asked: Vec<&str> = dialog.questions.iter().flat_map(names).collect();
    let rename = |mut key: String| {
        while asked.contains(&key.as_str()) {
            key.insert(0, '_');
        }
        key
    };
    ending.into_iter().map(|(key, value)| (rename(key), value)).collect::<Map<_, _>>().into()
}

/// The same for formats that know answers only: `error` tells a model what happened.
pub(super) fn failure(error: &str, outcome: &Outcome, partial: Value) -> Map<String, Value> {
    let mut members = Map::from_iter([("error".into(), error.into())]);
    members.extend(ending("status", outcome, partial));
    members
}

/// What happened instead of an answer, in a sentence that cannot be taken for one.
pub(super) fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered { .. } => "The user answered.".into(),
        Outcome::Declined { reason: Some(reason), .. } => {
            format!("The user declined to answer. Reason: {reason}")
        }
        Outcome::Declined { reason: None, .. } => "The user declined to answer.".into(),
        Outcome::Dismissed => "The user closed the window without answering.".into(),
        Outcome::TimedOut { .. } => "The user did not answer in time.".into(),
        Outcome::Withdrawn => "The question was withdrawn before the user answered.".into(),
        Outcome::Clarify { text, .. } => format!("The user did not answer but asks: {text}"),
    }
}

/// What a dialect's `read` kept for its `write`. Each dialect keeps things under its own name, since
/// the answer may go back in another one.
pub(super) fn kept<'a>(dialog: &'a Dialog, dialect: &str, field: &str) -> Option<&'a Value> {
    dialog.metadata.get(dialect)?.get(field)
}
