//! Cuts a long text where it can be cut, so that no part of it costs more than a page or two: a parser
//! of markdown may take the square of what it is given.

/// A part may end from here on.
const ENOUGH: usize = 32 * 1024;
/// Without an end by then it is no text for people any more.
const MOST: usize = 64 * 1024;
/// What has more characters that HTML writes otherwise takes the sanitiser long.
const MOST_ESCAPES: usize = 40_000;

pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    /// It is not too much at once.
    pub(super) is_readable: bool,
}

impl<'a> Part<'a> {
    /// Of which so many bytes are outside of code, which is copied only.
    fn new(text: &'a str, outside: usize) -> Self {
        let escapes = text.bytes().filter(|byte| b"<>&".contains(byte)).count();
        Self { text, is_readable: outside <= MOST && escapes <= MOST_ESCAPES }
    }
}

/// The text in parts, each of which ends before a heading or a paragraph outside of any code.
pub(super) fn of(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut outside) = (0, 0, 0);
    let mut fence: Option<&str> = None;
    let mut is_after_blank = false;
    for line in text.split_inclusive('\n') {
        let begins = is_after_blank && !line.starts_with([' ', '\t', '\n', '>']);
        if fence.is_none() && begins && at - start >= ENOUGH {
            parts.push(Part::new(&text[start..at], outside));
            (start, outside) = (at, 0);
        }
        match (fence, fence_of(line)) {
            (None, Some(opened)) => fence = Some(opened),
            (Some(open), Some(closing)) if closing.starts_with(open) && line.trim() == closing => {
                fence = None;
            }
            (None, None) => outside += line.len(),
            _ => {}
        }
        is_after_blank = line.trim().is_empty();
        at += line.len();
    }
    parts.push(Part::new(&text[start..], outside));
    parts
}

/// The backticks or tildes that the line begins with, if they can be a fence.
fn fence_of(line: &str) -> Option<&str> {
    let blanks = line.find(|c| c != ' ').filter(|blanks| *blanks <= 3)?;
    let line = &line[blanks..];
    let sign = line.chars().next().filter(|sign| ['`', '~'].contains(sign))?;
    let length = line.find(|c| c != sign).unwrap_or(line.len());
    (length >= 3).then(|| &line[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_stay_whole() {
        for text in ["", "one\n\ntwo"] {
            let parts = of(text);
            assert_eq!(parts.len(), 1);
            assert!(parts[0].text == text && parts[0].is_readable);
        }
    }

    #[test]
    fn long_texts_are_cut_between_paragraphs() {
        let paragraph = format!("{}\n\n- item\n\n  more of it\n\n", "word ".repeat(200));
        let text = paragraph.repeat(100);
        let parts = of(&text);
        assert!(parts.len() > 2);
        assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), text);
        assert!(parts.iter().all(|part| part.is_readable));
        assert!(parts[1..].iter().all(|part| part.text.starts_with(['w', '-'])));
    }

    #[test]
    fn code_is_never_cut_and_never_too_long() {
        let code = format!("before\n\n```diff\n{}```\n\nafter\n\nend", "+line\n\n".repeat(50_000));
        let parts = of(&code);
        assert!(parts[0].is_readable && parts[0].text.ends_with("```\n\n"));
        assert_eq!(parts[1].text, "after\n\nend");
        assert!(!of(&format!("```\n{}\n```", "&".repeat(MOST_ESCAPES + 1)))[0].is_readable);
    }
}
