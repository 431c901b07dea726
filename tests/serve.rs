//! The desk without a window: there as long as somebody needs it.

use std::fs;

use serde_json::{Value, json};

use crate::support::{
    Home, Kept, Person, Run, Running, Screen, Terminal, Wire, signal, socket, until,
};

const NO_WINDOW: &str = "this desk has no window";

fn question() -> Value {
    json!({ "agent": "Deployer", "question": "Deploy?", "options": ["Now", "Later"] })
}

#[track_caller]
fn serve(home: &Home) -> Running {
    let serves = Run::command(["serve"]).start(home);
    until("somebody to listen", || socket(home).exists().then_some(()));
    serves
}

#[test]
fn serve_goes_when_the_last_caller_does() {
    let home = Home::new();
    let mut serves = serve(&home);
    let (mut first, mut second) = (Wire::to(&home), Wire::to(&home));
    let hello = first.call("hello", &json!({ "protocol": 2 }));
    assert_eq!((&hello["web_view"], &hello["resident"]), (&json!(""), &json!(false)));
    first.leave();
    assert_eq!(second.call("list", &json!({})), json!({ "open": [] }));
    assert!(!serves.is_over());
    second.leave();
    serves.ends().is(0, "");
    assert!(!socket(&home).exists());
}

#[test]
fn serve_refuses_what_needs_a_window() {
    let home = Home::new();
    let serves = serve(&home);
    let mut wire = Wire::to(&home);
    for (method, params) in [
        ("ask", json!({ "payload": question() })),
        ("submit", json!({ "payload": question() })),
        ("show", json!({})),
        ("show", json!({ "history": true })),
        ("stay", json!({})),
    ] {
        wire.send(method, &params);
        let error = wire.next()["error"].take();
        assert_eq!(error["code"], -32003, "{method}");
        assert!(error["message"].as_str().is_some_and(|why| why.starts_with(NO_WINDOW)), "{error}");
    }
    assert_eq!(wire.call("ready", &json!({})), json!({ "done": true }));
    for command in [["ask", "--ui=window"], ["show", "--history"]] {
        let ended = Run::command(command).stdin(question().to_string()).ends(&home);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{ended:?}");
        assert!(ended.stderr.starts_with("askdeck: there is no display"), "{ended:?}");
    }
    Run::command(["status"]).ends(&home).is(1, "not running; 0 open\n");
    Run::command(["stop"]).ends(&home).is(0, "");
    serves.ends().is(0, "");
}

#[test]
fn serve_ends_cleanly_by_a_signal_and_runs_once() {
    let home = Home::new();
    for name in ["TERM", "INT"] {
        let serves = serve(&home);
        let mut wire = Wire::to(&home);
        wire.call("list", &json!({}));
        Run::command(["serve"]).ends(&home).says(0, "", "askdeck: Askdeck is already running\n");
        signal(name, serves.process());
        serves.ends().is(0, "");
        assert!(!socket(&home).exists());
    }
}

#[test]
fn serve_listens_again_when_its_socket_was_removed() {
    let home = Home::new();
    let _serves = serve(&home);
    let mut first = Wire::to(&home);
    first.call("list", &json!({}));
    fs::remove_file(socket(&home)).expect("it is ours");
    until("it to listen again", || socket(&home).exists().then_some(()));
    assert_eq!(Wire::to(&home).call("list", &json!({})), json!({ "open": [] }));
}

fn in_words() -> Value {
    json!({ "agent": "Tester", "question": "In your words?", "type": "text" })
}

fn given(text: &str) -> Value {
    json!([{ "id": "question-0", "question": "In your words?", "value": text }])
}

#[track_caller]
fn ask(home: &Home, payload: &Value) -> Terminal {
    let terminal = Terminal::start(Run::ask(payload).args(["--ui=terminal"]), home, 80, 24);
    terminal.await_armed();
    terminal
}

/// The desk that a terminal has started.
#[track_caller]
fn desk(home: &Home, terminals: &[&Terminal]) -> u32 {
    until("one desk", || {
        let mut desks = home.programs("askdeck");
        desks.retain(|process| terminals.iter().all(|terminal| terminal.process() != *process));
        <[u32; 1]>::try_from(desks).ok().map(|[desk]| desk)
    })
}

#[track_caller]
fn count_open(home: &Home) -> usize {
    let mut wire = Wire::to(home);
    let open = wire.call("list", &json!({}))["open"].take();
    wire.leave();
    open.as_array().expect("a list").len()
}

#[track_caller]
fn await_no_desk(home: &Home) {
    until("the desk to go", || (!socket(home).exists()).then_some(()));
    until("its process to end", || home.programs("askdeck").is_empty().then_some(()));
}

#[test]
fn terminal_starts_serve_and_another_one_shares_it() {
    let home = Home::new();
    let first = ask(&home, &in_words());
    let desk_of_first = desk(&home, &[&first]);
    let second = ask(&home, &question());
    assert_eq!(desk(&home, &[&first, &second]), desk_of_first);
    assert_eq!(count_open(&home), 2);
    second.press("2\r");
    let later = json!([{ "id": "question-0", "question": "Deploy?", "selected": ["Later"] }]);
    second.ends().answers(&later);
    first.press("typed\r");
    first.ends().answers(&given("typed"));
    await_no_desk(&home);
}

#[test]
fn killed_serve_is_replaced_with_the_draft_kept() {
    let home = Home::new();
    let terminal = ask(&home, &in_words());
    let kept = Kept::of(&home);
    let mut typed = String::new();
    for part in ["before ", "between ", "after"] {
        terminal.press(part);
        typed += part;
        until("it to be kept", || (kept.typed("Tester") == typed).then_some(()));
        signal("KILL", desk(&home, &[&terminal]));
    }
    // A letter that comes while there is none is not lost either.
    terminal.press("!");
    typed += "!";
    until("it to be kept", || (kept.typed("Tester") == typed).then_some(()));
    terminal.await_text(&format!("│ {typed}"));
    terminal.press("\r");
    terminal.ends().answers(&given(&typed));
    await_no_desk(&home);
    assert_eq!((kept.dialogs(), kept.count(&kept.ticket("Tester"), "answered")), (1, 1));
    kept.assert_sound();
}

#[test]
fn serve_makes_way_for_the_app_when_a_window_is_needed() {
    let screen = Screen::start();
    let terminal = ask(&screen, &in_words());
    terminal.press("half ");
    let kept = Kept::of(&screen);
    until("it to be kept", || (kept.typed("Tester") == "half ").then_some(()));
    let window = Run::ask(&question()).open(&screen);
    assert!(window.text(".dialog .agent").contains("Deployer"));
    terminal.press("a sentence");
    until("the app to know it", || (kept.typed("Tester") == "half a sentence").then_some(()));
    assert_eq!(count_open(&screen), 2);
    window.person.press("Return");
    terminal.press("\r");
    terminal.ends().answers(&given("half a sentence"));
    assert_eq!(window.await_end().code, Some(0));
}

#[test]
fn result_and_withdraw_need_neither_a_display_nor_a_desk_that_runs() {
    let home = Home::new();
    let asks = ask(&home, &in_words());
    let left = Kept::of(&home).ticket("Tester");
    asks.close();
    let still_open = "askdeck: the question is still open; wait for it with --wait\n";
    Run::command(["result", &left]).ends(&home).says(1, "", still_open);
    let terminal = Terminal::start(Run::command(["ask", "--ui=terminal", &left]), &home, 80, 24);
    terminal.await_armed();
    terminal.press("typed\r");
    terminal.ends().is(0, "");
    await_no_desk(&home);
    let kept = Kept::of(&home);
    assert_eq!(kept.count(&left, "delivered"), 0);
    Run::command(["result", &left]).ends(&home).answers(&given("typed"));
    await_no_desk(&home);
    assert_eq!(kept.count(&left, "delivered"), 1);

    let asks = ask(&home, &question());
    let left = kept.ticket("Deployer");
    asks.close();
    Run::command(["withdraw", &left]).ends(&home).is(0, "");
    await_no_desk(&home);
    assert_eq!(kept.count(&left, "withdrawn"), 1);
}

#[test]
fn terminal_works_here_while_another_machine_is_out_of_reach() {
    let home = Home::new();
    let away = home.path("forwarded.sock").display().to_string();
    let run = Run::ask(&in_words()).args(["--ui=terminal"]).env("ASKDECK_SOCKET", &away);
    let terminal = Terminal::start(run, &home, 80, 24);
    terminal.await_armed();
    assert!(socket(&home).exists());
    signal("KILL", desk(&home, &[&terminal]));
    terminal.press("typed\r");
    terminal.ends().answers(&given("typed"));
    await_no_desk(&home);
    assert!(!home.path("forwarded.sock").exists());
}

#[test]
fn terminal_works_without_a_home_that_can_be_written() {
    let home = Home::new();
    let run = Run::ask(&in_words()).args(["--ui=terminal"]);
    let run = run.without_env("HOME").without_env("ASKDECK_HOME");
    let terminal = Terminal::start(run, &home, 80, 24);
    terminal.await_armed();
    terminal.await_text("Nothing you type is being saved: there is no data folder");
    terminal.press("typed\r");
    terminal.ends().answers(&given("typed"));
    terminal.await_text("Nothing you type is being saved");
    until("the desk to go", || (!home.path("run/askdeck/askdeck.sock").exists()).then_some(()));
}

#[test]
fn serve_does_not_bring_back_an_app_that_was_quit() {
    let screen = Screen::without_arming();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let mut asks = Run::ask(&question()).start(&screen);
    until("it to be asked", || {
        (!Run::command(["list"]).ends(&screen).stdout.is_empty()).then_some(())
    });
    Run::command(["stop"]).ends(&screen).is(0, "");
    let terminal = ask(&screen, &in_words());
    terminal.press("typed\r");
    terminal.ends().answers(&given("typed"));
    assert!(screen.programs("askdeck-desktop").is_empty());
    assert!(!asks.is_over());
    Run::command(["resident"]).ends(&screen).is(0, "");
    let person = Person::at(&screen);
    person.press_once("Return", || asks.is_over().then_some(()));
    assert_eq!(asks.ends().code, Some(0));
}
