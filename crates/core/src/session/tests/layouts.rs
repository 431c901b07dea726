//! The three layouts, as keys and clicks meet them.

use serde_json::{Value, json};

use super::{
    super::{Action, AsideKind, Direction, Event, Focus, Progress, TextField},
    answered, dialog,
    person::Person,
};
use crate::dialog::Layout;

/// A permission, as a hook asks for it: two ways to say yes, and a no that takes words.
fn permission() -> Value {
    json!([{
        "question": "Run this command?",
        "options": ["Allow once", "Always allow", { "label": "Don't allow", "refuses": true }],
        "notes": false,
        "consent": true,
    }])
}

const CONFIRM: fn() -> Value = || json!([{ "question": "Delete it?", "type": "confirm" }]);

fn verb(index: usize) -> Focus {
    Focus::Card { index }
}

fn layout(questions: Value) -> Layout {
    dialog(questions).layout()
}

#[test]
fn a_layout_fits_what_is_asked() {
    assert_eq!(layout(permission()), Layout::Decide);
    assert_eq!(layout(CONFIRM()), Layout::Decide);
    assert_eq!(layout(json!([{ "question": "Which?", "options": ["A", "B"] }])), Layout::Choose);
    let both = json!([{ "question": "Go?", "type": "confirm" }, { "question": "Why?" }]);
    assert_eq!(layout(both.clone()), Layout::Choose);
    let mut form = dialog(both);
    form.fill = true;
    assert_eq!(form.layout(), Layout::Fill);
    assert_eq!((form.pages().len(), form.pages()[0].clone()), (1, 0..2));
    // What has to be compared before it is allowed stays a list of cards.
    let preview = json!({ "label": "A", "preview": "…" });
    let compared = json!([{ "question": "Go?", "options": [preview, "B"], "consent": true }]);
    assert_eq!(layout(compared), Layout::Choose);
    let many: Vec<_> = (1..=6).map(|n| n.to_string()).collect();
    let many = json!([{ "question": "Which?", "options": many, "consent": true }]);
    assert_eq!(layout(many), Layout::Choose);
}

#[test]
fn a_click_on_a_verb_decides() {
    let chosen = |card| answered(json!([{ "selected": [card] }]));
    Person::at(permission()).clicks(Action::Choose { card: 0 }).ends_with(chosen(0));
    Person::at(permission()).clicks(Action::Choose { card: 2 }).ends_with(chosen(2));
    let no = answered(json!([{ "value": false }]));
    Person::at(CONFIRM()).clicks(Action::Choose { card: 1 }).ends_with(no);
}

#[test]
fn a_digit_moves_to_a_verb_and_enter_takes_it() {
    let person = Person::at(permission()).rests_at(Focus::Panel).press(&["Enter"]).goes_on();
    let person = person.hears("choose_first").press(&["2"]).rests_at(verb(1)).goes_on();
    let person = person.press(&["ArrowRight", "ArrowRight"]).rests_at(verb(0));
    person.press(&["ArrowLeft", "Enter"]).ends_with(answered(json!([{ "selected": [2] }])));
    // Only the verbs have a digit; what else is typed are words.
    Person::at(permission()).press(&["4"]).rests_at(Focus::Other).goes_on();
}

#[test]
fn space_takes_no_verb() {
    Person::at(permission()).press(&["1", " "]).rests_at(verb(0)).goes_on();
    Person::at(CONFIRM()).press(&["ArrowDown", " "]).goes_on();
}

#[test]
fn words_go_with_the_verb_that_refuses() {
    let said = answered(json!([{ "other": "use rg" }]));
    let person = || Person::at(permission()).types(TextField::Other, "use rg");
    person().clicks(Action::Choose { card: 2 }).ends_with(said.clone());
    person().event(Event::Moved { focus: Focus::Other }).press(&["Enter"]).ends_with(said);
}

#[test]
fn a_yes_that_would_drop_words_asks_first() {
    let person = Person::at(permission()).types(TextField::Other, "use rg");
    let person = person.clicks(Action::Choose { card: 0 }).goes_on().hears("words_not_sent");
    let person = person.clicks(Action::Choose { card: 1 }).goes_on().hears("words_not_sent");
    person.clicks(Action::Choose { card: 1 }).ends_with(answered(json!([{ "selected": [1] }])));
}

#[test]
fn a_yes_that_takes_a_note_carries_the_words() {
    let plan = json!([{
        "question": "Go ahead with this plan?",
        "options": ["Approve", { "label": "Keep planning", "refuses": true }],
        "consent": true,
    }]);
    Person::at(plan)
        .types(TextField::Other, "with tests")
        .clicks(Action::Choose { card: 0 })
        .ends_with(answered(json!([{ "selected": [0], "note": "with tests" }])));
}

#[test]
fn where_a_verb_says_no_there_is_nothing_to_decline() {
    let decline = Action::OpenAside { aside: AsideKind::Decline };
    assert!(Person::at(permission()).clicks(decline).view.aside.is_none());
    assert!(Person::at(CONFIRM()).clicks(decline).view.aside.is_none());
    let only_yes = json!([{ "question": "Go?", "options": ["Yes"], "consent": true }]);
    assert!(Person::at(only_yes).clicks(decline).view.aside.is_some());
}

fn form(fields: usize) -> Person {
    let field = |n| json!({ "id": format!("f{n}"), "question": "Name?", "type": "text" });
    let mut asked = dialog((0..fields).map(field).collect());
    asked.fill = true;
    Person::at_dialog(asked)
}

#[test]
fn enter_goes_from_field_to_field_and_sends_from_the_last() {
    let person = form(2).rests_at(Focus::Text).press(&["Enter"]).hears("answer_needed");
    let person = person.types(TextField::Text, "a").press(&["Enter"]).goes_on();
    assert_eq!(person.view.step, 1);
    let person = person.types(TextField::Text, "b").press(&["Enter"]);
    person.ends_with(answered(json!([{ "value": "a" }, { "value": "b" }])));
}

#[test]
fn sending_a_page_goes_to_the_first_field_that_is_wrong() {
    let person = form(3).event(Event::Field { question: 2 }).types(TextField::Text, "c");
    let person = person.clicks(Action::GoOn).goes_on().rests_at(Focus::Text);
    assert_eq!(person.view.step, 0);
    let wrong: Vec<_> = person.view.questions.iter().map(|view| view.error.is_some()).collect();
    assert_eq!(wrong, [true, true, false]);
}

#[test]
fn a_long_form_has_pages_and_a_review() {
    let person = form(17);
    let pages = dialog_pages(17);
    assert_eq!(pages, [0..8, 8..16, 16..17]);
    let forward = Action::Turn { direction: Direction::Forward };
    let person = person.clicks(forward);
    assert_eq!(person.view.step, 8);
    let person = person.clicks(forward).clicks(forward);
    assert_eq!(person.view.step, 17);
    let person = person.clicks(Action::Turn { direction: Direction::Backward });
    assert_eq!(person.view.step, 16);
    // A field of another page is not in sight, so nothing can be meant for it.
    let person = person.event(Event::Field { question: 3 });
    assert_eq!(person.view.step, 16);
}

#[test]
fn a_page_of_a_form_is_answered_once_none_of_its_fields_is_open() {
    let field = |n| json!({ "id": format!("f{n}"), "question": "Name?", "type": "text", "required": n == 0 });
    let mut asked = dialog((0..10).map(field).collect());
    asked.fill = true;
    let person = Person::at_dialog(asked).types(TextField::Text, "a");
    assert_eq!(person.view.questions[0].progress, Progress::Answered);
    assert_eq!(person.view.pages, [Progress::Open, Progress::Open], "the others may follow");
    let person = person.clicks(Action::GoOn);
    assert_eq!(person.view.questions[1].progress, Progress::Skipped);
    assert_eq!(person.view.pages, [Progress::Answered, Progress::Open]);
    let person = person.clicks(Action::GoOn);
    assert_eq!(person.view.pages, [Progress::Answered, Progress::Skipped]);
}

#[test]
fn the_review_shows_every_default() {
    let ask = json!([
        { "question": "Run it?", "options": ["Approve", "Reject"], "other": false },
        { "question": "With what?", "type": "json", "default": { "to": "a" } },
    ]);
    let person = Person::at(ask).press(&["2"]).clicks(Action::Go { step: 2 });
    let sent = answered(json!([{ "selected": [1] }, { "value": { "to": "a" } }]));
    person.clicks(Action::GoOn).ends_with(sent);
}

fn dialog_pages(fields: usize) -> Vec<std::ops::Range<usize>> {
    let field = |n| json!({ "id": format!("f{n}"), "question": "Name?", "type": "text" });
    let mut asked = dialog((0..fields).map(field).collect());
    asked.fill = true;
    asked.pages()
}

fn many() -> Person {
    let names = ["Ada", "C", "Elixir", "Elm", "Go", "Haskell", "Java", "Lua", "Rust", "Zig"];
    Person::at(json!([{ "question": "Which language?", "options": names }]))
}

#[test]
fn a_letter_filters_many_options() {
    let person = many().press(&["e"]).rests_at(Focus::Filter);
    let person = person.types(TextField::Filter, "el");
    assert_eq!(person.view.questions[0].hidden, [0, 1, 4, 6, 7, 8, 9]);
    // Enter goes to the first that is left, and chooses nothing.
    let person = person.press(&["Enter"]).rests_at(Focus::Card { index: 2 }).goes_on();
    let person = person.press(&["ArrowDown", "ArrowDown"]).rests_at(Focus::Card { index: 5 });
    assert!(person.view.questions[0].chosen.is_empty());
    person.press(&["Enter"]).ends_with(answered(json!([{ "selected": [5] }])));
}

#[test]
fn the_digit_of_an_option_that_is_out_of_sight_is_typed_into_the_filter() {
    let person = many().press(&["e"]).types(TextField::Filter, "el").press(&["Enter", "1"]);
    let person = person.rests_at(Focus::Filter).goes_on();
    assert!(person.view.questions[0].chosen.is_empty());
}

#[test]
fn leaving_the_filter_shows_all_options_again() {
    let person = many().press(&["e"]).types(TextField::Filter, "el").press(&["Escape"]);
    assert!(person.view.questions[0].hidden.is_empty());
    person.rests_at(Focus::Card { index: 0 });
}

#[test]
fn the_row_for_own_words_is_its_box() {
    let ask = json!([{ "question": "Which?", "options": ["A", "B"] }]);
    let person = Person::at(ask).press(&["ArrowUp"]).rests_at(Focus::Other);
    person.press(&["ArrowUp"]).rests_at(Focus::Card { index: 1 }).goes_on();
}

#[test]
fn a_double_click_sends_one_option() {
    let ask = |multi| json!([{ "question": "Which?", "options": ["A", "B"], "multi": multi }]);
    let twice = Action::ChooseAndGoOn { card: 1 };
    Person::at(ask(false)).clicks(twice).ends_with(answered(json!([{ "selected": [1] }])));
    Person::at(ask(true)).clicks(twice).goes_on();
}
