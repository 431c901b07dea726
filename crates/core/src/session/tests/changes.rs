//! JSON that stood in the box and was changed there.

use super::*;
use crate::diff::{Line, Mark};

fn settings() -> Person {
    Person::at(json!([
        { "question": "Go?", "type": "confirm" },
        { "question": "With what?", "type": "json", "default": { "a": 1, "b": "x\u{202e}" } },
    ]))
    .press(&["1", "Enter"])
}

fn summary(person: &Person) -> &[SummaryLine] {
    &person.view.questions[1].summary
}

#[test]
fn the_review_shows_what_was_changed() {
    let person = settings().types(TextField::Text, r#"{"a": 2, "b": "x\u202e"}"#);
    let line = |mark, text: &str| Line { mark, text: text.into() };
    let lines = vec![
        line(Mark::Same, "{"),
        line(Mark::Removed, "  \"a\": 1,"),
        line(Mark::Added, "  \"a\": 2,"),
        line(Mark::Same, "  \"b\": \"x\\u202e\""),
        line(Mark::Same, "}"),
    ];
    assert_eq!(summary(&person), [SummaryLine::Changes { lines }]);
}

#[test]
fn what_was_only_written_otherwise_has_not_changed() {
    let text = r#"{"b":"x\u202e","a":1}"#;
    let person = settings().types(TextField::Text, text);
    assert_eq!(summary(&person), [SummaryLine::Text { text: text.into() }]);
    let person = settings().types(TextField::Text, "{");
    assert_eq!(summary(&person), [SummaryLine::Text { text: "{".into() }]);
}

#[test]
fn what_was_not_touched_goes_back_exactly() {
    settings()
        .press(&["ctrl+Enter"])
        .ends_with(answered(json!([{ "value": true }, { "value": { "a": 1, "b": "x\u{202e}" } }])));
}
