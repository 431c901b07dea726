//! Makes questions of a JSON Schema: choices of an enum, a field for each property of an object,
//! and a box for checked JSON where nothing simpler fits.
//!
//! This only decides what the person sees. The schema itself checks the answer, so what is not
//! understood here is not lost. Nothing is ever fetched: only references inside the schema are
//! followed.

use serde_json::{Map, Value, json};

use super::{answers, fields::Field};
use crate::{
    dialog::{Dialog, Form, Kind},
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion},
    problem::{self, Fault},
};

/// The question for a value of this schema; any text without one.
pub(super) fn whole(
    schema: Option<&Field>,
    text: Option<String>,
    text_at: String,
) -> PayloadQuestion {
    let any_text = json!({ "type": "string" });
    let root = schema.map_or(&any_text, |schema| schema.value);
    let at = schema.map(|schema| schema.at.clone()).unwrap_or_default();
    PayloadQuestion {
        path: String::new(),
        id: None,
        header: member(root, "title"),
        text,
        text_at,
        details: member(root, "description"),
        kind: kind(root, root, &at),
        required: true,
        notes: false,
        consent: false,
        schema: schema.map(|schema| schema.value.clone()),
        schema_at: at,
    }
}

/// Asks for a value of this schema, and for nothing else: for each property of an object by itself.
pub(super) fn ask(
    payload: &mut Payload,
    schema: Option<&Field>,
    text: Option<String>,
    text_at: String,
) {
    let schema =
        schema.filter(|schema| schema.value.as_object().is_some_and(|schema| !schema.is_empty()));
    let properties = schema.map(properties).unwrap_or_default();
    let root = schema.map(|schema| schema.value.clone());
    if properties.is_empty() {
        payload.questions_at = Some(String::new());
        payload.questions = vec![whole(schema, text, text_at)];
        payload.form = root.map(Form::Value);
    } else {
        payload.questions = properties;
        payload.message = text;
        payload.form = root.map(Form::Object);
    }
    if let Some(schema) = schema {
        payload.form_at.clone_from(&schema.at);
        if payload.questions_at.is_none() {
            payload.questions_at = Some(format!("{}.properties", schema.at));
        }
    }
    payload.question_count = payload.questions.len();
}

/// Takes every yes or no for one that lets something happen: a run waits for it.
pub(super) fn mark_consent(payload: &mut Payload) {
    for question in &mut payload.questions {
        question.consent |= matches!(question.kind, PayloadKind::Plain(Kind::Boolean { .. }));
    }
}

/// What was given in such a form: an object, or null if nothing was given to its only question.
pub(super) fn given(dialog: &Dialog, outcome: &Outcome) -> Value {
    let given = answers::given(dialog, outcome.answers());
    let mut by_id: Map<_, _> = given
        .filter_map(|(_, question, answer)| Some((question.id.clone(), question.value(answer)?)))
        .collect();
    match (&dialog.form, dialog.questions.as_slice()) {
        (Some(Form::Value(_)) | None, [question]) => by_id.remove(&question.id).unwrap_or_default(),
        _ => by_id.into(),
    }
}

/// The most properties that have a question each; a larger object is asked for as JSON.
const MOST_PROPERTIES: usize = 50;

/// A question for each property, if this is the schema of an object that names some.
pub(super) fn properties(schema: &Field) -> Vec<PayloadQuestion> {
    let root = schema.value;
    let Some(properties) = root.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    if type_of(root) != Some("object") || properties.len() > MOST_PROPERTIES {
        return Vec::new();
    }
    let question = |(name, property): (&String, &Value)| {
        let at = format!("{}.properties.{}", schema.at, problem::cut(name));
        let label = member(property, "title").unwrap_or_else(|| name.clone());
        let description = member(property, "description");
        PayloadQuestion {
            id: Some(name.clone()),
            text: Some(description.unwrap_or_else(|| label.clone())),
            header: Some(label),
            text_at: at.clone(),
            details: None,
            kind: kind(root, property, &at),
            required: is_required(root, name),
            notes: false,
            consent: false,
            schema: standalone(root, property),
            schema_at: at.clone(),
            path: at,
        }
    };
    if !properties.is_empty() {
        refuse_unknown_required(schema);
    }
    properties.iter().map(question).collect()
}

/// A field that must be there and cannot be given would make every answer wrong.
pub(super) fn refuse_unknown_required(schema: &Field) {
    let required = schema.value.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if schema.value["properties"].get(name).is_none() {
            let at = format!("{}.required", schema.at);
            let fault = Fault::Rule(format!("`{name}` is not one of the properties"));
            schema.findings.refuse(at, fault);
        }
    }
}

/// Whether the object must have this property.
pub(super) fn is_required(root: &Value, name: &str) -> bool {
    let required = root.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|required| required == name))
}

fn kind(root: &Value, schema: &Value, at: &str) -> PayloadKind {
    let schema = resolve(root, schema);
    let default = schema.get("default");
    if let Some(options) = options(schema, at) {
        return choice(options, at, default, false);
    }
    match type_of(schema) {
        Some("string") if is_secret(schema) => PayloadKind::Plain(Kind::Secret),
        Some("string") => PayloadKind::Plain(Kind::Text {
            multiline: !is_short(schema),
            placeholder: example(schema),
            default: member(schema, "default"),
        }),
        Some(name @ ("number" | "integer")) => PayloadKind::Plain(Kind::Number {
            integer: name == "integer",
            default: default.and_then(Value::as_number).cloned(),
        }),
        Some("boolean") => {
            PayloadKind::Plain(Kind::Boolean { default: default.and_then(Value::as_bool) })
        }
        Some("array") => {
            let items = schema.get("items").map(|items| resolve(root, items));
            match items.and_then(|items| options(items, &format!("{at}.items"))) {
                // Of several defaults the first is where the cursor starts.
                Some(options) => {
                    let default = default.and_then(|defaults| defaults.get(0));
                    choice(options, &format!("{at}.items"), default, true)
                }
                None => PayloadKind::Plain(Kind::Json { default: default.cloned() }),
            }
        }
        _ => PayloadKind::Plain(Kind::Json { default: default.cloned() }),
    }
}

fn choice(
    options: Vec<PayloadOption>,
    at: &str,
    default: Option<&Value>,
    multi: bool,
) -> PayloadKind {
    let is_default = |option: &PayloadOption| match (&option.value, &option.label, default) {
        (None, Some(label), Some(Value::String(default))) => label == default,
        (value, _, default) => default.is_some() && value.as_ref() == default,
    };
    let default = options.iter().position(is_default);
    let option_count = options.len();
    PayloadKind::Choice {
        options,
        options_at: Some(at.into()),
        option_count,
        multi,
        other: false,
        default,
    }
}

/// The values of an `enum`, which may have names beside it, or of a `oneOf` of constants, which may
/// have titles.
fn options(schema: &Value, at: &str) -> Option<Vec<PayloadOption>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let mixed = !values.iter().all(Value::is_string);
        let name = |index| schema.get("enumNames")?.get(index)?.as_str().map(str::to_owned);
        let option = |(index, value): (usize, &Value)| {
            // Beside the number 1, the text 1 has to show its quotes.
            let quoted =
                value.as_str().filter(|text| mixed && serde_json::from_str::<Value>(text).is_ok());
            let title = name(index).or_else(|| quoted.map(|_| value.to_string()));
            option(value, title, None, format!("{at}.enum[{index}]"))
        };
        return Some(values.iter().enumerate().map(option).collect());
    }
    let (key, branches) =
        ["oneOf", "anyOf"].iter().find_map(|key| Some((key, schema.get(key)?.as_array()?)))?;
    let option = |(index, branch): (usize, &Value)| {
        let at = format!("{at}.{key}[{index}]");
        Some(option(
            branch.get("const")?,
            member(branch, "title"),
            member(branch, "description"),
            at,
        ))
    };
    branches.iter().enumerate().map(option).collect()
}

fn option(
    value: &Value,
    title: Option<String>,
    description: Option<String>,
    at: String,
) -> PayloadOption {
    let label = title.unwrap_or_else(|| match value {
        Value::String(text) if !text.trim().is_empty() => text.clone(),
        value => value.to_string(),
    });
    PayloadOption {
        value: (*value != label).then(|| value.clone()),
        label: Some(label),
        label_at: at.clone(),
        description,
        description_at: at,
        ..PayloadOption::default()
    }
}

/// What an answer could look like, to be shown in the empty box.
fn example(schema: &Value) -> Option<String> {
    let of_format = |schema: &Value| match schema.get("format")?.as_str()? {
        "email" => Some("name@example.com"),
        "uri" => Some("https://example.com"),
        "date" => Some("2026-12-31"),
        "date-time" => Some("2026-12-31T18:30:00Z"),
        _ => None,
    };
    let given = schema.pointer("/examples/0").and_then(Value::as_str);
    given.or_else(|| of_format(schema)).map(Into::into)
}

/// The schema's one type, apart from null.
fn type_of(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => match names
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| *name != "null")
            .collect::<Vec<_>>()[..]
        {
            [name] => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a text fits on one line.
fn is_short(schema: &Value) -> bool {
    const LINE: u64 = 100;
    schema.get("maxLength").and_then(Value::as_u64).is_some_and(|max| max <= LINE)
        || schema.get("pattern").is_some()
        || schema.get("format").is_some()
}

fn is_secret(schema: &Value) -> bool {
    schema.get("format").is_some_and(|format| format == "password")
        || schema.get("writeOnly").is_some_and(|only| only == true)
}

/// What a reference inside the schema leads to.
fn resolve<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    // References may go round in a circle.
    const STEPS: usize = 8;
    for _ in 0..STEPS {
        let target =
            schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
        match target.and_then(|pointer| root.pointer(pointer)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// A property's schema, if it means the same outside of the whole. Where it refers to something,
/// only the whole can check it.
fn standalone(root: &Value, schema: &Value) -> Option<Value> {
    if refers(schema) {
        return None;
    }
    let mut schema = schema.clone();
    if let (Some(object), Some(version)) = (schema.as_object_mut(), root.get("$schema")) {
        object.insert("$schema".into(), version.clone());
    }
    Some(schema)
}

pub(super) fn refers(schema: &Value) -> bool {
    const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
    match schema {
        Value::Object(members) => {
            members.iter().any(|(key, value)| REFERENCES.contains(&key.as_str()) || refers(value))
        }
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

fn member(schema: &Value, name: &str) -> Option<String> {
    schema.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_may_be_named_like_a_reference() {
        let property = json!({ "properties": { "gitRef": { "type": "string" } } });
        assert!(!refers(&property));
        assert!(refers(&json!({ "items": [{ "$dynamicRef": "#meta" }] })));
    }
}
