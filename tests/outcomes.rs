//! Every way a dialog can end, with its own word on stdout and its own exit code. Here nobody but
//! a person with a keyboard touches the window.

use serde_json::{Value, json};

use crate::support::{Ended, Person, Run, Screen, signal, until};

fn question() -> Value {
    json!({ "agent": "Tester", "question": "Deploy?", "options": ["Now", "Later"] })
}

/// A question of several.
fn question_text() -> Value {
    json!({ "question": "What then?", "type": "text" })
}

/// Presses the key until the program ends. A window that has just opened takes no keys, so it must
/// be one that does its work by itself.
#[track_caller]
fn press_until_the_end(key: &str, run: Run, screen: &Screen) -> Ended {
    let mut running = run.start(screen);
    let person = Person::at(screen);
    until(format!("{key} to end the dialog"), || {
        person.press(key);
        running.is_over().then_some(())
    });
    person.await_gone();
    running.ends()
}

#[test]
fn an_answer_ends_with_0() {
    let screen = Screen::start();
    let now = json!([{ "id": "question-0", "question": "Deploy?", "selected": ["Now"] }]);
    press_until_the_end("Return", Run::ask(&question()), &screen).answers(&now);

    let flags = Run::command(["-q", "Deploy?", "-o", "Now: at once", "-o", "Later", "--agent=me"]);
    press_until_the_end("Return", flags, &screen).answers(&now);

    let app = Run::app([&question().to_string()]);
    let app = press_until_the_end("Return", app, &screen);
    assert_eq!(app.code, Some(0));
    assert_eq!(app.stdout, format!("{}\n", json!({ "outcome": "answered", "answers": now })));
}

#[test]
fn confirm_ends_with_0_for_yes_and_1_for_no() {
    let screen = Screen::start();
    let confirm = || Run::command(["confirm", "Delete it?", "--details", "All of **it**"]);
    press_until_the_end("Return", confirm().args(["--default=yes"]), &screen).is(0, "yes\n");
    press_until_the_end("Return", confirm().args(["--default=no"]), &screen).is(1, "no\n");
    press_until_the_end("Escape", confirm(), &screen).is(1, "");
}

#[test]
fn a_closed_window_ends_with_1() {
    let screen = Screen::start();
    let dismissed = json!({ "outcome": "dismissed" });
    press_until_the_end("Escape", Run::ask(&question()), &screen).is_json(1, &dismissed);
    press_until_the_end("alt+F4", Run::ask(&question()), &screen).is_json(1, &dismissed);
    let app = press_until_the_end("Escape", Run::app([&question().to_string()]), &screen);
    assert_eq!((app.code, app.stdout), (Some(1), format!("{dismissed}\n")));
}

#[test]
fn time_that_runs_out_ends_with_124() {
    let screen = Screen::start();
    let ended = Run::ask(&question()).args(["--timeout=1s"]).ends(&screen);
    ended.is_json(124, &json!({ "outcome": "timed_out" }));
    let confirm = Run::command(["confirm", "Go?", "--default=yes", "--timeout=1s"]);
    confirm.ends(&screen).is(124, "");
}

#[test]
fn ctrl_c_closes_the_window_and_ends_with_130() {
    let screen = Screen::start();
    for run in [Run::ask(&question()), Run::app([&question().to_string()])] {
        let running = run.start(&screen);
        let person = Person::at(&screen);
        running.interrupt();
        let ended = running.ends();
        assert_eq!(ended.code, Some(130), "{ended:?}");
        assert_eq!(ended.stdout, format!("{}\n", json!({ "outcome": "withdrawn" })));
        person.await_gone();
    }
}

#[test]
fn an_app_that_is_killed_is_no_answer() {
    let screen = Screen::start();
    let running = Run::ask(&question()).start(&screen);
    signal("KILL", Person::at(&screen).app());
    running.ends().says(4, "", "askdeck: the app ended without an answer\n");
}

#[test]
fn a_command_that_is_killed_takes_an_untouched_window_along() {
    let screen = Screen::start();
    let running = Run::ask(&question()).start(&screen);
    let person = Person::at(&screen);
    drop(running);
    person.await_gone();
}

#[test]
fn a_command_that_is_killed_leaves_what_was_typed() {
    let screen = Screen::start();
    let window =
        Run::ask(&json!({ "questions": [question_text(), question_text()] })).open(&screen);
    window.type_into(".current textarea", "half a sentence");
    window.await_shown("#tab-0.answered");
    signal("KILL", window.command());
    window.await_text(
        ".notice",
        "The agent left, so this can no longer be sent. You can still copy what you typed.",
    );
    let typed = window.see("document.querySelector('textarea').value");
    assert_eq!(typed, "half a sentence");
    // Nobody is left to send to.
    window.person.press("Return");
    window.await_end();
    assert!(window.person.title().ends_with("Askdeck"), "the window went");
    window.person.press("Escape Escape Escape");
    window.person.await_gone();
}
