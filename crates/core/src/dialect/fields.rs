//! Reads JSON field by field, for all dialects.
//!
//! A wrong type or a missing field becomes a problem with its path in the sender's JSON, and reading
//! continues, so that one pass finds everything. Unknown fields are reported, too: nothing that was
//! sent is dropped silently.

use std::cell::RefCell;

use serde_json::{Map, Number, Value};

use crate::{
    dialog::{
        Wording,
        schema::{Allowance, Budget, Schema, Unfit},
    },
    payload::Payload,
    problem::{self, Fault, Problem},
    words::Language,
};

/// What was found while reading. Shared by all fields of a payload, hence the cells; no borrow
/// outlives a push.
#[derive(Default)]
pub(super) struct Findings {
    problems: RefCell<Vec<Problem>>,
    advice: RefCell<Vec<Problem>>,
    wordings: RefCell<Vec<Wording>>,
    allowance: RefCell<(Allowance, Budget)>,
}

impl Findings {
    pub(super) fn refuse(&self, at: impl Into<String>, fault: Fault) {
        self.problems.borrow_mut().push(Problem::new(at, fault));
    }

    pub(super) fn advise(&self, at: impl Into<String>, fault: Fault) {
        self.advice.borrow_mut().push(Problem::new(at, fault));
    }

    /// A text of ours for the person, in English; where it is drawn it is said in their language.
    pub(super) fn say<const N: usize>(&self, word: &str, values: [(&str, String); N]) -> String {
        self.word(Wording::new(word, values))
    }

    pub(super) fn word(&self, wording: Wording) -> String {
        let said = wording.say(Language::ENGLISH.words());
        let mut wordings = self.wordings.borrow_mut();
        if !wordings.contains(&wording) {
            wordings.push(wording);
        }
        said
    }

    /// Whether the value fails the schema. One that cannot be asked is refused later.
    pub(super) fn is_wrong(&self, schema: &Value, value: &Value) -> bool {
        let (allowance, budget) = &mut *self.allowance.borrow_mut();
        let Ok(schema) = Schema::new(schema, allowance) else { return false };
        matches!(schema.check(value, budget), Err(Unfit::Wrong(_)))
    }

    pub(super) fn put_into(self, payload: Payload) -> Payload {
        Payload {
            problems: self.problems.into_inner(),
            advice: problem::first(self.advice.into_inner()),
            wordings: self.wordings.into_inner(),
            ..payload
        }
    }
}

/// A value and its path.
#[derive(Clone)]
pub(super) struct Field<'a> {
    pub(super) at: String,
    pub(super) value: &'a Value,
    pub(super) findings: &'a Findings,
}

impl<'a> Field<'a> {
    pub(super) fn root(value: &'a Value, findings: &'a Findings) -> Self {
        Self { at: String::new(), value, findings }
    }

    pub(super) fn text(self) -> Option<String> {
        self.typed("a string", |value| value.as_str().map(str::to_owned))
    }

    pub(super) fn flag(self) -> Option<bool> {
        self.typed("a boolean", Value::as_bool)
    }

    pub(super) fn number(self) -> Option<Number> {
        self.typed("a number", |value| value.as_number().cloned())
    }

    pub(super) fn size(self) -> Option<usize> {
        self.typed("a whole number of 0 or more", |value| {
            value.as_u64().and_then(|number| number.try_into().ok())
        })
    }

    /// A name that some senders write as a text and some as a number.
    pub(super) fn name(self) -> Option<String> {
        self.typed("a string or a number", |value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    }

    pub(super) fn list(self) -> Option<Vec<Field<'a>>> {
        let (at, findings) = (self.at.clone(), self.findings);
        let items = self.typed("an array", Value::as_array)?;
        let field = |(index, value)| Field { at: format!("{at}[{index}]"), value, findings };
        Some(items.iter().enumerate().map(field).collect())
    }

    pub(super) fn object(self) -> Option<Fields<'a>> {
        let (at, findings) = (self.at.clone(), self.findings);
        let object = self.typed("an object", Value::as_object)?;
        Some(Fields { at, object, findings, asked: RefCell::default() })
    }

    pub(super) fn refuse(&self, fault: Fault) {
        self.findings.refuse(&self.at, fault);
    }

    pub(super) fn advise(&self, fault: Fault) {
        self.findings.advise(&self.at, fault);
    }

    fn typed<T>(self, expected: &'static str, cast: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        let cast = cast(self.value);
        if cast.is_none() {
            self.refuse(Fault::Kind { expected, found: kind(self.value) });
        }
        cast
    }
}

/// An object and its path. Null counts as absent, as most senders mean it.
pub(super) struct Fields<'a> {
    pub(super) at: String,
    pub(super) findings: &'a Findings,
    object: &'a Map<String, Value>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    pub(super) fn at(&self, name: &str) -> String {
        let name = problem::cut(name);
        if self.at.is_empty() { name } else { format!("{}.{name}", self.at) }
    }

    pub(super) fn get(&self, name: &'static str) -> Option<Field<'a>> {
        self.asked.borrow_mut().push(name);
        let value = self.object.get(name).filter(|value| !value.is_null())?;
        Some(Field { at: self.at(name), value, findings: self.findings })
    }

    /// The field that goes by one of several names.
    pub(super) fn any(&self, names: &[&'static str]) -> Option<Field<'a>> {
        let mut found =
            names.iter().filter_map(|name| self.get(name)).collect::<Vec<_>>().into_iter();
        let first = found.next()?;
        for again in found {
            again.refuse(Fault::Rule(format!(
                "duplicates `{}`, expected only one of them",
                first.at
            )));
        }
        Some(first)
    }

    pub(super) fn need(&self, name: &'static str, expected: &'static str) -> Option<Field<'a>> {
        self.need_any(&[name], expected)
    }

    /// The field that goes by one of several names, missed by the first of them.
    pub(super) fn need_any(
        &self,
        names: &[&'static str],
        expected: &'static str,
    ) -> Option<Field<'a>> {
        let field = self.any(names);
        if let (None, [name, ..]) = (&field, names) {
            self.findings.refuse(self.at(name), Fault::Missing { expected });
        }
        field
    }

    pub(super) fn text(&self, name: &'static str) -> Option<String> {
        self.get(name)?.text()
    }

    pub(super) fn need_text(&self, name: &'static str) -> Option<String> {
        self.need(name, "a string")?.text()
    }

    pub(super) fn flag(&self, name: &'static str) -> Option<bool> {
        self.get(name)?.flag()
    }

    /// Lets these fields pass without a word.
    pub(super) fn ignore(&self, names: &[&'static str]) {
        self.asked.borrow_mut().extend(names);
    }

    /// Those of these fields that were sent and not read yet.
    pub(super) fn remaining(&self, names: &[&'static str]) -> Vec<Field<'a>> {
        let asked = self.asked.borrow().clone();
        names
            .iter()
            .filter(|name| !asked.contains(name))
            .filter_map(|name| self.get(name))
            .collect()
    }

    /// Reports fields that nobody read, for dialects that let them pass.
    pub(super) fn advise_unknown(&self) {
        for (name, meant) in self.unknown() {
            self.findings.advise(self.at(name), Fault::UnknownField { meant });
        }
    }

    pub(super) fn refuse_unknown(&self) {
        for (name, meant) in self.unknown() {
            self.findings.refuse(self.at(name), Fault::UnknownField { meant });
        }
    }

    fn unknown(&self) -> Vec<(&'a str, Option<&'static str>)> {
        /// So many unknown fields are not misspelt.
        const MOST_MEANT: usize = 20;
        let asked = self.asked.borrow();
        let unknown = self.object.keys().map(String::as_str).filter(|name| !asked.contains(name));
        let meant =
            |(index, name)| (name, if index < MOST_MEANT { closest(name, &asked) } else { None });
        unknown.enumerate().map(meant).collect()
    }
}

/// Whether `payload` is an object that has this field.
pub(super) fn has(payload: &Value, name: &str) -> bool {
    payload.get(name).is_some_and(|value| !value.is_null())
}

/// Whether `payload` is an object in which this field is one of these texts.
pub(super) fn says(payload: &Value, name: &str, texts: &[&str]) -> bool {
    payload.get(name).and_then(Value::as_str).is_some_and(|text| texts.contains(&text))
}

/// The known name that was probably meant: written in another case, or with a slip.
fn closest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    const LONGEST: usize = 40;
    // For `question_7` any other number could be meant.
    if name.len() > LONGEST || name.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let plain = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
    let slips = |candidate: &str| strsim::damerau_levenshtein(&plain(name), &plain(candidate));
    let nearest = known.iter().copied().min_by_key(|candidate| slips(candidate))?;
    (slips(nearest) * 3 <= nearest.len()).then_some(nearest)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_understood_and_a_stranger_is_not() {
        let known = ["multiSelect", "question", "options", "id"];
        for (name, meant) in [
            ("multi_select", Some("multiSelect")),
            ("multiselect", Some("multiSelect")),
            ("quesiton", Some("question")),
            ("option", Some("options")),
            ("colour", None),
            ("x", None),
            ("option0", None),
        ] {
            assert_eq!(closest(name, &known), meant, "{name}");
        }
    }
}
