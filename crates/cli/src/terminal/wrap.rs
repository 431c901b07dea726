//! Where a line of text is cut so that it fits, by what people see: grapheme clusters, wide ones
//! as two columns.

use std::ops::Range;

use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What stands for a tab: terminals would jump instead of drawing it.
pub(super) const TAB: &str = "    ";

/// A line of prose that is not cut yet. Its rows after the first are moved in by `hang` columns.
#[derive(Debug, Clone, Default)]
pub struct Block {
    pub(super) line: Line<'static>,
    pub(super) hang: usize,
}

impl Block {
    pub(super) fn new(line: impl Into<Line<'static>>) -> Self {
        Self { line: line.into(), hang: 0 }
    }

    /// The line in rows that fit.
    pub fn rows(&self, width: usize) -> Vec<Line<'static>> {
        // Where there is hardly any room, moving in would leave none.
        let hang = if self.hang * 2 > width { 0 } else { self.hang };
        let text: String = self.line.spans.iter().map(|span| span.content.as_ref()).collect();
        let cuts = cut(&text, width, width - hang);
        let rows = cuts.into_iter().enumerate().map(|(index, row)| {
            let indent = (index > 0 && hang > 0).then(|| Span::raw(" ".repeat(hang)));
            let spans = indent.into_iter().chain(part(&self.line, row));
            spans.collect::<Line>().style(self.line.style)
        });
        rows.collect()
    }
}

/// How many columns the text takes.
pub(super) fn width(text: &str) -> usize {
    text.graphemes(true).map(width_of).sum()
}

/// How many columns one grapheme cluster takes.
pub(super) fn width_of(grapheme: &str) -> usize {
    match grapheme {
        "\t" => TAB.len(),
        "\n" => 0,
        grapheme => grapheme.width(),
    }
}

/// The text on one row, with an ellipsis in the place of what does not fit.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut room = most.saturating_sub(1);
    let fits = text.graphemes(true).take_while(|grapheme| {
        let fits = width_of(grapheme) <= room;
        room = room.saturating_sub(width_of(grapheme));
        fits
    });
    fits.chain(["…"].into_iter().filter(|_| most > 0)).collect()
}

/// Cuts a line into rows of at most these columns. Blanks at the end of a row may stand beyond.
pub(super) fn cut(line: &str, first: usize, others: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let (mut start, mut columns) = (0, 0);
    // The last place where a new row may begin, and the columns up to there.
    let (mut chance, mut before) = (0, 0);
    let mut was_wide = false;
    for (at, grapheme) in line.grapheme_indices(true) {
        let taken = width_of(grapheme);
        let blank = grapheme.chars().all(char::is_whitespace);
        let wide = taken > 1 && !blank;
        if at > start && (wide || was_wide) && !blank && !closes(grapheme) {
            (chance, before) = (at, columns);
        }
        let most = if rows.is_empty() { first } else { others };
        if !blank && columns + taken > most && at > start {
            if chance <= start {
                (chance, before) = (at, columns);
            }
            rows.push(start..chance);
            start = chance;
            columns -= before;
        }
        columns += taken;
        if blank {
            (chance, before) = (at + grapheme.len(), columns);
        }
        was_wide = wide;
    }
    rows.push(start..line.len());
    rows
}

/// Whether it belongs to what stands before it, as Chinese punctuation does.
fn closes(grapheme: &str) -> bool {
    const CLOSING: &str = "，。、；：？！）》」』】〉”’…,.;:?!)]}%";
    grapheme.chars().next().is_some_and(|c| CLOSING.contains(c))
}

/// A part of a line, by its bytes.
fn part(line: &Line<'static>, wanted: Range<usize>) -> Vec<Span<'static>> {
    let mut at = 0;
    let mut parts = Vec::new();
    for span in &line.spans {
        let (from, to) = (at.max(wanted.start), (at + span.content.len()).min(wanted.end));
        if from < to {
            let text = span.content[from - at..to - at].replace('\t', TAB);
            parts.push(Span::styled(text, span.style));
        }
        at += span.content.len();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, width: usize, expected: &[&str]) {
        let rows: Vec<_> = cut(line, width, width).into_iter().map(|row| &line[row]).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn rows_end_between_words() {
        case("one two three", 8, &["one two ", "three"]);
        case("one two three", 7, &["one two ", "three"]);
        case("one two three", 6, &["one ", "two ", "three"]);
        case("", 6, &[""]);
    }

    #[test]
    fn a_word_that_is_too_long_is_cut() {
        case("abcdefgh ij", 3, &["abc", "def", "gh ", "ij"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        case("选择一个框架", 5, &["选择", "一个", "框架"]);
        case("选择，框架", 4, &["选", "择，", "框架"]);
        case("a选b择", 3, &["a选", "b择"]);
    }

    #[test]
    fn a_cluster_is_never_cut() {
        case("👩‍💻👩‍💻", 3, &["👩‍💻", "👩‍💻"]);
        case("e\u{301}e\u{301}e\u{301}", 2, &["e\u{301}e\u{301}", "e\u{301}"]);
    }

    #[test]
    fn what_does_not_fit_is_shortened() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("abcd", 3), "ab…");
        assert_eq!(shortened("框架选择", 5), "框架…");
        assert_eq!(shortened("框架选择", 4), "框…");
        assert_eq!(shortened("abc", 0), "");
    }

    #[test]
    fn rows_after_the_first_hang() {
        let block = Block { line: "- one two".into(), hang: 2 };
        let rows: Vec<_> = block.rows(6).iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["- one ", "  two"]);
    }
}
