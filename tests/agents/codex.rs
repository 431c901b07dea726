//! Codex shows its model the result as data, with a line before it on how long it took. What it asks
//! by itself comes through its hooks, once they are trusted.

use serde_json::{Value, json};

use super::{Agent, CLOSED, data};
use crate::support::{
    Deciding, Kept, Model, Person, Run, Screen, Tmux, foreign, press_at_most, until,
};

const CODEX: Agent = Agent {
    client: "codex",
    config: ".codex/config.toml",
    name: "Codex",
    tool: |name| format!("mcp__askdeck.{name}"),
};

fn config(model: &Model) -> String {
    format!(
        "model = \"scripted\"\n\
         model_provider = \"loopback\"\n\
         check_for_update_on_startup = false\n\
         approval_policy = \"on-request\"\n\
         sandbox_mode = \"workspace-write\"\n\
         \n\
         [features]\n\
         plugins = false\n\
         daemon_auto_start = false\n\
         default_mode_request_user_input = true\n\
         \n\
         [analytics]\n\
         enabled = false\n\
         \n\
         [model_providers.loopback]\n\
         name = \"loopback\"\n\
         base_url = \"{}/v1\"\n\
         wire_api = \"responses\"\n",
        model.url()
    )
}

#[test]
fn codex_tells_its_model_what_the_person_chose() {
    let screen = Screen::without_arming();
    let mut model = CODEX.model();
    CODEX.connect(&screen, &config(&model));
    let run = Run::program(foreign::codex(), ["exec", "--skip-git-repo-check", "Go"]);
    let told = CODEX.ask(&screen, &mut model, run);
    let [answered, dismissed] = told.map(|text| {
        let (_, output) = text.split_once("\nOutput:\n").expect("it tells the output last");
        data(output)
    });
    assert_eq!(answered["outcome"], "answered");
    assert_eq!(answered["answers"][0]["question"], "Which framework?");
    assert_eq!(answered["answers"][0]["selected"], json!(["Vue"]));
    assert_eq!(dismissed, json!({ "outcome": "dismissed", "message": CLOSED }));
}

/// Codex in a terminal, connected and trusted as people do it.
#[track_caller]
fn start<'a>(screen: &'a Screen, model: &Model) -> Tmux<'a> {
    let work = screen.path("work");
    let trusted = format!("\n[projects.'{}']\ntrust_level = \"trusted\"\n", work.display());
    CODEX.connect(screen, &(config(model) + &trusted));
    let codex = Tmux::start(screen, screen.command("tmux"), &foreign::codex(), &["Go"]);
    codex.await_text("Hooks need review");
    // It throws away what was typed before it listens, and draws the list before that.
    let trust = "› 2. Trust all and continue";
    press_at_most(3, trust, || codex.press("2"), || codex.text().contains(trust).then_some(()));
    codex.press("Enter");
    codex
}

/// A command that Codex does not run without approval.
fn escalated(command: &str) -> (&'static str, Value) {
    let why = "Needs to write";
    let sandbox = "require_escalated";
    let args = json!({ "cmd": command, "sandbox_permissions": sandbox, "justification": why });
    ("exec_command", args)
}

fn doctor(screen: &Screen) -> String {
    let report = Run::command(["doctor"]).ends(screen).stdout;
    report.lines().find(|line| line.starts_with("codex ")).unwrap_or_default().to_owned()
}

#[test]
fn codex_approval_in_the_window() {
    const RUN: &str = "Run this command?";
    let screen = Screen::without_arming();
    let names = ["one", "two", "three"];
    let tools = names.map(|name| escalated(&format!("touch {name}")));
    let mut person = Deciding::about(&screen, "Codex", &tools);
    let _codex = start(&screen, &person.model);
    person.await_question(RUN);
    let trusted = doctor(&screen);
    assert!(trusted.contains("ok       ") && trusted.contains("hooks.json"), "{trusted}");
    let text = person.press(RUN, "1 Return");
    assert!(text.contains("exited with code 0"), "{text}");
    let text = person.say_no(RUN);
    let said = format!("The user did not allow this. They say: {}", Deciding::WORDS);
    assert!(text.contains(&said), "{text}");
    let text = person.press(RUN, "2 Return");
    assert!(text.contains("The user did not allow this."), "{text}");
    let made = |name| screen.path("work").join(name).exists();
    assert_eq!(names.map(made), [true, false, false]);
}

#[test]
fn codex_patch_is_shown_file_by_file() {
    let screen = Screen::without_arming();
    let outside = screen.path("outside.txt");
    let file = outside.display();
    let patch = format!(
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {file}\n+new\n*** End Patch\nEOF\n"
    );
    let tool = ("exec_command", json!({ "cmd": patch }));
    let mut person = Deciding::about(&screen, "Codex", &[tool]);
    let _codex = start(&screen, &person.model);
    person.press("Write `outside.txt`? +1 −0", "1 Return");
    until("the file to be written", || outside.exists().then_some(()));
}

#[test]
fn codex_question_in_the_window() {
    let screen = Screen::without_arming();
    let questions = json!({ "questions": [{
        "id": "db",
        "header": "Database",
        "question": "Which database?",
        "options": [
            { "label": "PostgreSQL", "description": "Big" },
            { "label": "SQLite", "description": "Small" },
        ],
    }]});
    let tool = || ("request_user_input", questions.clone());
    let mut model = Model::using(&[tool(), tool()]);
    let codex = start(&screen, &model);
    model.turn(0);
    let person = Person::at_window(&screen, "Codex");
    let kept = Kept::of(&screen);
    // Only once the card is chosen does Return send it.
    person.press_once("2", || kept.draft("Codex").contains("[1]").then_some(()));
    person.press("Return");
    let text = model.result(1);
    let expected = "The user has already answered, in Askdeck. This is the result of the tool: \
        {\"answers\":{\"db\":{\"answers\":[\"SQLite\"]}}}";
    assert!(text.contains(expected), "{text}");

    // Without an answer Codex asks by itself.
    let person = Person::at_window(&screen, "Codex");
    person.press_once("Escape", || person.title().is_empty().then_some(()));
    codex.await_text("1. PostgreSQL");
}

#[test]
fn codex_asks_in_its_terminal_after_a_closed_window() {
    let screen = Screen::without_arming();
    let mut model = Model::using(&[escalated("touch one")]);
    let codex = start(&screen, &model);
    model.turn(0);
    let person = Person::at(&screen);
    person.press_once("Escape", || person.title().is_empty().then_some(()));
    codex.await_text("touch one");
    codex.await_text("Yes, proceed");
}

#[test]
fn doctor_says_that_codex_hooks_are_not_trusted_yet() {
    let screen = Screen::start();
    let installed = Run::command(["install", "codex", "--yes"]).ends(&screen);
    assert_eq!(installed.code, Some(0), "{}", installed.stderr);
    let advice = format!(
        "Codex does not run the hooks in {} before you trust them; start `codex`, which says \
         \"Hooks need review\", and trust those of askdeck",
        screen.path(".codex/hooks.json").display()
    );
    assert!(installed.stderr.ends_with(&format!("askdeck: {advice}\n")), "{}", installed.stderr);
    assert!(doctor(&screen).ends_with(&format!("not ok   {advice}")), "{}", doctor(&screen));
}
