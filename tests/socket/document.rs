use std::fs;

use askdeck_core::protocol::METHODS;
use serde_json::{Value, json};

use crate::support::{Person, Run, Screen, Wire, socket, until};

/// The blocks of one language in `docs/protocol.md`.
fn blocks(language: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/protocol.md");
    let document = fs::read_to_string(path).expect("the document is there");
    let fence = format!("```{language}\n");
    let after = document.split(fence.as_str()).skip(1);
    after.map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn protocol_document_clients_get_an_answer() {
    let screen = Screen::without_arming();
    Wire::to_resident(&screen);
    for (language, file, program) in
        [("python", "client.py", "python3"), ("js", "client.mjs", "node")]
    {
        let [client] = blocks(language).try_into().expect("one client in each language");
        fs::write(screen.path(file), client).expect("the home is ours");
        let file = screen.path(file).display().to_string();
        let run = Run::program(program, [&file]);
        let mut running =
            run.env("ASKDECK_SOCKET", socket(&screen).display().to_string()).start(&screen);
        Person::at(&screen).press_once("Return", || running.is_over().then_some(()));
        running.ends().answers(&json!([
            { "id": "question-0", "question": "Deploy?", "selected": ["Now"] },
        ]));
    }
}

/// Each block is a connection, and a line of it a message or what the person does.
#[test]
fn protocol_document_exchanges_are_real() {
    let screen = Screen::without_arming();
    Wire::to_resident(&screen);
    let blocks = blocks("text");
    for method in METHODS {
        let call = format!("\"method\":\"{method}\"");
        assert!(blocks.iter().any(|block| block.contains(&call)), "{method} has no example");
    }
    for block in blocks {
        let mut wire = Wire::to(&screen);
        let mut key = None;
        for line in block.lines() {
            if let Some(request) = line.strip_prefix("> ") {
                wire.write(format!("{request}\n").as_bytes());
            } else if let Some(expected) = line.strip_prefix("< ") {
                let said = match key.take() {
                    Some(key) => Person::at(&screen).press_once(key, || wire.came()),
                    None => wire.next(),
                };
                let expected = serde_json::from_str(expected).expect("the document has JSON");
                assert!(fits(&expected, &said), "expected {expected}\nthe app said {said}");
            } else if line == "(the person sees it)" {
                until("it to be shown", || {
                    let open = Wire::to(&screen).call("list", &json!({}))["open"].take();
                    (open[0]["state"] == "shown").then_some(())
                });
            } else {
                let pressed = line.strip_prefix("(the person presses ");
                key = pressed.and_then(|line| line.strip_suffix(")"));
                assert!(key.is_some(), "{line}");
            }
        }
    }
}

/// Whether they are the same but for what differs each time: a time, a made-up ticket, the web
/// view's version.
fn fits(expected: &Value, said: &Value) -> bool {
    let is_time = |value: &Value| value.as_i64().is_some_and(|at| at > 1_600_000_000_000);
    match (expected, said) {
        (Value::Object(expected), Value::Object(said)) => {
            expected.len() == said.len()
                && expected.iter().zip(said).all(|((name, expected), (same, said))| {
                    name == same && (name == "web_view" || fits(expected, said))
                })
        }
        (Value::Array(expected), Value::Array(said)) => {
            expected.len() == said.len()
                && expected.iter().zip(said).all(|(expected, said)| fits(expected, said))
        }
        (Value::String(any), Value::String(_)) if any == "…" => true,
        _ => expected == said || (is_time(expected) && is_time(said)),
    }
}
