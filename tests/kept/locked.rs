//! Another program has locked the file: typing goes on, and all is kept once it is unlocked.

use serde_json::{Value, json};

use super::{given, in_words, told};
use crate::support::{Kept, Run, Screen, Wire, until};

const LOCKED: &str = "Another program has locked the data file. \
    What you type will be saved when that program unlocks it.";

/// The text in the first box, as a front end beside the window hears of it.
fn heard(news: &Value) -> Option<&str> {
    news["params"]["draft"]["drafts"][0]["text"].as_str()
}

#[test]
fn typing_goes_on_while_the_file_is_locked() {
    let screen = Screen::start();
    screen.configure("focus = \"always\"\nanswers_over_socket = true");
    let window = Run::ask(&in_words("Tester")).open(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Tester");
    let mut wire = Wire::to(&screen);
    wire.call("join", &json!({ "ticket": ticket }));
    let lock = Kept::lock(&screen);

    // Each of these was waited for five seconds, and so was all behind it.
    for number in 0..20 {
        let draft = json!({ "drafts": [{ "text": format!("{number} ") }] });
        wire.send("draft", &json!({ "ticket": ticket, "draft": draft }));
    }
    let mut replies = 0;
    until("twenty drafts to be taken", || {
        replies += usize::from(wire.came()?["result"]["done"] == true);
        (replies == 20).then_some(())
    });
    let box_holds = |text: &str| format!("document.querySelector('textarea').value === '{text}'");
    window.await_true("the window to have the last", &box_holds("19 "));
    window.person.press("End");
    window.person.type_text("letters as they come");
    let all = "19 letters as they come";
    until("every letter to be known", || (heard(&wire.came()?)? == all).then_some(()));
    window.await_text(".warning", LOCKED);
    let status = Run::command(["status"]).ends(&screen).stdout;
    assert!(status.contains("another program has locked the data file"), "{status}");
    // Also what is asked for the first time comes at once.
    let mut another = Run::ask(&in_words("Another")).start(&screen);
    window.await_text(".inbox h2", "2 open questions");
    assert_eq!((kept.typed("Tester").as_str(), kept.dialogs()), ("", 1), "it is locked");

    // One ends meanwhile, and the next comes to the window.
    window.person.press("Return");
    window.await_end().answers(&given(all));
    window.await_true("the next to be shown", &box_holds(""));
    window.await_armed();
    window.person.type_text("half");
    window.await_true("it to be typed", &box_holds("half"));
    window.await_text(".warning", LOCKED);
    assert!(!another.is_over());

    drop(lock);
    window.await_text(".warning", "");
    assert_eq!(kept.typed("Another"), "half");
    assert_eq!(told(&screen, ["history"])[0]["outcome"]["answers"][0]["value"], all);
    kept.assert_sound();
}

#[test]
fn locked_file_keeps_the_app_until_the_answer_is_kept() {
    let screen = Screen::start();
    let window = Run::ask(&in_words("Tester")).open(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Tester");
    let lock = Kept::lock(&screen);
    window.person.type_text("typed");
    window.person.press("Return");
    window.await_end().answers(&given("typed"));
    until("the window to go", || (!window.person.is_visible()).then_some(()));
    assert_eq!(kept.count(&ticket, "answered"), 0);
    drop(lock);
    window.person.await_no_app();
    assert_eq!((kept.count(&ticket, "answered"), kept.count(&ticket, "delivered")), (1, 1));
    assert_eq!(kept.typed("Tester"), "typed");
}

#[test]
fn locked_file_at_start_shows_pending_and_keeps_typing() {
    let screen = Screen::start();
    Run::ask(&in_words("Tester")).args(["--no-wait"]).ends(&screen);
    Run::command(["stop"]).ends(&screen).is(0, "");
    let lock = Kept::lock(&screen);
    let window = Run::ask(&in_words("Tester")).open(&screen);
    window.await_text(".warning", LOCKED);
    window.person.type_text("typed");
    let typed = "document.querySelector('textarea').value === 'typed'";
    window.await_true("it to be typed", typed);
    let kept = Kept::of(&screen);
    assert_eq!((kept.typed("Tester").as_str(), kept.dialogs()), ("", 1));
    drop(lock);
    window.await_text(".warning", "");
    assert_eq!((kept.typed("Tester").as_str(), kept.dialogs()), ("typed", 1));
}
