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

/// A decision about each kind of content, a form, and a choice with a filter.
fn other_layouts(theme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    let see = |state: &str, run: Run| {
        let window = run.open(&screen);
        window.assert_accessible(state);
        // The first one may lead out of a text box.
        window.person.press_at_most(2, "Escape", || window.is_over().then_some(()));
        window.close();
    };
    see("a confirmation", Run::command(["confirm", "Deploy to production?"]));
    let event = json!({
        "hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/srv/shop",
        "tool_name": "Bash", "tool_input": { "command": "rm -rf build", "description": "Clean" },
    });
    see("a permission", Run::command(["hook", "claude-code"]).stdin(event.to_string()));
    let plan = json!({ "title": "Plan", "message": format!("# A\n\n{}## B\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n```diff\n@@ -1 +1 @@\n-old\n+new\n```", "- [x] step\n".repeat(40)),
        "questions": [{ "question": "Go ahead?", "consent": true,
            "options": ["Approve", { "label": "Keep planning", "refuses": true }] }] });
    see("a plan", Run::ask(&plan));
    let form = json!({ "form": true, "questions": [
        { "question": "Name", "details": "As on the server", "type": "text" },
        { "question": "Age", "type": "number" },
        { "question": "Colour", "options": ["Red", "Green"] },
        { "question": "Sure?", "type": "confirm" },
    ]});
    see("a form", Run::ask(&form));
    let options: Vec<_> = (1..=20).map(|n| format!("Option {n}")).collect();
    see("twenty options", Run::ask(&json!({ "question": "Which?", "options": options })));
}

#[test]
fn axe_finds_nothing_in_other_layouts_dark() {
    other_layouts("Adwaita:dark");
}

#[test]
fn axe_finds_nothing_in_other_layouts_light() {
    other_layouts("Adwaita");
}
