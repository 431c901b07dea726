//! Whole dialogs, answered without a window.

#![expect(clippy::needless_pass_by_value, reason = "json!(…) reads better without a & before it")]

use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::dialog::Form;

mod arming;
mod bursts;
mod buttons;
mod changes;
mod checks;
mod consent;
mod forms;
mod hints;
mod layouts;
mod person;
mod saved;
mod typed;

use person::{Person, dialog};

fn one() -> Value {
    json!([{ "question": "Which?", "options": ["A", "B"] }])
}

fn several() -> Value {
    json!([
        { "question": "Which?", "options": ["A", "B"] },
        { "question": "Which ones?", "type": "multi", "options": ["C", "D"] },
        { "question": "What?", "type": "text" },
    ])
}

fn answered(answers: Value) -> Value {
    json!({ "outcome": "answered", "answers": answers })
}

const OTHER: Focus = Focus::Other;

#[test]
fn one_question_choose_then_enter_sends() {
    Person::at(one()).press(&["2", "Enter"]).ends_with(answered(json!([{ "selected": [1] }])));
}

#[test]
fn enter_chooses_where_the_cursor_is() {
    Person::at(one())
        .press(&["ArrowDown", "Enter"])
        .ends_with(answered(json!([{ "selected": [1] }])));
}

#[test]
fn moving_chooses_nothing_and_comes_round() {
    let person = Person::at(one()).press(&["ArrowUp"]).rests_at(OTHER);
    let person = person.press(&["ArrowDown"]).rests_at(Focus::Card { index: 0 }).goes_on();
    assert!(person.view.questions[0].chosen.is_empty());
}

#[test]
fn several_questions_end_with_a_review() {
    let person =
        Person::at(several()).press(&["1", "Enter", "1", "2", "Enter"]).rests_at(Focus::Text);
    let person = person.types(TextField::Text, " a name ").press(&["Enter"]).goes_on();
    assert_eq!(person.view.step, 3);
    assert_eq!(
        person.view.questions[1].summary,
        [SummaryLine::Card { index: 0 }, SummaryLine::Card { index: 1 }]
    );
    person.clicks(Action::GoOn).ends_with(answered(json!([
        { "selected": [0] },
        { "selected": [0, 1] },
        { "value": "a name" },
    ])));
}

#[test]
fn an_answer_is_one_key_from_being_changed() {
    let person = Person::at(several())
        .press(&["1", "Enter", "1", "Enter"])
        .types(TextField::Text, "x")
        .press(&["Enter"]);
    let person = person.press(&["1", "2", "Enter"]).goes_on();
    assert_eq!(person.view.step, 1);
    person
        .press(&["ctrl+Enter"])
        .ends_with(answered(json!([{ "selected": [1] }, { "selected": [0] }, { "value": "x" }])));
}

#[test]
fn incomplete_answer_shows_what_is_missing() {
    let person = Person::at(several()).press(&["ctrl+Enter"]).goes_on().hears("answer_needed");
    assert_eq!(person.view.step, 0);
    let person = person.press(&["1", "ctrl+Enter"]).goes_on().hears("answer_needed");
    assert_eq!(person.view.step, 1);
}

#[test]
fn a_mouse_click_chooses_and_only_a_button_sends() {
    let person = Person::at(one())
        .clicks(Action::Choose { card: 0 })
        .clicks(Action::Choose { card: 0 })
        .goes_on();
    person.clicks(Action::GoOn).ends_with(answered(json!([{ "selected": [0] }])));
}

#[test]
fn space_toggles_and_enter_confirms_the_selection() {
    let ask = json!([{ "question": "Which ones?", "type": "multi", "options": ["A", "B", "C"] }]);
    Person::at(ask)
        .press(&[" ", "ArrowDown", " ", "ArrowDown", " ", "ArrowUp", " ", "Enter"])
        .ends_with(answered(json!([{ "selected": [0, 2] }])));
}

#[test]
fn enter_in_a_multiple_choice_takes_the_cursor_only_if_nothing_is_selected() {
    let ask = json!([{ "question": "Which ones?", "type": "multi", "options": ["A", "B"] }]);
    Person::at(ask)
        .press(&["ArrowDown", "Enter"])
        .ends_with(answered(json!([{ "selected": [1] }])));
}

#[test]
fn other_takes_the_keyboard_and_keeps_its_text() {
    let person = Person::at(one()).press(&["3"]).rests_at(OTHER).types(TextField::Other, "mine");
    let person = person.press(&["Escape"]).rests_at(Focus::Primary).press(&["1"]);
    assert_eq!(person.view.questions[0].chosen, [0]);
    assert_eq!(person.view.questions[0].other, "mine");
    person.press(&["3", "Enter"]).ends_with(answered(json!([{ "other": "mine" }])));
}

#[test]
fn other_without_text_is_no_answer() {
    Person::at(one()).press(&["3", "Enter"]).goes_on().hears("other_needed").rests_at(OTHER);
}

#[test]
fn typing_into_the_other_box_chooses_it() {
    let person = Person::at(one()).press(&["1"]).types(TextField::Other, "mine");
    assert_eq!(person.view.questions[0].chosen, [2]);
}

#[test]
fn several_options_and_other_go_together() {
    let ask = json!([{ "question": "Which ones?", "type": "multi", "options": ["A", "B"] }]);
    Person::at(ask)
        .press(&["1", "3"])
        .types(TextField::Other, "mine")
        .press(&["Enter"])
        .ends_with(answered(json!([{ "selected": [0], "other": "mine" }])));
}

#[test]
fn single_keys_mean_nothing_while_typing() {
    Person::at(one())
        .press(&["3"])
        .types(TextField::Other, "1")
        .press(&["1", "ArrowLeft", " ", "ctrl+Tab", "shift+Enter"])
        .goes_on()
        .rests_at(OTHER);
}

#[test]
fn enter_never_commits_while_composing_or_held() {
    Person::at(one())
        .press(&["1", "held+Enter", "held+2"])
        .goes_on()
        .press(&["3"])
        .types(TextField::Other, "ni")
        .press(&["composing+Enter"])
        .goes_on();
}

#[test]
fn arrows_turn_the_tabs() {
    let person = Person::at(several()).press(&["ArrowRight", "ctrl+Tab"]);
    assert_eq!(person.view.step, 2);
    let person = person.event(Event::Moved { focus: Focus::Tab { step: 2 } }).press(&["ArrowLeft"]);
    assert_eq!(person.view.step, 1);
    let person = person.rests_at(Focus::Tab { step: 1 }).press(&["ctrl+shift+Tab", "ArrowLeft"]);
    assert_eq!(person.view.step, 0);
}

#[test]
fn escape_leaves_the_box_then_closes() {
    let person =
        Person::at(json!([{ "question": "What?", "type": "text" }])).press(&["Escape"]).goes_on();
    person.press(&["Escape"]).ends_with(json!({ "outcome": "dismissed" }));
}

#[test]
fn typed_text_is_not_lost_by_one_stray_key() {
    let person = Person::at(one())
        .press(&["3"])
        .types(TextField::Other, "an hour's work")
        .press(&["Escape", "Escape"])
        .goes_on();
    let person = person.hears("close_loses").rests_at(Focus::Keep);
    let person = person.press(&["ArrowDown"]).rests_at(Focus::Keep);
    let person = person.press(&["Enter"]).goes_on().rests_at(OTHER);
    assert_eq!(
        (&person.view.notice, person.view.questions[0].other.as_str()),
        (&None, "an hour's work")
    );
    let person = person.press(&["Escape", "Escape"]).goes_on();
    person.event(Event::CloseButton).ends_with(json!({ "outcome": "dismissed" }));
}

#[test]
fn a_note_goes_with_the_answer() {
    Person::at(one())
        .press(&["1"])
        .clicks(Action::OpenNote)
        .rests_at(Focus::Note)
        .types(TextField::Note, "but soon")
        .press(&["Enter"])
        .ends_with(answered(json!([{ "selected": [0], "note": "but soon" }])));
}

#[test]
fn declining_and_asking_back_carry_what_was_given() {
    let person = || Person::at(several()).press(&["1", "Enter"]);
    person()
        .clicks(Action::OpenAside { aside: AsideKind::Decline })
        .rests_at(Focus::Aside)
        .types(TextField::Decline, "not mine to say")
        .press(&["Enter"])
        .ends_with(json!({
            "outcome": "declined",
            "reason": "not mine to say",
            "partial": [{ "selected": [0] }, { "skipped": true }, { "skipped": true }],
        }));
    let asks_back = person()
        .clicks(Action::OpenAside { aside: AsideKind::Clarify })
        .press(&["Enter"])
        .goes_on();
    assert_eq!(
        asks_back
            .view
            .aside
            .as_ref()
            .and_then(|aside| aside.error.as_ref())
            .map(|error| error.word),
        Some("clarify_needed")
    );
    asks_back.types(TextField::Clarify, "which server?").clicks(Action::GoOn).ends_with(json!({
        "outcome": "clarify",
        "text": "which server?",
        "partial": [{ "selected": [0] }, { "skipped": true }, { "skipped": true }],
    }));
}

#[test]
fn beside_the_questions_no_key_reaches_them() {
    let person =
        Person::at(several()).press(&["1"]).clicks(Action::OpenAside { aside: AsideKind::Decline });
    let person =
        person.types(TextField::Decline, "no").event(Event::Moved { focus: Focus::Primary });
    let person = person.press(&["2", "ArrowRight", "ctrl+Tab"]).goes_on();
    assert_eq!((person.view.step, &person.view.questions[0].chosen), (0, &vec![0]));
    assert!(person.view.aside.is_some());
    let outcome = json!({ "outcome": "declined", "reason": "no", "partial": [{ "selected": [0] }, { "skipped": true }, { "skipped": true }] });
    person.press(&["ctrl+Enter"]).ends_with(outcome);
}

#[test]
fn a_reason_stays_when_the_person_goes_back() {
    let decline = Action::OpenAside { aside: AsideKind::Decline };
    let person =
        Person::at(one()).clicks(decline).types(TextField::Decline, "because").press(&["Escape"]);
    let person = person.clicks(decline);
    assert_eq!(person.view.aside.as_ref().map(|aside| aside.text.as_str()), Some("because"));
    person.press(&["Escape", "Escape"]).goes_on();
}

#[test]
fn several_answers_are_not_lost_by_one_stray_key() {
    let person = Person::at(several()).press(&["1", "Enter", "Escape"]).goes_on();
    person.hears("close_loses").press(&["Escape"]).ends_with(json!({ "outcome": "dismissed" }));
    Person::at(one()).press(&["1", "Escape"]).ends_with(json!({ "outcome": "dismissed" }));
}

#[test]
fn escape_comes_back_from_declining() {
    let person = Person::at(one())
        .clicks(Action::OpenAside { aside: AsideKind::Decline })
        .press(&["Escape"])
        .goes_on();
    assert_eq!(person.view.aside, None);
    person.rests_at(Focus::Card { index: 0 });
}

#[test]
fn a_default_is_where_the_cursor_starts_and_no_answer() {
    let ask = json!([{ "question": "Which?", "options": ["A", "B"], "default": "B" }]);
    let person = Person::at(ask).rests_at(Focus::Card { index: 1 });
    assert!(person.view.questions[0].chosen.is_empty());
    person.press(&["Enter"]).ends_with(answered(json!([{ "selected": [1] }])));
}

#[test]
fn an_optional_question_can_be_skipped() {
    let ask = json!([{ "question": "What?", "type": "text", "required": false }]);
    Person::at(ask).press(&["Enter"]).ends_with(answered(json!([{ "skipped": true }])));
}

#[test]
fn an_optional_choice_can_be_taken_back() {
    let ask = json!([{ "question": "Which?", "options": ["A", "B"], "required": false }]);
    let person = Person::at(ask).press(&["1", "1"]);
    assert!(person.view.questions[0].chosen.is_empty());
}

#[test]
fn numbers_are_numbers() {
    let ask =
        || Person::at(json!([{ "question": "How many?", "type": "number", "min": 1, "max": 10 }]));
    ask().types(TextField::Text, "many").press(&["Enter"]).goes_on().hears("not_a_number");
    ask().types(TextField::Text, "11").press(&["Enter"]).goes_on().hears("at_most");
    ask().types(TextField::Text, "NaN").press(&["Enter"]).goes_on().hears("not_a_number");
    ask()
        .types(TextField::Text, " 2.5 ")
        .press(&["Enter"])
        .ends_with(answered(json!([{ "value": 2.5 }])));
    ask()
        .types(TextField::Text, "7")
        .press(&["Enter"])
        .ends_with(answered(json!([{ "value": 7 }])));
}

#[test]
fn yes_and_no_are_cards() {
    let ask = || Person::at(json!([{ "question": "Go?", "type": "confirm" }]));
    ask().press(&["1", "Enter"]).ends_with(answered(json!([{ "value": true }])));
    ask().press(&["ArrowUp", "Enter"]).ends_with(answered(json!([{ "value": false }])));
}

#[test]
fn a_secret_goes_as_typed_and_is_never_in_the_summary() {
    let person = Person::at(json!([{ "question": "Token?", "type": "secret" }]))
        .types(TextField::Text, "s3cret ");
    assert_eq!(person.view.questions[0].summary, [SummaryLine::Secret]);
    person.press(&["Enter"]).ends_with(answered(json!([{ "value": "s3cret " }])));
}

#[test]
fn a_secret_that_was_not_sent_goes_nowhere() {
    Person::at(json!([{ "question": "Token?", "type": "secret" }]))
        .types(TextField::Text, "s3cret")
        .clicks(Action::OpenAside { aside: AsideKind::Decline })
        .press(&["Enter"])
        .ends_with(
            json!({ "outcome": "declined", "reason": null, "partial": [{ "skipped": true }] }),
        );
}

#[test]
fn a_box_holds_32_kib() {
    let ask = || Person::at(json!([{ "question": "What?", "type": "text" }]));
    let full = "x".repeat(MAX_TEXT);
    let person = ask()
        .types(TextField::Text, &format!("{full}y"))
        .hears("too_much_text")
        .press(&["Enter"])
        .goes_on();
    let fullness = person.view.questions[0].fullness.as_ref();
    assert_eq!(fullness.map(|fullness| &fullness.values["used"][..]), Some("32.0"));
    person
        .types(TextField::Text, &full)
        .press(&["Enter"])
        .ends_with(answered(json!([{ "value": full }])));
}

/// As it is after it was kept.
fn unchecked(dialog: Dialog) -> Dialog {
    serde_json::from_value(serde_json::to_value(dialog).unwrap()).unwrap()
}

#[test]
fn the_form_as_a_whole_is_checked_on_sending() {
    let mut asked = dialog(json!([
        { "id": "from", "question": "From?", "type": "number" },
        { "id": "to", "question": "To?", "type": "number" },
    ]));
    asked.form = Some(Form::Object(json!({ "properties": { "to": { "maximum": 5 } } })));
    let asked = unchecked(asked);
    let person = Person::at_dialog(asked)
        .types(TextField::Text, "1")
        .press(&["Enter"])
        .types(TextField::Text, "9");
    let person = person.press(&["ctrl+Enter"]).goes_on().hears("at_most");
    assert_eq!(person.view.step, 1);
    person
        .types(TextField::Text, "4")
        .press(&["ctrl+Enter"])
        .ends_with(answered(json!([{ "value": 1 }, { "value": 4 }])));
}

#[test]
fn form_error_clears_on_change() {
    let mut asked = dialog(json!([
        { "id": "a", "question": "How many?", "type": "number" },
        { "id": "b", "question": "Really?", "type": "boolean" },
    ]));
    asked.form = Some(Form::Object(json!({
        "if": { "properties": { "b": { "const": true } } },
        "then": { "properties": { "a": { "minimum": 10 } } },
    })));
    let asked = unchecked(asked);
    let person = Person::at_dialog(asked).types(TextField::Text, "5").press(&["Enter", "1"]);
    let person = person.press(&["ctrl+Enter"]).goes_on().hears("at_least");
    let person = person.event(Event::Field { question: 1 });
    let person =
        person.event(Event::Moved { focus: Focus::Card { index: 0 } }).press(&["2", "ctrl+Enter"]);
    person.ends_with(answered(json!([{ "value": 5 }, { "value": false }])));
}

fn with_timeout(seconds: u64) -> Person {
    let mut asked = dialog(several());
    asked.timeout = Some(Duration::from_secs(seconds));
    Person::at_dialog(asked)
}

#[test]
fn the_deadline_passes_while_nobody_is_there() {
    with_timeout(30).press(&["1"]).waits(Duration::from_secs(60)).ends_with(json!({
        "outcome": "timed_out",
        "partial": [{ "selected": [0] }, { "skipped": true }, { "skipped": true }],
    }));
}

#[test]
fn the_deadline_waits_for_a_person_who_is_active() {
    let mut person = with_timeout(5);
    for _ in 0..60 {
        person = person.press(&["ArrowDown"]).event(Event::Tick);
    }
    let countdown = person.view.countdown.clone().unwrap();
    assert_eq!((countdown.text.word, countdown.soon), ("countdown_paused", false));
    person.goes_on();
}

#[test]
fn withdrawing_ends_it() {
    Person::at(one())
        .press(&["3"])
        .types(TextField::Other, "mine")
        .event(Event::Withdrawn)
        .ends_with(json!({ "outcome": "withdrawn" }));
}

#[test]
fn keys_after_the_end_do_nothing() {
    let person =
        Person::at(one()).press(&["1", "Enter"]).press(&["2", "Enter"]).event(Event::Withdrawn);
    assert_eq!(person.view.phase, Phase::Sent);
    person.ends_with(answered(json!([{ "selected": [0] }])));
}
