//! Free text beside a choice: many forms ask for it in a field of its own, `X_custom` or `X_other`
//! for an own answer and `X_note` for a note, beside the choice `X`. Here they become the Other box
//! and the note of `X`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::form::is_required;
use crate::{
    dialog::Question,
    outcome::Answer,
    payload::{PayloadKind, PayloadQuestion},
};

/// The fields of a form in which the parts of an answer go back.
#[derive(Serialize, Deserialize)]
pub(super) struct AnswerFields {
    name: String,
    other: Option<String>,
    note: Option<String>,
}

/// The names for own answers; the first is how we would name one.
const OTHER: [&str; 2] = ["_custom", "_other"];
const NOTE: [&str; 1] = ["_note"];

impl AnswerFields {
    /// The fields for a question that did not come from a form.
    pub(super) fn of(question: &Question) -> Self {
        let field = |ending| Some(format!("{}{ending}", question.id));
        Self { name: question.id.clone(), other: field(OTHER[0]), note: field(NOTE[0]) }
    }

    /// Puts what was given into its fields. What was not given is absent.
    pub(super) fn put(
        &self,
        content: &mut Map<String, Value>,
        question: &Question,
        answer: &Answer,
    ) {
        let chosen = Answer { other: None, ..answer.clone() };
        if chosen.is_given()
            && let Some(value) = question.value(&chosen)
        {
            content.insert(self.name.clone(), value);
        }
        for (field, text) in [(&self.other, &answer.other), (&self.note, &answer.note)] {
            if let (Some(field), Some(text)) = (field, text) {
                content.insert(field.clone(), text.clone().into());
            }
        }
    }
}

/// Takes those fields out of the questions, and out of the schema that checks the answers. Each
/// question that stays has its fields named.
pub(super) fn fold(
    schema: &mut Value,
    questions: Vec<PayloadQuestion>,
) -> Vec<(PayloadQuestion, AnswerFields)> {
    let mut folded: Vec<_> =
        questions.into_iter().map(|question| with_companions(schema, question)).collect();
    let taken: Vec<String> = folded
        .iter()
        .flat_map(|(_, parts)| [&parts.other, &parts.note])
        .flatten()
        .cloned()
        .collect();
    folded.retain(|(_, parts)| !taken.contains(&parts.name));
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| !taken.contains(name));
    }
    folded
}

fn with_companions(
    schema: &mut Value,
    mut question: PayloadQuestion,
) -> (PayloadQuestion, AnswerFields) {
    let name = question.id.clone().unwrap_or_default();
    let mut parts = AnswerFields { name, other: None, note: None };
    if let PayloadKind::Choice { other, multi, .. } = &mut question.kind {
        parts.note = companion(schema, &parts.name, &NOTE);
        question.notes = parts.note.is_some();
        if let Some(limits) = limits_if_left_open(schema, &parts.name, *multi) {
            parts.other = companion(schema, &parts.name, &OTHER);
            *other = parts.other.is_some();
            if *other {
                // Own words are none of the options.
                schema["properties"][&parts.name] = limits.clone();
                question.schema = Some(limits);
            }
        }
    }
    (question, parts)
}

/// The field with one of these endings, if it takes any text and may be left out.
fn companion(schema: &Value, name: &str, endings: &[&str]) -> Option<String> {
    const OF_ANY_TEXT: [&str; 4] = ["type", "title", "description", "_meta"];
    let takes_any_text = |field: &String| {
        let field = schema["properties"].get(field).and_then(Value::as_object);
        field.is_some_and(|field| {
            field.get("type").is_some_and(|kind| kind == "string")
                && field.keys().all(|key| OF_ANY_TEXT.contains(&key.as_str()))
        })
    };
    let fields = endings.iter().map(|ending| format!("{name}{ending}"));
    fields.into_iter().find(|field| takes_any_text(field) && !is_required(schema, field))
}

/// What remains to be checked of a choice that may be answered in another field, if it may.
fn limits_if_left_open(schema: &Value, name: &str, multi: bool) -> Option<Value> {
    let choice = &schema["properties"][name];
    let least = choice.get("minItems").and_then(Value::as_u64).unwrap_or_default();
    if is_required(schema, name) || least > 0 || choice.get("$ref").is_some() {
        return None;
    }
    let mut limits = Map::new();
    if multi && let Some(most) = choice.get("maxItems") {
        limits.insert("maxItems".into(), most.clone());
    }
    Some(limits.into())
}
