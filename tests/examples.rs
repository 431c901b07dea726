//! The programs in `examples/`, as they stand there, with the real packages and a person at the real
//! window. Only the model is scripted; what it is told next must be what the person chose.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::support::{Ended, Model, Person, Run, Screen, Window, askdeck, foreign, until};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python")
}

/// Runs an example against the model, with `askdeck` on its path.
fn example(name: &str, model: &Model) -> Run {
    let programs = Path::new(askdeck()).parent().expect("a program has a folder");
    let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default());
    let script = folder().join(name).display().to_string();
    let run = Run::program(foreign::python(), [&script, "Help me"])
        .env("PATH", path)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        // Nothing is to leave this machine.
        .env("AGNO_TELEMETRY", "false");
    model.env().into_iter().fold(run, |run, (name, value)| run.env(name, value))
}

fn model(tool: &str, args: &Value) -> Model {
    Model::using(&[(tool, args.clone())])
}

/// An app that stays, with its window in sight of a WebDriver. Examples begin slowly, so none of
/// them starts it.
fn desk(screen: &Screen) -> Window<'_> {
    // The last one says good-bye for a while.
    until("no app to be there", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    let first = json!({ "question": "Are you there?", "options": ["Yes", "No"] });
    let window = Run::ask(&first).open(screen);
    Run::command(["resident"]).ends(screen).is(0, "");
    window.click(".card:nth-child(1)");
    window.click(".primary");
    assert_eq!(window.await_end().code, Some(0));
    window
}

/// Runs the example while the person answers its question, and gives what the model hears then.
#[track_caller]
fn answered(
    name: &str,
    question: &str,
    model: &mut Model,
    (screen, window): (&Screen, &Window),
    answer: impl FnOnce(&Window),
) -> Value {
    let running = example(name, model).start(screen);
    model.turn(0);
    window.await_text(".current .question", question);
    window.await_armed();
    answer(window);
    window.click(".primary");
    is_done(&running.ends());
    last(model)
}

/// Runs the example while the person closes its window, and gives what the model hears then.
#[track_caller]
fn closed(name: &str, model: &mut Model, screen: &Screen) -> Value {
    let mut running = example(name, model).start(screen);
    model.turn(0);
    Person::at(screen).press_once("Escape", || running.is_over().then_some(()));
    is_done(&running.ends());
    last(model)
}

#[track_caller]
fn is_done(ended: &Ended) {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "Done.\n"), "{}", ended.stderr);
}

/// The content of the last message that the model hears.
#[track_caller]
fn last(model: &mut Model) -> Value {
    let mut message = model.turn(1).messages.pop().expect("it was told something");
    message["content"].take()
}

fn database() -> Value {
    json!({ "questions": [{ "question": "Which database?", "header": "Database",
        "multiSelect": false, "options": [
        { "label": "PostgreSQL", "description": "Runs already" },
        { "label": "SQLite", "description": "Nothing to run" },
    ]}]})
}

#[test]
fn example_anthropic_loop_asks() {
    let screen = Screen::start();
    let window = desk(&screen);
    let ask = |answer: fn(&Window)| {
        let mut model = model("AskUserQuestion", &database());
        answered("anthropic_loop.py", "Which database?", &mut model, (&screen, &window), answer)
    };
    let result = |told: &str, is_error: bool| {
        json!([{ "type": "tool_result", "tool_use_id": "call_1", "content": told,
            "is_error": is_error }])
    };
    let told = "The user answered.\n\n1. Database: Which database?\n   Selected: SQLite";
    assert_eq!(ask(|window| window.click(".card:nth-child(2)")), result(told, false));

    let told = "The user declined to answer. Reason: not my project";
    let declined = ask(|window| {
        window.click(".away button:nth-child(1)");
        window.type_into(".composer [data-focus='aside']", "not my project");
    });
    assert_eq!(declined, result(told, true));
}

#[test]
fn example_openai_loop_asks() {
    let screen = Screen::start();
    let asks = |time: Value| {
        let question =
            json!({ "question": "Which database?", "options": ["PostgreSQL", "SQLite"] });
        model("ask_user", &json!({ "questions": [question], "timeout": time }))
    };
    let mut late = asks(json!(1));
    let running = example("openai_loop.py", &late).start(&screen);
    late.turn(0);
    is_done(&running.ends());
    assert_eq!(last(&mut late), "The user did not answer in time.");

    let mut refused = asks(json!("soon"));
    let running = example("openai_loop.py", &refused).start(&screen);
    refused.turn(0);
    is_done(&running.ends());
    let told = last(&mut refused);
    assert!(told.as_str().is_some_and(|told| told.contains("timeout: unknown value")), "{told}");

    let window = desk(&screen);
    let own = |window: &Window| window.type_into(".other textarea", "DuckDB");
    let told = answered(
        "openai_loop.py",
        "Which database?",
        &mut asks(Value::Null),
        (&screen, &window),
        own,
    );
    assert_eq!(told, "The user answered.\n\n1. Which database?\n   Own words: DuckDB");
}

#[test]
fn example_agno_answers_a_paused_run() {
    let screen = Screen::without_arming();
    let args = json!({ "questions": [{ "question": "Where to?", "header": "Destination",
        "multi_select": true, "options": [{ "label": "Paris" }, { "label": "Rome, or near it" }] }] });
    let told = closed("agno_run.py", &mut model("ask_user", &args), &screen);
    assert_eq!(told, "No answer: {\"status\":\"dismissed\"}");

    let window = desk(&screen);
    let both = |window: &Window| {
        window.click(".card:nth-child(2)");
        window.type_into(".other textarea", "Lisbon");
    };
    let mut model = model("ask_user", &args);
    let told = answered("agno_run.py", "Where to?", &mut model, (&screen, &window), both);
    let expected = "User feedback received: [{\"question\": \"Where to?\", \
                    \"selected\": [\"Rome, or near it\", \"Lisbon\"]}]";
    assert_eq!(told, expected);
}

#[test]
fn example_langchain_asks_for_approval() {
    let screen = Screen::without_arming();
    let args = json!({ "to": "a@example.com", "subject": "Lunch" });
    let told = closed("langchain_approval.py", &mut model("send_email", &args), &screen);
    assert_eq!(told[0]["content"], "Not sent, nobody decided: {\"status\": \"dismissed\"}");

    let window = desk(&screen);
    let decide = |answer: fn(&Window)| {
        let mut model = model("send_email", &args);
        let at = (&screen, &window);
        let told = answered("langchain_approval.py", "Run send_email?", &mut model, at, answer);
        told[0]["content"].as_str().expect("a result is a text").to_owned()
    };
    let told = decide(|window| {
        window.click(".current .card:nth-child(1)");
        window.click(".primary");
        let input = "#panel-1.current textarea";
        window.await_shown(input);
        window.run_with("document.querySelector(arguments[0]).select()", &json!([input]));
        window.type_into(input, r#"{"to": "b@example.com", "subject": "Lunch"}"#);
        window.click(".primary");
        window.await_text(".row:nth-child(2) .removed", "-   \"to\": \"a@example.com\",");
        assert_eq!(window.text(".row:nth-child(2) .added"), "+   \"to\": \"b@example.com\",");
    });
    assert!(told.ends_with("Sent `Lunch` to b@example.com."), "{told}");
    assert!(!told.contains("a@example.com"), "{told}");

    let told = decide(|window| {
        window.click("#panel-0 .add-note");
        window.type_into("#panel-0 .note textarea", "She is on holiday");
        window.click(".current .card:nth-child(2)");
        window.click("#tab-2");
        window.await_text(".primary", "Send");
    });
    let rejected = "User rejected the tool call for `send_email` with reason: She is on holiday";
    assert_eq!(told, rejected);
}

#[test]
fn example_deepagents_answers_an_interrupt() {
    let screen = Screen::without_arming();
    let args = json!({ "questions": [
        { "question": "Which database?", "type": "multiple_choice",
          "choices": [{ "value": "SQLite" }, { "value": "Postgres" }] },
        { "question": "Which features?", "type": "multi_select",
          "choices": [{ "value": "auth" }, { "value": "api" }] },
        { "question": "Anything else?", "type": "text", "required": false },
    ]});
    let told = closed("deepagents_ask.py", &mut model("ask_user", &args), &screen);
    assert_eq!(told[0]["content"], "{\"status\": \"cancelled\", \"outcome\": \"dismissed\"}");

    let window = desk(&screen);
    let answer = |window: &Window| {
        window.click("#panel-0.current .card:nth-child(2)");
        window.click(".primary");
        window.click("#panel-1.current .card:nth-child(1)");
        window.click("#panel-1.current .card:nth-child(2)");
        window.await_chosen(&[0, 1]);
        window.click("#tab-3");
        window.await_text(".primary", "Send");
    };
    let mut model = model("ask_user", &args);
    let at = (&screen, &window);
    let told = answered("deepagents_ask.py", "Which database?", &mut model, at, answer);
    let told = told[0]["content"].as_str().expect("a result is a text");
    let told: Value = serde_json::from_str(told).expect("the tool returns JSON");
    let expected =
        json!({ "status": "answered", "answers": ["Postgres", "[\"auth\",\"api\"]", ""] });
    assert_eq!(told, expected);
}

#[test]
fn examples_are_short_and_documented() {
    let readme = fs::read_to_string(folder().with_file_name("README.md")).expect("it is there");
    let mut found = 0;
    for entry in fs::read_dir(folder()).expect("it is there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if Path::new(&name).extension().is_some_and(|extension| extension == "py") {
            let text = fs::read_to_string(entry.path()).expect("it is a text");
            assert!(text.lines().count() <= 60, "{name} is long");
            assert!(readme.contains(&name), "the README does not tell of {name}");
            found += 1;
        }
    }
    assert_eq!(found, 6);
}
