//! Every way a dialog can end, with its own word on stdout and its own exit code. Here nobody but
//! a person with a keyboard touches the window.

use serde_json::{Value, json};

use crate::support::{Ended, Person, Run, Screen, try_signal, until};

fn question() -> Value {
    json!({ "agent": "Tester", "question": "Deploy?", "options": ["Now", "Later"] })
}

/// Presses the key once, which must end the program.
#[track_caller]
fn press_to_end(key: &str, run: Run, screen: &Screen) -> Ended {
    let mut running = run.start(screen);
    let person = Person::at(screen);
    person.press_once(key, || running.is_over().then_some(()));
    person.await_gone();
    running.ends()
}

#[test]
fn answer_exits_with_0() {
    let screen = Screen::without_arming();
    let now = json!([{ "id": "question-0", "question": "Deploy?", "selected": ["Now"] }]);
    press_to_end("Return", Run::ask(&question()), &screen).answers(&now);

    let flags = Run::command(["-q", "Deploy?", "-o", "Now: at once", "-o", "Later", "--agent=me"]);
    press_to_end("Return", flags, &screen).answers(&now);

    let app = Run::app([&question().to_string()]);
    let app = press_to_end("Return", app, &screen);
    assert_eq!(app.code, Some(0));
    assert_eq!(app.stdout, format!("{}\n", json!({ "outcome": "answered", "answers": now })));
}

#[test]
fn confirm_exits_with_0_for_yes_and_1_for_no() {
    let screen = Screen::without_arming();
    let confirm = || Run::command(["confirm", "Delete it?", "--details", "All of **it**"]);
    press_to_end("Return", confirm().args(["--default=yes"]), &screen).is(0, "yes\n");
    press_to_end("Return", confirm().args(["--default=no"]), &screen).is(1, "no\n");
    press_to_end("Escape", confirm(), &screen).is(1, "");
}

#[test]
fn closed_window_exits_with_1() {
    let screen = Screen::without_arming();
    let dismissed = json!({ "outcome": "dismissed" });
    press_to_end("Escape", Run::ask(&question()), &screen).is_json(1, &dismissed);
    press_to_end("alt+F4", Run::ask(&question()), &screen).is_json(1, &dismissed);
    let app = press_to_end("Escape", Run::app([&question().to_string()]), &screen);
    assert_eq!((app.code, app.stdout), (Some(1), format!("{dismissed}\n")));
}

#[test]
fn timeout_exits_with_124() {
    let screen = Screen::start();
    let ended = Run::ask(&question()).args(["--timeout=1s"]).ends(&screen);
    ended.is_json(124, &json!({ "outcome": "timed_out" }));
    let confirm = Run::command(["confirm", "Go?", "--default=yes", "--timeout=1s"]);
    confirm.ends(&screen).is(124, "");
}

#[test]
fn ctrl_c_closes_the_window_and_exits_with_130() {
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
fn app_that_never_shows_the_question_is_no_answer() {
    let screen = Screen::start();
    let mut running = Run::ask(&question()).start(&screen);
    until("the command to give up", || {
        for app in screen.programs("askdeck-desktop") {
            // It may be a child that is about to become another program.
            try_signal("KILL", app);
        }
        running.is_over().then_some(())
    });
    running.ends().says(4, "", "askdeck: the app ended without an answer; try again\n");
}
