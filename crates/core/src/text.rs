//! Makes foreign text safe to show: no control characters, no terminal escapes, nothing that
//! changes the direction in which other text is read.

use std::{borrow::Cow, fmt::Write as _};

use serde_json::Value;

mod address;
mod hidden;

pub use address::with_ascii_host;
pub(crate) use hidden::is_hidden;

/// The text without terminal escapes, control characters (line ends and tabs stay), what cannot be
/// seen and what turns the direction of reading. What joins letters or makes an emoji stays there.
pub fn clean(text: &str) -> Cow<'_, str> {
    without(text, is_invisible_or_bidi)
}

/// What a person has typed, without terminal escapes and control characters alone.
pub fn without_controls(text: &str) -> Cow<'_, str> {
    without(text, is_control)
}

fn without(text: &str, is_removed: fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(is_removed) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => skip_escape(&mut rest),
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    cleaned.push('\n');
                }
            }
            c if is_removed(c) && hidden::is_separator(c) => cleaned.push('\n'),
            c if is_removed(c) => {
                let (before, after) = (cleaned.chars().next_back(), rest.peek().copied());
                if hidden::serves_reading(before, c, after) {
                    cleaned.push(c);
                }
            }
            c => cleaned.push(c),
        }
    }
    Cow::Owned(cleaned)
}

/// Whether nothing of the text can be seen.
pub fn is_blank(text: &str) -> bool {
    clean(text).trim().is_empty()
}

/// The cleaned text on one line, for labels and headers.
pub fn clean_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// JSON on several lines, still the same JSON with its escapes for what cannot be seen.
pub fn json(value: &Value) -> String {
    visible(&format!("{value:#}"))
}

/// The text with an escape for all that would not be seen. Only an emoji is left whole.
fn visible(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if is_invisible_or_bidi(c) && !hidden::makes_emoji(before, c, rest.peek().copied()) {
            before = None;
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            before = Some(c);
            escaped.push(c);
        }
    }
    escaped
}

/// A block of markdown with code that cannot end it, and of which everything is seen: what is
/// cleaned away would run all the same.
pub fn fenced(language: &str, code: &str) -> String {
    let code = visible(code);
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", code.trim_end_matches('\n'))
}

/// The language and the first lines of the block of code that markdown begins with, as `fenced` writes
/// it.
pub fn leading_block(markdown: &str) -> Option<(&str, String)> {
    const MOST_BYTES: usize = 1024;
    let mut end = markdown.len().min(MOST_BYTES);
    while !markdown.is_char_boundary(end) {
        end -= 1;
    }
    let mut lines = markdown[..end].lines();
    let opening = lines.next()?;
    let language = opening.trim_start_matches('`');
    let fence = &opening[..opening.len() - language.len()];
    let code = || lines.take_while(|line| !line.starts_with(fence)).collect::<Vec<_>>().join("\n");
    (fence.len() >= 3).then(|| (language.trim(), code()))
}

/// Whether a block of code in this language is a command.
pub fn is_shell(language: &str) -> bool {
    const LANGUAGES: [&str; 8] =
        ["sh", "bash", "shell", "zsh", "fish", "ksh", "console", "shell-session"];
    LANGUAGES.contains(&language)
}

/// Whether a block of code is one line that can be the path of a file.
pub fn is_path(code: &str) -> bool {
    let path = code.trim_end_matches('\n');
    !path.contains('\n') && path.contains(['/', '.', '\\'])
}

/// Words beside what they are about, as a quote in markdown of which nothing but text is made: no
/// block of code, no heading, no empty lines. Nothing if nothing of it can be seen.
pub fn quoted(words: &str, limit: usize) -> Option<String> {
    let words = clean(words);
    let lines = words.lines().map(clean_line).filter(|line| !line.is_empty());
    let lines = lines.collect::<Vec<_>>().join("\n");
    let lines = escaped_markdown(&shortened(&lines, limit)).replace('\n', "\n> ");
    (!lines.is_empty()).then(|| format!("> {lines}"))
}

/// The first characters of a text, and a mark that there are more.
pub fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A name on one line, short enough for a sentence, from which no backtick leads out.
pub fn name(name: &str) -> String {
    const LONGEST: usize = 100;
    shortened(&clean_line(name).replace('`', "'"), LONGEST).into_owned()
}

fn escaped_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Whether the text is a drawing made of characters, whose blanks and lines must stay as they are.
pub fn is_drawing(text: &str) -> bool {
    let drawn = |line: &str| {
        let line = line.trim();
        line.contains(|c| matches!(c, '\u{2500}'..='\u{257f}'))
            || line.starts_with("+--")
            || !line.starts_with('|') && line.contains("   ")
    };
    !text.contains("```") && !text.contains("~~~") && text.lines().any(drawn)
}

fn is_invisible_or_bidi(c: char) -> bool {
    is_control(c) || !c.is_ascii() && (is_hidden(c) || hidden::is_separator(c))
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Skips what follows an escape character: a control sequence, a string up to its terminator, or
/// a short sequence.
fn skip_escape(rest: &mut Rest) {
    match rest.next_if(|c| !c.is_control()) {
        Some('[') => skip_control_sequence(rest),
        Some(']' | 'P' | '^' | '_' | 'X') => skip_string(rest),
        Some(' '..='/') => {
            rest.next_if(|c| matches!(c, '0'..='~'));
        }
        _ => {}
    }
}

fn skip_control_sequence(rest: &mut Rest) {
    while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    rest.next_if(|c| matches!(c, '@'..='~'));
}

/// A string that never ends swallows no more than its own line.
fn skip_string(rest: &mut Rest) {
    while let Some(c) = rest.next_if(|&c| c != '\n') {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                rest.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        assert_eq!(clean(text), expected);
    }

    #[test]
    fn leaves_ordinary_text_alone() {
        case("Which one?\n\tThis", "Which one?\n\tThis");
        case("框架选择 👩‍💻 você", "框架选择 👩‍💻 você");
    }

    #[test]
    fn removes_terminal_escapes_whole() {
        case("\u{1b}[31mred\u{1b}[0m", "red");
        case("\u{1b}]0;title\u{7}text", "text");
        case("\u{1b}]8;;http://x\u{1b}\\link", "link");
        case("\u{9b}2Jgone", "gone");
        case("\u{1b}]never ends\nnext line", "\nnext line");
        case("\u{1b}", "");
    }

    #[test]
    fn removes_what_turns_text_round() {
        case("Yes\u{202e}oN", "YesoN");
        case("a\u{0}b\u{8}c", "abc");
        case("one\r\ntwo\rthree", "one\ntwo\nthree");
    }

    /// One of each range that is hidden.
    const HIDDEN: &str = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{180b}\u{180e}\u{200b}\u{200c}\u{200d}\
        \u{200e}\u{200f}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{206f}\u{3164}\u{fe00}\u{fe01}\u{fe0f}\u{feff}\
        \u{ffa0}\u{fff0}\u{fff9}\u{fffb}\u{fffc}\u{13430}\u{1343f}\u{1bca0}\u{1d159}\u{1d173}\u{e0001}\u{e0041}\
        \u{e0100}\u{fdd0}\u{ffff}\u{10ffff}";

    #[test]
    fn invisible_and_bidi_characters_are_dropped_or_marked() {
        for hidden in HIDDEN.chars() {
            case(&format!("{hidden}Yes{hidden}?"), "Yes?");
            let code = fenced("", &format!("ls{hidden}"));
            assert!(code.starts_with("```\nls\\u"), "{code}");
        }
        case(HIDDEN, "");
        assert_eq!(fenced("", "ls # \u{2028}rm\u{2029}"), "```\nls # \\u2028rm\\u2029\n```");
        case("one\u{2028}two\u{2029}three", "one\ntwo\nthree");
        assert!(is_blank(&format!(" {HIDDEN}\n")));
    }

    #[test]
    fn letters_and_emoji_that_need_what_is_hidden_keep_it() {
        for text in [
            "مرحبا بالعالم",
            "שלום, עולם!",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष श्री\u{200d} ",
            "葛\u{e0100}飾区",
            "👩\u{200d}💻 👩🏽\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨🏻 ❤\u{fe0f} ☎\u{fe0e} 1\u{fe0f}\u{20e3} ©\u{fe0f}",
            "🏳\u{fe0f}\u{200d}🌈",
        ] {
            case(text, text);
        }
        // No letter needs more than one, nor any that is ASCII.
        case("é\u{fe01}\u{fe01}a\u{200d}b\u{200c} \u{200d}1\u{fe0f}", "é\u{fe01}ab 1");
        let emoji = "echo 👩🏽\u{200d}❤\u{fe0f}\u{200d}👨 1\u{fe0f}\u{20e3}";
        assert_eq!(fenced("", emoji), format!("```\n{emoji}\n```"));
        let hides = "rm é\u{fe01} می\u{200c}خ 👩\u{200d} ❤\u{fe0f}\u{fe0f} 👩\u{200d}rm";
        let shown = "rm é\\ufe01 می\\u200cخ 👩\\u200d ❤\u{fe0f}\\ufe0f 👩\\u200drm";
        assert_eq!(fenced("", hides), format!("```\n{shown}\n```"));
    }

    #[test]
    fn code_cannot_end_its_own_markdown_block() {
        assert_eq!(fenced("sh", "ls\n"), "```sh\nls\n```");
        assert_eq!(fenced("sh", "ls; \u{1b}]; rm -r ~"), "```sh\nls; \\u001b]; rm -r ~\n```");
        assert_eq!(fenced("", "echo '```'\n````"), "`````\necho '```'\n````\n`````");
    }

    #[test]
    fn leading_block_is_what_was_fenced() {
        for code in ["ls", "echo '```'\n````", "a\n\nb"] {
            let markdown = format!("{}\n\n> Lists files", fenced("sh", code));
            assert_eq!(leading_block(&markdown), Some(("sh", code.to_owned())));
        }
        assert_eq!(leading_block("First:\n```sh\nls\n```"), None);
        assert_eq!(leading_block("`ls`"), None);
        assert_eq!(leading_block(""), None);
    }

    #[test]
    fn quoted_words_make_nothing_but_text() {
        let words = "# List\n\n\n```sh\nls &lt; `x`\n```\n    code\n1. <b>\u{2028}\u{200b}\n[a](b)";
        let shown = "> \\# List\n> \\`\\`\\`sh\n> ls \\&lt\\; \\`x\\`\n> \\`\\`\\`\n> code\n> 1\\. \\<b\\>\n> \\[a\\]\\(b\\)";
        assert_eq!(quoted(words, 100).as_deref(), Some(shown));
        assert_eq!(quoted("字字字", 2).as_deref(), Some("> 字字…"));
        assert_eq!(quoted(" \n\u{200b}", 100), None);
    }

    #[test]
    fn json_shows_what_hides() {
        let value = serde_json::json!({ "a": "x\u{202e}\u{200b}\u{9b}\u{e0041}\ny" });
        let shown = json(&value);
        assert_eq!(shown, "{\n  \"a\": \"x\\u202e\\u200b\\u009b\\udb40\\udc41\\ny\"\n}");
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
    }

    #[test]
    fn a_line_has_single_spaces() {
        assert_eq!(clean_line("  a\n\tb  c "), "a b c");
    }
}
