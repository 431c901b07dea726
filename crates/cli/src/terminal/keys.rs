//! What a terminal sends when keys are pressed, as keys with the names that the session knows.
//!
//! A terminal says "Esc" by the byte with which all its longer messages begin. So what may still
//! become one is held back until more comes, or until whoever reads has waited long enough: over
//! a slow line an arrow must not be taken for an Esc that closes the dialog.

use askdeck_core::session::Key;

/// What a person did at a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    Press(Press),
    Paste(String),
}

impl Input {
    /// Ctrl+C, which no program may fail to hear.
    pub(super) fn is_interrupt(&self) -> bool {
        matches!(self, Self::Press(Press { key, .. }) if key.ctrl && key.key == "c")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Press {
    pub(super) key: Key,
    /// The session knows no key with Alt.
    pub(super) alt: bool,
}

const ESC: u8 = 0x1b;
const PASTE_ENDS: &[u8] = b"\x1b[201~";

#[derive(Default)]
pub(super) struct Decoder {
    bytes: Vec<u8>,
    pasting: bool,
}

/// What the first bytes are.
enum First {
    /// So many bytes are this.
    Is(usize, Option<Input>),
    /// A paste begins after so many bytes.
    PasteAfter(usize),
    /// More has to come before it can be told.
    Unfinished,
}

impl Decoder {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether something is held back that will not wait for ever.
    pub(super) fn holds_back(&self) -> bool {
        self.bytes.first() == Some(&ESC) && !self.pasting
    }

    /// No more has come: what was held back is all there is.
    pub(super) fn stop_waiting(&mut self) -> Option<Input> {
        if !self.holds_back() {
            return None;
        }
        let was_escape = self.bytes.iter().all(|byte| *byte == ESC);
        self.bytes.clear();
        was_escape.then(|| press("Escape", 0))
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        self.bytes.drain(..length).collect()
    }
}

impl Iterator for Decoder {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            if self.pasting {
                let end =
                    self.bytes.windows(PASTE_ENDS.len()).position(|part| part == PASTE_ENDS)?;
                let pasted = self.take(end);
                self.take(PASTE_ENDS.len());
                self.pasting = false;
                return Some(Input::Paste(String::from_utf8_lossy(&pasted).into_owned()));
            }
            match first(&self.bytes) {
                First::Unfinished => return None,
                First::PasteAfter(length) => {
                    self.take(length);
                    self.pasting = true;
                }
                First::Is(length, input) => {
                    self.take(length);
                    if input.is_some() {
                        return input;
                    }
                }
            }
        }
    }
}

fn first(bytes: &[u8]) -> First {
    match bytes {
        [] | [ESC] | [ESC, ESC | b'O'] => First::Unfinished,
        [ESC, b'[', rest @ ..] => control_sequence(rest, 2, 0),
        // Some terminals say Alt with another Esc in screen.
        [ESC, ESC, b'[', rest @ ..] => control_sequence(rest, 3, ALT),
        [ESC, b'O', letter, ..] => First::Is(3, named_by_letter(*letter, 0)),
        [ESC, ESC, ..] => First::Is(1, Some(press("Escape", 0))),
        // An answer to a question that nobody asked.
        [ESC, b']' | b'P' | b'_' | b'^', rest @ ..] => {
            match rest.iter().position(|byte| matches!(byte, 0x07 | b'\\')) {
                Some(end) => First::Is(end + 3, None),
                None => First::Unfinished,
            }
        }
        [ESC, rest @ ..] => match character(rest) {
            First::Is(length, Some(Input::Press(press))) => {
                First::Is(length + 1, Some(as_in_the_window(Press { alt: true, ..press })))
            }
            First::Is(length, input) => First::Is(length + 1, input),
            other => other,
        },
        bytes => character(bytes),
    }
}

/// One character, or one of the keys that have always been one byte.
fn character(bytes: &[u8]) -> First {
    let is = |name: &str, modifiers| First::Is(1, Some(press(name, modifiers)));
    match bytes[0] {
        b'\r' => is("Enter", 0),
        b'\t' => is("Tab", 0),
        0x7f | 0x08 => is("Backspace", 0),
        byte @ 0x01..=0x1a => is(char::from(byte - 1 + b'a').encode_utf8(&mut [0; 4]), CTRL),
        0x00..=0x1f => First::Is(1, None),
        lead => {
            let length = match lead {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => 1,
            };
            match bytes.get(..length).map(std::str::from_utf8) {
                None => First::Unfinished,
                Some(Ok(character)) => First::Is(length, Some(press(character, 0))),
                Some(Err(_)) => First::Is(1, None),
            }
        }
    }
}

/// What follows `ESC [`, which took `before` bytes.
fn control_sequence(rest: &[u8], before: usize, modifiers: u16) -> First {
    // The function keys of the Linux console.
    if let [b'[', ..] = rest {
        return if rest.len() > 1 { First::Is(before + 2, None) } else { First::Unfinished };
    }
    let Some(end) = rest.iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
        return First::Unfinished;
    };
    let numbers: Vec<u32> = rest[..end]
        .split(|byte| *byte == b';')
        .map(|number| {
            // What follows a colon only says more about the same number.
            let number = number.split(|byte| *byte == b':').next().unwrap_or_default();
            std::str::from_utf8(number).ok().and_then(|number| number.parse().ok()).unwrap_or(0)
        })
        .collect();
    let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
    let held = |said: u32| modifiers | u16::try_from(said.saturating_sub(1)).unwrap_or(0);
    let length = before + end + 1;
    match rest[end] {
        b'~' if number(0) == 200 => First::PasteAfter(length),
        // xterm's own way to say a key with modifiers.
        b'~' if number(0) == 27 => First::Is(length, named_by_code(number(2), held(number(1)))),
        b'~' => First::Is(length, named_by_number(number(0), held(number(1)))),
        b'u' => First::Is(length, named_by_code(number(0), held(number(1)))),
        b'Z' => First::Is(length, Some(press("Tab", modifiers | SHIFT))),
        letter => First::Is(length, named_by_letter(letter, held(number(1)))),
    }
}

fn named_by_letter(letter: u8, modifiers: u16) -> Option<Input> {
    let name = match letter {
        b'A' => "ArrowUp",
        b'B' => "ArrowDown",
        b'C' => "ArrowRight",
        b'D' => "ArrowLeft",
        b'H' => "Home",
        b'F' => "End",
        b'M' => "Enter",
        _ => return None,
    };
    Some(press(name, modifiers))
}

fn named_by_number(number: u32, modifiers: u16) -> Option<Input> {
    let name = match number {
        1 | 7 => "Home",
        3 => "Delete",
        4 | 8 => "End",
        5 => "PageUp",
        6 => "PageDown",
        _ => return None,
    };
    Some(press(name, modifiers))
}

/// A key by its Unicode number, or by the number that kitty's protocol has for it.
fn named_by_code(code: u32, modifiers: u16) -> Option<Input> {
    let name = match code {
        9 => "Tab",
        13 | 57414 => "Enter",
        27 => "Escape",
        8 | 127 => "Backspace",
        57417 => "ArrowLeft",
        57418 => "ArrowRight",
        57419 => "ArrowUp",
        57420 => "ArrowDown",
        57421 => "PageUp",
        57422 => "PageDown",
        57423 => "Home",
        57424 => "End",
        57426 => "Delete",
        57399..=57408 => return named_by_code(code - 57399 + u32::from(b'0'), modifiers),
        // Private numbers of keys that mean nothing here.
        57344..=63743 => return None,
        code => {
            let character = char::from_u32(code).filter(|c| !c.is_control())?;
            return Some(press(character.encode_utf8(&mut [0; 4]), modifiers));
        }
    };
    Some(press(name, modifiers))
}

const SHIFT: u16 = 1;
const ALT: u16 = 2;
const CTRL: u16 = 4;

fn press(name: &str, modifiers: u16) -> Input {
    let key = Key {
        key: name.to_owned(),
        ctrl: modifiers & CTRL != 0,
        shift: modifiers & SHIFT != 0,
        ..Key::default()
    };
    as_in_the_window(Press { key, alt: modifiers & ALT != 0 })
}

/// Most terminals cannot say Shift+Enter and Ctrl+Enter. These are the keys that stand for them.
fn as_in_the_window(mut press: Press) -> Input {
    match (press.key.key.as_str(), press.key.ctrl, press.alt) {
        ("Enter", false, true) | ("j", true, false) => {
            press.key = Key { key: "Enter".into(), shift: true, ctrl: false, ..press.key };
            press.alt = false;
        }
        ("s", true, false) => press.key.key = "Enter".into(),
        _ => {}
    }
    Input::Press(press)
}

/// The name that a key of the session has here.
pub(super) fn name_here(keys: &str) -> &str {
    match keys {
        "Shift+Enter" => "Alt+Enter",
        "Ctrl+Enter" => "Ctrl+S",
        keys => keys,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `C-`, `A-` and `S-` stand for Ctrl, Alt and Shift.
    fn told(decoder: &mut Decoder) -> Vec<String> {
        let name = |input| match input {
            Input::Paste(text) => format!("paste {text}"),
            Input::Press(Press { key, alt }) => {
                let held = [(key.ctrl, "C-"), (alt, "A-"), (key.shift, "S-")];
                let held = held.into_iter().filter(|(is, _)| *is).map(|(_, name)| name);
                held.chain([key.key.as_str()]).collect()
            }
        };
        decoder.map(name).collect()
    }

    #[track_caller]
    fn case(bytes: &str, expected: &[&str]) {
        let mut decoder = Decoder::default();
        decoder.feed(bytes.as_bytes());
        assert_eq!(told(&mut decoder), expected);
        assert!(!decoder.holds_back());
        // However it is cut on its way, it says the same.
        let mut slow = Decoder::default();
        let slowly: Vec<_> = bytes
            .bytes()
            .flat_map(|byte| {
                slow.feed(&[byte]);
                told(&mut slow)
            })
            .collect();
        assert_eq!(slowly, expected);
    }

    #[test]
    fn letters_are_letters() {
        case("aé框👩", &["a", "é", "框", "👩"]);
        case("\r\t\x7f ", &["Enter", "Tab", "Backspace", " "]);
        case("\x01\x17", &["C-a", "C-w"]);
    }

    #[test]
    fn keys_have_their_names() {
        case("\x1b[A\x1bOB\x1b[1;5C", &["ArrowUp", "ArrowDown", "C-ArrowRight"]);
        case("\x1b[3~\x1b[6~\x1bOH\x1b[4~", &["Delete", "PageDown", "Home", "End"]);
        case("\x1b[Z\x1b[9;5u\x1b[9;6u", &["S-Tab", "C-Tab", "C-S-Tab"]);
        case("\x1bb\x1b\x7f", &["A-b", "A-Backspace"]);
        case("\x1b\x1b[A", &["A-ArrowUp"]);
    }

    #[test]
    fn enter_has_its_three_kinds() {
        case("\x1b[13;2u\x1b\r\n\x1b[27;2;13~", &["S-Enter", "S-Enter", "S-Enter", "S-Enter"]);
        case("\x1b[13;5u\x13\x1b[115;5u", &["C-Enter", "C-Enter", "C-Enter"]);
    }

    #[test]
    fn what_says_nothing_to_us_says_nothing() {
        case("\x1b[?1;2c\x1b[15~\x1b[[Ax", &["x"]);
        case("\x1b]11;rgb:0/0/0\x07x\x1bP1$r\x1b\\y", &["x", "y"]);
        case("\x1b[57358u\u{0}x", &["x"]);
    }

    #[test]
    fn a_paste_is_text_whatever_is_in_it() {
        case("\x1b[200~one\r\x1b[A\x1b[201~x", &["paste one\r\x1b[A", "x"]);
    }

    #[test]
    fn an_escape_is_one_only_when_nothing_follows() {
        let mut decoder = Decoder::default();
        decoder.feed(b"\x1b");
        assert_eq!(decoder.next(), None);
        assert!(decoder.holds_back());
        decoder.feed(b"[A");
        assert_eq!(told(&mut decoder), ["ArrowUp"]);
        decoder.feed(b"\x1b");
        assert_eq!(decoder.next(), None);
        assert_eq!(decoder.stop_waiting(), Some(press("Escape", 0)));
        case("\x1b[27u", &["Escape"]);
        // Half a message is no key at all.
        decoder.feed(b"\x1b[");
        assert_eq!(decoder.next(), None);
        assert_eq!(decoder.stop_waiting(), None);
        assert!(!decoder.holds_back());
    }

    #[test]
    fn broken_utf_8_is_left_out() {
        let mut decoder = Decoder::default();
        decoder.feed(b"a\xff\xc3\x28b");
        assert_eq!(told(&mut decoder), ["a", "(", "b"]);
    }
}
