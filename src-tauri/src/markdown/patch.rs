//! A diff as HTML: its files one by one, with numbered lines, the words that changed inside of them,
//! and what did not change folded away.
//!
//! Every line of the diff is in the HTML, with its sign, so that the page can copy it unchanged.

use std::{borrow::Cow, ops::Range};

use askdeck_core::diff;

use super::{html_escape, html_text, language_of};

/// So many unchanged lines in a row are shown whole; of more, only those next to a change.
const MOST_SAME: usize = 10;
const AROUND: usize = 3;
/// The page lays out so many lines at a time, and more only to keep a change in one piece.
const PART: usize = 50;
const LARGEST_PART: usize = 200;
/// With more lines it is no diff for people any more.
const MOST_LINES: usize = 20_000;
/// Longer lines are not looked into.
const LONGEST_COMPARED: usize = 500;

struct File<'a> {
    path: Cow<'a, str>,
    rows: Vec<Row<'a>>,
    is_in_hunks: bool,
}

struct Row<'a> {
    kind: Kind,
    old: Option<u32>,
    new: Option<u32>,
    text: &'a str,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// What only a program needs, or the header of the file says.
    Head,
    /// What becomes of the file beside its lines.
    Note,
    /// Where in the file the lines are.
    Place,
    Same,
    Removed,
    Added,
}

impl Kind {
    const fn class(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Note => "note",
            Self::Place => "place",
            Self::Same => "same",
            Self::Removed => "removed",
            Self::Added => "added",
        }
    }

    const fn is_change(self) -> bool {
        matches!(self, Self::Removed | Self::Added)
    }
}

/// The diff in a block of markdown. `path` is what its only file is called, if something beside the
/// diff says so; paths in `folder` are shown from there. Nothing if it is too long.
pub(super) fn html(text: &str, path: Option<&str>, folder: Option<&str>) -> Option<String> {
    if text.lines().nth(MOST_LINES).is_some() {
        return None;
    }
    let mut files = read(text);
    if let ([file], Some(path)) = (files.as_mut_slice(), path)
        && file.path.is_empty()
    {
        file.path = path.into();
    }
    let mut html = String::with_capacity(text.len() * 2);
    html.push_str("<div class=\"diff\">");
    for file in &files {
        file.write(&mut html, folder);
    }
    html.push_str("</div>\n");
    Some(html)
}

fn read(text: &str) -> Vec<File<'_>> {
    let mut reader = Reader::default();
    let lines: Vec<_> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        reader.read(line, &lines[at + 1..]);
    }
    reader.files
}

#[derive(Default)]
struct Reader<'a> {
    files: Vec<File<'a>>,
    /// How many lines the hunk still has, if it told.
    left: (u32, u32),
    /// The numbers of the next lines, if they are known.
    next: Option<(u32, u32)>,
}

impl<'a> Reader<'a> {
    /// No line of a file begins like a header of one, since there a sign is in front of it; but for
    /// `---` and `+++`, which are headers only before a hunk.
    fn read(&mut self, line: &'a str, after: &[&'a str]) {
        let is_in_hunk = self.left != (0, 0);
        let begins = |start: &str, lines: &[&str], at: usize| {
            lines.get(at).is_some_and(|line| line.starts_with(start))
        };
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.begin(name(names.rsplit(" b/").next().unwrap_or(names)));
            self.push(Kind::Head, line);
        } else if !is_in_hunk
            && line.starts_with("--- ")
            && begins("+++ ", after, 0)
            && begins("@@", after, 1)
        {
            if self.files.last().is_none_or(|file| file.is_in_hunks) {
                self.begin(Cow::Borrowed(""));
            }
            let (old, new) = (name(&line[4..]), name(&after[0][4..]));
            self.file().path = if new == "/dev/null" { old } else { new };
            self.push(Kind::Head, line);
        } else if !is_in_hunk && line.starts_with("+++ ") && self.follows_old_name() {
            self.push(Kind::Head, line);
        } else if line.starts_with("@@") {
            self.file().is_in_hunks = true;
            let place = place(line);
            self.left = place.map_or((0, 0), |(_, left)| left);
            self.next = place.map(|(next, _)| next);
            self.push(Kind::Place, line);
        } else if self.files.last().is_some_and(|file| !file.is_in_hunks && !file.rows.is_empty())
            && !line.starts_with(['+', '-', ' '])
        {
            let is_dull = ["index ", "similarity ", "dissimilarity "];
            let dull = is_dull.iter().any(|start| line.starts_with(start));
            self.push(if dull { Kind::Head } else { Kind::Note }, line);
        } else {
            match line.as_bytes().first() {
                Some(b'+') => self.push(Kind::Added, line),
                Some(b'-') => self.push(Kind::Removed, line),
                Some(b'\\') => self.push(Kind::Note, line),
                _ => self.push(Kind::Same, line),
            }
        }
    }

    fn follows_old_name(&self) -> bool {
        let last = self.files.last().and_then(|file| file.rows.last());
        last.is_some_and(|row| row.kind == Kind::Head && row.text.starts_with("--- "))
    }

    fn begin(&mut self, path: Cow<'a, str>) {
        self.files.push(File { path, rows: Vec::new(), is_in_hunks: false });
        self.left = (0, 0);
        self.next = None;
    }

    fn file(&mut self) -> &mut File<'a> {
        if self.files.is_empty() {
            self.begin(Cow::Borrowed(""));
        }
        self.files.last_mut().expect("there is one now")
    }

    fn push(&mut self, kind: Kind, text: &'a str) {
        let (in_old, in_new) = match kind {
            Kind::Same => (true, true),
            Kind::Removed => (true, false),
            Kind::Added => (false, true),
            Kind::Head | Kind::Note | Kind::Place => (false, false),
        };
        let old = self.next.filter(|_| in_old).map(|(old, _)| old);
        let new = self.next.filter(|_| in_new).map(|(_, new)| new);
        if let Some((old, new)) = &mut self.next {
            *old = old.saturating_add(in_old.into());
            *new = new.saturating_add(in_new.into());
        }
        self.left.0 = self.left.0.saturating_sub(in_old.into());
        self.left.1 = self.left.1.saturating_sub(in_new.into());
        self.file().rows.push(Row { kind, old, new, text });
    }
}

/// The first lines of a hunk, and how many it has: `@@ -12,7 +12,8 @@`.
fn place(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let mut parts = line.strip_prefix("@@ -")?.split(' ');
    let range = |part: &str| {
        let (start, length) = part.split_once(',').unwrap_or((part, "1"));
        Some((start.parse::<u32>().ok()?, length.parse::<u32>().ok()?))
    };
    let old = range(parts.next()?)?;
    let new = range(parts.next()?.strip_prefix('+')?)?;
    Some(((old.0, new.0), (old.1, new.1)))
}

/// The path in a header, without what only git needs.
fn name(name: &str) -> Cow<'_, str> {
    let name = name.split('\t').next().unwrap_or(name).trim_end();
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    ["a/", "b/"].iter().find_map(|side| name.strip_prefix(side)).unwrap_or(name).into()
}

impl File<'_> {
    fn write(&self, html: &mut String, folder: Option<&str>) {
        html.push_str("<details class=\"file\" open=\"\"");
        let extension = self.path.rsplit(['/', '.']).next().filter(|_| self.path.contains('.'));
        if let Some(language) = extension.and_then(language_of) {
            html.push_str(" data-language=\"");
            html_escape(html, language);
            html.push('"');
        }
        html.push_str("><summary>");
        self.write_path(html, folder);
        let count = |kind| self.rows.iter().filter(|row| row.kind == kind).count();
        for (class, sign, count) in
            [("plus", "+", count(Kind::Added)), ("minus", "−", count(Kind::Removed))]
        {
            html.extend([" <span class=\"", class, "\">", sign, &count.to_string(), "</span>"]);
        }
        html.push_str("</summary>");
        self.write_rows(html);
        html.push_str("</details>");
    }

    fn write_path(&self, html: &mut String, folder: Option<&str>) {
        if self.path.is_empty() {
            return;
        }
        let shown = folder
            .filter(|folder| folder.len() > 1)
            .and_then(|folder| self.path.strip_prefix(folder.trim_end_matches('/')))
            .and_then(|path| path.strip_prefix('/'))
            .unwrap_or(&self.path);
        html.push_str("<span class=\"path\" title=\"");
        html_escape(html, &self.path);
        html.push_str("\">");
        let file = shown.rfind('/').map_or(0, |at| at + 1);
        html.push_str("<span class=\"parents\">");
        html_text(html, &shown[..file]);
        html.push_str("</span>");
        html_text(html, &shown[file..]);
        html.push_str("</span>");
    }

    fn write_rows(&self, html: &mut String) {
        let marks = self.marks();
        let mut in_part = 0;
        let has_numbers = self.rows.iter().any(|row| row.old.or(row.new).is_some());
        let part = if has_numbers { "<div class=\"part\">" } else { "<div class=\"part bare\">" };
        html.push_str(part);
        let mut at = 0;
        while at < self.rows.len() {
            let changes = |at: usize| self.rows.get(at).is_some_and(|row| row.kind.is_change());
            let is_whole = at > 0 && !(changes(at - 1) && changes(at));
            if in_part >= LARGEST_PART || in_part >= PART && is_whole {
                html.extend(["</div>", part]);
                in_part = 0;
            }
            let hidden = self.unchanged_from(at);
            if hidden > 0 {
                let lines = hidden.to_string();
                html.extend(["<details class=\"fold\"><summary data-lines=\"", &lines, "\">… "]);
                html.extend([&lines, "</summary>"]);
                for row in &self.rows[at..at + hidden] {
                    row.write(html, &[]);
                }
                html.push_str("</details>");
            } else {
                self.rows[at].write(html, &marks[at]);
            }
            at += hidden.max(1);
            in_part += 1;
        }
        html.push_str("</div>");
    }

    /// How many lines from here on can be folded away, since no change is near.
    fn unchanged_from(&self, at: usize) -> usize {
        let is_same = |row: &&Row| row.kind == Kind::Same;
        let before = self.rows[..at].iter().rev().take(AROUND + 1).take_while(is_same).count();
        if before != AROUND {
            return 0;
        }
        let after = self.rows[at..].iter().take_while(is_same).count();
        if before + after > MOST_SAME { after - AROUND } else { 0 }
    }

    /// The bytes of each line that are not in the line which it replaced, or which replaced it.
    fn marks(&self) -> Vec<Vec<Range<usize>>> {
        let mut marks = vec![Vec::new(); self.rows.len()];
        let mut at = 0;
        while at < self.rows.len() {
            let run = |from: usize, kind| {
                self.rows[from..].iter().take_while(|row| row.kind == kind).count()
            };
            let removed = run(at, Kind::Removed);
            let added = run(at + removed, Kind::Added);
            // Of lines that are not as many as before, nobody knows which became which.
            for pair in 0..if removed == added { removed } else { removed.min(added).min(1) } {
                let (old, new) = (at + pair, at + removed + pair);
                let (before, after) = (&self.rows[old].text[1..], &self.rows[new].text[1..]);
                if before.len().max(after.len()) <= LONGEST_COMPARED
                    && let Some((gone, come)) = diff::words(before, after)
                {
                    marks[old] = gone;
                    marks[new] = come;
                }
            }
            at += (removed + added).max(1);
        }
        marks
    }
}

impl Row<'_> {
    /// `marks` count from behind the sign.
    fn write(&self, html: &mut String, marks: &[Range<usize>]) {
        html.extend(["<div class=\"", self.kind.class(), "\""]);
        for (name, number) in [("old", self.old), ("new", self.new)] {
            if let Some(number) = number {
                html.extend([" data-", name, "=\"", &number.to_string(), "\""]);
            }
        }
        html.push_str("><span>");
        let mut at = 0;
        for mark in marks {
            let (from, to) = (mark.start + 1, mark.end + 1);
            html_text(html, &self.text[at..from]);
            html.push_str("<mark>");
            html_text(html, &self.text[from..to]);
            html.push_str("</mark>");
            at = to;
        }
        html_text(html, &self.text[at..]);
        html.push_str("</span></div>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of each file, one in a line: its numbers, what it is, its text.
    fn told(text: &str) -> Vec<String> {
        let number = |number: Option<u32>| number.map_or("-".into(), |number| number.to_string());
        read(text)
            .iter()
            .flat_map(|file| {
                let rows = file.rows.iter().map(|row| {
                    let (old, new) = (number(row.old), number(row.new));
                    format!("{old} {new} {} {}", row.kind.class(), row.text)
                });
                [format!("[{}]", file.path)].into_iter().chain(rows)
            })
            .collect()
    }

    #[test]
    fn files_hunks_and_numbers_are_read() {
        let diff = "\
diff --git a/src/a.rs b/src/a.rs
index 1234..5678 100644
--- a/src/a.rs
+++ b/src/a.rs
@@ -10,3 +10,3 @@ fn main() {
 one
--- two
+++ 2
 three
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt\t2026-11-18
+++ /dev/null
@@ -1 +0,0 @@
-gone
\\ No newline at end of file";
        let expected = [
            "[src/a.rs]",
            "- - head diff --git a/src/a.rs b/src/a.rs",
            "- - head index 1234..5678 100644",
            "- - head --- a/src/a.rs",
            "- - head +++ b/src/a.rs",
            "- - place @@ -10,3 +10,3 @@ fn main() {",
            "10 10 same  one",
            "11 - removed --- two",
            "- 11 added +++ 2",
            "12 12 same  three",
            "[run.sh]",
            "- - head diff --git a/run.sh b/run.sh",
            "- - note old mode 100644",
            "- - note new mode 100755",
            "[old.txt]",
            "- - head diff --git a/old.txt b/old.txt",
            "- - note deleted file mode 100644",
            "- - head --- a/old.txt\t2026-11-18",
            "- - head +++ /dev/null",
            "- - place @@ -1 +0,0 @@",
            "1 - removed -gone",
            "- - note \\ No newline at end of file",
        ];
        assert_eq!(told(diff), expected);
    }

    #[test]
    fn lines_that_look_like_headers_are_lines() {
        // A comment that was removed, and two signs that were added: nothing of it may be hidden.
        let diff = "--- x\n+++ y\n @@ -1 +1 @@\n+diff --git a/x b/x";
        let expected = [
            "[]",
            "- - removed --- x",
            "- - added +++ y",
            "- - same  @@ -1 +1 @@",
            "- - added +diff --git a/x b/x",
        ];
        assert_eq!(told(diff), expected);
    }

    #[test]
    fn hunks_that_count_wrongly_are_read_as_far_as_they_go() {
        let diff = "@@ -1,9 +1,9 @@\n-a\n+b\n@@ ... @@\n-c\n\n+d\n@@ -4294967295,2 +1 @@\n a\n b";
        let expected = [
            "[]",
            "- - place @@ -1,9 +1,9 @@",
            "1 - removed -a",
            "- 1 added +b",
            "- - place @@ ... @@",
            "- - removed -c",
            "- - same ",
            "- - added +d",
            "- - place @@ -4294967295,2 +1 @@",
            "4294967295 1 same  a",
            "4294967295 2 same  b",
        ];
        assert_eq!(told(diff), expected);
    }

    #[test]
    fn words_are_marked_and_everything_is_escaped() {
        let html = html("-let a = <one>;\n+let a = <two>;", Some("a\"<b>.rs"), None).unwrap();
        assert!(html.contains("<span>-let a = &lt;<mark>one</mark>&gt;;</span>"), "{html}");
        assert!(html.contains("<span>+let a = &lt;<mark>two</mark>&gt;;</span>"), "{html}");
        assert!(html.contains("title=\"a&quot;&lt;b&gt;.rs\""), "{html}");
    }

    #[test]
    fn what_is_far_from_any_change_is_folded_and_stays_there() {
        let lines = |count: usize| " same\n".repeat(count);
        let diff = format!("@@ -1,40 +1,40 @@\n{}-old\n+new\n{}", lines(30), lines(10));
        let html = html(&diff, None, None).unwrap();
        assert!(html.contains("<details class=\"fold\"><summary data-lines=\"24\">… 24</summary>"));
        assert_eq!(html.matches("<details class=\"fold\">").count(), 1);
        assert_eq!(html.matches("> same</span>").count(), 40);
    }

    #[test]
    fn a_change_is_in_one_part_unless_it_is_huge() {
        let run = |sign: char, count: usize| format!("{sign}x\n").repeat(count);
        let diff = format!("{} y\n{}", run('-', 70) + &run('+', 70), run('+', 500));
        let html = html(&diff, None, None).unwrap();
        let parts: Vec<_> = html.split("<div class=\"part bare\">").skip(1).collect();
        let rows: Vec<_> = parts.iter().map(|part| part.matches("<span>").count()).collect();
        assert_eq!(rows, [140, 200, 200, 101]);
    }

    #[test]
    fn what_nobody_reads_is_no_diff() {
        assert!(html(&"\n".repeat(MOST_LINES + 1), None, None).is_none());
        let long = format!("-{0}\n+{0}b", "a ".repeat(500_000));
        assert!(!html(&long, None, None).unwrap().contains("<mark>"));
    }
}
