//! An answer is given once: to whoever waits for it, by its ticket, or to the next who asks the same,
//! but never to one who asks anew.

use serde_json::json;

use super::{given, in_words, type_as_soon_as_possible};
use crate::support::{Kept, Person, Run, Screen, Wire, until};

/// Types into the only window and sends it. Returns what was sent.
#[track_caller]
fn answer(screen: &Screen, text: &str) -> String {
    let person = Person::at(screen);
    person.activate();
    let typed = type_as_soon_as_possible(&person, &Kept::of(screen), "Tester", text);
    person.press("Return");
    typed
}

#[test]
fn an_answer_that_was_fetched_without_an_app_is_not_given_to_one_who_asks_anew() {
    let screen = Screen::start();
    let submitted = Run::ask(&in_words("Tester")).args(["--no-wait"]).ends(&screen);
    let ticket = submitted.stdout.trim_end();
    let first = answer(&screen, "first");
    Person::at(&screen).await_no_app();
    Run::command(["result", ticket]).ends(&screen).answers(&given(&first));

    let anew = Run::ask(&in_words("Tester")).start(&screen);
    let second = answer(&screen, "second");
    anew.ends().answers(&given(&second));
}

#[test]
fn an_answer_is_noted_as_delivered_before_its_caller_hears_it() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    wire.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "t" }));
    let typed = answer(&screen, "typed");
    let ended = wire.next();
    // Nothing that happens to the app from here on can give it away a second time.
    assert_eq!(Kept::of(&screen).count("t", "delivered"), 1);
    assert_eq!(ended["result"]["answers"], json!([{ "value": typed }]));
}

#[test]
fn an_answer_whose_caller_left_in_the_same_moment_is_given_to_the_next_who_asks() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    wire.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "t" }));
    Kept::of(&screen).ticket("Tester");
    wire.leave();
    let typed = answer(&screen, "typed");
    let kept = Kept::of(&screen);
    until("it to end", || (kept.count("t", "answered") == 1).then_some(()));
    let mut next = Wire::to(&screen);
    let ended = next.call("ask", &json!({ "payload": in_words("Tester") }));
    assert_eq!((&ended["reused"], &ended["ticket"]), (&json!(true), &json!("t")));
    assert_eq!(ended["answers"], json!([{ "value": typed }]));
}
