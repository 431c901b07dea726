//! Changes a JSON text in place: comments, order, indentation and all else stay as they are.
//!
//! Comments and trailing commas are read, since clients differ in what they allow; none is ever
//! added where there was none.

use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions, ParseResult, ast, parse_to_ast,
};
use serde_json::{Map, Value, json};
use thiserror::Error;

mod members;

use super::{lines, splice};
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

/// Sets the value at the path, and adds what is missing on the way. An object is put into the one
/// that is there: keys that only that one has are kept.
pub(super) fn put(text: &str, path: &[Step], value: &Value) -> Result<String, JsonError> {
    let tree = parse(text)?;
    let Some(node) = at(&tree, path) else {
        let Some((step, above)) = path.split_last() else {
            let newline = lines::newline(text);
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
            return Ok(format!("{text}{gap}{}{newline}", members::render(value, "  ", newline)));
        };
        return match (step, at(&tree, above)) {
            (Step::Key(key), None) => put(text, above, &json!({ key: value })),
            (Step::Key(key), Some(parent @ ast::Value::Object(_))) => {
                Ok(splice(text, Members::of(text, &tree, parent).insert(Some(key), value)))
            }
            _ => Err(shape(above, "an object")),
        };
    };
    match (value, find(&read(text)?, path)) {
        (Value::Object(fields), Some(Value::Object(_))) => {
            fields.iter().try_fold(text.to_owned(), |text, (key, value)| {
                put(&text, &[path, &[Step::Key(key.clone())]].concat(), value)
            })
        }
        (value, Some(there)) if value == there => Ok(text.into()),
        _ => Ok(splice(text, vec![members::replace(text, node, value)])),
    }
}

/// Appends a value to the list at the path.
pub(super) fn push(text: &str, path: &[Step], value: &Value) -> Result<String, JsonError> {
    let tree = parse(text)?;
    match at(&tree, path) {
        None => put(text, path, &json!([value])),
        Some(list @ ast::Value::Array(_)) => {
            Ok(splice(text, Members::of(text, &tree, list).insert(None, value)))
        }
        Some(_) => Err(shape(path, "an array")),
    }
}

/// Removes what is at the path, if it is there.
pub(super) fn take(text: &str, path: &[Step]) -> Result<String, JsonError> {
    let tree = parse(text)?;
    let removed = path.split_last().and_then(|(last, above)| {
        let parent = at(&tree, above)?;
        Some(Members::of(text, &tree, parent).remove(position(parent, last)?))
    });
    Ok(splice(text, removed.unwrap_or_default()))
}

/// Removes what is empty on the way, from the end of the path on, unless it was there `before`.
pub(super) fn prune(text: &str, path: &[Step], before: Option<&str>) -> Result<String, JsonError> {
    let before = before.and_then(|before| read(before).ok()).unwrap_or_default();
    let mut text = text.to_owned();
    for depth in (1..=path.len()).rev() {
        let path = &path[..depth];
        let is_empty = find(&read(&text)?, path).is_some_and(|value| {
            value.as_object().is_some_and(Map::is_empty)
                || value.as_array().is_some_and(Vec::is_empty)
        });
        if !is_empty || find(&before, path).is_some() {
            break;
        }
        text = take(&text, path)?;
    }
    Ok(text)
}

pub(super) fn on_one_line(value: &Value) -> String {
    members::render(value, "", " ")
}

fn parse(text: &str) -> Result<ParseResult<'_>, JsonError> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    parse_to_ast(text, &collect, &options()).map_err(|error| broken(&error))
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

fn at<'a, 'b>(tree: &'b ParseResult<'a>, path: &[Step]) -> Option<&'b ast::Value<'a>> {
    path.iter().try_fold(tree.value.as_ref()?, |node, step| {
        let index = position(node, step)?;
        match node {
            ast::Value::Object(object) => Some(&object.properties.get(index)?.value),
            ast::Value::Array(array) => array.elements.get(index),
            _ => None,
        }
    })
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

#[cfg(test)]
mod tests;
