//! What is kept of a secret: nothing.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    thread,
};

use serde_json::{Value, json};

use super::files_below;
use crate::support::{Kept, Person, Run, Screen, until};

#[test]
fn a_secret_is_written_nowhere() {
    let screen = Screen::start();
    let secret = json!({ "agent": "Tester", "question": "The token?", "type": "secret" });
    let canary = "canary4711";
    let holding = || -> Vec<_> {
        let holds = |file: &PathBuf| {
            fs::read(file).is_ok_and(|bytes| {
                bytes.windows(canary.len()).any(|part| part == canary.as_bytes())
            })
        };
        files_below(screen.root()).into_iter().filter(holds).collect()
    };
    let window = Run::ask(&secret).open(&screen);
    window.await_focus("input");
    window.person.type_text(canary);
    window.await_true(
        "it to be typed",
        &format!("document.querySelector('input').value === '{canary}'"),
    );
    // A draft that is kept later shows that this one was, too.
    window.click(".away button:nth-child(1)");
    let kept = Kept::of(&screen);
    window.type_into(".current textarea", "a reason");
    until("the reason to be kept", || kept.draft("Tester").contains("a reason").then_some(()));
    let before = holding();
    assert!(before.is_empty(), "{before:?}");
    assert_eq!(told_to_programs(canary), Vec::<String>::new());

    window.person.press("Escape");
    window.click(".primary");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "The token?", "value": canary },
    ]));
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    let holding = holding();
    assert!(holding.iter().all(|file| file.ends_with("out")) && holding.len() == 1, "{holding:?}");
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
fn a_secret_that_was_lost_on_its_way_is_asked_for_again() {
    let screen = Screen::start();
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
        person.press_until(&format!("{letter} Return"), || reply.is_finished().then_some(()));
        let reply = reply.join().expect("it only reads").expect("a reply").expect("a text");
        let reply: Value = serde_json::from_str(&reply).expect("the app speaks JSON");
        let value = reply["result"]["answers"][0]["value"].as_str().unwrap_or_default();
        assert!(!value.is_empty() && value.replace(letter, "").is_empty(), "{reply}");
        until("the window to go", || (!person.is_visible()).then_some(()));
    }
}
