//! What axe-core finds in the real window: WCAG 2.2 A and AA, and what is good practice.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Run, Screen};

/// Everything that can be asked, in one dialog.
fn sample() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sample.json");
    let sample = fs::read(path).expect("the sample is there");
    serde_json::from_slice(&sample).expect("it is JSON")
}

fn every_step_of_the_sample(theme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    let sample = sample();
    let window = Run::ask(&sample).open(&screen);
    let questions = sample["questions"].as_array().expect("there are questions").len();
    for step in 0..questions {
        window.click(&format!("#tab-{step}"));
        window.await_shown(&format!("#panel-{step}.current"));
        window.assert_accessible(&format!("step {step}"));
        window.click(&format!("#panel-{step} .add-note"));
        window.await_focus(&format!("#panel-{step} .note textarea"));
        // What need not be answered has no trouble, and leads on.
        window.click(".primary");
        if sample["questions"][step]["required"] != false {
            window.await_shown(&format!("#panel-{step} .error:not(:empty)"));
            window.assert_accessible(&format!("step {step} with trouble and a note"));
        }
    }
    window.click(&format!("#tab-{questions}"));
    window.await_shown(".review.current");
    window.assert_accessible("the review");
    for (button, aside) in [(1, "declining"), (2, "asking back")] {
        window.click(&format!(".away button:nth-child({button})"));
        window.await_focus(".composer [data-focus='aside']");
        window.assert_accessible(aside);
        window.person.press("Escape");
        window.await_shown(".review.current");
    }
}

#[test]
fn axe_finds_nothing_in_any_step_dark() {
    every_step_of_the_sample("Adwaita:dark");
}

#[test]
fn axe_finds_nothing_in_any_step_light() {
    every_step_of_the_sample("Adwaita");
}

fn questions_that_stand_alone(theme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    let confirm = Run::command(["confirm", "Deploy to production?"]).open(&screen);
    confirm.assert_accessible("confirm");
    confirm.person.press("Escape");
    confirm.close();

    let event = json!({
        "hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/srv/shop",
        "tool_name": "Bash", "tool_input": { "command": "rm -rf build", "description": "Clean" },
    });
    let permission = Run::command(["hook", "claude-code"]).stdin(event.to_string()).open(&screen);
    permission.assert_accessible("a permission");
    permission.person.press("Escape");
    permission.close();
}

#[test]
fn axe_finds_nothing_in_confirmations_dark() {
    questions_that_stand_alone("Adwaita:dark");
}

#[test]
fn axe_finds_nothing_in_confirmations_light() {
    questions_that_stand_alone("Adwaita");
}
