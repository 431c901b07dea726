//! Opening is not stealing: a resident app gets the person's attention, never their keys.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{
    Accessible, Editor, Heard, Notifications, Person, Role, Run, Running, Screen, State, Typing,
    until,
};

/// Longer than hands rest that are typing.
const RESTED: Duration = Duration::from_millis(2_500);

fn question(number: usize) -> Value {
    json!({ "agent": format!("Tester {number}"), "question": "Keep <b>all</b> & go?",
        "options": ["Now", "Later"] })
}

fn resident(screen: &Screen) -> Running {
    screen.configure("focus = \"idle\"");
    let app = Run::app(["--resident"]).start(screen);
    until("the app to listen", || {
        (Run::command(["status"]).ends(screen).code == Some(0)).then_some(())
    });
    app
}

/// Keys that all mean something in the window, and no two alike in a row.
fn keys(count: usize) -> String {
    "1a2b3c4d5".chars().cycle().take(count).collect()
}

/// Types for a while, in which the window leaves the keyboard where it is.
fn type_on(editor: &Editor) -> Typing {
    editor.type_text(&keys(300))
}

fn radios(screen: &Screen) -> Vec<Accessible> {
    until("the options to be seen", || {
        let radios = Accessible::desktop(screen).all(Role::RadioButton);
        (!radios.is_empty()).then_some(radios)
    })
}

#[track_caller]
fn assert_nothing_chosen(screen: &Screen) {
    assert!(!radios(screen).iter().any(|radio| radio.is(State::Checked)), "something is chosen");
}

#[test]
fn a_thousand_keys_stay_where_they_were_meant_to_go() {
    let screen = Screen::start();
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    let text = keys(1_000);
    let mut typing = editor.type_text(&text);
    let mut asked = Vec::new();
    until("the typing to end", || {
        assert!(editor.has_keyboard(), "after {} questions", asked.len());
        if asked.len() < 20 {
            asked.push(Run::ask(&question(asked.len())).start(&screen));
        }
        typing.is_over().then_some(())
    });
    assert_eq!(asked.len(), 20, "all of them came while keys were pressed");
    until("the last key", || (editor.text().len() == text.len()).then_some(()));
    assert_eq!(editor.text(), text);

    let person = Person::at(&screen);
    assert!(person.is_in_front() && !person.has_keyboard());
    assert_nothing_chosen(&screen);
    assert!(!asked.iter_mut().any(Running::is_over), "nobody has answered");

    let (x, y) = radios(&screen)[0].middle().expect("an option has a place");
    person.click_screen(x, y);
    until("the click to give the keyboard", || person.has_keyboard().then_some(()));
    assert_nothing_chosen(&screen);
    assert!(!asked.iter_mut().any(Running::is_over), "nobody has answered");
}

#[test]
fn hands_that_rest_are_given_the_window() {
    let screen = Screen::start();
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    until("a first key", || {
        drop(editor.type_text("a"));
        (!editor.text().is_empty()).then_some(())
    });
    let last_key = Instant::now();
    until("the hands to rest", || (last_key.elapsed() > RESTED).then_some(()));
    let _asked = Run::ask(&question(0)).start(&screen);
    let person = Person::at(&screen);
    until("the window to have the keyboard", || person.has_keyboard().then_some(()));
}

#[test]
fn a_burst_of_questions_is_one_notification() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    let typing = type_on(&editor);
    let asked: Vec<_> = (0..5).map(|number| Run::ask(&question(number)).start(&screen)).collect();
    notifications.await_count(1);
    drop(typing);
    let person = Person::at(&screen);
    assert!(!person.has_keyboard());
    assert_eq!(notifications.count(), 1);
    let heard = notifications.heard();
    let new = heard.iter().filter(|heard| matches!(heard, Heard::Shows { replaces: 0, .. }));
    assert_eq!(new.count(), 1, "all others take its place: {heard:?}");
    for heard in heard {
        let Heard::Shows { body, .. } = heard else { panic!("nothing was answered: {heard:?}") };
        assert!(!body.contains("<b>"), "what an agent sends is only text: {body}");
    }

    notifications.click();
    until("the click to bring the window", || person.has_keyboard().then_some(()));
    notifications.await_count(0);
    drop(asked);
}

#[test]
fn a_notification_goes_when_nothing_waits_any_more() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    let _typing = type_on(&editor);
    let asked = Run::ask(&question(0)).start(&screen);
    notifications.await_count(1);
    asked.interrupt();
    assert_eq!(asked.ends().code, Some(130));
    notifications.await_count(0);
    assert!(matches!(notifications.heard().last(), Some(Heard::Closes(_))));
}

#[test]
fn a_daemon_that_hangs_holds_up_nothing() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    notifications.hang();
    let _typing = type_on(&editor);
    let _asked = Run::ask(&question(0)).start(&screen);
    let person = Person::at(&screen);
    until("the window to be in front", || person.is_in_front().then_some(()));
    assert_eq!(notifications.heard(), [], "it has not even said what it is able to do");
    notifications.go_on();
    notifications.await_count(1);
}
