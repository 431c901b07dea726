//! Makes questions of a JSON Schema: choices of an enum, a field for each property of an object,
//! and a box for checked JSON where nothing simpler fits.
//!
//! This only decides what the person sees. The schema itself checks the answer, so what is not
//! understood here is not lost. Nothing is ever fetched: only references inside the schema are
//! followed.

use serde_json::{Value, json};

use crate::{
    dialog::Kind,
    payload::{PayloadKind, PayloadOption, PayloadQuestion},
};

/// The question for a value of this schema; any text without one.
pub(super) fn whole(schema: Option<&Value>, text: Option<String>) -> PayloadQuestion {
    let any_text = json!({ "type": "string" });
    let root = schema.unwrap_or(&any_text);
    PayloadQuestion {
        path: String::new(),
        id: None,
        header: member(root, "title"),
        text,
        text_at: "question".into(),
        details: member(root, "description"),
        kind: kind(root, root, "schema"),
        required: true,
        notes: false,
        schema: schema.cloned(),
        schema_at: "schema".into(),
    }
}

/// The most properties that have a question each; a larger object is asked for as JSON.
const MOST_PROPERTIES: usize = 50;

/// A question for each property, if this is the schema of an object that names some.
pub(super) fn properties(root: &Value) -> Vec<PayloadQuestion> {
    let Some(properties) = root.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    if type_of(root) != Some("object") || properties.len() > MOST_PROPERTIES {
        return Vec::new();
    }
    let required = root.get("required").and_then(Value::as_array);
    let question = |(name, schema): (&String, &Value)| {
        let at = format!("schema.properties.{name}");
        let label = member(schema, "title").unwrap_or_else(|| name.clone());
        let description = member(schema, "description");
        PayloadQuestion {
            id: Some(name.clone()),
            text: Some(description.unwrap_or_else(|| label.clone())),
            header: Some(label),
            text_at: at.clone(),
            details: None,
            kind: kind(root, schema, &at),
            required: required.is_some_and(|names| names.iter().any(|required| required == name)),
            notes: false,
            schema: standalone(root, schema),
            schema_at: at.clone(),
            path: at,
        }
    };
    properties.iter().map(question).collect()
}

fn kind(root: &Value, schema: &Value, at: &str) -> PayloadKind {
    let schema = resolve(root, schema);
    let default = schema.get("default");
    if let Some(options) = options(schema, at) {
        let is_default = |option: &PayloadOption| match (&option.value, &option.label, default) {
            (None, Some(label), Some(Value::String(default))) => label == default,
            (value, _, default) => default.is_some() && value.as_ref() == default,
        };
        let default = options.iter().position(is_default);
        return choice(options, at, default, false);
    }
    match type_of(schema) {
        Some("string") if is_secret(schema) => PayloadKind::Plain(Kind::Secret),
        Some("string") => PayloadKind::Plain(Kind::Text {
            multiline: !is_short(schema),
            placeholder: schema.pointer("/examples/0").and_then(Value::as_str).map(Into::into),
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
                Some(options) => choice(options, &format!("{at}.items"), None, true),
                None => PayloadKind::Plain(Kind::Json { default: default.cloned() }),
            }
        }
        _ => PayloadKind::Plain(Kind::Json { default: default.cloned() }),
    }
}

fn choice(
    options: Vec<PayloadOption>,
    at: &str,
    default: Option<usize>,
    multi: bool,
) -> PayloadKind {
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

/// The values of an `enum`, or of a `oneOf` of constants, which may have titles.
fn options(schema: &Value, at: &str) -> Option<Vec<PayloadOption>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let mixed = !values.iter().all(Value::is_string);
        let option = |(index, value): (usize, &Value)| {
            // Beside the number 1, the text 1 has to show its quotes.
            let title =
                value.as_str().filter(|text| mixed && serde_json::from_str::<Value>(text).is_ok());
            option(value, title.map(|_| value.to_string()), None, format!("{at}.enum[{index}]"))
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
    match schema {
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| key.ends_with("Ref") || key == "$ref" || refers(value)),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

fn member(schema: &Value, name: &str) -> Option<String> {
    schema.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(Into::into)
}

/// The question, with the places in it told as those of a schema that stood here.
pub(super) fn moved(mut question: PayloadQuestion, at: &str) -> PayloadQuestion {
    let to = |place: &mut String| {
        if let Some(inside) = place.strip_prefix("schema") {
            *place = format!("{at}{inside}");
        }
    };
    to(&mut question.path);
    to(&mut question.text_at);
    to(&mut question.schema_at);
    if let PayloadKind::Choice { options, options_at, .. } = &mut question.kind {
        options_at.as_mut().map(to);
        for option in options {
            to(&mut option.label_at);
            to(&mut option.description_at);
        }
    }
    question
}
