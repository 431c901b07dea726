//! `OpenCode` shows its model the result as text. What it asks by itself comes through its plugin.

use std::{fs, time::Instant};

use serde_json::json;

use super::{Agent, CLOSED, data};
use crate::support::{
    Deciding, Kept, Model, Person, Run, Screen, Tmux, foreign, press_once, until,
};

const OPENCODE: Agent = Agent {
    client: "opencode",
    config: ".config/opencode/opencode.jsonc",
    name: "opencode",
    tool: |name| format!("askdeck_{name}"),
};

fn config(model: &Model) -> String {
    let loopback = json!({
        "npm": "@ai-sdk/openai-compatible",
        "options": { "baseURL": format!("{}/v1", model.url()), "apiKey": "none" },
        "models": { "scripted": {} },
    });
    let config = json!({
        "model": "loopback/scripted",
        "small_model": "loopback/scripted",
        "provider": { "loopback": loopback },
        "autoupdate": false,
        "share": "disabled",
        "permission": { "bash": "ask", "edit": "ask", "askdeck_*": "allow" },
    });
    config.to_string()
}

/// It fetches nothing.
const OFFLINE: [&str; 3] = [
    "OPENCODE_DISABLE_MODELS_FETCH",
    "OPENCODE_DISABLE_LSP_DOWNLOAD",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS",
];

fn run() -> Run {
    let run = Run::program(foreign::opencode(), ["run", "Go"]);
    OFFLINE.into_iter().fold(run, |run, name| run.env(name, "1"))
}

/// `OpenCode` in a terminal.
#[track_caller]
fn start<'a>(screen: &'a Screen, model: &Model) -> Tmux<'a> {
    OPENCODE.connect(screen, &config(model));
    let mut tmux = screen.command("tmux");
    tmux.envs(OFFLINE.map(|name| (name, "1")));
    Tmux::start(screen, tmux, &foreign::opencode(), &["--prompt", "Go"])
}

const ANSWERED: &str = "The user answered.\n\n1. Framework: Which framework?\n   Selected: ";

#[test]
fn opencode_tells_its_model_what_the_person_chose() {
    let screen = Screen::without_arming();
    let mut model = OPENCODE.model();
    OPENCODE.connect(&screen, &config(&model));
    let [answered, dismissed] = OPENCODE.ask(&screen, &mut model, run());
    assert_eq!(answered, format!("{ANSWERED}Vue"));
    assert_eq!(dismissed, CLOSED);
}

/// As in a configuration without our limits, where it waits as long again after each progress.
#[test]
fn progress_keeps_opencode_waiting_for_longer_than_its_limit() {
    const LIMIT: u64 = 20_000;
    let screen = Screen::without_arming();
    let mut model = OPENCODE.model();
    OPENCODE.connect(&screen, &config(&model));
    let path = screen.path(OPENCODE.config);
    let mut settings = data(&fs::read_to_string(&path).expect("it was connected"));
    let entry = &mut settings["mcp"]["askdeck"];
    entry["timeout"] = LIMIT.into();
    entry["command"].as_array_mut().expect("a list").truncate(2);
    fs::write(&path, settings.to_string()).expect("the home is ours");
    let _opencode = OPENCODE.start(&screen, &mut model, run());
    let person = Person::at_window(&screen, OPENCODE.name);
    let asked = Instant::now();
    until("more than the limit to have passed", || {
        (asked.elapsed().as_millis() > LIMIT.into()).then_some(())
    });
    let answered = person.press_once("Return", || model.try_result(1));
    assert_eq!(answered, format!("{ANSWERED}React"));
}

const RUN: &str = "Run this command?";

fn touch(name: &str) -> (&'static str, serde_json::Value) {
    ("bash", json!({ "command": format!("touch {name}"), "description": "Makes a file" }))
}

#[test]
fn opencode_permission_in_the_window() {
    let screen = Screen::without_arming();
    let file = screen.path("work/a.txt");
    let write = ("write", json!({ "filePath": file, "content": "new\n" }));
    let tools = [touch("one"), touch("two"), write, touch("three"), touch("four")];
    let mut person = Deciding::about(&screen, "OpenCode", &tools);
    let _opencode = start(&screen, &person.model);
    person.press(RUN, "1 Return");
    let text = person.say_no(RUN);
    let said = format!("The user did not allow this. They say: {}", Deciding::WORDS);
    assert!(text.ends_with(&said), "{text}");
    person.press("Edit `a.txt`? +1 −0", "1 Return");
    assert_eq!(fs::read_to_string(file).expect("it was written"), "new\n");
    // It offers what `OpenCode` itself would allow from now on, and then does not ask again.
    person.press(RUN, "2 Return");
    person.next();
    let made = |name: &str| screen.path("work").join(name).exists();
    assert_eq!(["one", "two", "three", "four"].map(made), [true, false, true, true]);
}

#[test]
fn opencode_permission_in_its_terminal_closes_the_window() {
    let screen = Screen::without_arming();
    let mut model = Model::using(&[touch("one"), touch("two")]);
    let opencode = start(&screen, &model);
    let made = |name: &str| screen.path("work").join(name).exists();
    model.turn(0);
    let person = Person::at_window(&screen, "OpenCode");
    opencode.await_text("touch one");
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("OpenCode");
    let allow = || opencode.press("Enter");
    press_once("the file to be made", allow, || made("one").then_some(()));
    until("the question to be taken back", || {
        (kept.count(&ticket, "withdrawn") == 1).then_some(())
    });

    // The other way round: once it is decided in the window, the terminal asks no more.
    opencode.await_text("touch two");
    until("the second question", || (kept.ticket("OpenCode") != ticket).then_some(()));
    person.press_once("1 Return", || made("two").then_some(()));
    opencode.await_text("Done.");
    assert!(!opencode.text().contains("Permission required"), "{}", opencode.text());
}

#[test]
fn opencode_question_in_the_window_or_its_terminal() {
    let screen = Screen::without_arming();
    let questions = json!({ "questions": [{
        "question": "Which database?",
        "header": "Database",
        "options": [
            { "label": "PostgreSQL", "description": "Big" },
            { "label": "SQLite", "description": "Small" },
        ],
    }]});
    let tool = || ("question", questions.clone());
    let mut model = Model::using(&[tool(), tool()]);
    let opencode = start(&screen, &model);
    model.turn(0);
    let person = Person::at_window(&screen, "OpenCode");
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("OpenCode");
    // Only once the card is chosen does Return send it.
    person.press_once("2", || kept.draft("OpenCode").contains("[1]").then_some(()));
    person.press("Return");
    let text = model.result(1);
    assert!(text.contains("\"Which database?\"=\"SQLite\""), "{text}");

    let second = until("the second question", || {
        Some(kept.ticket("OpenCode")).filter(|second| *second != ticket)
    });
    opencode.await_text("1. PostgreSQL");
    let answer = || opencode.press("Enter");
    let text = press_once("the answer to reach the model", answer, || model.try_result(2));
    assert!(text.contains("\"Which database?\"=\"PostgreSQL\""), "{text}");
    until("the question to be taken back", || {
        (kept.count(&second, "withdrawn") == 1).then_some(())
    });
}

#[test]
fn opencode_that_is_closed_takes_its_question_back() {
    let screen = Screen::without_arming();
    let mut model = Model::using(&[touch("one")]);
    let opencode = start(&screen, &model);
    model.turn(0);
    let person = Person::at_window(&screen, "OpenCode");
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("OpenCode");
    drop(opencode);
    until("the question to be taken back", || {
        (kept.count(&ticket, "withdrawn") == 1).then_some(())
    });
    person.await_gone();
}
