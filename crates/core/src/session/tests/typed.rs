//! What is typed goes back as it was typed.

use serde_json::json;

use super::{answered, person::Person};
use crate::session::{Action, AsideKind, TextField};

/// Pasted: letters that turn the others, and marks that Arabic and Hebrew are written with.
const PASTED: &str = "a\u{202e}b \u{200f}שלום\u{200e} می\u{200c}خواهم \u{1b}[1m";

#[test]
fn pasted_text_is_the_same_in_draft_and_answer() {
    let text = Person::at(json!([{ "question": "What?", "type": "text" }]));
    text.types(TextField::Text, PASTED)
        .press(&["Enter"])
        .ends_with(answered(json!([{ "value": PASTED }])));
    let choice = || Person::at(json!([{ "question": "Which?", "options": ["A", "B"] }]));
    choice()
        .types(TextField::Note, PASTED)
        .types(TextField::Other, PASTED)
        .press(&["ctrl+Enter"])
        .ends_with(answered(json!([{ "other": PASTED, "note": PASTED }])));
    choice()
        .clicks(Action::OpenAside { aside: AsideKind::Clarify })
        .types(TextField::Clarify, PASTED)
        .clicks(Action::GoOn)
        .ends_with(json!({
            "outcome": "clarify", "text": PASTED, "partial": [{ "skipped": true }],
        }));
}

#[test]
fn text_of_which_nothing_is_seen_is_no_answer() {
    let text = Person::at(json!([{ "question": "What?", "type": "text" }]));
    let text = text.types(TextField::Text, "\u{200b}\u{202e}\u{3164}").press(&["Enter"]);
    text.goes_on().hears("answer_needed");
}

#[test]
fn a_default_is_sent_as_it_came_however_it_could_be_read() {
    let ask = json!([{ "question": "How much?", "type": "number", "default": 1.125 }]);
    Person::at_in_portuguese(ask)
        .press(&["Enter"])
        .ends_with(answered(json!([{ "value": 1.125 }])));
}

#[test]
fn a_decimal_comma_is_read_where_the_language_writes_one() {
    let ask = || json!([{ "question": "How much?", "type": "number" }]);
    let typed =
        |text| Person::at_in_portuguese(ask()).types(TextField::Text, text).press(&["Enter"]);
    typed("2,5").ends_with(answered(json!([{ "value": 2.5 }])));
    typed("1.500").goes_on().hears("number_unclear");
    typed("1.234,5").goes_on().hears("number_grouped");
    let english = Person::at(ask()).types(TextField::Text, "2,5").press(&["Enter"]);
    english.goes_on().hears("number_grouped");
}
