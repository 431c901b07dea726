//! Finds labels that look alike: two that look the same must not mean two things, and a yes must not
//! read as a no.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_security::{confusable_detection::skeleton, mixed_script::AugmentedScriptSet};

use crate::{
    problem::{Fault, cut},
    text,
    words::Language,
};

/// The labels of one question, by what they look like.
#[derive(Default)]
pub(super) struct Lookalikes {
    seen: HashMap<String, Vec<(String, AugmentedScriptSet)>>,
}

impl Lookalikes {
    /// Adds a label as it is shown, and says what is wrong with it beside the others.
    pub(super) fn add(&mut self, shown: &str) -> Option<Fault> {
        let visible = visible(shown);
        let scripts = AugmentedScriptSet::for_str(&visible);
        let alike = self.seen.entry(skeleton(&visible).collect()).or_default();
        let fault = alike.iter().find_map(|(other, others)| {
            if *other == visible {
                return Some(Fault::Duplicate { value: visible.clone() });
            }
            // `l` and `1` may both be meant; the same word in Latin and in Cyrillic letters never is.
            let mut common = scripts;
            common.intersect_with(*others);
            let trick = || format!("looks like `{}` but is written in other letters", cut(other));
            common.is_empty().then(|| Fault::Rule(trick()))
        });
        alike.push((visible, scripts));
        fault
    }
}

/// What of a label can be seen. What joins emoji or letters counts as unseen: no two labels need to
/// differ by that alone.
pub(super) fn visible(shown: &str) -> String {
    const BRAILLE_BLANK: char = '\u{2800}';
    let drawn = shown.chars().filter(|c| !text::is_hidden(*c)).nfc().collect::<String>();
    let words = drawn.split(|c: char| c.is_whitespace() || c == BRAILLE_BLANK);
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What is wrong with the labels of a yes and a no.
pub(super) fn in_yes_and_no(yes: Option<&str>, no: Option<&str>) -> Option<Fault> {
    let mut seen = Lookalikes::default();
    let labels = [yes, no].map(|label| label.map(text::clean_line));
    let alike = labels.iter().flatten().find_map(|label| seen.add(label));
    let [yes, no] = labels;
    alike.or_else(|| opposite(&yes?, "false")).or_else(|| opposite(&no?, "true"))
}

fn opposite(label: &str, word: &str) -> Option<Fault> {
    let looks = |text: &str| skeleton(&visible(&text.to_lowercase())).collect::<String>();
    let is_word = |language: &Language| looks(&language.words()[word]) == looks(label);
    let trick = || Fault::Rule(format!("`{label}` reads as the opposite of what it means"));
    Language::ALL.iter().any(is_word).then(trick)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(labels: &[&str], expected: Option<&str>) {
        let mut seen = Lookalikes::default();
        let told = labels.iter().find_map(|label| seen.add(label));
        assert_eq!(told.map(|fault| fault.to_string()).as_deref(), expected, "{labels:?}");
    }

    #[test]
    fn look_alike_letters_are_reported() {
        case(&["Yes", "No"], None);
        case(&["Yes", "Yes"], Some("`Yes` appears twice"));
        case(&["Yes", "Y\u{435}s"], Some("looks like `Yes` but is written in other letters"));
        case(&["\u{410}", "A"], Some("looks like `\u{410}` but is written in other letters"));
    }

    #[test]
    fn invisible_characters_do_not_make_labels_differ() {
        for invisible in [
            '\u{200d}',
            '\u{200e}',
            '\u{fe0f}',
            '\u{34f}',
            '\u{2800}',
            '\u{3164}',
            '\u{e0100}',
            '\u{200f}',
            '\u{61c}',
            '\u{115f}',
            '\u{1160}',
            '\u{ffa0}',
            '\u{180e}',
            '\u{fe01}',
            '\u{2028}',
            '\u{2029}',
            '\u{1d159}',
            '\u{fffc}',
            '\u{fff9}',
            '\u{fffb}',
            '\u{13430}',
            '\u{1343f}',
            '\u{1bca0}',
            '\u{1d173}',
            '\u{2065}',
            '\u{fff0}',
            '\u{e0001}',
            '\u{fdd0}',
            '\u{ffff}',
        ] {
            case(&["Yes", &format!("Yes{invisible}")], Some("`Yes` appears twice"));
        }
        case(&["caf\u{e9}", "cafe\u{301}"], Some("`caf\u{e9}` appears twice"));
        case(&["Ye\u{34f}s", "Y\u{200c}es"], Some("`Yes` appears twice"));
        case(&["Not now", "Not\u{2800}\u{200d} now"], Some("`Not now` appears twice"));
        case(&["👩\u{200d}💻", "👨\u{200d}💻", "❤\u{fe0f}", "Nowhere", "Now here"], None);
    }

    #[test]
    fn letters_that_may_be_meant_are_left_alone() {
        case(&["0", "O", "1", "l", "I"], None);
        case(&["\u{414}\u{430}", "Da", "是", "否", "はい"], None);
        case(&["Δt", "λ", "résumé", "resume"], None);
    }

    #[test]
    fn a_yes_never_reads_as_a_no() {
        let told = |yes, no| in_yes_and_no(yes, no).map(|fault| fault.to_string());
        assert_eq!(told(None, None), None);
        assert_eq!(told(Some("Delete"), Some("Keep")), None);
        assert_eq!(told(Some("Yes, delete"), Some("No, keep")), None);
        let opposite = |label: &str| format!("`{label}` reads as the opposite of what it means");
        assert_eq!(told(Some("no"), Some("Keep")), Some(opposite("no")));
        assert_eq!(told(Some("Delete"), Some("SIM")), Some(opposite("SIM")));
        assert_eq!(told(Some("否"), None), Some(opposite("否")));
        assert_eq!(told(Some("N\u{43e}"), None), Some(opposite("N\u{43e}")));
        assert_eq!(told(Some("\u{2800}No\u{200d}"), None), Some(opposite("\u{2800}No")));
        assert_eq!(told(Some("A"), Some("A")).as_deref(), Some("`A` appears twice"));
    }
}
