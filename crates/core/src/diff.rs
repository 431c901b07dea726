//! What changed between two texts, line by line.
//!
//! Made to be asked after every key: of two long texts all of the old lines are removed and all of
//! the new ones added, which is also true.

use std::ops::Range;

use serde::Serialize;
use similar::{
    Algorithm, ChangeTag, DiffOp, DiffTag, TextDiff, capture_diff, group_diff_ops,
    udiff::UnifiedHunkHeader,
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Line {
    pub mark: Mark,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Same,
    Removed,
    Added,
    /// Stands for lines that are the same and far from any change.
    Gap,
}

/// The most lines of either text that are compared with each other, without those that both begin and
/// end with.
const MOST: usize = 1_000;
/// How many lines are shown before and after a change.
const AROUND: usize = 2;
/// How many there are before and after a change of a file, so that the person can look further.
const AROUND_IN_FILE: usize = 12;

/// The changed lines, each with a few around it; nothing if nothing changed.
pub fn lines(old: &str, new: &str) -> Vec<Line> {
    let [old, new] = split([old, new]);
    let mut shown = Vec::new();
    let mut next = 0;
    for group in group_diff_ops(compare(&old, &new), AROUND) {
        if group.first().is_some_and(|first| first.old_range().start > next) {
            shown.push(gap());
        }
        next = group.last().map_or(next, |last| last.old_range().end);
        shown.extend(group.iter().flat_map(|part| changes(part, &old, &new)));
    }
    if next < old.len() && !shown.is_empty() {
        shown.push(gap());
    }
    shown
}

/// The same as text, each line after the sign for what became of it.
pub fn text(old: &str, new: &str) -> String {
    lines(old, new).iter().map(signed).collect()
}

/// What changes in a file, as `diff -u` writes it: with the numbers of the lines.
pub fn unified(old: &str, new: &str) -> String {
    let [old_lines, new_lines] = split([old, new]);
    let mut text = String::new();
    for group in group_diff_ops(compare(&old_lines, &new_lines), AROUND_IN_FILE) {
        text.push_str(&UnifiedHunkHeader::new(&group).to_string());
        text.push('\n');
        let lines = group.iter().flat_map(|part| changes(part, &old_lines, &new_lines));
        text.extend(lines.map(|line| signed(&line)));
    }
    if !old.is_empty() && ends_line(old) != ends_line(new) {
        text.push_str(if ends_line(new) { "\\ Newline added" } else { "\\ No newline" });
        text.push_str(" at end of file\n");
    }
    text
}

/// How many lines of such a text are added, and how many removed.
pub fn count(text: &str) -> (usize, usize) {
    let count = |sign| text.lines().filter(|line| line.starts_with(sign)).count();
    (count('+'), count('-'))
}

/// A `\r` stays at the end of its line, so that a changed line end is a change; unless all lines of
/// both texts have one.
fn split(texts: [&str; 2]) -> [Vec<&str>; 2] {
    let has_both = |line: &&str| line.ends_with('\r');
    let lines = texts.map(|text| text.split_terminator('\n').collect::<Vec<_>>());
    if lines.iter().flatten().all(has_both) {
        return lines.map(|lines| lines.into_iter().map(|line| &line[..line.len() - 1]).collect());
    }
    lines
}

fn ends_line(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

fn compare(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let start = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    let (old_len, new_len) = (old_end - start, new_end - start);
    let mut parts = vec![DiffOp::Equal { old_index: 0, new_index: 0, len: start }];
    if old_len.max(new_len) > MOST {
        parts.push(DiffOp::Replace { old_index: start, old_len, new_index: start, new_len });
    } else {
        parts.extend(capture_diff(Algorithm::Myers, old, start..old_end, new, start..new_end));
    }
    parts.push(DiffOp::Equal { old_index: old_end, new_index: new_end, len: end });
    parts.retain(|part| !(part.old_range().is_empty() && part.new_range().is_empty()));
    parts
}

fn changes<'a>(
    part: &DiffOp,
    old: &'a [&str],
    new: &'a [&str],
) -> impl Iterator<Item = Line> + use<'a> {
    let (tag, old_range, new_range) = part.as_tag_tuple();
    let is_same = tag == DiffTag::Equal;
    let before = if is_same { Mark::Same } else { Mark::Removed };
    let after = if is_same { 0..0 } else { new_range };
    let removed = old[old_range].iter().map(move |text| line(before, text));
    removed.chain(new[after].iter().map(|text| line(Mark::Added, text)))
}

fn signed(Line { mark, text }: &Line) -> String {
    match mark {
        Mark::Same | Mark::Gap => format!(" {text}\n"),
        Mark::Removed => format!("-{text}\n"),
        Mark::Added => format!("+{text}\n"),
    }
}

/// The most words of a line that are compared, and how alike two lines must be for it to say anything.
const MOST_WORDS: usize = 400;
const ALIKE: f32 = 0.5;

/// Bytes of a line.
pub type Bytes = Range<usize>;

/// What changed inside of a line: the bytes of the old one that went, and those of the new one that
/// came. Nothing if the two have little in common.
pub fn words(old: &str, new: &str) -> Option<(Vec<Bytes>, Vec<Bytes>)> {
    let (old, new) = (split_words(old)?, split_words(new)?);
    let diff = TextDiff::from_slices(&old, &new);
    if diff.ratio() < ALIKE {
        return None;
    }
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut old_at, mut new_at) = (0, 0);
    for change in diff.iter_all_changes() {
        let length = change.value().len();
        match change.tag() {
            ChangeTag::Equal => {}
            ChangeTag::Delete => extend(&mut gone, old_at..old_at + length),
            ChangeTag::Insert => extend(&mut come, new_at..new_at + length),
        }
        old_at += if change.tag() == ChangeTag::Insert { 0 } else { length };
        new_at += if change.tag() == ChangeTag::Delete { 0 } else { length };
    }
    Some((gone, come))
}

/// Names and numbers whole, blanks together, everything else by itself. Nothing if there are too many.
fn split_words(line: &str) -> Option<Vec<&str>> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in line.char_indices() {
        if before.is_some_and(|before| before != kind(c) || before == 2) {
            words.push(&line[start..at]);
            start = at;
        }
        before = Some(kind(c));
        if words.len() >= MOST_WORDS {
            return None;
        }
    }
    words.push(&line[start..]);
    Some(words)
}

fn extend(ranges: &mut Vec<Bytes>, next: Bytes) {
    match ranges.last_mut() {
        Some(last) if last.end == next.start => last.end = next.end,
        _ => ranges.push(next),
    }
}

fn line(mark: Mark, text: &str) -> Line {
    Line { mark, text: text.into() }
}

fn gap() -> Line {
    line(Mark::Gap, "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(old: &str, new: &str, expected: &str) {
        let sign = |line: &Line| match line.mark {
            Mark::Same => ' ',
            Mark::Removed => '-',
            Mark::Added => '+',
            Mark::Gap => '@',
        };
        let lines = lines(&old.replace(' ', "\n"), &new.replace(' ', "\n"));
        let told: Vec<_> =
            lines.iter().map(|line| format!("{}{}", sign(line), line.text)).collect();
        assert_eq!(told.join("|"), expected);
    }

    #[test]
    fn changes_stand_among_the_lines_around_them() {
        case("a b c", "a b c", "");
        case("a b c", "a x c", " a|-b|+x| c");
        case("", "a", "+a");
        case("a b", "", "-a|-b");
        case("a b c d e f g h", "a b c d x f g h", "@…| c| d|-e|+x| f| g|@…");
        case("a b c d", "b x d", "-a| b|-c|+x| d");
        case("a b c d e f g h i", "x b c d e f g h y", "-a|+x| b| c|@…| g| h|-i|+y");
    }

    #[test]
    fn each_line_has_the_sign_of_what_became_of_it() {
        let before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
        let after = "one\ntwo\nthree\nfour\n5\nsix\nseven\neight\n";
        assert_eq!(text(before, after), " …\n three\n four\n-five\n+5\n six\n seven\n …\n");
        assert_eq!(text("", "new\n"), "+new\n");
        assert_eq!(text("a\na\n", "a\na\na\n"), " a\n a\n+a\n");
        assert_eq!(text("gone\n", ""), "-gone\n");
    }

    #[test]
    fn words_that_changed_are_found_in_their_line() {
        let changed = |old: &str, new: &str| {
            let (gone, come) = words(old, new)?;
            let cut = |text: &str, ranges: Vec<Range<usize>>| {
                ranges.into_iter().map(|range| text[range].to_owned()).collect::<Vec<_>>().join("|")
            };
            Some((cut(old, gone), cut(new, come)))
        };
        let some = |old: &str, new: &str| Some((old.to_owned(), new.to_owned()));
        assert_eq!(changed("let a = one(1);", "let a = two(1)?;"), some("one", "two|?"));
        assert_eq!(changed("same", "same"), some("", ""));
        assert_eq!(changed("für größe = 1", "für grösse = 1"), some("größe", "grösse"));
        assert_eq!(changed("a completely other line", "fn main() {}"), None);
        assert_eq!(changed(&"a ".repeat(MOST_WORDS), "a"), None);
    }

    #[test]
    fn a_change_of_a_file_has_the_numbers_of_its_lines() {
        let before: Vec<_> = (1..=3_000).map(|n| format!("line {n}")).collect();
        let before = before.join("\n") + "\n";
        let after = before.replace("line 2000\n", "two\nthousand\n");
        let text = unified(&before, &after);
        assert!(text.starts_with("@@ -1988,25 +1988,26 @@\n line 1988\n"), "{text}");
        assert!(text.contains(" line 1999\n-line 2000\n+two\n+thousand\n line 2001\n"), "{text}");
        assert_eq!(count(&text), (2, 1));
        assert_eq!(unified("", "new\n"), "@@ -0,0 +1 @@\n+new\n");
        assert_eq!(unified("same\n", "same\n"), "");
    }

    #[test]
    fn a_change_of_line_ends_is_told() {
        assert_eq!(text("a\r\n", "a\n"), "-a\r\n+a\n");
        assert_eq!(text("a\r\nb\r\n", "a\r\nc\r\n"), " a\n-b\n+c\n");
        assert_eq!(unified("a\n", "a"), "\\ No newline at end of file\n");
        assert_eq!(unified("a", "a\n"), "\\ Newline added at end of file\n");
        assert_eq!(unified("", "a"), "@@ -0,0 +1 @@\n+a\n");
    }

    #[test]
    fn long_texts_are_told_whole() {
        let text =
            |word: &str| (0..=MOST).map(|n| format!("{word}{n}")).collect::<Vec<_>>().join("\n");
        let lines = lines(&text("old"), &text("new"));
        assert!(lines[..=MOST].iter().all(|line| line.mark == Mark::Removed));
        assert!(lines[MOST + 1..].iter().all(|line| line.mark == Mark::Added));
        assert_eq!(lines.len(), 2 * (MOST + 1));
    }
}
