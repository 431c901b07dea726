//! The members of an object or a list, and how one is added or removed between the others.

use std::ops::Range;

use jsonc_parser::{ast, common::Ranged};
use serde_json::Value;

use super::layout::{self, Layout, Lines};
use crate::install::{Edit, lines};

pub(super) struct Members<'a> {
    text: &'a str,
    /// With both brackets.
    all: Range<usize>,
    each: Vec<Range<usize>>,
}

impl<'a> Members<'a> {
    pub(super) fn of_object(text: &'a str, object: &ast::Object) -> Self {
        let each = object.properties.iter().map(|property| property.start()..property.end());
        Self { text, all: object.start()..object.end(), each: each.collect() }
    }

    pub(super) fn of_array(text: &'a str, array: &ast::Array) -> Self {
        let each = array.elements.iter().map(|element| element.start()..element.end());
        Self { text, all: array.start()..array.end(), each: each.collect() }
    }

    /// Adds a member behind the last.
    pub(super) fn insert(&self, key: Option<&str>, value: &Value) -> Vec<Edit> {
        let layout = Layout::of(self.text, self.all.start);
        match self.each.last() {
            Some(last) => self.insert_behind(last, &layout, key, value),
            None => vec![self.insert_first(&layout, key, value)],
        }
    }

    fn insert_first(&self, layout: &Layout, key: Option<&str>, value: &Value) -> Edit {
        let end = self.all.end - 1;
        if layout.lines != Lines::Many {
            return (end..end, layout.member(key, value));
        }
        let inside = layout.clone().indented();
        let start = self.all.start + 1 + self.text[self.all.start + 1..end].trim_end().len();
        let Layout { newline, indent, .. } = &inside;
        let member = inside.member(key, value);
        (start..end, format!("{newline}{indent}{member}{newline}{}", layout.indent))
    }

    fn insert_behind(
        &self,
        last: &Range<usize>,
        layout: &Layout,
        key: Option<&str>,
        value: &Value,
    ) -> Vec<Edit> {
        let comma = self.comma_behind(last.end);
        let start = self.behind_comments(comma.map_or(last.end, |comma| comma + 1));
        let member = if self.is_on_many_lines() {
            let layout = layout.clone().on_many_lines();
            let begins_its_line = lines::start(self.text, last.start) > self.all.start;
            let layout = if begins_its_line {
                layout.with_indent(layout::indent(self.text, last.start))
            } else {
                layout.indented()
            };
            format!("{}{}{}", layout.newline, layout.indent, layout.member(key, value))
        } else {
            let layout = layout.clone().on_one_line();
            let space = if layout.lines == Lines::OneTight { "" } else { " " };
            format!("{space}{}", layout.member(key, value))
        };
        match comma {
            // Who ends the last member with a comma does so with the new one, too.
            Some(_) => vec![(start..start, member + ",")],
            None if start == last.end => vec![(start..start, format!(",{member}"))],
            None => vec![(last.end..last.end, ",".into()), (start..start, member)],
        }
    }

    /// Removes a member with its comma; with its lines if nothing else is on them.
    pub(super) fn remove(&self, index: usize) -> Vec<Edit> {
        if self.each.len() == 1 && self.has_nothing_but(&self.each[0]) {
            return vec![cut(self.all.start + 1..self.all.end - 1)];
        }
        let member = &self.each[index];
        let before = index.checked_sub(1).map(|index| self.each[index].end);
        match (self.comma_behind(member.end), before) {
            (Some(comma), _) => vec![cut(self.with_its_lines(member.start..comma + 1))],
            (None, None) => vec![cut(self.with_its_lines(member.clone()))],
            // The one before it is now the last, and had its comma only because of this one.
            (None, Some(before)) if self.text[before..member.start].trim() == "," => {
                vec![cut(before..self.line_rest(member.end))]
            }
            (None, Some(before)) => {
                let comma = self.comma_behind(before).map(|comma| cut(comma..comma + 1));
                comma.into_iter().chain([cut(self.with_its_lines(member.clone()))]).collect()
            }
        }
    }

    /// The range with its line ends, if it has its lines to itself; else with the space that
    /// separates it from what is before it or behind it.
    fn with_its_lines(&self, range: Range<usize>) -> Range<usize> {
        let start = self.text[..range.start].trim_end_matches([' ', '\t']).len();
        let end = self.line_rest(range.end);
        if !self.ends_line(end) {
            let follows = self.each.first().is_some_and(|first| first.start < start);
            if follows { start..range.end } else { range.start..self.behind_space(range.end) }
        } else if self.text[..start].ends_with('\n') {
            start..self.text[end..].find('\n').map_or(self.text.len(), |at| end + at + 1)
        } else {
            start..end
        }
    }

    /// Behind the comments on the rest of the line, if there is nothing else on it.
    fn line_rest(&self, at: usize) -> usize {
        let end = self.behind_comments(at);
        if self.ends_line(end) { end } else { at }
    }

    fn ends_line(&self, at: usize) -> bool {
        self.text[self.behind_space(at)..].trim_start_matches('\r').starts_with('\n')
    }

    fn has_nothing_but(&self, member: &Range<usize>) -> bool {
        let before = self.text[self.all.start + 1..member.start].trim();
        let behind = self.text[member.end..self.all.end - 1].trim();
        before.is_empty() && (behind.is_empty() || behind == ",")
    }

    fn is_on_many_lines(&self) -> bool {
        let mut at = self.all.start;
        let mut between = self.each.iter().map(|member| {
            let gap = at..member.start;
            at = member.end;
            gap
        });
        let gap = between.any(|gap| self.text[gap].contains('\n'));
        let last = self.each.last().map_or(self.all.start, |member| member.end);
        gap || self.text[last..self.all.end].contains('\n')
    }

    /// The comma that follows a member, behind white space and comments.
    fn comma_behind(&self, mut at: usize) -> Option<usize> {
        while let Some(end) = comment_end(self.text, self.behind_blanks(at)) {
            at = end;
        }
        let at = self.behind_blanks(at);
        self.text[at..].starts_with(',').then_some(at)
    }

    /// Behind the comments that end this line.
    fn behind_comments(&self, mut at: usize) -> usize {
        let mut end = at;
        while let Some(next) = comment_end(self.text, self.behind_space(at)) {
            if self.text[end..next].contains('\n') {
                break;
            }
            (at, end) = (next, next);
        }
        end
    }

    fn behind_space(&self, at: usize) -> usize {
        self.text.len() - self.text[at..].trim_start_matches([' ', '\t']).len()
    }

    fn behind_blanks(&self, at: usize) -> usize {
        self.text.len() - self.text[at..].trim_start().len()
    }
}

/// Where the comment ends that begins here; that of a line, before its line end.
fn comment_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with("//") {
        return Some(lines::end(text, at));
    }
    let (_, behind) = rest.strip_prefix("/*")?.split_once("*/")?;
    Some(text.len() - behind.len())
}

fn cut(range: Range<usize>) -> Edit {
    (range, String::new())
}
