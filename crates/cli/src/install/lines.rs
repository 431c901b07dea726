//! Lines of a text that is changed in place, whatever its line ends.

use std::ops::Range;

/// What ends the lines of the text.
pub(super) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Where the line begins that this place is on.
pub(super) fn start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Where the line ends, before its line end.
pub(super) fn end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
    at + line.trim_end_matches('\r').len()
}

/// The whole lines that the range touches, with their ends.
pub(super) fn around(text: &str, range: Range<usize>) -> Range<usize> {
    let end = text[range.end..].find('\n').map_or(text.len(), |end| range.end + end + 1);
    start(text, range.start)..end
}

/// Adds a block as the last, set off by an empty line. A text without a final line end stays so.
pub(super) fn append(text: &str, block: &str) -> String {
    let newline = newline(text);
    match text {
        "" => format!("{block}{newline}"),
        text if text.ends_with('\n') => format!("{text}{newline}{block}{newline}"),
        text => format!("{text}{newline}{newline}{block}"),
    }
}
