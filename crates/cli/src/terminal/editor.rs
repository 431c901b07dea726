//! A text box: its text, the place in it, and what the keys of editing do.

use std::ops::Range;

use askdeck_core::{session::Direction, text};
use unicode_segmentation::UnicodeSegmentation;

use super::{
    keys::Press,
    wrap::{self, width_of},
};

#[derive(Debug, Clone, Default)]
pub(super) struct Editor {
    text: String,
    /// Where the next letter goes: a byte at which a grapheme cluster begins.
    at: usize,
    /// The column that moving up and down keeps to.
    column: Option<usize>,
}

impl Editor {
    /// Over this text, with the cursor at its end.
    pub(super) fn new(text: &str) -> Self {
        let text = text::without_controls(text).into_owned();
        Self { at: text.len(), text, column: None }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The same with a star for everything that can be seen.
    pub(super) fn masked(&self) -> Self {
        let stars = |text: &str| "*".repeat(text.graphemes(true).count());
        Self { text: stars(&self.text), at: stars(&self.text[..self.at]).len(), column: None }
    }

    /// Does what the key does in a text box. Whether it does anything there. The box is `width`
    /// columns wide; one without `lines` holds a single one.
    pub(super) fn press(&mut self, press: &Press, width: usize, lines: bool) -> bool {
        let Press { key, alt } = press;
        let word = key.ctrl || *alt;
        let column = self.column.take();
        match (key.key.as_str(), key.ctrl, alt) {
            ("ArrowLeft", ..) if word => self.at = self.word_before(),
            ("ArrowRight", ..) if word => self.at = self.word_after(),
            ("b", false, true) => self.at = self.word_before(),
            ("f", false, true) => self.at = self.word_after(),
            ("ArrowLeft", ..) => self.at = self.before(),
            ("ArrowRight", ..) => self.at = self.after(),
            ("ArrowUp", ..) => self.climb(width, column, Direction::Backward),
            ("ArrowDown", ..) => self.climb(width, column, Direction::Forward),
            ("Home", true, _) => self.at = 0,
            ("End", true, _) => self.at = self.text.len(),
            ("Home", ..) | ("a", true, _) => self.at = self.line().start,
            ("End", ..) | ("e", true, _) => self.at = self.line().end,
            ("Backspace", ..) if word => self.remove(self.word_before()..self.at),
            ("w", true, _) => self.remove(self.word_before()..self.at),
            ("Delete", ..) if word => self.remove(self.at..self.word_after()),
            ("d", false, true) => self.remove(self.at..self.word_after()),
            ("Backspace", ..) => self.remove(self.before()..self.at),
            ("Delete", ..) | ("d", true, _) => self.remove(self.at..self.after()),
            ("u", true, _) => self.remove(self.line().start..self.at),
            ("k", true, _) => self.remove(self.at..self.line().end),
            ("Enter", ..) if lines => self.insert("\n", lines),
            (typed, false, false) if typed.chars().count() == 1 => self.insert(typed, lines),
            _ => return false,
        }
        true
    }

    /// Whether an arrow moves the cursor to another row of the text, and not out of the box.
    pub(super) fn can_move(&self, key: &str, width: usize) -> bool {
        let (row, _) = self.cursor(width);
        match key {
            "ArrowUp" => row > 0,
            "ArrowDown" => row + 1 < rows(&self.text, width).len(),
            _ => false,
        }
    }

    /// Puts a text in, be it typed or pasted.
    pub(super) fn insert(&mut self, typed: &str, lines: bool) {
        let clean = text::without_controls(typed);
        let clean = if lines { clean } else { clean.replace('\n', " ").into() };
        self.text.insert_str(self.at, &clean);
        let end = self.at + clean.len();
        // What was typed may join a cluster with what stands there.
        self.at = self.boundary_from(end);
    }

    fn remove(&mut self, range: Range<usize>) {
        self.at = range.start;
        self.text.replace_range(range, "");
        self.at = self.boundary_from(self.at);
    }

    fn boundary_from(&self, at: usize) -> usize {
        let mut starts = self.text.grapheme_indices(true).map(|(start, _)| start);
        starts.find(|start| *start >= at).unwrap_or(self.text.len())
    }

    fn before(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.at + self.text[self.at..].graphemes(true).next().map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let mut words = self.text[..self.at].unicode_word_indices();
        words.next_back().map_or(0, |(start, _)| start)
    }

    fn word_after(&self) -> usize {
        let rest = &self.text[self.at..];
        let word = rest.unicode_word_indices().next();
        word.map_or(self.text.len(), |(start, word)| self.at + start + word.len())
    }

    /// The line of the cursor, without its end.
    fn line(&self) -> Range<usize> {
        let start = self.text[..self.at].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[self.at..].find('\n').map_or(self.text.len(), |end| self.at + end);
        start..end
    }

    /// To the row above or below; beyond the first and the last, to the end of the text.
    fn climb(&mut self, width: usize, column: Option<usize>, to: Direction) {
        let rows = rows(&self.text, width);
        let (row, here) = self.cursor(width);
        let column = column.unwrap_or(here);
        let row = match to {
            Direction::Backward => row.checked_sub(1),
            Direction::Forward => Some(row + 1),
        };
        self.at = match (row.and_then(|row| rows.get(row).cloned()), to) {
            (Some(row), _) => {
                // The end of a row that was only cut is the beginning of the next.
                let cut = rows.iter().any(|next| next.start == row.end && row.start < row.end);
                self.at_column(&row, column).min(if cut { self.last_in(&row) } else { row.end })
            }
            (None, Direction::Backward) => 0,
            (None, Direction::Forward) => self.text.len(),
        };
        self.column = Some(column);
    }

    /// The last grapheme cluster of a row.
    fn last_in(&self, row: &Range<usize>) -> usize {
        let last = self.text[row.clone()].grapheme_indices(true).next_back();
        row.start + last.map_or(0, |(at, _)| at)
    }

    fn at_column(&self, row: &Range<usize>, column: usize) -> usize {
        let mut taken = 0;
        for (at, grapheme) in self.text[row.clone()].grapheme_indices(true) {
            taken += width_of(grapheme);
            if taken > column {
                return row.start + at;
            }
        }
        row.end
    }

    /// The row and column of the cursor.
    pub(super) fn cursor(&self, width: usize) -> (usize, usize) {
        let rows = rows(&self.text, width);
        // At a cut the cursor is where the next letter will stand.
        let row = rows.iter().rposition(|row| row.start <= self.at).unwrap_or(0);
        let column = wrap::width(&self.text[rows[row].start..self.at]);
        (row, column.min(width.saturating_sub(1)))
    }
}

/// The rows in which a text stands in a box, without the ends of its lines.
pub(super) fn rows(text: &str, width: usize) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut rows = Vec::new();
    for line in text.split('\n') {
        // The cursor stands after the last letter and needs a column, too.
        let most = width.saturating_sub(1).max(1);
        rows.extend(
            wrap::cut(line, most, most).into_iter().map(|row| start + row.start..start + row.end),
        );
        start += line.len() + 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use askdeck_core::session::Key;

    /// A box with `|` for the cursor, after these keys. `C-` and `A-` stand for Ctrl and Alt.
    #[track_caller]
    fn case(before: &str, keys: &str, expected: &str) {
        let at = before.find('|').unwrap();
        let mut editor = Editor { text: before.replace('|', ""), at, column: None };
        for key in keys.split(' ') {
            let (ctrl, key) = key.strip_prefix("C-").map_or((false, key), |key| (true, key));
            let (alt, key) = key.strip_prefix("A-").map_or((false, key), |key| (true, key));
            let key = Key { key: key.replace("Space", " "), ctrl, ..Key::default() };
            assert!(editor.press(&Press { key, alt }, 11, true), "{keys}");
        }
        let mut shown = editor.text.clone();
        shown.insert(editor.at, '|');
        assert_eq!(shown, expected, "{before} {keys}");
    }

    #[test]
    fn letters_go_where_the_cursor_is() {
        case("|", "a Space b", "a b|");
        case("a|c", "b", "ab|c");
        case("框|选", "架", "框架|选");
        case("a|", "Enter b", "a\nb|");
    }

    #[test]
    fn the_cursor_moves_by_what_people_see() {
        case("框架|", "ArrowLeft", "框|架");
        case("a👩‍💻|b", "ArrowLeft", "a|👩‍💻b");
        case("a|👩‍💻b", "ArrowRight", "a👩‍💻|b");
        case("e\u{301}|", "Backspace", "|");
        case("|👩‍💻b", "Delete", "|b");
        // A mark that is typed joins the letter before it.
        case("e|x", "\u{301}", "e\u{301}|x");
    }

    #[test]
    fn words_are_passed_and_removed() {
        case("one two|", "C-ArrowLeft", "one |two");
        case("one two|", "A-b A-b", "|one two");
        case("|one two", "C-ArrowRight", "one| two");
        case("one two|", "C-w", "one |");
        case("one| two", "A-d", "one|");
        case("one two|", "A-Backspace", "one |");
    }

    #[test]
    fn lines_have_a_beginning_and_an_end() {
        case("one\ntw|o", "Home", "one\n|two");
        case("one\n|two", "End", "one\ntwo|");
        case("one\ntw|o", "C-Home", "|one\ntwo");
        case("one\ntw|o", "C-u", "one\n|o");
        case("o|ne\ntwo", "C-k", "o|\ntwo");
    }

    #[test]
    fn up_and_down_keep_to_the_column() {
        case("one\ntw|o", "ArrowUp", "on|e\ntwo");
        case("abcd\ne\nfgh|i", "ArrowUp ArrowUp", "abc|d\ne\nfghi");
        case("on|e", "ArrowUp", "|one");
        case("on|e", "ArrowDown", "one|");
        // Rows that were only cut count as well.
        case("one two three fo|ur", "ArrowUp", "one two| three four");
        case("one t|wo three four", "ArrowDown", "one two three| four");
        case("框架\na|b", "ArrowUp", "|框架\nab");
    }

    #[test]
    fn pasted_text_is_cleaned() {
        let mut editor = Editor::new("");
        editor.insert("a\u{1b}[31mb\r\nc", true);
        assert_eq!(editor.text(), "ab\nc");
        // A key of Persian, and a mark that somebody pasted.
        let mut editor = Editor::new("می");
        "\u{200c}خ\u{202e}".chars().for_each(|typed| editor.insert(&typed.to_string(), true));
        assert_eq!(editor.text(), "می\u{200c}خ\u{202e}");
        let mut line = Editor::new("");
        line.insert("a\nb", false);
        assert_eq!(line.text(), "a b");
    }

    #[test]
    fn the_cursor_is_where_the_next_letter_will_stand() {
        let at = |text: &str, width| Editor::new(text).cursor(width);
        assert_eq!(at("", 10), (0, 0));
        assert_eq!(at("框架", 10), (0, 4));
        assert_eq!(at("one\n", 10), (1, 0));
        assert_eq!(at("one two", 5), (1, 3));
    }
}
