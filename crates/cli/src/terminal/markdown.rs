//! Markdown from agents as plain lines: what it says can be read as it stands.

use std::mem;

use askdeck_core::text;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use ratatui::{
    style::{Modifier, Style},
    text::Span,
};

use super::{
    palette::{Palette, STRONG},
    wrap::Block,
};

/// Longer than this it is no text for people any more.
const MAX_BYTES: usize = 64 * 1024;
/// How many lines of a diff are shown before and after a change.
const AROUND: usize = 3;
/// Deeper than this a list is not moved in further.
const DEEPEST: usize = 6;

/// The lines of a text, all of them in this style.
pub(super) fn blocks(markdown: &str, base: Style, palette: &Palette) -> Vec<Block> {
    let markdown = text::clean(markdown);
    if markdown.len() > MAX_BYTES {
        return plain(&markdown, base);
    }
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer { styles: vec![base], palette: *palette, ..Writer::default() };
    for event in Parser::new_ext(&markdown, options) {
        writer.write(event);
    }
    writer.end_line();
    let mut blocks = writer.blocks;
    while blocks.last().is_some_and(|block| block.line.width() == 0) {
        blocks.pop();
    }
    blocks
}

/// A preview. It may be a drawing made of characters, which markdown would ruin.
pub fn preview(preview: &str, palette: &Palette) -> Vec<Block> {
    if text::is_drawing(preview) {
        plain(&text::clean(preview), Style::new())
    } else {
        blocks(preview, Style::new(), palette)
    }
}

/// The lines as they stand.
pub(super) fn plain(text: &str, style: Style) -> Vec<Block> {
    let line = |line: &str| Block::new(Span::styled(line.to_owned(), style));
    text.trim_end().split('\n').map(line).collect()
}

/// A text on one line, without its marks: for where there is room for a name only.
pub(super) fn headline(markdown: &str) -> String {
    let blocks = blocks(markdown, STRONG, &Palette::default());
    let lines: Vec<_> = blocks.iter().map(|block| block.line.to_string()).collect();
    text::clean_line(&lines.join(" "))
}

#[derive(Default)]
struct Writer {
    blocks: Vec<Block>,
    spans: Vec<Span<'static>>,
    /// The last one is in use.
    styles: Vec<Style>,
    palette: Palette,
    /// The next number of each list that is open; none where items have no numbers.
    lists: Vec<Option<u64>>,
    quotes: usize,
    /// The columns that the mark of an item takes, until its first line is written.
    mark: Option<String>,
    /// The addresses of the links that are open, with the text seen in them so far.
    links: Vec<(String, String)>,
    code: Option<Code>,
    cells: usize,
}

/// Inside a block of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    Plain,
    Diff,
}

impl Writer {
    fn write(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code.is_some() => self.code_lines(&text),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => self.text(&format!("`{code}`")),
            // Agents break lines where they mean to.
            Event::SoftBreak | Event::HardBreak => self.end_line(),
            Event::Rule => {
                self.text("———");
                self.end_paragraph();
            }
            Event::TaskListMarker(done) => self.text(if done { "[x] " } else { "[ ] " }),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Strong => self.push_style(Modifier::BOLD),
            Tag::Emphasis => self.push_style(Modifier::ITALIC),
            Tag::Strikethrough => self.push_style(Modifier::CROSSED_OUT),
            Tag::Heading { level, .. } => {
                self.push_style(Modifier::BOLD);
                if level == HeadingLevel::H1 {
                    self.push_style(Modifier::UNDERLINED);
                }
            }
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::List(first) => {
                self.end_line();
                self.lists.push(first);
            }
            Tag::Item => {
                self.end_line();
                self.mark = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{number}. ");
                        *number += 1;
                        mark
                    }
                    _ => "- ".into(),
                });
            }
            Tag::CodeBlock(kind) => {
                self.end_line();
                let is_diff = matches!(&kind, CodeBlockKind::Fenced(name) if &**name == "diff");
                self.code = Some(if is_diff { Code::Diff } else { Code::Plain });
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((text::with_ascii_host(&text::clean(&dest_url)), String::new()));
            }
            Tag::TableHead | Tag::TableRow => self.cells = 0,
            Tag::TableCell => {
                if self.cells > 0 {
                    self.text(" | ");
                }
                self.cells += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Heading(level) => {
                self.styles.pop();
                if level == HeadingLevel::H1 {
                    self.styles.pop();
                }
                self.end_paragraph();
            }
            TagEnd::BlockQuote(_) => self.quotes -= 1,
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.end_paragraph();
                }
            }
            TagEnd::CodeBlock => {
                self.code = None;
                self.end_paragraph();
            }
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::Item | TagEnd::TableHead | TagEnd::TableRow => self.end_line(),
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Table => self.end_paragraph(),
            _ => {}
        }
    }

    fn push_style(&mut self, modifier: Modifier) {
        self.styles.push(self.style().add_modifier(modifier));
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    /// What markdown writes as `&#x1b;` must not bring back what was cleaned away.
    fn text(&mut self, text: &str) {
        let text = text::clean(text);
        if let Some((_, seen)) = self.links.last_mut() {
            seen.push_str(&text);
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.end_line();
            }
            self.spans.push(Span::styled(line.to_owned(), self.style()));
        }
    }

    fn code_lines(&mut self, code: &str) {
        let code = text::clean(code);
        let lines: Vec<_> = code.trim_end_matches('\n').split('\n').collect();
        let is_diff = self.code == Some(Code::Diff);
        let far = if is_diff { far_from_changes(&lines) } else { vec![false; lines.len()] };
        let mut was_far = false;
        for (line, is_far) in lines.into_iter().zip(far) {
            let style = match line.as_bytes().first() {
                Some(b'+') if is_diff => self.palette.success,
                Some(b'-') if is_diff => self.palette.danger,
                _ => Style::new(),
            };
            if !(is_far && was_far) {
                let line = if is_far { "…" } else { line };
                self.spans.push(Span::styled(format!("  {line}"), style));
                self.end_line();
            }
            was_far = is_far;
        }
    }

    /// A link says where it leads, unless that is its text already.
    fn end_link(&mut self) {
        if let Some((address, seen)) = self.links.pop()
            && seen.trim() != address
        {
            self.text(&format!(" ({address})"));
        }
    }

    fn end_line(&mut self) {
        if self.spans.is_empty() {
            return;
        }
        let quote = "> ".repeat(self.quotes.min(DEEPEST));
        let depth = self.lists.len().saturating_sub(1).min(DEEPEST);
        let first = self.mark.take();
        // Lines that follow stand under the text of their item, not under its mark.
        let under = if self.lists.is_empty() { "" } else { "  " };
        let mark = first.as_deref().unwrap_or(under);
        let start = format!("{quote}{}{mark}", "  ".repeat(depth));
        let hang = start.len();
        let spans = mem::take(&mut self.spans);
        let line = [Span::styled(start, self.style())].into_iter().chain(spans).collect();
        self.blocks.push(Block { line, hang });
    }

    /// An empty line between paragraphs, but not between the items of a list.
    fn end_paragraph(&mut self) {
        self.end_line();
        if self.lists.is_empty() {
            self.blocks.push(Block::default());
        }
    }
}

/// Which lines of a diff did not change, and are not next to one that did.
fn far_from_changes(lines: &[&str]) -> Vec<bool> {
    let mut far: Vec<_> = lines.iter().map(|line| line.starts_with(' ')).collect();
    let mut changes = (0..lines.len()).filter(|at| lines[*at].starts_with(['+', '-'])).peekable();
    // Where nothing changes, nothing is far from it.
    if changes.peek().is_none() {
        return vec![false; lines.len()];
    }
    for change in changes {
        let near = change.saturating_sub(AROUND)..lines.len().min(change + AROUND + 1);
        far[near].fill(false);
    }
    far
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;

    #[track_caller]
    fn case(markdown: &str, expected: &str) {
        let blocks = blocks(markdown, Style::new(), &Palette::default());
        let lines: Vec<_> = blocks.iter().map(|block| block.line.to_string()).collect();
        assert_eq!(lines.join("\n"), expected);
    }

    #[test]
    fn what_it_says_can_be_read() {
        case("Use **this** `code`, _or_ ~~not~~?", "Use this `code`, or not?");
        case("one\ntwo\n\nthree", "one\ntwo\n\nthree");
        case("# Head\nbody", "Head\n\nbody");
        case("> quoted", "> quoted");
        case("- a\n- b\n  - c\n\n1. x\n2. y", "- a\n- b\n  - c\n\n1. x\n2. y");
        case("- [x] done\n- [ ] open", "- [x] done\n- [ ] open");
        case("```\nlet a;\n\n  b\n```\nafter", "  let a;\n  \n    b\n\nafter");
        case("|a|b|\n|-|-|\n|1|2|", "a | b\n1 | 2");
    }

    #[test]
    fn a_diff_shows_what_is_near_its_changes() {
        let same = |numbers: RangeInclusive<u32>| numbers.map(|n| format!(" {n}\n"));
        let lines: String =
            same(1..=9).chain(["-old\n+new\n".into()]).chain(same(10..=19)).collect();
        case(
            &format!("```diff\n@@ -1,20 +1,20 @@\n{lines}```"),
            "  @@ -1,20 +1,20 @@\n  …\n   7\n   8\n   9\n  -old\n  +new\n   10\n   11\n   12\n  …",
        );
        case("```diff\n a\n b\n c\n d\n e\n```", "   a\n   b\n   c\n   d\n   e");
    }

    #[test]
    fn links_show_their_address() {
        case("[docs](https://a.example/x)", "docs (https://a.example/x)");
        case("<https://a.example>", "https://a.example");
        case("[docs](https://\u{440}\u{430}ypal.com)", "docs (https://xn--ypal-43d9g.com)");
        case("![cat](https://a.example/c.png)", "cat (https://a.example/c.png)");
    }

    #[test]
    fn escapes_do_not_come_back_through_entities() {
        case("a <b>b</b> \u{1b}[31mred &#27;[31m &#x202E;x", "a <b>b</b> red [31m x");
    }

    #[test]
    fn a_name_has_no_marks() {
        assert_eq!(headline("**Which** one?\n\n- a\n- b"), "Which one? - a - b");
    }
}
