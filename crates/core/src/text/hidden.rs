//! Characters that cannot be seen, or that turn the direction in which others are read.

use unicode_segmentation::UnicodeSegmentation;

/// Joins letters or emoji to the one after it.
const JOINER: char = '\u{200d}';
/// Keeps letters apart that would join.
const NON_JOINER: char = '\u{200c}';

/// Whether nothing is drawn for it by itself.
///
/// By the properties of Unicode 17: `Default_Ignorable_Code_Point`, which has all of
/// `Bidi_Control`; the format characters (`Cf`) except for the number signs of Arabic, Syriac and
/// Kaithi, which are drawn; and what is not a character. Beside these, what fonts draw as nothing.
pub(crate) fn is_hidden(c: char) -> bool {
    let ignorable = matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    let formats = matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{13430}'..='\u{1343f}');
    let none = matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    // A note without a head, and the place of an object that is not there.
    let blank = matches!(c, '\u{1d159}' | '\u{fffc}');
    ignorable || formats || none || blank
}

/// Whether it begins a new line or paragraph, which nobody sees in the middle of code.
pub(super) fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a character that is hidden has its work to do between these two: it joins or forms
/// letters that are not ASCII, or it makes an emoji.
pub(super) fn serves_reading(before: Option<char>, c: char, after: Option<char>) -> bool {
    let follows = |c: char| !c.is_ascii() && !c.is_whitespace() && !is_hidden(c);
    match c {
        _ if is_selector(c) => before.is_some_and(follows) || is_keycap(before, c, after),
        JOINER | NON_JOINER => before.is_some_and(|before| follows(before) || is_selector(before)),
        _ => false,
    }
}

/// Whether it is even seen what the hidden character does: it makes an emoji.
pub(super) fn makes_emoji(before: Option<char>, c: char, after: Option<char>) -> bool {
    const SKINS: std::ops::RangeInclusive<char> = '\u{1f3fb}'..='\u{1f3ff}';
    match c {
        '\u{fe0f}' => before.is_some_and(is_pictograph) || is_keycap(before, c, after),
        JOINER => {
            let can_join = |c| is_pictograph(c) || c == '\u{fe0f}' || SKINS.contains(&c);
            before.is_some_and(can_join) && after.is_some_and(is_pictograph)
        }
        _ => false,
    }
}

/// Chooses among the forms of the character before it.
fn is_selector(c: char) -> bool {
    matches!(
        c,
        '\u{fe00}'..='\u{fe0f}' | '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{e0100}'..='\u{e01ef}'
    )
}

fn is_keycap(before: Option<char>, c: char, after: Option<char>) -> bool {
    let key = before.is_some_and(|c| matches!(c, '0'..='9' | '#' | '*'));
    key && c == '\u{fe0f}' && after == Some('\u{20e3}')
}

/// Only after one of these does a joiner hold on to a pictograph.
fn is_pictograph(c: char) -> bool {
    let joined: String = [c, JOINER, '\u{a9}'].iter().collect();
    joined.graphemes(true).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_is_not_hidden() {
        for c in "aé字я✓─⠋👩❤ש؀۝\u{2800}\u{a0}\u{3000}\u{301}\u{94d}\u{e000}".chars()
        {
            assert!(!is_hidden(c), "{:x}", u32::from(c));
        }
    }

    #[test]
    fn pictographs_are_known() {
        for c in "👩💻❤☎©🏴".chars() {
            assert!(is_pictograph(c), "{c}");
        }
        for c in "a1é字\u{200d}\u{fe0f}\u{1f3fb}".chars() {
            assert!(!is_pictograph(c), "{:x}", u32::from(c));
        }
    }
}
