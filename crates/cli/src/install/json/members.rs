//! The members of an object or a list, and how one is added or removed between the others.
//!
//! The tree with comments that `jsonc-parser` could edit breaks objects on one line up, and drops
//! empty lines and comments beside what it removes. So the tree only says where everything is.

use std::{iter, ops::Range};

use jsonc_parser::{
    ParseResult, ast,
    common::Ranged,
    tokens::{Token, TokenAndRange},
};
use serde_json::Value;

use crate::install::{Edit, lines};

pub(super) struct Members<'a> {
    text: &'a str,
    tokens: &'a [TokenAndRange<'a>],
    /// With both brackets.
    all: Range<usize>,
    each: Vec<Range<usize>>,
}

impl<'a> Members<'a> {
    pub(super) fn of(text: &'a str, tree: &'a ParseResult<'a>, node: &ast::Value) -> Self {
        let each = match node {
            ast::Value::Object(object) => object.properties.iter().map(range).collect(),
            ast::Value::Array(array) => array.elements.iter().map(range).collect(),
            _ => Vec::new(),
        };
        let tokens = tree.tokens.as_deref().unwrap_or_default();
        Self { text, tokens, all: range(node), each }
    }

    /// Adds a member behind the last.
    pub(super) fn insert(&self, key: Option<&str>, value: &Value) -> Vec<Edit> {
        let key = key.map(|key| format!("{}: ", Value::from(key))).unwrap_or_default();
        let outside = new_line(self.text, self.all.start);
        let (unit, inside) = match self.each.last() {
            _ if !self.is_on_many_lines() => ("", " ".into()),
            Some(last) if lines::start(self.text, last.start) > self.all.start => {
                (unit(self.text), new_line(self.text, last.start))
            }
            _ => (unit(self.text), format!("{outside}{}", unit(self.text))),
        };
        let member = format!("{key}{}", render(value, unit, &inside));
        let Some(last) = self.each.last() else {
            let end = self.all.end - 1;
            return vec![match unit {
                "" => added(end, member),
                _ => (self.text[..end].trim_end().len()..end, inside + &member + &outside),
            }];
        };
        let member = inside + &member;
        match self.comma_behind(last.end) {
            // Who ends the last member with a comma does so with the new one, too.
            Some(comma) => vec![added(self.behind_comments(comma.end), member + ",")],
            None => {
                vec![added(last.end, ",".into()), added(self.behind_comments(last.end), member)]
            }
        }
    }

    /// Removes a member with its comma; with its lines if nothing else is on them.
    pub(super) fn remove(&self, index: usize) -> Vec<Edit> {
        let member = &self.each[index];
        let comma = self.comma_behind(member.end);
        let end = comma.as_ref().map_or(member.end, |comma| comma.end);
        let end = Some(self.behind_comments(end)).filter(|end| self.ends_line(*end)).unwrap_or(end);
        let before =
            index.checked_sub(1).map_or(self.all.start + 1, |before| self.each[before].end);
        let gap = self.text[before..member.start].trim();
        let is_alone = self.each.len() == 1 && gap.is_empty();
        if is_alone && self.text[end..self.all.end - 1].trim().is_empty() {
            return vec![cut(before..self.all.end - 1)];
        }
        // The one before it is now the last, and had its comma only because of this one.
        if comma.is_none() && gap == "," {
            return vec![cut(before..end)];
        }
        let line = self.text[..member.start].trim_end_matches([' ', '\t']);
        let range = if self.ends_line(end) {
            let line_before = line.strip_suffix('\n').unwrap_or(line);
            line_before.strip_suffix('\r').unwrap_or(line_before).len()..end
        } else if index > 0 {
            line.len()..end
        } else {
            member.start..self.text.len() - self.text[end..].trim_start_matches([' ', '\t']).len()
        };
        let comma_before = self.comma_behind(before).filter(|_| comma.is_none() && index > 0);
        comma_before.into_iter().chain([range]).map(cut).collect()
    }

    fn ends_line(&self, at: usize) -> bool {
        self.text[at..].trim_start_matches([' ', '\t', '\r']).starts_with('\n')
    }

    /// An empty one is if the text is.
    fn is_on_many_lines(&self) -> bool {
        let starts = iter::once(self.all.start).chain(self.each.iter().map(|member| member.end));
        let ends = self.each.iter().map(|member| member.start).chain([self.all.end]);
        let is_text = || self.text.trim().contains('\n') || !self.text.contains('"');
        starts.zip(ends).any(|(start, end)| self.text[start..end].contains('\n'))
            || self.each.is_empty() && is_text()
    }

    /// The comma that follows a member, behind white space and comments.
    fn comma_behind(&self, at: usize) -> Option<Range<usize>> {
        let next = self.tokens_behind(at).find(|token| !is_comment(token))?;
        (next.token == Token::Comma).then(|| range(next))
    }

    /// Behind the comments that end this line.
    fn behind_comments(&self, at: usize) -> usize {
        let is_here = |end: usize| !self.text[at..end].contains('\n');
        let comments =
            self.tokens_behind(at).take_while(|token| is_comment(token) && is_here(token.end()));
        comments.last().map_or(at, Ranged::end)
    }

    fn tokens_behind(&self, at: usize) -> impl Iterator<Item = &'a TokenAndRange<'a>> {
        self.tokens[self.tokens.partition_point(|token| token.start() < at)..].iter()
    }
}

fn range(of: &impl Ranged) -> Range<usize> {
    of.start()..of.end()
}

fn is_comment(token: &TokenAndRange) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

/// Puts a value in the place of another, and lays it out as that one.
pub(super) fn replace(text: &str, node: &ast::Value, value: &Value) -> Edit {
    let place = range(node);
    let (unit, gap) = match &text[place.clone()] {
        lines if lines.contains('\n') => (unit(text), new_line(text, place.start)),
        _ => ("", " ".into()),
    };
    (place, render(value, unit, &gap))
}

/// A value with each of its lines behind `gap` and its own indentation.
pub(super) fn render(value: &Value, unit: &str, gap: &str) -> String {
    let pretty = format!("{value:#}");
    let lines = pretty.lines().map(|line| {
        let inside = line.trim_start();
        unit.repeat((line.len() - inside.len()) / 2) + inside
    });
    lines.collect::<Vec<_>>().join(gap)
}

/// What begins a line that is indented as the one that this place is on.
fn new_line(text: &str, at: usize) -> String {
    lines::newline(text).to_owned() + indent(text, at)
}

/// The indentation of the line that this place is on.
fn indent(text: &str, at: usize) -> &str {
    let line = &text[lines::start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// What one level is indented by. The first indented line after the root's brace shows it; two
/// spaces are the most common.
fn unit(text: &str) -> &str {
    let inside = text.split_once('{').map_or("", |(_, inside)| inside);
    let lines = inside.lines().skip(1).filter(|line| !line.trim().is_empty());
    lines.map(|line| indent(line, 0)).find(|indent| !indent.is_empty()).unwrap_or("  ")
}

fn added(at: usize, text: String) -> Edit {
    (at..at, text)
}

fn cut(range: Range<usize>) -> Edit {
    (range, String::new())
}
