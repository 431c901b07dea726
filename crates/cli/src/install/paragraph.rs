//! What agents that only have a shell are told of Askdeck: a marked paragraph in AGENTS.md.

use std::ops::Range;

use super::{lines, splice};

const START: &str = "<!-- askdeck: added by `askdeck install agents-md` -->";
const END: &str = "<!-- /askdeck -->";
const WORDS: &str = include_str!("paragraph.md");

/// The text with the paragraph at its end, or where it already is.
pub(super) fn insert(text: &str) -> String {
    let paragraph = format!("{START}\n{WORDS}{END}").replace('\n', lines::newline(text));
    match find(text) {
        Some(range) => splice(text, vec![(range, paragraph)]),
        None => lines::append(text, &paragraph),
    }
}

/// The text as it was before [`insert`], line ends included.
pub(super) fn remove(text: &str) -> String {
    let Some(range) = find(text) else { return text.into() };
    let newline = lines::newline(text);
    let before = &text[..range.start];
    let (start, end) = match text[range.end..].strip_prefix(newline) {
        Some(rest) => (without_end(before, newline), text.len() - rest.len()),
        None => (without_end(without_end(before, newline), newline), range.end),
    };
    format!("{start}{}", &text[end..])
}

pub(super) fn is_in(text: &str) -> bool {
    find(text).is_some()
}

fn find(text: &str) -> Option<Range<usize>> {
    let start = text.find(START)?;
    let end = start + text[start..].find(END)? + END.len();
    Some(start..end)
}

fn without_end<'a>(text: &'a str, newline: &str) -> &'a str {
    text.strip_suffix(newline).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_as_it_came() {
        for text in
            ["", "# Project", "# Project\n", "# Project\n\nBuild it.\n\n\n", "# P\r\n\r\nB.\r\n"]
        {
            let with = insert(text);
            assert!(is_in(&with) && with.starts_with(text), "{text:?}");
            assert_eq!(super::insert(&with), with, "{text:?}");
            assert_eq!(remove(&with), text);
            let line_ends = |end: &str| with.matches(end).count();
            assert!([0, line_ends("\n")].contains(&line_ends("\r\n")), "{text:?}");
        }
    }

    #[test]
    fn it_stays_where_it_was_moved_to() {
        let text = insert("# Project\n") + "\n## Later\n";
        let old = text.replace("askdeck result", "askdeck fetch");
        assert_eq!(insert(&old), text);
        assert_eq!(remove(&text), "# Project\n\n## Later\n");
    }
}
