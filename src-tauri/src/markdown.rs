//! Markdown from agents to HTML that is safe to show.
//!
//! Raw HTML is shown as the text it is, nothing remote is ever loaded, and links show their
//! address in full. The result is sanitised once more, so that a mistake here opens nothing.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    mem,
    sync::LazyLock,
};

use askdeck_core::text;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};
use serde::Serialize;

mod command;
mod parts;
mod patch;
mod pictures;

use parts::Part;
use pictures::Picture;

/// Deeper nesting than this says nothing to a reader, and costs the web view its stack.
const MAX_DEPTH: usize = 32;

/// What becomes longer than this as HTML is a burden to the page, and its rest is plain text.
const MAX_HTML: usize = 3 * 1024 * 1024;

/// Longer texts are laid out in pieces.
const MAX_UNBROKEN: usize = 8 * 1024;

/// The most characters of a text that a line of a list is made of.
const LONGEST_LINE: usize = 300;

/// The longest name of a language.
const MAX_LANGUAGE: usize = 20;

pub fn to_html(markdown: &str) -> String {
    to_html_in(None, markdown)
}

/// The same, with the paths of files that are in `folder` as they are seen from there.
pub fn to_html_in(folder: Option<&str>, markdown: &str) -> String {
    let markdown = text::clean(markdown);
    let (markdown, pictures) = pictures::taken_out(&markdown);
    let mut writer = Writer { folder, pictures: &pictures, ..Writer::default() };
    let mut parts = Vec::new();
    let mut length = 0;
    for Part { text, is_readable } in parts::of(&markdown) {
        let html = if is_readable && length < MAX_HTML { writer.part(text) } else { plain(text) };
        length += html.len();
        parts.push(html);
    }
    if parts.len() == 1 {
        return parts.remove(0);
    }
    // The page lays out only those that are seen.
    parts.iter().flat_map(|part| ["<div class=\"part\">", part, "</div>"]).collect()
}

fn plain(text: &str) -> String {
    let mut html = String::from("<p class=\"plain\">");
    html_text(&mut html, text);
    html + "</p>"
}

/// What markdown writes as `&#x202E;` must not bring back what was cleaned away.
fn cleaned(text: CowStr) -> CowStr {
    match text::clean(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => clean.into(),
    }
}

/// A preview as HTML. It may be a drawing made of characters, which markdown would ruin.
pub fn preview_to_html(preview: &str) -> String {
    if text::is_drawing(preview) {
        to_html(&format!("~~~\n{preview}\n~~~"))
    } else {
        to_html(preview)
    }
}

/// A piece of a text on one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Piece {
    text: String,
    is_code: bool,
}

/// The text of markdown on one line, in which only code still looks like what it is.
pub fn to_line(markdown: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let line = text::clean_line(&text::shortened(markdown, LONGEST_LINE));
    for event in Parser::new(&line) {
        let (text, is_code) = match event {
            Event::Code(code) => (code, true),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => (text, false),
            _ => continue,
        };
        let text = text::clean(&text).into_owned();
        match pieces.last_mut() {
            Some(last) if last.is_code == is_code => last.text.push_str(&text),
            _ => pieces.push(Piece { text, is_code }),
        }
    }
    if pieces.is_empty() {
        // All of it was marks.
        pieces.push(Piece { text: line, is_code: false });
    }
    pieces
}

/// The name of a language, if it can be one: the first word of what stands behind the fence.
fn language_of(info: &str) -> Option<&str> {
    let word = info.split([' ', ',', '{']).next()?;
    let fits = |c: char| c.is_ascii_alphanumeric() || "+#-_.".contains(c);
    (!word.is_empty() && word.len() <= MAX_LANGUAGE && word.chars().all(fits)).then_some(word)
}

#[derive(Default)]
struct Writer<'a> {
    /// Where paths are seen from.
    folder: Option<&'a str>,
    pictures: &'a [Picture],
    events: Vec<Event<'a>>,
    depth: usize,
    /// Those that are open.
    links: Vec<Link<'a>>,
    /// The block of code that is open: its language, and what stands in it so far.
    code: Option<(String, String)>,
    /// A block of one line, which is the path of a diff if that comes next.
    path: Option<String>,
    /// The headings, as they were written, under which the text stands.
    headings: Vec<HeadingLevel>,
}

struct Link<'a> {
    address: CowStr<'a>,
    /// The text in it so far.
    seen: String,
    /// It is a picture that can be shown, with its description from this event on.
    picture: Option<usize>,
}

impl<'a> Writer<'a> {
    fn part(&mut self, markdown: &'a str) -> String {
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        for event in Parser::new_ext(markdown, options) {
            self.write(event);
        }
        self.write_path();
        let mut unsafe_html = String::with_capacity(markdown.len() * 2);
        html::push_html(&mut unsafe_html, mem::take(&mut self.events).into_iter());
        sanitised(&unsafe_html)
    }

    fn write(&mut self, event: Event<'a>) {
        match (event, &mut self.code) {
            (Event::Text(text), Some((_, code))) => code.push_str(&cleaned(text)),
            (Event::Start(Tag::CodeBlock(kind)), _) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => language_of(info).unwrap_or_default(),
                    CodeBlockKind::Indented => "",
                };
                self.code = Some((language.to_lowercase(), String::new()));
            }
            (Event::End(TagEnd::CodeBlock), _) => {
                if let Some((language, code)) = self.code.take() {
                    self.write_code(&language, code);
                }
            }
            (event, _) => {
                self.write_path();
                self.write_prose(event);
            }
        }
    }

    fn write_prose(&mut self, event: Event<'a>) {
        match event {
            // HTML from an agent is text.
            Event::Html(html) | Event::InlineHtml(html) => self.text(cleaned(html)),
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(Tag::Image { dest_url, .. })
                if pictures::at(self.pictures, &dest_url).is_some() =>
            {
                let start = self.events.len();
                self.links.push(Link {
                    address: dest_url,
                    seen: String::new(),
                    picture: Some(start),
                });
            }
            // Any other picture would have to be loaded from somewhere: it becomes a link to it.
            Event::Start(Tag::Image { dest_url, .. } | Tag::Link { dest_url, .. }) => {
                self.open_link(text::with_ascii_host(&cleaned(dest_url)).into());
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.close_link(),
            Event::Text(text) => self.text(cleaned(text)),
            Event::Code(code) => {
                let code = cleaned(code);
                self.see(&code);
                self.events.push(Event::Code(code));
            }
            // As a box it would be cleaned away, and what is done would look like what is not.
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }.into()),
            // Agents break lines where they mean to.
            Event::SoftBreak => self.events.push(Event::HardBreak),
            Event::Start(tag) => {
                self.depth += 1;
                let tag = self.ranked(tag);
                if self.depth <= MAX_DEPTH {
                    self.events.push(Event::Start(tag));
                }
            }
            Event::End(tag) => {
                let tag = match tag {
                    TagEnd::Heading(_) => TagEnd::Heading(self.rank()),
                    tag => tag,
                };
                if self.depth <= MAX_DEPTH {
                    self.events.push(Event::End(tag));
                }
                self.depth -= 1;
            }
            event => self.events.push(event),
        }
    }

    fn write_code(&mut self, language: &str, code: String) {
        if language == "diff" {
            let path = self.path.take();
            let name = path.as_deref().map(str::trim_end);
            if let Some(html) = patch::html(&code, name, self.folder) {
                return self.html(html);
            }
            self.path = path;
        }
        self.write_path();
        if language.is_empty() && self.depth == 0 && text::is_path(&code) {
            self.path = Some(code);
        } else if text::is_shell(language) {
            self.html(command::html(&code));
        } else {
            self.html(code_html(language, &code));
        }
    }

    /// Writes a block that names no diff after all.
    fn write_path(&mut self) {
        if let Some(path) = self.path.take() {
            self.html(code_html("", &path));
        }
    }

    /// The page's own heading is the first; those in a text follow it without a gap, whatever they
    /// begin with, so that a screen reader finds its way.
    fn ranked(&mut self, tag: Tag<'a>) -> Tag<'a> {
        let Tag::Heading { level, id, classes, attrs } = tag else { return tag };
        self.headings.retain(|above| *above < level);
        self.headings.push(level);
        Tag::Heading { level: self.rank(), id, classes, attrs }
    }

    fn rank(&self) -> HeadingLevel {
        HeadingLevel::try_from(self.headings.len() + 1).unwrap_or(HeadingLevel::H6)
    }

    fn text(&mut self, text: CowStr<'a>) {
        self.see(&text);
        if text.len() <= MAX_UNBROKEN {
            self.events.push(Event::Text(text));
        } else {
            let mut html = String::new();
            html_text(&mut html, &text);
            self.events.push(Event::InlineHtml(html.into()));
        }
    }

    fn see(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut() {
            link.seen.push_str(text);
        }
    }

    fn html(&mut self, html: String) {
        self.events.push(Event::Html(html.into()));
    }

    fn open_link(&mut self, address: CowStr<'a>) {
        let mut tag = String::from("<a href=\"");
        html_escape(&mut tag, &address);
        tag.push_str("\">");
        self.events.push(Event::InlineHtml(tag.into()));
        self.links.push(Link { address, seen: String::new(), picture: None });
    }

    /// A link says where it leads, unless that is its text already.
    fn close_link(&mut self) {
        let Some(Link { address, seen, picture }) = self.links.pop() else { return };
        if let Some(start) = picture {
            return self.write_picture(start, &address, &seen);
        }
        if seen.trim() != &*address {
            let mut full = String::from(" <span class=\"address\">");
            html_escape(&mut full, &address);
            full.push_str("</span>");
            self.events.push(Event::InlineHtml(full.into()));
        }
        self.events.push(Event::InlineHtml("</a>".into()));
    }

    /// A picture with its size, so that nothing moves once it is drawn.
    fn write_picture(&mut self, start: usize, address: &str, description: &str) {
        let Some(picture) = pictures::at(self.pictures, address) else { return };
        self.events.truncate(start);
        let mut tag =
            format!("<img width=\"{}\" height=\"{}\" alt=\"", picture.width, picture.height);
        html_escape(&mut tag, description);
        tag.push_str("\" src=\"");
        html_escape(&mut tag, &picture.source);
        tag.push_str("\">");
        self.events.push(Event::InlineHtml(tag.into()));
    }
}

fn code_html(language: &str, code: &str) -> String {
    let mut html = String::from("<pre");
    if !language.is_empty() {
        html.push_str(" data-language=\"");
        html_escape(&mut html, language);
        html.push('"');
    }
    html.push_str("><code>");
    html_text(&mut html, code);
    html + "</code></pre>\n"
}

/// Text between tags, where quotes are only quotes. A web view takes the square of what it has to break
/// into lines, so what is long is in pieces, of which it lays out those that are seen.
fn html_text(into: &mut String, text: &str) {
    let mut rest = text;
    while rest.len() > MAX_UNBROKEN {
        let (piece, after) = rest.split_at(piece_of(rest));
        into.push_str("<span class=\"piece\">");
        body_text(into, piece);
        into.push_str("</span>");
        rest = after;
    }
    body_text(into, rest);
}

/// Where the first piece of a text ends: behind a line, or else behind a word.
fn piece_of(text: &str) -> usize {
    let end = (0..=MAX_UNBROKEN / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let line = text[..end].rfind('\n').or_else(|| text[..end].rfind(' '));
    line.map_or(end, |at| at + 1)
}

fn body_text(into: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _infallible = pulldown_cmark_escape::escape_html_body_text(into, text);
}

/// The value of an attribute.
fn html_escape(into: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = pulldown_cmark_escape::escape_html(into, text);
}

fn sanitised(html: &str) -> String {
    /// Made once: that takes longer than cleaning a short text by them.
    static RULES: LazyLock<ammonia::Builder> = LazyLock::new(rules);
    RULES.clean(html).to_string()
}

fn rules() -> ammonia::Builder<'static> {
    let tags = [
        "a",
        "blockquote",
        "br",
        "code",
        "del",
        "details",
        "div",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "img",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "span",
        "strong",
        "summary",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ];
    let classes = HashMap::from([
        ("details", HashSet::from(["file", "fold"])),
        (
            "div",
            HashSet::from([
                "diff", "part", "bare", "head", "note", "place", "same", "removed", "added",
            ]),
        ),
        ("pre", HashSet::from(["command"])),
        (
            "span",
            HashSet::from(["address", "minus", "parents", "path", "piece", "plus", "rest", "stop"]),
        ),
    ]);
    let attributes = HashMap::from([
        ("a", HashSet::from(["href"])),
        ("details", HashSet::from(["data-language", "open"])),
        ("div", HashSet::from(["data-new", "data-old"])),
        ("img", HashSet::from(["alt", "height", "src", "width"])),
        ("ol", HashSet::from(["start"])),
        ("pre", HashSet::from(["data-language", "data-lines"])),
        ("span", HashSet::from(["title"])),
        ("summary", HashSet::from(["data-lines"])),
    ]);
    let mut rules = ammonia::Builder::default();
    rules
        .tags(HashSet::from(tags))
        .tag_attributes(attributes)
        .generic_attributes(HashSet::new())
        .allowed_classes(classes)
        .url_schemes(HashSet::from(["data", "http", "https"]))
        .url_relative(ammonia::UrlRelative::Deny)
        .link_rel(None)
        // A picture is in its address and nowhere else; a link never is.
        .attribute_filter(|tag, attribute, value| {
            let fits = match (tag, attribute) {
                ("a", "href") => !value.trim_start().to_lowercase().starts_with("data:"),
                ("img", "src") => value.starts_with("data:image/"),
                _ => true,
            };
            fits.then_some(Cow::Borrowed(value))
        });
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(markdown: &str, expected: &str) {
        assert_eq!(to_html(markdown).trim_end(), expected);
    }

    #[test]
    fn ordinary_markdown() {
        case("Use **this** `code`?", "<p>Use <strong>this</strong> <code>code</code>?</p>");
        case("one\ntwo", "<p>one<br>\ntwo</p>");
    }

    #[test]
    fn a_line_of_a_list_keeps_only_its_code() {
        let line = |markdown: &str| -> Vec<_> {
            to_line(markdown).into_iter().map(|piece| (piece.text, piece.is_code)).collect()
        };
        let pieces = [("Use this ", false), ("a b", true), (" or <b>?", false)];
        let pieces = pieces.map(|(text, is_code)| (text.to_owned(), is_code));
        assert_eq!(line("Use **this**\n`a b` or [<b>](https://x.example)?"), pieces);
        assert_eq!(line("x&#x202E;y"), [("xy".to_owned(), false)]);
        assert_eq!(line(&"x".repeat(1000))[0].0.chars().count(), LONGEST_LINE + 1);
    }

    #[test]
    fn headings_follow_that_of_the_page_without_a_gap() {
        case("### a\n###### b\n# c\n## d", "<h2>a</h2>\n<h3>b</h3>\n<h2>c</h2>\n<h3>d</h3>");
        let all = "# x\n## x\n### x\n#### x\n##### x\n###### x";
        assert!(to_html(all).ends_with("<h6>x</h6>\n<h6>x</h6>\n"));
    }

    #[test]
    fn what_is_done_looks_done() {
        case("- [x] one\n- [ ] two", "<ul>\n<li>☑ one</li>\n<li>☐ two</li>\n</ul>");
    }

    #[test]
    fn html_is_shown_as_text() {
        case("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
        case("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>");
    }

    #[test]
    fn entities_bring_nothing_back() {
        case("invoice_&#x202E;fdp.exe &#27;[31m", "<p>invoice_fdp.exe [31m</p>");
    }

    #[test]
    fn what_is_too_long_for_a_paragraph_is_plain() {
        let html = to_html(&"[".repeat(100_000));
        assert!(html.starts_with("<p class=\"plain\"><span class=\"piece\">[["));
        let html = to_html(&format!("{}\n\n# Then", "[".repeat(100_000)));
        assert!(html.ends_with("<h2>Then</h2>\n</div>"), "{}", &html[html.len() - 100..]);
    }

    #[test]
    fn what_is_long_is_in_pieces_that_say_the_same() {
        let whole = |html: &str| html.replace("<span class=\"piece\">", "").replace("</span>", "");
        let lines = "let a = 1;\n".repeat(5_000);
        let html = to_html(&format!("```rust\n{lines}```"));
        assert!(html.matches("a = 1;\n</span><span class=\"piece\">let").count() > 10);
        assert_eq!(
            whole(&html),
            format!("<pre data-language=\"rust\"><code>{lines}</code></pre>\n")
        );
        for long in ["ü".repeat(30_000), "word ".repeat(10_000), "x".repeat(1_000_000)] {
            let html = to_html(&long);
            let longest = html.split("piece").map(str::len).max();
            assert!(longest <= Some(2 * MAX_UNBROKEN), "{longest:?}");
            assert!(whole(&html).contains(long.trim_end()));
        }
    }

    #[test]
    fn a_long_plan_is_read_whole() {
        let plan = "## Step\n\n1. Change `file`, and *more*\n\n".repeat(2_000);
        let html = to_html(&plan);
        assert_eq!(html.matches("<h2>").count(), 2_000);
        assert!(html.matches("<div class=\"part\">").count() > 1);
        assert!(!html.contains("plain"));
    }

    #[test]
    fn little_that_becomes_much_is_plain_in_the_end() {
        let html = to_html(&"a\n\n> > > > > > > > > > > > > > > > b\n\n".repeat(8_000));
        assert!(html.len() < 2 * MAX_HTML, "{}", html.len());
        assert!(html.ends_with("</p></div>"));
    }

    #[test]
    fn pictures_in_the_text_are_shown() {
        let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        case(
            &format!("![a \"*cat*\"]({png})"),
            &format!(
                "<p><img width=\"1\" height=\"1\" alt=\"a &quot;cat&quot;\" src=\"{png}\"></p>"
            ),
        );
        case(
            "![x](data:image/svg+xml;base64,PHN2Zy8+)",
            "<p><a>x <span class=\"address\">data:image/svg+xml;base64,…</span></a></p>",
        );
        let link = to_html(&format!("[x]({png}) [y](data:text/html,z)"));
        assert!(!link.contains("href") && !link.contains("<img"), "{link}");
    }

    #[test]
    fn code_says_its_language() {
        case("```rust,ignore\nx\n```", "<pre data-language=\"rust\"><code>x\n</code></pre>");
        case("```c++ \"><b>\nx\n```", "<pre data-language=\"c++\"><code>x\n</code></pre>");
        case("```\"><b>\n<x>\n```", "<pre><code>&lt;x&gt;\n</code></pre>");
    }

    #[test]
    fn links_show_their_address() {
        case("<https://a.example>", "<p><a href=\"https://a.example\">https://a.example</a></p>");
        case(
            "[docs](https://a.example/x)",
            "<p><a href=\"https://a.example/x\">docs <span class=\"address\">https://a.example/x</span></a></p>",
        );
        case(
            "[x](javascript:alert(1))",
            "<p><a>x <span class=\"address\">javascript:alert(1)</span></a></p>",
        );
    }

    #[test]
    fn a_host_that_is_not_ascii_is_shown_as_it_is_opened() {
        case(
            "<https://\u{440}\u{430}ypal.com> [docs](https://b\u{fc}cher.example/\u{fc})",
            "<p><a href=\"https://xn--ypal-43d9g.com\">https://\u{440}\u{430}ypal.com \
             <span class=\"address\">https://xn--ypal-43d9g.com</span></a> \
             <a href=\"https://xn--bcher-kva.example/\u{fc}\">docs \
             <span class=\"address\">https://xn--bcher-kva.example/\u{fc}</span></a></p>",
        );
    }

    #[test]
    fn pictures_are_not_loaded() {
        case(
            "![cat](https://a.example/cat.png)",
            "<p><a href=\"https://a.example/cat.png\">cat <span class=\"address\">https://a.example/cat.png</span></a></p>",
        );
    }

    #[test]
    fn diffs_are_marked_line_by_line() {
        case(
            "```diff\n+new\n-old\n same <b>\n```",
            "<div class=\"diff\"><details class=\"file\" open=\"\"><summary> <span class=\"plus\">+1</span> \
             <span class=\"minus\">−1</span></summary><div class=\"part bare\"><div class=\"added\"><span>+new</span></div>\
             <div class=\"removed\"><span>-old</span></div><div class=\"same\"><span> same &lt;b&gt;</span></div></div>\
             </details></div>",
        );
    }

    #[test]
    fn a_path_before_a_diff_is_that_of_its_file() {
        let html =
            to_html_in(Some("/srv/shop"), "```\n/srv/shop/src/a.rs\n```\n\n```diff\n+new\n```");
        let path = "<span class=\"path\" title=\"/srv/shop/src/a.rs\"><span class=\"parents\">src/</span>a.rs</span>";
        assert!(html.contains(path) && !html.contains("<pre"), "{html}");
        assert!(html.contains("data-language=\"rs\""), "{html}");
        let apart = to_html("```\n/srv/a.rs\n```\n\nReplaces it:\n\n```diff\n+new\n```");
        assert!(apart.starts_with("<pre><code>/srv/a.rs\n</code></pre>\n<p>"), "{apart}");
    }

    #[test]
    fn drawings_keep_their_shape() {
        let drawing = "+-----+\n| nav |\n+-----+";
        assert_eq!(preview_to_html(drawing), format!("<pre><code>{drawing}\n</code></pre>\n"));
        assert!(preview_to_html("| a   | b |\n| --- | --- |\n| 1   | 2 |").contains("<table>"));
    }

    #[test]
    fn no_text_takes_long() {
        let full = |text: &str| text.repeat(64 * 1024 / text.len());
        for start in ["", "<div>\n```\n\n", "- ```\n  ```\n"] {
            for text in [
                "[",
                "![[](",
                "*a_ ",
                "`a ``b ",
                "<a ",
                "&",
                "a\n",
                "> ",
                "| a ",
                "- a\n\n",
                "[a]: b\n",
                "\\",
                "<!--",
                "<?",
                "](data:image/png;base64,AAAA",
                "~~~\n\n",
                "|a|\n|-|\n",
            ] {
                let begun = std::time::Instant::now();
                to_html(&format!("{start}{}", full(text)));
                let took = begun.elapsed();
                assert!(took.as_secs() < 30, "{took:?} for {start:?} and {text:?}");
            }
        }
    }

    #[test]
    fn deep_nesting_is_flattened() {
        let html = to_html(&format!("{} deep", ">".repeat(10_000)));
        assert!(html.contains("deep"));
        assert!(html.matches("<blockquote>").count() <= MAX_DEPTH);
    }
}
