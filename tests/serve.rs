//! The desk without a window: there as long as somebody needs it.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Home, Run, Running, Wire, signal, socket, until};

const NO_WINDOW: &str = "this desk has no window";

fn question() -> Value {
    json!({ "agent": "Tester", "question": "Deploy?", "options": ["Now", "Later"] })
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
        Run::command(["serve"]).ends(&home).says(0, "", "askdeck: Askdeck runs already\n");
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
