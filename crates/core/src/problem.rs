//! What is wrong with a payload: where, and what was expected there.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::text;

/// One thing wrong, told with its place in what was sent, such as `questions[1].options[0].label`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", told(.path, .fault))]
pub struct Problem {
    /// Empty for the payload as a whole.
    pub path: String,
    pub fault: Fault,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    #[error("missing, expected {expected}")]
    Missing { expected: &'static str },
    #[error("expected {expected}, found {found}")]
    Kind { expected: &'static str, found: &'static str },
    #[error("{found} {}, but {}", counted(noun, *.found), limits(.allowed))]
    Count { noun: &'static str, found: usize, allowed: RangeInclusive<usize> },
    #[error("{found} {}, but {}", counted("characters", *.found), limits(.allowed))]
    Length { found: usize, allowed: RangeInclusive<usize> },
    #[error("must not be empty")]
    Unreadable,
    #[error("`{}` appears twice", cut(.value))]
    Duplicate { value: String },
    #[error("unknown field{}", .meant.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default())]
    UnknownField { meant: Option<&'static str> },
    #[error("unknown value `{}`, expected {expected}", cut(.found))]
    UnknownValue { found: String, expected: &'static str },
    #[error("{0}")]
    Rule(String),
    #[error("{count} more {}", counted("problems", *.count))]
    More { count: usize },
}

impl Problem {
    pub fn new(path: impl Into<String>, fault: Fault) -> Self {
        Self { path: path.into(), fault }
    }
}

/// How many are told; nobody reads more, and a payload can have a hundred thousand.
const MOST: usize = 100;

/// The first of them, and how many more there are.
pub fn first(mut problems: Vec<Problem>) -> Vec<Problem> {
    let more = problems.len().saturating_sub(MOST);
    if more > 0 {
        problems.truncate(MOST);
        problems.push(Problem::new("", Fault::More { count: more }));
    }
    problems
}

/// Why a text is no JSON. Half of a character is the one mistake that programs make without knowing,
/// when they cut a text in two.
pub fn no_json(error: &serde_json::Error) -> String {
    let error = error.to_string();
    let is_half = ["unexpected end of hex escape", "lone leading surrogate"]
        .iter()
        .any(|told| error.starts_with(told));
    let advice = "; `\\ud800` to `\\udfff` are halves of a character, send both or none";
    if is_half { error + advice } else { error }
}

/// Path and fault may hold the sender's own words, which must not reach a terminal unclean.
fn told(path: &str, fault: &Fault) -> String {
    text::clean_line(&if path.is_empty() { fault.to_string() } else { format!("{path}: {fault}") })
}

/// The start of a foreign text, long enough to recognise it by.
pub(crate) fn cut(text: &str) -> String {
    const MAX: usize = 80;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// The noun for this many: `1 option`, `2 options`.
fn counted(plural: &'static str, found: usize) -> &'static str {
    if found == 1 { plural.strip_suffix('s').unwrap_or(plural) } else { plural }
}

fn limits(allowed: &RangeInclusive<usize>) -> String {
    match (*allowed.start(), *allowed.end()) {
        (1, 1) => "exactly 1 is allowed".into(),
        (1, usize::MAX) => "at least 1 is needed".into(),
        (0, max) => format!("at most {max} are allowed"),
        (min, usize::MAX) => format!("at least {min} are needed"),
        (min, max) if min == max => format!("exactly {min} are allowed"),
        (min, max) => format!("{min} to {max} are allowed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(path: &str, fault: Fault, expected: &str) {
        assert_eq!(Problem::new(path, fault).to_string(), expected);
    }

    #[test]
    fn problems_name_the_field_and_the_limit() {
        case(
            "questions[0].options",
            Fault::Count { noun: "options", found: 7, allowed: 2..=4 },
            "questions[0].options: 7 options, but 2 to 4 are allowed",
        );
        case(
            "options",
            Fault::Count { noun: "options", found: 1, allowed: 2..=2 },
            "options: 1 option, but exactly 2 are allowed",
        );
        case(
            "questions[0].header",
            Fault::Length { found: 13, allowed: 1..=12 },
            "questions[0].header: 13 characters, but 1 to 12 are allowed",
        );
        case(
            "",
            Fault::Kind { expected: "an object", found: "a number" },
            "expected an object, found a number",
        );
        case(
            "questions[0].multiselect",
            Fault::UnknownField { meant: Some("multiSelect") },
            "questions[0].multiselect: unknown field, did you mean `multiSelect`?",
        );
    }

    #[test]
    fn problems_are_reported_up_to_a_limit() {
        let problems = |count| {
            let fault = Fault::UnknownField { meant: None };
            let problems = (0..count).map(|n| Problem::new(n.to_string(), fault.clone())).collect();
            first(problems)
        };
        assert_eq!(problems(100).len(), 100);
        let told = problems(100_000);
        assert_eq!(told.len(), 101);
        assert_eq!(told[100].to_string(), "99900 more problems");
        assert_eq!(problems(101)[100].to_string(), "1 more problem");
    }

    #[test]
    fn foreign_words_are_told_cleaned_and_cut() {
        case("a\u{1b}[31m\nb", Fault::UnknownField { meant: None }, "a b: unknown field");
        let value = "字".repeat(100);
        case("", Fault::Duplicate { value }, &format!("`{}…` appears twice", "字".repeat(80)));
    }
}
