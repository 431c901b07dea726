//! What is kept of a secret: nothing.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    thread,
};

use serde_json::{Value, json};

use super::{files_below, told};
use crate::support::{
    Accessible, Kept, Person, Role, Run, Screen, State, Terminal, Wire, signal, stop, until,
};

/// A folder for temporary files that is searched with the rest.
fn temporary(screen: &Screen) -> String {
    let folder = screen.path("tmp");
    fs::create_dir(&folder).expect("the folder is new");
    folder.display().to_string()
}

/// The files in which it stands.
fn holding(screen: &Screen, canary: &str) -> Vec<PathBuf> {
    let holds = |file: &PathBuf| {
        fs::read(file)
            .is_ok_and(|bytes| bytes.windows(canary.len()).any(|part| part == canary.as_bytes()))
    };
    files_below(screen.root()).into_iter().filter(holds).collect()
}

#[track_caller]
fn assert_nowhere(screen: &Screen, canary: &str) {
    assert_eq!(holding(screen, canary), Vec::<PathBuf>::new());
    assert_eq!(told_to_programs(canary), Vec::<String>::new());
}

/// The caller has it, as it asked.
#[track_caller]
fn assert_delivered_alone(screen: &Screen, canary: &str) {
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    let holding = holding(screen, canary);
    assert!(holding.iter().all(|file| file.ends_with("out")) && holding.len() == 1, "{holding:?}");
}

#[test]
fn secret_is_written_nowhere() {
    let screen = Screen::without_arming();
    let (canary, tmp) = ("canary4711", temporary(&screen));
    Run::command(["resident"]).env("TMPDIR", &tmp).ends(&screen).is(0, "");
    let mut wire = Wire::to(&screen);
    let mut subscriber = Wire::to(&screen);
    assert_eq!(subscriber.call("subscribe", &json!({})), json!({ "done": true }));
    let both = json!({ "agent": "Tester", "questions": [
        { "question": "The token?", "type": "secret" },
        { "question": "In your words?", "type": "text" },
    ]});
    let mut asked = Run::ask(&both).env("TMPDIR", &tmp).start(&screen);
    let person = Person::at(&screen);
    person.activate();
    // No WebDriver: under one, WebKit keeps its files elsewhere than where people have it.
    let desktop = Accessible::desktop(&screen);
    let the = |role| until("a box", || desktop.all(role).into_iter().next());
    let typed = || the(Role::PasswordText).text().chars().count();
    // The page may not know yet that the box takes text.
    let before = person.press_at_most(2, "x", || Some(typed()).filter(|count| *count > 0));
    person.type_text(canary);
    until("it to be typed", || (typed() >= before + canary.len()).then_some(()));
    // A draft that is kept later shows that this one was, too.
    person.press("Return");
    until("the next box", || the(Role::Entry).is(State::Focused).then_some(()));
    person.type_text("words");
    let kept = Kept::of(&screen);
    until("the words to be kept", || kept.draft("Tester").contains("words").then_some(()));
    assert_nowhere(&screen, canary);

    // One goes to the review, and one sends it.
    person.press_at_most(2, "Return", || asked.is_over().then_some(()));
    let ended = asked.ends();
    let answer: Value = serde_json::from_str(&ended.stdout).expect("it prints JSON");
    let value = answer["answers"][0]["value"].as_str().unwrap_or_default();
    assert!(value.ends_with(canary), "{ended:?}");
    let mut events = vec![subscriber.next()];
    while events.last().is_some_and(|last| last["params"]["event"] != "delivered") {
        events.push(subscriber.next());
    }
    let heard = [told(&screen, ["history"]), wire.call("history", &json!({})), events.into()];
    for heard in heard {
        let heard = heard.to_string();
        assert!(heard.contains("The token?") && !heard.contains(canary), "{heard}");
    }
    Run::command(["stop"]).ends(&screen).is(0, "");
    assert_delivered_alone(&screen, canary);
}

#[test]
fn secret_is_written_nowhere_while_declining() {
    let screen = Screen::start();
    let secret = json!({ "agent": "Tester", "question": "The token?", "type": "secret" });
    // Another one: the other test's stands in the arguments of its own xdotool.
    let canary = "canary4712";
    let window = Run::ask(&secret).env("TMPDIR", temporary(&screen)).open(&screen);
    window.await_focus("input");
    window.person.type_text(canary);
    window.await_true(
        "it to be typed",
        &format!("document.querySelector('input').value === '{canary}'"),
    );
    // A draft that is kept later shows that this one was, too.
    window.click(".away button:nth-child(1)");
    let kept = Kept::of(&screen);
    window.type_into(".composer textarea", "a reason");
    until("the reason to be kept", || kept.draft("Tester").contains("a reason").then_some(()));
    assert_nowhere(&screen, canary);

    window.person.press("Escape");
    window.click(".primary");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "The token?", "value": canary },
    ]));
    assert_delivered_alone(&screen, canary);
}

/// The programs in whose arguments or environment this stands, for everybody to read.
fn told_to_programs(text: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux has it").flatten();
    processes
        .flat_map(|process| ["cmdline", "environ"].map(|file| process.path().join(file)))
        .filter(|file| {
            let told = fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&told).contains(text)
        })
        .map(|file| file.display().to_string())
        .collect()
}

#[test]
fn lost_secret_is_asked_for_again() {
    let screen = Screen::without_arming();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let secret = json!({ "agent": "Tester", "question": "The token?", "type": "secret" });
    // What a command says once more when its app was killed before it replied.
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "ask",
        "params": { "payload": secret, "ticket": "lost" } });
    for letter in ["a", "b"] {
        let socket = screen.path("askdeck/run/askdeck.sock");
        let mut socket = UnixStream::connect(socket).expect("the app listens");
        writeln!(socket, "{ask}").expect("the app reads");
        let person = Person::at_window(&screen, "Tester");
        person.activate();
        let reply = thread::spawn(|| BufReader::new(socket).lines().next());
        person.press_at_most(2, &format!("{letter} Return"), || reply.is_finished().then_some(()));
        let reply = reply.join().expect("it only reads").expect("a reply").expect("a text");
        let reply: Value = serde_json::from_str(&reply).expect("the app speaks JSON");
        let value = reply["result"]["answers"][0]["value"].as_str().unwrap_or_default();
        assert!(!value.is_empty() && value.replace(letter, "").is_empty(), "{reply}");
        until("the window to go", || (!person.is_visible()).then_some(()));
    }
}

/// Kills the app of a command that asks for a secret, and answers in the next app before the command
/// asks there. Returns once it is asked anew.
#[track_caller]
fn lose_the_secret(screen: &Screen, command: u32) {
    let ticket = Kept::of(screen).ticket("Tester");
    stop(command);
    for app in screen.programs("askdeck-desktop") {
        signal("KILL", app);
    }
    let mut wire = Wire::to_resident(screen);
    let answer = json!({ "ticket": ticket, "answers": [{ "value": "tr0ub4dor" }] });
    assert_eq!(wire.call("answer", &answer), json!({ "done": true }));
    signal("CONT", command);
    until("it to be asked anew", || {
        let open = wire.call("list", &json!({}));
        (!open["open"].as_array()?.is_empty()).then_some(())
    });
}

#[test]
fn interrupt_withdraws_a_question_that_is_asked_anew_for_a_lost_secret() {
    let secret = json!({ "agent": "Tester", "question": "The token?", "type": "secret" });
    let withdrawn = json!({ "outcome": "withdrawn" });
    let screen = Screen::start();
    screen.configure("answers_over_socket = true");
    let window = Run::ask(&secret).start(&screen);
    lose_the_secret(&screen, window.process());
    window.interrupt();
    window.ends().is_json(130, &withdrawn);
    assert_eq!(told(&screen, ["list"]), json!([]));

    let run = Run::ask(&secret).args(["--ui=terminal"]);
    let terminal = Terminal::start(run, &screen, 80, 24);
    terminal.await_armed();
    lose_the_secret(&screen, terminal.process());
    signal("INT", terminal.process());
    terminal.ends().is_json(130, &withdrawn);
    assert_eq!(told(&screen, ["list"]), json!([]));
}
