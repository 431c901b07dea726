//! What is on the buttons, and what is said beside them.

use serde_json::{Value, json};

use super::{
    one,
    person::{Person, dialog},
    several,
};
use crate::{
    dialog::Caller,
    session::{Action, AsideKind, Event, Progress, TextField, Tone, View},
};

const DECLINE: Action = Action::OpenAside { aside: AsideKind::Decline };
const CLARIFY: Action = Action::OpenAside { aside: AsideKind::Clarify };

/// The word of the main button, the card that it names, and whether it stands out.
fn primary(view: &View) -> (&str, Option<usize>, bool) {
    let primary = view.primary.as_ref().unwrap();
    (primary.label.word, primary.card, view.ready)
}

#[test]
fn the_main_button_names_what_it_sends() {
    let person = Person::at(one());
    assert_eq!(primary(&person.view), ("send", None, false));
    let person = person.press(&["2"]);
    assert_eq!(primary(&person.view), ("send_answer", Some(1), true));
    let person = person.press(&["3"]);
    assert_eq!(primary(&person.view), ("send", None, false));
    let person = person.types(TextField::Other, "own");
    assert_eq!(primary(&person.view), ("send", None, true));

    let many = json!([{ "question": "Which?", "type": "multi", "options": ["A", "B", "C"] }]);
    let person = Person::at(many).press(&["1"]);
    assert_eq!(primary(&person.view), ("send_answer", Some(0), true));
    let person = person.press(&["3"]);
    assert_eq!(primary(&person.view), ("send_chosen", None, true));
    assert_eq!(person.view.primary.unwrap().label.values["n"], "2");
}

#[test]
fn several_questions_go_on_and_send_without_a_name() {
    let person = Person::at(several());
    assert_eq!(primary(&person.view), ("next", None, false));
    let person = person.press(&["1"]);
    assert_eq!(primary(&person.view), ("next", None, true));
    let person = person.clicks(Action::Go { step: 3 });
    assert_eq!(primary(&person.view), ("send", None, false));
}

#[test]
fn asides_say_what_they_cover() {
    let title = |ask: Value, aside: Action| {
        let person = Person::at(ask).clicks(aside);
        let title = person.view.aside.as_ref().unwrap().title.clone();
        (title.word, title.values.into_values().next(), primary(&person.view).0.to_owned())
    };
    let declines = ("decline_title", None, "send_decline".to_owned());
    assert_eq!(title(one(), DECLINE), declines);
    let all = ("decline_title_all", Some("3".to_owned()), "send_decline_all".to_owned());
    assert_eq!(title(several(), DECLINE), all);
    let asks = ("clarify_title", Some("test".to_owned()), "send".to_owned());
    assert_eq!(title(one(), CLARIFY), asks);

    let mut nameless = dialog(one());
    nameless.caller =
        Caller { agent: "bash".into(), program: Some("bash".into()), ..Caller::default() };
    let person = Person::at_dialog(nameless).clicks(CLARIFY);
    assert_eq!(person.view.aside.unwrap().title.word, "clarify_title_script");
}

#[test]
fn leaving_an_aside_leads_back_to_where_one_was() {
    let person = Person::at(one()).press(&["ArrowDown"]).clicks(DECLINE).press(&["Escape"]);
    person.rests_at(super::Focus::Card { index: 1 });
}

#[test]
fn notices_tell_information_from_warnings() {
    let tone = |person: &Person| person.view.notice.as_ref().map(|notice| notice.tone);
    let person = Person::at(several()).event(Event::CallerLeft);
    assert_eq!(tone(&person), Some(Tone::Information));
    let person = person.press(&["1", "Escape"]);
    assert_eq!(tone(&person), Some(Tone::Warning));
    let buttons = person.view.notice.unwrap().buttons;
    let actions: Vec<_> = buttons.into_iter().map(|button| button.action).collect();
    assert_eq!(actions, [Action::KeepAnswering, Action::Close]);
}

#[test]
fn an_optional_question_that_was_passed_over_is_told() {
    let ask = json!([
        { "question": "What?", "type": "text", "required": false },
        { "question": "Which?", "options": ["A", "B"] },
    ]);
    let person = Person::at(ask);
    let told = |person: &Person| {
        let questions: Vec<_> = person.view.questions.iter().map(|it| it.progress).collect();
        assert_eq!(questions, person.view.pages, "each question is a page");
        questions
    };
    assert_eq!(told(&person), [Progress::Open, Progress::Open]);
    let person = person.press(&["Enter"]);
    assert_eq!(told(&person), [Progress::Skipped, Progress::Open]);
    assert_eq!(told(&person.press(&["1"])), [Progress::Skipped, Progress::Answered]);
}

#[test]
fn the_main_button_has_the_sign_of_enter_only_if_enter_sends_what_it_names() {
    let person = Person::at(one()).press(&["1"]);
    assert!(person.view.enter);
    let person = person.press(&["ArrowDown"]);
    assert!(!person.view.enter, "Enter would choose the next card first");
}

#[test]
fn letters_at_the_question_whether_to_close_lead_back_to_the_answer() {
    let ask = json!([{ "question": "What?", "type": "text" }]);
    let person = Person::at(ask).types(super::TextField::Text, "half").press(&["Escape", "Escape"]);
    let person = person.rests_at(super::Focus::Keep).press(&["x"]);
    assert_ne!(person.view.focus, super::Focus::Keep);
    assert!(person.view.notice.is_none());
}
