//! Gemini CLI shows its model the result as text, which it marks as not to be trusted. Its own
//! questions come through its hook.

use serde_json::json;

use super::{Agent, CLOSED};
use crate::support::{Kept, Model, Person, Run, Screen, Tmux, foreign};

const GEMINI: Agent = Agent {
    client: "gemini",
    config: ".gemini/settings.json",
    name: "gemini-cli-mcp-client",
    tool: |name| format!("mcp_askdeck_{name}"),
};

fn config() -> String {
    let config = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
        "privacy": { "usageStatisticsEnabled": false },
        "telemetry": { "enabled": false },
    });
    config.to_string()
}

#[test]
fn gemini_tells_its_model_what_the_person_chose() {
    let screen = Screen::without_arming();
    let mut model = GEMINI.model();
    GEMINI.connect(&screen, &config());
    let run = Run::program(foreign::node(), [&foreign::gemini().display().to_string()])
        // With any model but a named one it would first ask which model to take.
        .args(["--model=scripted", "--skip-trust", "--prompt=Go"])
        .env("GEMINI_API_KEY", "none")
        .env("GOOGLE_GEMINI_BASE_URL", model.url());
    let told = GEMINI.ask(&screen, &mut model, run);
    let [answered, dismissed] = told.map(|text| {
        let text = text.strip_prefix("<untrusted_context>\n");
        let text = text.and_then(|text| text.strip_suffix("\n</untrusted_context>"));
        text.expect("it marks what others say").to_owned()
    });
    let expected = "The user answered.\n\n1. Framework: Which framework?\n   Selected: Vue";
    assert_eq!(answered, expected);
    assert_eq!(dismissed, CLOSED);
}

#[test]
fn gemini_question_in_the_window() {
    const AGENT: &str = "Gemini CLI";
    let screen = Screen::without_arming();
    let questions = json!({ "questions": [{
        "question": "Which database?",
        "header": "Database",
        "type": "choice",
        "options": [
            { "label": "PostgreSQL", "description": "Big" },
            { "label": "SQLite", "description": "Small" },
        ],
    }]});
    let tool = || ("ask_user", questions.clone());
    let mut model = Model::using(&[tool(), tool()]);
    GEMINI.connect(&screen, &config());
    let mut tmux = screen.command("tmux");
    tmux.env("GEMINI_API_KEY", "none").env("GOOGLE_GEMINI_BASE_URL", model.url());
    let script = foreign::gemini().display().to_string();
    let args = [&*script, "--model=scripted", "--skip-trust", "--prompt-interactive=Go"];
    let gemini = Tmux::start(&screen, tmux, &foreign::node(), &args);
    model.turn(0);
    let person = Person::at_window(&screen, AGENT);
    let kept = Kept::of(&screen);
    // Only once the card is chosen does Return send it.
    person.press_once("2", || kept.draft(AGENT).contains("[1]").then_some(()));
    person.press("Return");
    let text = model.result(1);
    let expected = "The user has already answered, in Askdeck. This is the result of the tool: \
        The user answered.\n\n1. Database: Which database?\n   Selected: SQLite";
    assert!(text.contains(expected), "{text}");

    // Without an answer Gemini CLI asks by itself.
    let person = Person::at_window(&screen, AGENT);
    person.press_once("Escape", || person.title().is_empty().then_some(()));
    gemini.await_text("1.  PostgreSQL");
}
