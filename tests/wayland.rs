//! The window under a Wayland compositor, which decides by itself who gets the keyboard and where
//! windows are.

use std::{
    fs,
    time::{Duration, Instant},
};

use askdeck_testkit::{shows_question, until_settled};
use serde_json::{Value, json};

use crate::support::{Accessible, Compositor, Heard, Role, Run, Running, State, press_once, until};

/// Longer than the delay in which keys do nothing.
const PAUSE: Duration = Duration::from_millis(500);

fn ask(desktop: &Compositor) -> Running {
    let question =
        json!({ "agent": "Tester", "question": "Which one?", "options": ["First", "Second"] });
    Run::ask(&question).start(desktop)
}

fn answered(label: &str) -> Value {
    json!([{ "id": "question-0", "question": "Which one?", "selected": [label] }])
}

#[track_caller]
fn await_options(desktop: &Compositor) -> Vec<Accessible> {
    until("the options to be seen", || {
        let options = desktop.accessible().all(Role::RadioButton);
        (!options.is_empty()).then_some(options)
    })
}

fn is_any_chosen(options: &[Accessible]) -> bool {
    options.iter().any(|option| option.is(State::Checked))
}

/// Waits until the window takes keys, presses this one once, and waits for its effect.
#[track_caller]
fn press(desktop: &Compositor, key: &str, mut effect: impl FnMut() -> bool) {
    until_settled("the window to get the keys and show a question", || {
        let is_focused = desktop.window().is_some_and(|window| window["focused"] == true);
        is_focused && shows_question(&**desktop)
    });
    let what = format!("the effect of {key}");
    press_once(what, || desktop.press(key), || effect().then_some(()));
}

#[test]
fn wayland_keys_answer() {
    let desktop = Compositor::without_arming();
    let mut asked = ask(&desktop);
    until("its title", || (desktop.window()?["name"] == "Tester — Askdeck").then_some(()));
    until("it to be painted", || (desktop.colours() > 24).then_some(()));
    let options = await_options(&desktop);
    press(&desktop, "2", || options[1].is(State::Checked));
    assert!(!asked.is_over(), "a choice is not sent by itself");
    press(&desktop, "Return", || asked.is_over());
    asked.ends().answers(&answered("Second"));
    until("the window to go", || desktop.window().is_none().then_some(()));
}

#[test]
fn wayland_mouse_answers() {
    let desktop = Compositor::without_arming();
    let mut asked = ask(&desktop);
    let options = await_options(&desktop);
    until_settled("a question to be shown", || shows_question(&*desktop));
    let choose = || desktop.click(&options[0]);
    press_once("a click to choose", choose, || options[0].is(State::Checked).then_some(()));
    assert!(!asked.is_over(), "a choice is not sent by itself");
    let send = until("the button to name the choice", || {
        let buttons = desktop.accessible().all(Role::PushButton);
        buttons.into_iter().find(|button| button.name() == "Send “First”")
    });
    press_once("a click to send", || desktop.click(&send), || asked.is_over().then_some(()));
    asked.ends().answers(&answered("First"));
}

/// sway gives the keyboard to every new window, also to one that does not want it.
#[test]
fn wayland_typing_on_as_the_window_appears_answers_nothing() {
    let delay = Duration::from_secs(2);
    let desktop = Compositor::start();
    desktop.configure("focus = \"idle\"\narming_ms = 2000");
    Run::command(["resident"]).ends(&desktop).is(0, "");
    let mut typing = desktop.type_on();
    let mut asked = ask(&desktop);
    until("the window to get the keys", || (desktop.window()?["focused"] == true).then_some(()));
    let options = await_options(&desktop);
    let seen = Instant::now();
    until("keys to have come for longer than the delay", || {
        assert!(!is_any_chosen(&options) && !asked.is_over());
        (seen.elapsed() > 2 * delay).then_some(())
    });
    assert!(typing.try_wait().expect("a child").is_none(), "it was typed all the time");
    typing.kill().expect("it runs");
    typing.wait().expect("a child");

    let typed_last = Instant::now();
    until("the delay to be over", || (typed_last.elapsed() > delay + PAUSE).then_some(()));
    press(&desktop, "2", || options[1].is(State::Checked));
    press(&desktop, "Return", || asked.is_over());
    asked.ends().answers(&answered("Second"));
}

#[test]
fn wayland_set_aside_question_comes_back() {
    let desktop = Compositor::without_arming();
    Run::command(["resident"]).ends(&desktop).is(0, "");
    let mut asked = ask(&desktop);
    await_options(&desktop);
    press(&desktop, "Escape", || desktop.window().is_none());
    assert!(!asked.is_over(), "the agent has heard nothing");
    Run::command(["show"]).ends(&desktop).is(0, "");
    desktop.await_window();
    press(&desktop, "Return", || asked.is_over());
    asked.ends().answers(&answered("First"));
}

/// sway gives the keyboard to the first window of a workspace, so the question is in sight.
#[test]
fn wayland_window_with_the_keyboard_leaves_no_notification() {
    let desktop = Compositor::start();
    desktop.configure("focus = \"idle\"");
    let notifications = desktop.notifications();
    let _asked = ask(&desktop);
    await_options(&desktop);
    until_settled("the window to have the keyboard and dunst to show nothing", || {
        desktop.await_window()["focused"] == true && notifications.count() == 0
    });
}

/// Only the compositor knows whether the person types elsewhere, so the keyboard is not asked for.
#[test]
fn documented_sway_rule_leaves_the_keyboard_and_a_notification_tells() {
    let document = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/wayland.md"))
        .expect("the document is there");
    let rule = document.lines().find(|line| line.starts_with("no_focus")).expect("it has a rule");
    let mut desktop = Compositor::with(rule);
    desktop.configure("focus = \"idle\"");
    let editor = desktop.open_editor();
    let notifications = desktop.notifications();
    let mut asked = ask(&desktop);
    let options = await_options(&desktop);
    notifications.await_count(1);
    let Some(Heard::Shows { title, body, .. }) = notifications.heard().into_iter().next() else {
        panic!("it shows one first: {:?}", notifications.heard())
    };
    assert_eq!((title.as_str(), body.as_str()), ("Tester asks", "Which one?"));
    assert_eq!(desktop.await_window()["focused"], false);

    // Longer than the window would have waited to take keys.
    let (seen, before) = (Instant::now(), editor.text());
    until("keys to have come for longer than the delay", || {
        desktop.press("2");
        (seen.elapsed() > 2 * PAUSE).then_some(())
    });
    until("the keys to arrive", || {
        (editor.text().strip_prefix(&before)?.contains("222")).then_some(())
    });
    assert!(!is_any_chosen(&options) && !asked.is_over());
}
