use serde_json::{Value, json};

use super::{in_terminal, open};
use crate::support::{Home, Kept, Run, Terminal, signal, until};

const KEY_TAKEN: &str =
    "askdeck: another question with the same key is open; choose another key, or none\n";

fn question(text: &str) -> Value {
    json!({ "agent": "Tester", "question": text, "options": ["Now", "Later"] })
}

fn answers(text: &str, label: &str) -> Value {
    json!([{ "id": "question-0", "question": text, "selected": [label] }])
}

fn keyed(text: &str) -> Run {
    in_terminal(&question(text)).args(["--key=deploy"])
}

fn tickets(home: &Home) -> Vec<String> {
    let listed = Run::command(["list", "--json"]).ends(home);
    let listed: Value = serde_json::from_str(&listed.stdout).expect("it prints JSON");
    let listed = listed.as_array().expect("a list").iter();
    listed.map(|open| open["ticket"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn key_joins_only_the_same_question_without_an_app() {
    let home = Home::new();
    let first = open(&home, keyed("Staging?"));
    let other = Terminal::start(keyed("Production?"), &home, 80, 24);
    other.ends().says(2, "", KEY_TAKEN);

    // Killed, and answered after that by the person.
    let ticket = tickets(&home).remove(0);
    first.close();
    let guest = open(&home, Run::command(["ask", "--ui=terminal", &ticket]));
    guest.press("1\r");
    guest.ends().is(0, "");
    let other = open(&home, keyed("Production?"));
    other.await_text("Production?");
    other.press("2\r");
    other.ends().answers(&answers("Production?", "Later"));
    let again = Terminal::start(keyed("Staging?"), &home, 80, 24);
    again.ends().answers(&answers("Staging?", "Now"));
}

#[test]
fn interrupt_leaves_the_question_to_other_terminals() {
    let home = Home::new();
    let first = open(&home, in_terminal(&question("Deploy?")));
    let second = open(&home, in_terminal(&question("Deploy?")));
    let kept = Kept::of(&home);
    assert_eq!(kept.dialogs(), 1);
    signal("INT", first.process());
    first.ends().is_json(130, &json!({ "outcome": "withdrawn" }));
    // Its ticket is that of the dialog, which the other one goes on with.
    let ticket = kept.ticket("Tester");
    let check = || {
        let told = Run::command(["result", &ticket]).ends(&home);
        told.is_json(130, &json!({ "outcome": "withdrawn" }));
    };
    check();
    assert_eq!(tickets(&home).len(), 1);
    assert_ne!(tickets(&home), [ticket.as_str()]);
    assert!(!second.is_over());
    second.press("1\r");
    second.ends().answers(&answers("Deploy?", "Now"));
    check();
}

#[test]
fn withdraw_works_without_app_or_display() {
    let home = Home::new();
    let terminal = open(&home, in_terminal(&question("Deploy?")));
    let other = open(&home, in_terminal(&question("Deploy?")));
    let ticket = Kept::of(&home).ticket("Tester");
    Run::command(["withdraw", &ticket]).ends(&home).is(0, "");
    terminal.ends().is_json(130, &json!({ "outcome": "withdrawn" }));
    assert!(!other.is_over());
    let left = tickets(&home).remove(0);
    other.close();
    until("it to be left", || (tickets(&home) == [left.clone()]).then_some(()));
    Run::command(["withdraw", &left]).ends(&home).is(0, "");
    assert_eq!(tickets(&home), [""; 0]);
}
