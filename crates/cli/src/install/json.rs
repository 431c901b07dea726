//! Changes a JSON text in place: comments, order, indentation and all else stay as they are.
//!
//! Comments and trailing commas are read, since clients differ in what they allow; none is ever
//! added where there was none.

use jsonc_parser::{CollectOptions, ParseOptions, ast, common::Ranged, parse_to_ast};
use serde_json::{Map, Value};
use thiserror::Error;

mod layout;
mod members;

use super::splice;
use layout::Layout;
use members::Members;

/// One step on the way from the root to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Item(usize),
}

#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum JsonError {
    #[error("{what} in line {line}")]
    Broken { what: String, line: usize },
    #[error("{place} is not {expected}")]
    Shape { place: String, expected: &'static str },
}

pub(super) fn keys(keys: &[&str]) -> Vec<Step> {
    keys.iter().map(|key| Step::Key((*key).into())).collect()
}

/// The whole value; `null` if the text has none.
pub(super) fn read(text: &str) -> Result<Value, JsonError> {
    jsonc_parser::parse_to_serde_value(text, &options()).map_err(|error| broken(&error))
}

pub(super) fn find<'a>(root: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().try_fold(root, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Item(index) => value.get(index),
    })
}

/// Sets the value at the path. An object is put into the one that is there: keys that only that
/// one has are kept.
pub(super) fn put(text: &str, path: &[Step], value: &Value) -> Result<String, JsonError> {
    let text = with_root(text)?;
    if let (Value::Object(fields), Some(Value::Object(_))) = (value, find(&read(&text)?, path)) {
        return fields.iter().try_fold(text, |text, (key, value)| {
            let path = [path, &[Step::Key(key.clone())]].concat();
            put(&text, &path, value)
        });
    }
    let tree = parse(&text)?;
    let mut node = tree.as_ref();
    for (depth, step) in path.iter().enumerate() {
        match node.and_then(|node| child(node, step)) {
            Some(next) => node = Some(next),
            None => return add(&text, node, &path[..depth], &path[depth..], value),
        }
    }
    match node {
        Some(node) if find(&read(&text)?, path) != Some(value) => {
            let layout = Layout::of(&text, node.start());
            Ok(splice(&text, vec![(node.start()..node.end(), layout.render(value))]))
        }
        _ => Ok(text),
    }
}

/// Appends a value to the list at the path.
pub(super) fn push(text: &str, path: &[Step], value: &Value) -> Result<String, JsonError> {
    let text = with_root(text)?;
    let tree = parse(&text)?;
    match at(tree.as_ref(), path) {
        None => put(&text, path, &Value::Array(vec![value.clone()])),
        Some(ast::Value::Array(array)) => {
            Ok(splice(&text, Members::of_array(&text, array).insert(None, value)))
        }
        Some(_) => Err(shape(path, "an array")),
    }
}

/// Removes what is at the path, if it is there.
pub(super) fn take(text: &str, path: &[Step]) -> Result<String, JsonError> {
    let tree = parse(text)?;
    let Some((last, parents)) = path.split_last() else { return Ok(text.into()) };
    let removed = at(tree.as_ref(), parents)
        .and_then(|parent| Some((members(text, parent)?, position(parent, last)?)))
        .map(|(members, index)| members.remove(index));
    Ok(removed.map_or_else(|| text.into(), |edits| splice(text, edits)))
}

/// Removes what is empty on the way, from the end of the path on, unless it was there `before`.
pub(super) fn prune(text: &str, path: &[Step], before: Option<&str>) -> Result<String, JsonError> {
    let before = before.and_then(|before| read(before).ok()).unwrap_or_default();
    let mut text = text.to_owned();
    for depth in (1..=path.len()).rev() {
        let path = &path[..depth];
        let is_empty = match find(&read(&text)?, path) {
            Some(Value::Object(fields)) => fields.is_empty(),
            Some(Value::Array(items)) => items.is_empty(),
            _ => false,
        };
        if !is_empty || find(&before, path).is_some() {
            break;
        }
        text = take(&text, path)?;
    }
    Ok(text)
}

/// A text without any value gets an empty object.
fn with_root(text: &str) -> Result<String, JsonError> {
    if parse(text)?.is_some() {
        return Ok(text.into());
    }
    let newline = Layout::of(text, 0).newline;
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    Ok(format!("{text}{gap}{{}}{newline}"))
}

/// Adds what is missing on the way to a value, and the value.
fn add(
    text: &str,
    parent: Option<&ast::Value>,
    above: &[Step],
    missing: &[Step],
    value: &Value,
) -> Result<String, JsonError> {
    let (Some(ast::Value::Object(object)), Some(Step::Key(key))) = (parent, missing.first()) else {
        return Err(shape(above, "an object"));
    };
    let value = missing[1..].iter().rev().fold(value.clone(), |value, step| match step {
        Step::Key(key) => Value::Object(Map::from_iter([(key.clone(), value)])),
        Step::Item(_) => Value::Array(vec![value]),
    });
    Ok(splice(text, Members::of_object(text, object).insert(Some(key), &value)))
}

fn parse(text: &str) -> Result<Option<ast::Value<'_>>, JsonError> {
    parse_to_ast(text, &CollectOptions::default(), &options())
        .map(|result| result.value)
        .map_err(|error| broken(&error))
}

fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn broken(error: &jsonc_parser::errors::ParseError) -> JsonError {
    JsonError::Broken { what: error.kind().to_string().to_lowercase(), line: error.line_display() }
}

fn shape(path: &[Step], expected: &'static str) -> JsonError {
    let steps = path.iter().map(|step| match step {
        Step::Key(key) => format!(".{key}"),
        Step::Item(index) => format!("[{index}]"),
    });
    let place = match steps.collect::<String>().strip_prefix('.') {
        Some(place) => format!("`{place}`"),
        None => "the file".into(),
    };
    JsonError::Shape { place, expected }
}

fn at<'a, 'b>(root: Option<&'b ast::Value<'a>>, path: &[Step]) -> Option<&'b ast::Value<'a>> {
    path.iter().try_fold(root?, |node, step| child(node, step))
}

fn child<'a, 'b>(node: &'b ast::Value<'a>, step: &Step) -> Option<&'b ast::Value<'a>> {
    let index = position(node, step)?;
    match node {
        ast::Value::Object(object) => object.properties.get(index).map(|property| &property.value),
        ast::Value::Array(array) => array.elements.get(index),
        _ => None,
    }
}

/// Of a key that is there twice, clients take the last.
fn position(node: &ast::Value, step: &Step) -> Option<usize> {
    match (node, step) {
        (ast::Value::Object(object), Step::Key(key)) => {
            object.properties.iter().rposition(|property| property.name.as_str() == key)
        }
        (ast::Value::Array(array), Step::Item(index)) => {
            (*index < array.elements.len()).then_some(*index)
        }
        _ => None,
    }
}

fn members<'a>(text: &'a str, node: &ast::Value) -> Option<Members<'a>> {
    match node {
        ast::Value::Object(object) => Some(Members::of_object(text, object)),
        ast::Value::Array(array) => Some(Members::of_array(text, array)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
