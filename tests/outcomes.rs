//! Every way a dialog can end, with its own word on stdout and its own exit code. Here nobody but
//! a person with a keyboard touches the window.

use serde_json::{Value, json};

use crate::support::{Ended, Person, Run, Screen, signal};

fn question() -> Value {
    json!({ "agent": "Tester", "question": "Deploy?", "options": ["Now", "Later"] })
}

/// Presses the key until the program ends; it must be one that does its work by itself.
#[track_caller]
fn press_until_the_end(key: &str, run: Run, screen: &Screen) -> Ended {
    let mut running = run.start(screen);
    let person = Person::at(screen);
    person.press_until(key, || running.is_over().then_some(()));
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
fn an_app_that_is_killed_again_and_again_is_no_answer() {
    let screen = Screen::start();
    let running = Run::ask(&question()).start(&screen);
    for _ in 0..3 {
        let person = Person::at(&screen);
        signal("KILL", person.app());
        person.await_gone();
    }
    running.ends().says(4, "", "askdeck: the app ended without an answer\n");
}

#[test]
fn what_a_killed_command_asked_can_still_be_answered_and_is_kept() {
    let screen = Screen::start();
    let both = json!({ "agent": "Tester", "questions": [
        { "question": "In your words?", "type": "text" },
        { "question": "In other words?", "type": "text" },
    ]});
    let window = Run::ask(&both).open(&screen);
    window.type_into(".current textarea", "half a sentence");
    window.await_shown("#tab-0.answered");
    signal("KILL", window.command());
    window.await_text(
        ".notice",
        "The agent left. Your answer will be kept, and it gets it when it asks again.",
    );
    let typed = window.see("document.querySelector('textarea').value");
    assert_eq!(typed, "half a sentence");
    window.person.press("Return");
    window.await_focus("#panel-1 textarea");
    window.person.type_text("the rest");
    window.person.press("Return");
    window.await_shown(".review");
    window.person.press("Return");
    window.person.await_gone();

    // The same question again needs no window.
    let ended = Run::ask(&both).ends(&screen);
    ended.answers(&json!([
        { "id": "question-0", "question": "In your words?", "value": "half a sentence" },
        { "id": "question-1", "question": "In other words?", "value": "the rest" },
    ]));
}
