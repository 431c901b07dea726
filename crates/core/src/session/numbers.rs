//! Numbers as people type them.

use serde_json::Value;

use crate::words::Phrase;

/// How the person's language writes a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// `2.5`
    Point,
    /// `2,5`; and since agents write points, `2.5` too.
    Comma,
}

impl Numbers {
    /// What is unclear about the separators of a number, which is never guessed.
    pub(super) fn error(self, text: &str) -> Option<Phrase> {
        let is_number =
            |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | ',' | '.' | 'e' | 'E');
        if !text.chars().all(is_number) {
            return None;
        }
        if self == Self::Point {
            return text.contains(',').then(|| Phrase::new("number_grouped"));
        }
        let digits = text.trim_start_matches(['+', '-']);
        let (whole, fraction) = digits.split_once([',', '.'])?;
        if fraction.contains([',', '.']) {
            return Some(Phrase::new("number_grouped"));
        }
        let may_group = (1..=3).contains(&whole.len()) && !whole.starts_with('0');
        let is_group = fraction.len() == 3 && fraction.bytes().all(|digit| digit.is_ascii_digit());
        let sign = &text[..text.len() - digits.len()];
        (may_group && is_group).then(|| {
            let readings = [
                ("fraction", format!("{sign}{whole},{fraction}0")),
                ("whole", format!("{sign}{whole}{fraction}")),
            ];
            Phrase::with("number_unclear", readings)
        })
    }
}

/// The number that was typed, if none of its digits would be lost.
pub(super) fn read(text: &str, integer: bool) -> Result<Value, Phrase> {
    /// Up to here every whole number has a float of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let text = match text.split_once(',') {
        Some((whole, fraction)) if !text.contains('.') => &format!("{whole}.{fraction}"),
        _ => text,
    };
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(whole.into());
    }
    if let Ok(whole) = text.parse::<u64>() {
        return Ok(whole.into());
    }
    let word = if integer { "not_whole" } else { "not_a_number" };
    let float: f64 = text.parse().map_err(|_| Phrase::new(word))?;
    if !float.is_finite() {
        return Err(Phrase::new(word));
    }
    if float.fract() != 0.0 {
        return if integer { Err(Phrase::new(word)) } else { Ok(float.into()) };
    }
    if float.abs() > EXACT {
        return Err(Phrase::new("number_too_big"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
    Ok((float as i64).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(numbers: Numbers, text: &str, expected: Result<f64, &str>) {
        let value = numbers.error(text).map_or_else(|| read(text, false), Err);
        let value = value.map(|value| value.as_f64().unwrap_or_default());
        assert_eq!(value.map_err(|error| error.word), expected, "{text}");
    }

    #[test]
    fn a_fraction_is_written_as_the_language_does() {
        for text in ["2,5", "2.5", "+2,5", "2,5000", "0,25e1", "2,500000"] {
            case(Numbers::Comma, text, Ok(2.5));
        }
        case(Numbers::Comma, "0,125", Ok(0.125));
        case(Numbers::Comma, "1500", Ok(1500.0));
        case(Numbers::Comma, "1000,125", Ok(1000.125));
        case(Numbers::Point, "1.125", Ok(1.125));
        case(Numbers::Point, "2,5", Err("number_grouped"));
    }

    #[test]
    fn what_may_be_thousands_is_not_guessed() {
        for text in ["1.500", "1,500", "-999.999", "12,345"] {
            case(Numbers::Comma, text, Err("number_unclear"));
        }
        for text in ["1.234,5", "1,234.5", "1.234.567", "1,2,3"] {
            case(Numbers::Comma, text, Err("number_grouped"));
        }
        case(Numbers::Point, "1,500", Err("number_grouped"));
        for text in ["a,b", "2,x", ""] {
            case(Numbers::Comma, text, Err("not_a_number"));
            case(Numbers::Point, text, Err("not_a_number"));
        }
    }
}
