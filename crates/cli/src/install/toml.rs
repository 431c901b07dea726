//! Changes a table of a TOML text in place: all other lines stay as they are.
//!
//! `toml_edit` would end every line in the same way, and drop the comments above what it removes.
//! So the parser only says where everything is.

use std::{iter, ops::Range};

use serde_json::{Map, Value};
use thiserror::Error;
use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue, Error},
};

use super::{json::on_one_line, lines, splice};

#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum TomlError {
    #[error("{0}")]
    Broken(String),
    #[error("`{0}` is not written as a section of its own, `[{0}]`")]
    Shape(String),
}

/// What the table has, as far as JSON can say it.
pub(super) fn read(text: &str, [parent, name]: [&str; 2]) -> Result<Option<Value>, TomlError> {
    let root: Value = toml::from_str(text).map_err(|error| broken(text, &error))?;
    Ok(root.get(parent).and_then(|parent| parent.get(name)).cloned())
}

/// Sets the fields of the table, which is added at the end of the text if it is not there.
pub(super) fn put(
    text: &str,
    path: [&str; 2],
    fields: &Map<String, Value>,
) -> Result<String, TomlError> {
    let newline = lines::newline(text);
    let line = |(key, value): (&String, &Value)| format!("{newline}{key} = {}", on_one_line(value));
    let name = path.join(".");
    let Some(there) = read(text, path)? else {
        let table = format!("[{name}]{}", fields.iter().map(line).collect::<String>());
        let with = lines::append(text, &table);
        return read(&with, path).map(|_| with).map_err(|_| TomlError::Shape(path[0].into()));
    };
    let root = parse(text)?;
    let shape = || TomlError::Shape(name.clone());
    let (_, item) =
        find(&root, path).filter(|(_, item)| is_section(text, item)).ok_or_else(shape)?;
    let mut edits = Vec::new();
    let mut end = lines::end(text, item.span().end);
    for (key, value) in fields {
        let found = item.get_ref().get(key.as_str()).map(Spanned::span);
        match &found {
            Some(_) if there.get(key) == Some(value) => {}
            Some(span) => edits.push((span.clone(), on_one_line(value))),
            None => edits.push((end..end, line((key, value)))),
        }
        end = found.map_or(end, |span| end.max(lines::end(text, span.end)));
    }
    let with = splice(text, edits);
    read(&with, path).map(|_| with).map_err(|_| shape())
}

/// Removes the table and all below it, if it is there.
pub(super) fn take(text: &str, path: [&str; 2]) -> Result<String, TomlError> {
    let root = parse(text)?;
    let Some((key, item)) = find(&root, path) else { return Ok(text.into()) };
    let mut blocks = Vec::new();
    let values = collect(text, key.span(), item, &mut blocks);
    blocks.extend(values);
    let gone = |block| (with_gap(text, lines::around(text, block)), String::new());
    let edits = blocks.into_iter().map(gone);
    let taken = splice(text, edits.collect());
    let has_end = text.ends_with('\n');
    Ok(if has_end { taken } else { taken.trim_end_matches(['\r', '\n']).into() })
}

fn parse(text: &str) -> Result<DeTable<'_>, TomlError> {
    DeTable::parse(text).map(Spanned::into_inner).map_err(|error| broken(text, &error))
}

fn broken(text: &str, error: &Error) -> TomlError {
    let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
    TomlError::Broken(format!("{} in line {line}", error.message().replace('\n', ", ")))
}

/// The table, and its name where it is first written.
fn find<'a, 'b>(
    root: &'b DeTable<'a>,
    [parent, name]: [&str; 2],
) -> Option<(&'b Spanned<DeString<'a>>, &'b Spanned<DeValue<'a>>)> {
    root.get(parent)?.get_ref().as_table()?.get_key_value(name)
}

/// Whether it is a table with a header, which is then its place.
fn is_section(text: &str, item: &Spanned<DeValue>) -> bool {
    item.get_ref().is_table() && text[item.span()].starts_with('[')
}

/// Collects the sections of an item and of all below it. Returns its values that are in none of them.
fn collect(
    text: &str,
    key: Range<usize>,
    item: &Spanned<DeValue>,
    sections: &mut Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let place = item.span();
    let values: Vec<_> = match item.get_ref() {
        DeValue::Table(table) if !text[place.clone()].starts_with('{') => {
            let below = |(key, item): (&Spanned<_>, _)| collect(text, key.span(), item, sections);
            table.iter().flat_map(below).collect()
        }
        DeValue::Array(items) if items.iter().any(|item| is_section(text, item)) => {
            items.iter().flat_map(|item| collect(text, key.clone(), item, sections)).collect()
        }
        _ => return iter::once(key.start..place.end).collect(),
    };
    if !is_section(text, item) {
        return values;
    }
    let end = values.iter().map(|value| value.end).max().unwrap_or(place.end);
    sections.push(place.start..end);
    Vec::new()
}

/// A block goes with the empty line that sets it off.
fn with_gap(text: &str, block: Range<usize>) -> Range<usize> {
    let before = &text[..block.start];
    let gap = ["\r\n\r\n", "\n\n"].into_iter().find(|gap| before.ends_with(gap));
    block.start - gap.map_or(0, |gap| gap.len() / 2)..block.end
}

#[cfg(test)]
mod tests;
