use serde_json::{Value, json};

use super::question;
use crate::support::{Person, Run, Running, Screen, Wire};

/// Asks and waits, with the app running; returns the ticket, too.
#[track_caller]
fn ask(screen: &Screen) -> (Running, Wire, Value) {
    let mut wire = Wire::to_resident(screen);
    let asks = Run::ask(&question("Deploy?")).start(screen);
    Person::at(screen);
    let ticket = wire.call("list", &json!({}))["open"][0]["ticket"].take();
    (asks, wire, ticket)
}

/// What the refusal says.
#[track_caller]
fn refused(wire: &mut Wire, ticket: &Value, answers: &Value) -> String {
    wire.send("answer", &json!({ "ticket": ticket, "answers": answers }));
    let error = wire.next()["error"].take();
    assert_eq!(error["code"], -32602, "{error}");
    error["message"].as_str().expect("a sentence").to_owned()
}

#[test]
fn answers_over_socket_are_taken_if_allowed() {
    let screen = Screen::start();
    screen.configure("focus = \"always\"\nanswers_over_socket = true");
    let (mut asks, mut wire, ticket) = ask(&screen);
    let why = refused(&mut wire, &ticket, &json!([{ "selected": [7] }]));
    assert!(why.starts_with("answers[0]: "), "{why}");
    assert!(!refused(&mut wire, &ticket, &json!([])).is_empty());
    assert!(!asks.is_over());

    let answer = json!({ "ticket": ticket, "answers": [{ "selected": [1] }] });
    assert_eq!(wire.call("answer", &answer), json!({ "done": true }));
    let later = json!([{ "id": "question-0", "question": "Deploy?", "selected": ["Later"] }]);
    asks.ends().answers(&later);
    assert_eq!(wire.call("answer", &answer), json!({ "done": false }), "there is nothing open");

    let history = Run::command(["history", "--json"]).ends(&screen).stdout;
    let history: Value = serde_json::from_str(&history).expect("JSON");
    assert_eq!(history[0]["through"], "socket");
    let told = Run::command(["history"]).ends(&screen).stdout;
    assert!(told.contains("  answered by another program  Tester in "), "{told}");
}

#[test]
fn answers_over_socket_are_refused_by_default() {
    let screen = Screen::without_arming();
    let (mut asks, mut wire, ticket) = ask(&screen);
    assert_eq!(
        refused(&mut wire, &ticket, &json!([{ "selected": [1] }])),
        "answers over the socket are not allowed; set `answers_over_socket = true` in config.toml"
    );
    let person = Person::at(&screen);
    person.press_once("Return", || asks.is_over().then_some(()));
    let now = json!([{ "id": "question-0", "question": "Deploy?", "selected": ["Now"] }]);
    asks.ends().answers(&now);
    let told = Run::command(["history"]).ends(&screen).stdout;
    assert!(told.contains("  answered  Tester in "), "{told}");
}
