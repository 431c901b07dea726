//! How a text is laid out: its line ends, its indentation, and whether all is on one line.

use serde_json::Value;

use crate::install::lines;

/// What text that is added at some place must follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) newline: &'static str,
    /// What one level is indented by.
    unit: String,
    /// The indentation of the line at the place.
    pub(super) indent: String,
    pub(super) lines: Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// A member on each.
    Many,
    /// All on one, with a space after colons and commas.
    OneSpaced,
    /// All on one, without any space.
    OneTight,
}

impl Layout {
    /// As the text has it around this place.
    pub(super) fn of(text: &str, at: usize) -> Self {
        let newline = lines::newline(text);
        let tight = text.contains("\":") && !text.contains("\": ");
        let lines = if text.trim().contains('\n') || !text.contains('"') {
            Lines::Many
        } else if tight {
            Lines::OneTight
        } else {
            Lines::OneSpaced
        };
        Self { newline, unit: unit(text), indent: indent(text, at).into(), lines }
    }

    /// On one line, whatever the rest of the text does.
    pub(super) fn on_one_line(mut self) -> Self {
        if self.lines == Lines::Many {
            self.lines = Lines::OneSpaced;
        }
        self
    }

    /// Over several lines, whatever the rest of the text does.
    pub(super) fn on_many_lines(mut self) -> Self {
        self.lines = Lines::Many;
        self
    }

    pub(super) fn indented(mut self) -> Self {
        self.indent.push_str(&self.unit);
        self
    }

    pub(super) fn with_indent(mut self, indent: &str) -> Self {
        self.indent = indent.into();
        self
    }

    /// A member of an object, or of a list if it has no key.
    pub(super) fn member(&self, key: Option<&str>, value: &Value) -> String {
        let colon = if self.lines == Lines::OneTight { ":" } else { ": " };
        let key = key.map(|key| Value::from(key).to_string() + colon).unwrap_or_default();
        key + &self.render(value)
    }

    /// Lists of plain values stay on one line, as people write them.
    pub(super) fn render(&self, value: &Value) -> String {
        match value {
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                let items = items.iter().map(|item| (None, item)).collect::<Vec<_>>();
                self.enclose('[', &items, ']')
            }
            Value::Array(items) => {
                let items = items.iter().map(|item| (None, item)).collect::<Vec<_>>();
                self.clone().on_one_line().enclose('[', &items, ']')
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(key, value)| (Some(key.as_str()), value));
                self.enclose('{', &fields.collect::<Vec<_>>(), '}')
            }
            plain => plain.to_string(),
        }
    }

    fn enclose(&self, open: char, members: &[(Option<&str>, &Value)], close: char) -> String {
        if members.is_empty() {
            return format!("{open}{close}");
        }
        let inside = self.clone().indented();
        let rendered: Vec<_> =
            members.iter().map(|(key, value)| inside.member(*key, value)).collect();
        match self.lines {
            Lines::OneSpaced => format!("{open}{}{close}", rendered.join(", ")),
            Lines::OneTight => format!("{open}{}{close}", rendered.join(",")),
            Lines::Many => {
                let next = format!("{}{}", self.newline, inside.indent);
                let rendered = rendered.join(&format!(",{next}"));
                format!("{open}{next}{rendered}{}{}{close}", self.newline, self.indent)
            }
        }
    }
}

/// The indentation of the line that this place is on.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[lines::start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The first indented line after the root's brace shows it; two spaces are the most common.
fn unit(text: &str) -> String {
    let inside = text.split_once('{').map_or("", |(_, inside)| inside);
    let indents = inside.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indents = indents.map(|line| indent(line, 0));
    indents.into_iter().find(|indent| !indent.is_empty()).unwrap_or("  ").into()
}
