use std::fs;

use serde_json::{Value, json};

use super::{ask, chosen, given, in_terminal, in_words, open, which};
use crate::support::{Home, Kept, Person, Run, Screen, Terminal, Wire, signal, until};

fn guest(home: &Home, ticket: &str) -> Terminal {
    open(home, Run::command(["ask", "--ui=terminal", ticket]))
}

/// The only open dialog, as the app has it.
fn listed(home: &Home) -> Value {
    let mut open = Wire::to(home).call("list", &json!({}))["open"].take();
    assert_eq!(open.as_array().map(Vec::len), Some(1), "{open}");
    open[0].take()
}

fn ticket_of(home: &Home) -> String {
    listed(home)["ticket"].as_str().expect("a ticket is a text").to_owned()
}

fn last_record(home: &Home) -> Value {
    let told = Run::command(["history", "--json", "--limit=1"]).ends(home);
    let mut records: Value = serde_json::from_str(&told.stdout).expect("it prints JSON");
    records[0].take()
}

#[test]
fn window_question_is_answered_in_a_terminal() {
    let screen = Screen::start();
    let window = Run::ask(&in_words()).open(&screen);
    window.person.type_text("half ");
    let kept = Kept::of(&screen);
    until("it to be kept", || (kept.typed("Tester") == "half ").then_some(()));
    let keys = window.text(".keys");
    assert!(keys.starts_with("Shift+Enter new line"), "Enter is on the button: {keys}");
    let terminal = guest(&screen, &ticket_of(&screen));
    terminal.await_text("│ half");
    terminal.await_text("Enter send · Alt+Enter new line · Esc leave field");
    terminal.press("a sentence");
    // One dialog, one draft: even the box that has the keyboard there takes it over.
    let value = "document.querySelector('textarea').value";
    window.await_true("the window to have it", &format!("{value} === 'half a sentence'"));
    window.person.type_text("!");
    terminal.await_text("│ half a sentence!");
    terminal.press("\r");
    terminal.ends().is(0, "");
    terminal.await_text("✓ In your words?: half a sentence!");
    window.await_text(".farewell p", "Answered elsewhere");
    window.await_end().answers(&given("half a sentence!"));
    let record = last_record(&screen);
    assert_eq!(record["through"], "terminal");
    let draft = record["draft"].as_str().expect("a draft is kept");
    assert!(draft.contains("half a sentence!"), "{draft}");
}

#[test]
fn terminal_accepts_defaults_shown_in_the_window() {
    let screen = Screen::start();
    let question = |text: &str| json!({ "question": text, "type": "text", "default": "deck" });
    let questions =
        json!({ "agent": "Tester", "questions": [question("Name?"), question("File?")] });
    let window = Run::ask(&questions).open(&screen);
    let terminal = guest(&screen, &ticket_of(&screen));
    terminal.await_armed();
    terminal.press("\r");
    terminal.await_text("Question 2 of 2");
    terminal.press("\x13");
    terminal.ends().is(0, "");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Name?", "value": "deck" },
        { "id": "question-1", "question": "File?", "value": "deck" },
    ]));
}

#[test]
fn terminal_question_is_answered_in_the_window() {
    let screen = Screen::without_arming();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let terminal = ask(&screen, &in_words());
    terminal.press("half a sentence");
    let kept = Kept::of(&screen);
    until("it to be kept", || (kept.typed("Tester") == "half a sentence").then_some(()));
    assert_eq!(listed(&screen)["state"], "shown");
    assert!(
        screen.ask("xdotool", ["search", "--onlyvisible", "--class", "askdeck-desktop"]).is_none()
    );

    Run::command(["show", &ticket_of(&screen)]).ends(&screen).is(0, "");
    let person = Person::at(&screen);
    person.activate();
    // The terminal has shown the question, so the app cannot say when the window shows it, too.
    person.press_at_most(2, "Return", || terminal.is_over().then_some(()));
    terminal.ends().answers(&given("half a sentence"));
    terminal.await_text("Answered elsewhere");
    assert_eq!(last_record(&screen)["through"], "window");
}

#[test]
fn typing_while_answered_elsewhere_goes_nowhere() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    let terminal = ask(&screen, &in_words());
    let ticket = ticket_of(&screen);
    terminal.press("rm -rf");
    terminal.await_text("│ rm -rf");
    wire.call("withdraw", &json!({ "ticket": ticket }));
    terminal.press(" all of it\r");
    terminal.ends().is_json(130, &json!({ "outcome": "withdrawn" }));
    terminal.await_text("The agent withdrew the question");
    // What was typed too late would be on the screen if it had been left for a shell to read.
    assert!(!terminal.screen().contains("all of it"), "{}", terminal.screen());
}

#[test]
fn esc_in_a_terminal_sets_aside_where_there_is_a_tray() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let terminal = ask(&screen, &which());
    terminal.await_text("Esc set aside");
    terminal.press("\x1b");
    terminal.await_text("Set aside. The question waits in Askdeck");
    until("it to be set aside", || (listed(&screen)["state"] == "set_aside").then_some(()));
    terminal.resize(100, 30);
    assert!(!terminal.is_over());
    let other = guest(&screen, &ticket_of(&screen));
    other.press("2\r");
    other.ends().is(0, "");
    terminal.ends().answers(&chosen("SQLite"));

    let terminal = ask(&screen, &which());
    terminal.press("\x1b");
    terminal.await_text("Set aside. The question waits in Askdeck");
    // The terminal is the shell's again: Ctrl+C is a signal.
    until("the terminal to be given back", || terminal.is_given_back().then_some(()));
    terminal.press("\x03");
    let withdrawn = || Run::command(["status"]).ends(&screen).stdout.contains("0 open");
    until("it to be withdrawn", || withdrawn().then_some(()));
}

/// Sets the question aside that was asked on this terminal.
#[track_caller]
fn set_aside(terminal: &Terminal, screen: &Screen) {
    terminal.press("\x1b");
    terminal.await_text("Set aside. The question waits in Askdeck");
    until("it to be set aside", || (listed(screen)["state"] == "set_aside").then_some(()));
}

#[test]
fn set_aside_question_keeps_its_deadline_after_quit() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let terminal = open(&screen, in_terminal(&which()).args(["--timeout", "10s"]));
    set_aside(&terminal, &screen);
    Run::command(["stop"]).ends(&screen).is(0, "");
    terminal.ends().is_json(124, &json!({ "outcome": "timed_out" }));
    Run::command(["status"]).ends(&screen).is(1, "not running; 0 open\n");
}

#[test]
fn set_aside_question_no_longer_kept_is_not_waited_for() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let terminal = ask(&screen, &which());
    set_aside(&terminal, &screen);
    // An app that runs would make its folder again.
    let app = screen.programs("askdeck-desktop")[0];
    signal("STOP", app);
    let run = screen.path("askdeck/run");
    fs::rename(&run, screen.path("away")).expect("the home is ours");
    fs::write(&run, "in the way").expect("the home is ours");
    signal("KILL", app);
    let ended = terminal.ends();
    let why =
        format!("askdeck: cannot wait for the answer any longer: cannot use {}: ", run.display());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(4), ""));
    assert!(ended.stderr.starts_with(&why), "{}", ended.stderr);
}

#[test]
fn terminal_keeps_the_draft_of_a_dead_app() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let terminal = ask(&screen, &in_words());
    terminal.press("before ");
    let kept = Kept::of(&screen);
    until("it to be kept", || (kept.typed("Tester") == "before ").then_some(()));
    for app in screen.programs("askdeck-desktop") {
        signal("KILL", app);
    }
    until("the app to be gone", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    terminal.press("and after");
    until("it to be kept", || (kept.typed("Tester") == "before and after").then_some(()));
    terminal.press("\r");
    terminal.ends().answers(&given("before and after"));
    assert_eq!(kept.count(&kept.ticket("Tester"), "answered"), 1);
    kept.assert_sound();
}

#[test]
fn app_started_later_has_the_terminal_question() {
    let screen = Screen::without_arming();
    let terminal = ask(&screen, &in_words());
    terminal.press("alone, ");
    let kept = Kept::of(&screen);
    until("it to be kept", || (kept.typed("Tester") == "alone, ").then_some(()));
    Run::command(["resident"]).ends(&screen).is(0, "");
    until("the terminal to take part", || (listed(&screen)["state"] == "shown").then_some(()));
    terminal.press("then not");
    Run::command(["show", &ticket_of(&screen)]).ends(&screen).is(0, "");
    until("the app to know it", || (kept.typed("Tester") == "alone, then not").then_some(()));
    let person = Person::at(&screen);
    person.activate();
    // The terminal has shown the question, so the app cannot say when the window shows it, too.
    person.press_at_most(2, "Return", || terminal.is_over().then_some(()));
    terminal.ends().answers(&given("alone, then not"));
    kept.assert_sound();
}

#[test]
fn question_without_a_display_comes_to_window_and_terminal() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let terminal = open(&screen, Run::ask(&which()).without_env("DISPLAY"));
    let person = Person::at(&screen);
    terminal.press("2\r");
    terminal.ends().answers(&chosen("SQLite"));
    until("the window to go", || (!person.is_visible()).then_some(()));
}

#[test]
fn only_the_command_at_a_terminal_may_join() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    let ticket = wire.call("submit", &json!({ "payload": which() }))["ticket"].take();
    let refused = |wire: &mut Wire, method: &str, params: Value| {
        wire.send(method, &params);
        wire.next()["error"]["message"].as_str().unwrap_or_default().to_owned()
    };
    let why =
        "only the `askdeck` command installed next to the app may join, from a local terminal";
    assert!(refused(&mut wire, "join", json!({ "ticket": ticket })).starts_with(why));
    let asks = json!({ "payload": which(), "ui": "terminal" });
    assert!(refused(&mut wire, "ask", asks).starts_with(why));
    let end = json!({ "ticket": ticket, "outcome": { "outcome": "dismissed" } });
    assert_eq!(wire.call("end", &end), json!({ "done": false }));
    let draft = json!({ "ticket": ticket, "draft": {} });
    assert_eq!(wire.call("draft", &draft), json!({ "done": false }));
    Run::command(["stop"]).ends(&screen).is(0, "");

    screen.configure("answers_over_socket = true");
    let mut wire = Wire::to_resident(&screen);
    let joined = wire.call("join", &json!({ "ticket": ticket }));
    assert_eq!((&joined["ticket"], &joined["sets_aside"]), (&ticket, &json!(true)));
    let end = |selected: Value| {
        let outcome = json!({ "outcome": "answered", "answers": [{ "selected": selected }] });
        json!({ "ticket": ticket, "outcome": outcome })
    };
    let why = refused(&mut wire, "end", end(json!([0, 7])));
    assert!(why.starts_with("answers[0]: "), "{why}");
    wire.send("end", &end(json!([0])));
    let news = wire.next();
    assert_eq!((&news["method"], &news["params"]["ticket"]), (&json!("ended"), &ticket));
    assert_eq!(wire.next()["result"], json!({ "done": true }));
    assert_eq!(last_record(&screen)["through"], "socket");
}

#[test]
fn letters_typed_in_two_places_at_the_same_instant_are_all_kept() {
    let screen = Screen::start();
    let window = Run::ask(&in_words()).open(&screen);
    let kept = Kept::of(&screen);
    let terminal = guest(&screen, &ticket_of(&screen));
    terminal.tab_to("Add a note");
    terminal.press("\r");
    window.await_shown(".note textarea");
    let letters = "abcdefghijklmnopqrstabcdefghijklmnopqrst";
    window.await_focus(".answer textarea");
    std::thread::scope(|scope| {
        scope.spawn(|| window_types(&screen, letters));
        for letter in letters.chars() {
            terminal.press(&letter.to_string());
            terminal.await_read();
        }
    });
    let draft = || serde_json::from_str::<Value>(&kept.draft("Tester")).unwrap_or_default();
    until(format!("every letter to be kept; there is {}", draft()), || {
        let first = &draft()["drafts"][0];
        (first["text"] == letters && first["note"] == letters).then_some(())
    });
    terminal.await_text(&format!("│ {letters}"));
    let shown = |at: &str| format!("document.querySelector('{at} textarea').value === '{letters}'");
    window.await_true("the window to have its own", &shown(".answer"));
    window.await_true("the window to have the other", &shown(".note"));
}

/// Slowly enough that each letter is told by itself.
fn window_types(screen: &Screen, letters: &str) {
    assert!(screen.ask("xdotool", ["type", "--delay", "60", letters]).is_some());
}
