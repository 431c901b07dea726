//! Qwen Code asks its hook before it asks in its terminal.

use std::fs;

use serde_json::json;

use super::Agent;
use crate::support::{Deciding, Kept, Model, Person, Screen, Tmux, foreign};

const QWEN: Agent = Agent {
    client: "qwen",
    config: ".qwen/settings.json",
    name: "Qwen Code",
    tool: |name| format!("mcp__askdeck__{name}"),
};

/// Qwen Code in a terminal, connected as people do it.
#[track_caller]
fn start<'a>(screen: &'a Screen, model: &Model) -> Tmux<'a> {
    let config = json!({
        "security": { "auth": { "selectedType": "openai" } },
        "general": { "enableAutoUpdate": false },
        "privacy": { "usageStatisticsEnabled": false },
        "tools": { "approvalMode": "default" },
    });
    QWEN.connect(screen, &config.to_string());
    let mut tmux = screen.command("tmux");
    tmux.envs(model.env()).env("OPENAI_MODEL", "scripted");
    let script = foreign::qwen().display().to_string();
    Tmux::start(screen, tmux, &foreign::node(), &[&script, "--prompt-interactive", "Go"])
}

#[test]
fn qwen_permission_in_the_window() {
    const RUN: &str = "Run this command?";
    let screen = Screen::without_arming();
    let touch = |name: &str| {
        let command = format!("touch {name}");
        ("run_shell_command", json!({ "command": command, "is_background": false }))
    };
    let file = screen.path("work/a.txt");
    let write = ("write_file", json!({ "file_path": file, "content": "new\n" }));
    let mut person = Deciding::about(&screen, QWEN.name, &[touch("one"), touch("two"), write]);
    let _qwen = start(&screen, &person.model);
    person.press(RUN, "1 Return");
    let said = format!("The user did not allow this. They say: {}", Deciding::WORDS);
    assert_eq!(person.say_no(RUN), said);
    person.press("Write `a.txt`? +1 −0", "1 Return");
    assert_eq!(fs::read_to_string(file).expect("it was written"), "new\n");
    assert_eq!(["one", "two"].map(|name| screen.path("work").join(name).exists()), [true, false]);
}

#[test]
fn qwen_question_in_the_window() {
    let screen = Screen::without_arming();
    let questions = json!({ "questions": [{
        "question": "Which database?",
        "header": "Database",
        "options": [
            { "label": "PostgreSQL", "description": "Big" },
            { "label": "SQLite", "description": "Small" },
        ],
        "multiSelect": false,
    }]});
    let tool = || ("ask_user_question", questions.clone());
    let mut model = Model::using(&[tool(), tool()]);
    let qwen = start(&screen, &model);
    model.turn(0);
    let person = Person::at_window(&screen, QWEN.name);
    let kept = Kept::of(&screen);
    // Only once the card is chosen does Return send it.
    person.press_once("2", || kept.draft(QWEN.name).contains("[1]").then_some(()));
    person.press("Return");
    let expected = "The user has already answered, in Askdeck. This is the result of the tool: \
        The user answered.\n\n1. Database: Which database?\n   Selected: SQLite";
    assert_eq!(model.result(1), expected);

    // Without an answer Qwen Code asks by itself.
    let person = Person::at_window(&screen, QWEN.name);
    person.press_once("Escape", || person.title().is_empty().then_some(()));
    qwen.await_text("1. PostgreSQL");
}
