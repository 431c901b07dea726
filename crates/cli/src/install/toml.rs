//! Changes a table of a TOML text in place: all other lines stay as they are.

use std::ops::Range;

use serde_json::{Map, Value};
use thiserror::Error;
use toml_edit::{Document, Item, Key, Table};

use super::{lines, splice};

#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum TomlError {
    #[error("{0}")]
    Broken(String),
    #[error("`{0}` is not written as a section of its own, `[{0}]`")]
    Shape(String),
}

/// What the table has, as far as JSON can say it.
pub(super) fn read(text: &str, path: [&str; 2]) -> Result<Option<Map<String, Value>>, TomlError> {
    let document = parse(text)?;
    let table = find(&document, path).and_then(Item::as_table_like);
    Ok(table.map(|table| {
        table.iter().map(|(key, item)| (key.to_owned(), json(item))).collect::<Map<_, _>>()
    }))
}

/// Sets the fields of the table, which is added at the end of the text if it is not there.
pub(super) fn put(
    text: &str,
    path: [&str; 2],
    fields: &Map<String, Value>,
) -> Result<String, TomlError> {
    let document = parse(text)?;
    let name = path.join(".");
    let newline = lines::newline(text);
    let line = |(key, value): (&String, &Value)| format!("{key} = {}", literal(value));
    let Some(item) = find(&document, path) else {
        if document.get(path[0]).is_some_and(|parent| !parent.is_table()) {
            return Err(TomlError::Shape(path[0].into()));
        }
        let table = std::iter::once(format!("[{name}]")).chain(fields.iter().map(line));
        return Ok(lines::append(text, &table.collect::<Vec<_>>().join(newline)));
    };
    let table = item.as_table().filter(|table| !table.is_dotted() && !table.is_implicit());
    let (Some(table), Some(header)) = (table, item.span()) else {
        return Err(TomlError::Shape(name));
    };
    let mut edits = Vec::new();
    let mut end = lines::end(text, header.end);
    for (key, value) in fields {
        match table.get(key) {
            Some(found) if json(found) == *value => {}
            Some(found) => {
                let span = found.span().ok_or_else(|| TomlError::Shape(format!("{name}.{key}")))?;
                edits.push((span, literal(value)));
            }
            None => edits.push((end..end, format!("{newline}{}", line((key, value))))),
        }
        if let Some(span) = table.get(key).and_then(Item::span) {
            end = end.max(lines::end(text, span.end));
        }
    }
    Ok(splice(text, edits))
}

/// Removes the table and all below it, if it is there.
pub(super) fn take(text: &str, path: [&str; 2]) -> Result<String, TomlError> {
    let document = parse(text)?;
    let Some(item) = find(&document, path) else { return Ok(text.into()) };
    let mut blocks = Vec::new();
    if let Item::Table(table) = item {
        collect(text, table, &mut blocks);
    } else {
        let parent = document.get(path[0]).and_then(Item::as_table);
        let key = parent.and_then(|parent| parent.key(path[1])).and_then(Key::span);
        let (Some(key), Some(value)) = (key, item.span()) else {
            return Err(TomlError::Shape(path.join(".")));
        };
        blocks.push(lines::around(text, key.start..value.end));
    }
    let edits = blocks.into_iter().map(|block| (with_gap(text, block), String::new()));
    let taken = splice(text, edits.collect());
    let has_end = text.ends_with('\n');
    Ok(if has_end { taken } else { taken.trim_end_matches(['\r', '\n']).into() })
}

fn parse(text: &str) -> Result<Document<&str>, TomlError> {
    Document::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
        TomlError::Broken(format!("{} in line {line}", error.message().replace('\n', ", ")))
    })
}

fn find<'a>(document: &'a Document<&str>, [parent, name]: [&str; 2]) -> Option<&'a Item> {
    document.get(parent)?.as_table_like()?.get(name)
}

/// The lines of a table and of every table below it.
fn collect(text: &str, table: &Table, blocks: &mut Vec<Range<usize>>) {
    let values = values(table);
    if table.is_implicit() {
        blocks.extend(values.into_iter().map(|value| lines::around(text, value)));
    } else if let Some(header) = table.span() {
        let end = values.last().map_or(header.end, |value| value.end);
        blocks.push(lines::around(text, header.start..end));
    }
    for (_, item) in table {
        match item {
            Item::Table(below) if !below.is_dotted() => collect(text, below, blocks),
            Item::ArrayOfTables(tables) => {
                tables.iter().for_each(|below| collect(text, below, blocks));
            }
            _ => {}
        }
    }
}

/// The table's own values with their keys, dotted ones included, as they follow each other.
fn values(table: &Table) -> Vec<Range<usize>> {
    let of = |(key, item): (&str, &Item)| match item {
        Item::Table(below) if below.is_dotted() => values(below),
        Item::Value(value) => {
            let key = table.key(key).and_then(Key::span);
            key.zip(value.span()).map(|(key, value)| key.start..value.end).into_iter().collect()
        }
        _ => Vec::new(),
    };
    let mut values: Vec<_> = table.iter().flat_map(of).collect();
    values.sort_by_key(|value| value.start);
    values
}

/// A block goes with the empty line that sets it off.
fn with_gap(text: &str, block: Range<usize>) -> Range<usize> {
    let before = &text[..block.start];
    let gap = ["\r\n\r\n", "\n\n"].into_iter().find(|gap| before.ends_with(gap));
    match gap {
        Some(gap) => block.start - gap.len() / 2..block.end,
        None => block,
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => toml_edit::Value::from(text.as_str()).to_string(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

fn json(item: &Item) -> Value {
    match item.as_value() {
        Some(toml_edit::Value::String(text)) => text.value().as_str().into(),
        Some(toml_edit::Value::Integer(number)) => (*number.value()).into(),
        Some(toml_edit::Value::Boolean(truth)) => (*truth.value()).into(),
        Some(toml_edit::Value::Array(items)) => {
            items.iter().map(|item| json(&Item::Value(item.clone()))).collect()
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests;
