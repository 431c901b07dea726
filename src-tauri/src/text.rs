//! Makes foreign text safe to show: no control characters, no terminal escapes, nothing that
//! changes the direction in which other text is read.

use std::{borrow::Cow, fmt::Write as _};

use serde_json::Value;

/// The text without terminal escapes, control characters (line ends and tabs stay) and bidi
/// overrides.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_foul) {
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
            c if is_foul(c) => {}
            c => cleaned.push(c),
        }
    }
    Cow::Owned(cleaned)
}

/// The cleaned text on one line, for labels and headers.
pub fn clean_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// JSON on several lines, still the same JSON with its escapes for what cannot be seen.
pub fn json(value: &Value) -> String {
    visible(&format!("{value:#}"))
}

/// The text with an escape for all that [`clean`] would remove, so that it can be seen.
fn visible(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_foul(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
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

fn is_foul(c: char) -> bool {
    // What turns the direction of reading: embeddings, overrides, isolates.
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    // What cannot be seen: two labels could differ and look the same.
    let hides = matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    turns || hides || (c.is_control() && !matches!(c, '\n' | '\t'))
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

    #[test]
    fn no_code_can_end_its_own_block_or_hide_in_it() {
        assert_eq!(fenced("sh", "ls\n"), "```sh\nls\n```");
        assert_eq!(fenced("sh", "ls; \u{1b}]; rm -r ~"), "```sh\nls; \\u001b]; rm -r ~\n```");
        assert_eq!(fenced("", "echo '```'\n````"), "`````\necho '```'\n````\n`````");
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
