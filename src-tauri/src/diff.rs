//! What changed between two texts, line by line.
//!
//! Made to be asked after every key: what the texts share at both ends is set apart first, and where
//! still too many lines differ, all of the old ones are removed and all of the new ones
//! added, which is also true.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    pub mark: Mark,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Same,
    Removed,
    Added,
    /// Stands for lines that are the same and far from any change.
    Gap,
}

/// The most lines of either text that are compared with each other.
const MOST: usize = 200;
/// How many lines are shown before and after a change.
const AROUND: usize = 2;

/// The changed lines, each with a few around it; nothing if nothing changed.
pub fn lines(old: &str, new: &str) -> Vec<Line> {
    let all = all(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    let changes: Vec<usize> = (0..all.len()).filter(|&at| all[at].0 != Mark::Same).collect();
    let mut shown: Vec<Line> = Vec::new();
    for (at, (mark, text)) in all.into_iter().enumerate() {
        let next = changes.partition_point(|change| change + AROUND < at);
        if changes.get(next).is_some_and(|change| *change <= at + AROUND) {
            shown.push(Line { mark, text: text.into() });
        } else if !changes.is_empty() && shown.last().is_none_or(|last| last.mark != Mark::Gap) {
            shown.push(Line { mark: Mark::Gap, text: "…".into() });
        }
    }
    shown
}

fn all<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Mark, &'a str)> {
    let pairs = || old.iter().zip(new);
    let head = pairs().take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old_rest.len() - tail, new_rest.len() - tail);
    let same = |lines: &[&'a str]| lines.iter().map(|line| (Mark::Same, *line)).collect::<Vec<_>>();
    let mut all = same(&old[..head]);
    all.extend(between(&old_rest[..old_end], &new_rest[..new_end]));
    all.extend(same(&old_rest[old_end..]));
    all
}

fn between<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Mark, &'a str)> {
    // shared[i][j]: how many lines `old[i..]` and `new[j..]` have in common, in order.
    let compares = old.len() <= MOST && new.len() <= MOST;
    let (height, width) = if compares { (old.len(), new.len()) } else { (0, 0) };
    let mut shared = vec![vec![0_usize; width + 1]; height + 1];
    for i in (0..height).rev() {
        for j in (0..width).rev() {
            shared[i][j] = if old[i] == new[j] {
                shared[i + 1][j + 1] + 1
            } else {
                shared[i + 1][j].max(shared[i][j + 1])
            };
        }
    }
    let mut lines = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < height && j < width {
        if old[i] == new[j] {
            lines.push((Mark::Same, old[i]));
            (i, j) = (i + 1, j + 1);
        } else if shared[i + 1][j] >= shared[i][j + 1] {
            lines.push((Mark::Removed, old[i]));
            i += 1;
        } else {
            lines.push((Mark::Added, new[j]));
            j += 1;
        }
    }
    lines.extend(old[i..].iter().map(|line| (Mark::Removed, *line)));
    lines.extend(new[j..].iter().map(|line| (Mark::Added, *line)));
    lines
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
    fn very_different_texts_are_told_whole() {
        let text =
            |word: &str| (0..=MOST).map(|n| format!("{word}{n}")).collect::<Vec<_>>().join("\n");
        let lines = lines(&text("old"), &text("new"));
        assert!(lines[..=MOST].iter().all(|line| line.mark == Mark::Removed));
        assert!(lines[MOST + 1..].iter().all(|line| line.mark == Mark::Added));
        assert_eq!(lines.len(), 2 * (MOST + 1));
    }
}
