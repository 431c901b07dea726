//! `OpenCode` shows its model the result as text.

use std::{fs, time::Instant};

use serde_json::json;

use super::{Agent, CLOSED, data};
use crate::support::{Model, Person, Run, Screen, foreign, until};

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
    });
    config.to_string()
}

fn run() -> Run {
    Run::program(foreign::opencode(), ["run", "Go"])
        .env("OPENCODE_DISABLE_MODELS_FETCH", "1")
        .env("OPENCODE_DISABLE_LSP_DOWNLOAD", "1")
        .env("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1")
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
