use std::fs;

use serde_json::{Value, json};

use super::{ask, chosen, given, in_words, open, which};
use crate::support::{Home, Kept, Run, Terminal, signal, until};

#[track_caller]
fn type_and_keep(terminal: &Terminal, home: &Home, text: &str) {
    terminal.press(text);
    let kept = Kept::of(home);
    until("it to be kept", || kept.typed("Tester").ends_with(text).then_some(()));
}

fn history(home: &Home) -> Value {
    let told = Run::command(["history", "--json"]).ends(home);
    serde_json::from_str(&told.stdout).expect("it prints JSON")
}

#[test]
fn closed_terminal_keeps_question_and_draft() {
    let home = Home::new();
    let terminal = ask(&home, &in_words());
    type_and_keep(&terminal, &home, "half a sentence");
    terminal.close();
    Run::command(["status"]).ends(&home).is(1, "not running; 1 open\n");

    let terminal = ask(&home, &in_words());
    terminal.await_text("│ half a sentence");
    terminal.press(", and the rest\r");
    terminal.ends().answers(&given("half a sentence, and the rest"));
    let records = history(&home);
    assert_eq!(records.as_array().map(Vec::len), Some(1));
    assert_eq!(records[0]["through"], "terminal");
    for time in ["shown_at", "ended_at", "delivered_at"] {
        assert!(records[0][time].is_i64(), "{time}: {records}");
    }
    Run::command(["status"]).ends(&home).is(1, "not running; 0 open\n");
}

#[test]
fn killed_terminal_command_keeps_question_and_draft() {
    let home = Home::new();
    let terminal = ask(&home, &in_words());
    type_and_keep(&terminal, &home, "half a sentence");
    signal("KILL", terminal.process());
    until("it to be over", || terminal.is_over().then_some(()));
    let ticket = Kept::of(&home).ticket("Tester");
    let terminal = open(&home, Run::command(["ask", "--ui=terminal", &ticket]));
    terminal.await_text("│ half a sentence");
    terminal.press("\r");
    // The answer is the caller's, who is gone: whoever asks the same gets it.
    terminal.ends().is(0, "");
    let again = Terminal::start(super::in_terminal(&in_words()), &home, 80, 24);
    again.ends().answers(&given("half a sentence"));
    again.await_text("Your earlier answer was used");
    Kept::of(&home).assert_sound();
}

#[test]
fn set_aside_question_is_answered_in_another_terminal() {
    let home = Home::new();
    let asks = ask(&home, &which());
    let ticket = Kept::of(&home).ticket("Tester");
    let guest = || open(&home, Run::command(["ask", "--ui=terminal", &ticket]));
    let first = guest();
    first.press("\x1b");
    first.ends().is(1, "");
    first.await_text(&format!("askdeck ask --ui terminal {ticket}"));
    let second = guest();
    second.press("2\r");
    second.ends().is(0, "");
    asks.ends().answers(&chosen("SQLite"));
    asks.await_text("Answered elsewhere");
    let third = Run::command(["ask", "--ui=terminal", &ticket]);
    let third = Terminal::start(third, &home, 80, 24);
    third.ends().is(0, "");
    third.await_text("Answered elsewhere");
    let unknown = Run::command(["ask", "--ui=terminal", "nonsense"]);
    Terminal::start(unknown, &home, 80, 24).ends().says(
        2,
        "",
        "askdeck: no question has the ticket `nonsense`, or it was deleted; see `askdeck list` and `askdeck history`\n",
    );
}

#[test]
fn secret_given_in_another_terminal_reaches_the_caller() {
    let home = Home::new();
    let payload = json!({ "agent": "Tester", "question": "Token?", "type": "secret" });
    let asks = ask(&home, &payload);
    let ticket = Kept::of(&home).ticket("Tester");
    let guest = open(&home, Run::command(["ask", "--ui=terminal", &ticket]));
    guest.press("tr0ub4dor\r");
    guest.ends().is(0, "");
    let given = json!([{ "id": "question-0", "question": "Token?", "value": "tr0ub4dor" }]);
    asks.ends().answers(&given);
    let kept = history(&home)[0]["outcome"]["answers"][0].take();
    assert_eq!((&kept["withheld"], &kept["value"]), (&json!(true), &Value::Null), "{kept}");
}

#[test]
fn terminal_works_and_says_so_where_nothing_can_be_kept() {
    let home = Home::new();
    fs::create_dir_all(home.path("askdeck")).expect("the home is ours");
    fs::write(home.path("askdeck/data"), "in the way").expect("the home is ours");
    let terminal = ask(&home, &in_words());
    terminal.await_text("Nothing you type is being saved");
    terminal.press("yes\r");
    terminal.ends().answers(&given("yes"));
    assert_eq!(history(&home), json!([]));
}

#[test]
fn typing_goes_on_while_the_file_is_locked() {
    let home = Home::new();
    let terminal = ask(&home, &in_words());
    let kept = Kept::of(&home);
    let lock = Kept::lock(&home);
    // Each letter was waited for five seconds.
    let (mut typed, mut letters) = (String::new(), 'a'..='t');
    until("every letter to be drawn", || {
        if !terminal.screen().contains(&format!("│ {typed}")) {
            return None;
        }
        let Some(letter) = letters.next() else { return Some(()) };
        typed.push(letter);
        terminal.press(&letter.to_string());
        None
    });
    terminal.await_text("Another program has locked the data file.");
    assert_eq!(kept.typed("Tester"), "");
    drop(lock);
    // Nobody has to do anything for it.
    until("it to be kept", || (kept.typed("Tester") == typed).then_some(()));
    let is_told = || terminal.screen().contains("Another program");
    until("the warning to go", || (!is_told()).then_some(()));
    terminal.press("\r");
    terminal.ends().answers(&given(&typed));
}

#[test]
fn question_asked_while_the_file_is_locked_is_kept_later() {
    let home = Home::new();
    let before = ask(&home, &which());
    let lock = Kept::lock(&home);
    let terminal = ask(&home, &in_words());
    terminal.press("half a sentence");
    terminal.await_text("│ half a sentence");
    terminal.await_text("Another program has locked the data file.");
    drop(lock);
    let kept = Kept::of(&home);
    until("it to be kept", || (kept.typed("Tester") == "half a sentence").then_some(()));
    let ticket = kept.ticket("Tester");
    until("all of it to be", || (kept.count(&ticket, "shown") == 1).then_some(()));
    terminal.press("\r");
    terminal.ends().answers(&given("half a sentence"));
    assert!(!before.is_over());
}
