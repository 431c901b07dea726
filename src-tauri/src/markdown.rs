//! Markdown from agents to HTML that is safe to show.
//!
//! Raw HTML is shown as the text it is, nothing remote is ever loaded, and links show their
//! address in full. The result is sanitised once more, so that a mistake here opens nothing.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use askdeck_core::text;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

/// Deeper nesting than this says nothing to a reader, and costs the web view its stack.
const MAX_DEPTH: usize = 32;

/// Longer than this it is no text for people any more, and laying it out would take seconds.
const MAX_BYTES: usize = 64 * 1024;

pub fn to_html(markdown: &str) -> String {
    let markdown = text::clean(markdown);
    if markdown.len() > MAX_BYTES {
        return plain(&markdown);
    }
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::default();
    for event in Parser::new_ext(&markdown, options) {
        writer.write(event);
    }
    let mut unsafe_html = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut unsafe_html, writer.events.into_iter());
    sanitised(&unsafe_html)
}

fn plain(text: &str) -> String {
    let mut html = String::from("<p class=\"plain\">");
    html_escape(&mut html, text);
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

#[derive(Default)]
struct Writer<'a> {
    events: Vec<Event<'a>>,
    depth: usize,
    /// The addresses of the links that are open, with the text seen in them so far.
    links: Vec<(CowStr<'a>, String)>,
    /// Inside a diff, whose lines are coloured.
    in_diff: bool,
    /// The headings, as they were written, under which the text stands.
    headings: Vec<HeadingLevel>,
}

impl<'a> Writer<'a> {
    fn write(&mut self, event: Event<'a>) {
        match event {
            // HTML from an agent is text.
            Event::Html(html) | Event::InlineHtml(html) => self.text(cleaned(html)),
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            // A picture would have to be loaded from somewhere: it becomes a link to it.
            Event::Start(Tag::Image { dest_url, .. } | Tag::Link { dest_url, .. }) => {
                self.open_link(text::with_ascii_host(&cleaned(dest_url)).into());
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.close_link(),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language)))
                if &*language == "diff" =>
            {
                self.in_diff = true;
                self.html("<pre class=\"diff\"><code>".into());
            }
            Event::End(TagEnd::CodeBlock) if self.in_diff => {
                self.in_diff = false;
                self.html("</code></pre>".into());
            }
            Event::Text(text) if self.in_diff => self.diff_lines(&cleaned(text)),
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
        self.events.push(Event::Text(text));
    }

    fn see(&mut self, text: &str) {
        if let Some((_, seen)) = self.links.last_mut() {
            seen.push_str(text);
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
        self.links.push((address, String::new()));
    }

    /// A link says where it leads, unless that is its text already.
    fn close_link(&mut self) {
        let Some((address, seen)) = self.links.pop() else { return };
        if seen.trim() != &*address {
            let mut full = String::from(" <span class=\"address\">");
            html_escape(&mut full, &address);
            full.push_str("</span>");
            self.events.push(Event::InlineHtml(full.into()));
        }
        self.events.push(Event::InlineHtml("</a>".into()));
    }

    fn diff_lines(&mut self, text: &str) {
        for line in text.split_inclusive('\n') {
            let class = match line.as_bytes() {
                [b'+', b'+', b'+', b' ', ..] | [b'-', b'-', b'-', b' ', ..] | [b'@', ..] => "place",
                [b'+', ..] => "added",
                [b'-', ..] => "removed",
                _ => "same",
            };
            let mut span = format!("<span class=\"{class}\">");
            html_escape(&mut span, line);
            span.push_str("</span>");
            self.html(span);
        }
    }
}

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
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "span",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ];
    let classes = HashMap::from([
        ("pre", HashSet::from(["diff"])),
        ("span", HashSet::from(["added", "removed", "place", "same", "address"])),
    ]);
    let attributes =
        HashMap::from([("a", HashSet::from(["href"])), ("ol", HashSet::from(["start"]))]);
    let mut rules = ammonia::Builder::default();
    rules
        .tags(HashSet::from(tags))
        .tag_attributes(attributes)
        .generic_attributes(HashSet::new())
        .allowed_classes(classes)
        .url_schemes(HashSet::from(["http", "https"]))
        .url_relative(ammonia::UrlRelative::Deny)
        .link_rel(None);
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
    fn what_is_too_long_is_plain() {
        let html = to_html(&"[".repeat(MAX_BYTES + 1));
        assert!(html.starts_with("<p class=\"plain\">[["));
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
            "<pre class=\"diff\"><code><span class=\"added\">+new\n</span><span class=\"removed\">-old\n</span><span class=\"same\"> same &lt;b&gt;\n</span></code></pre>",
        );
    }

    #[test]
    fn drawings_keep_their_shape() {
        let drawing = "+-----+\n| nav |\n+-----+";
        assert_eq!(preview_to_html(drawing), format!("<pre><code>{drawing}\n</code></pre>\n"));
        assert!(preview_to_html("| a   | b |\n| --- | --- |\n| 1   | 2 |").contains("<table>"));
    }

    #[test]
    fn deep_nesting_is_flattened() {
        let html = to_html(&format!("{} deep", ">".repeat(10_000)));
        assert!(html.contains("deep"));
        assert!(html.matches("<blockquote>").count() <= MAX_DEPTH);
    }
}
