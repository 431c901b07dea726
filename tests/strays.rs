//! Keys that were meant for something else, as X11 delivers them: they answer nothing.

use serde_json::{Value, json};

use crate::support::{Editor, Person, Run, Screen, Typing, Window, until};

fn confirm() -> Run {
    Run::command(["confirm", "Delete 15 test files?"])
}

/// A permission, as Claude Code asks for it.
fn permission() -> Run {
    let event = json!({
        "session_id": "abc123", "transcript_path": "/tmp/t.jsonl", "cwd": "/srv/shop",
        "permission_mode": "default", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": { "command": "rm -rf build" },
    });
    Run::command(["hook", "claude-code"]).stdin(event.to_string())
}

/// A plan, as Claude Code asks about it.
fn plan() -> Run {
    let event = json!({
        "session_id": "abc123", "transcript_path": "/tmp/t.jsonl", "cwd": "/srv/shop",
        "permission_mode": "plan", "hook_event_name": "PreToolUse",
        "tool_name": "ExitPlanMode", "tool_input": { "plan": "1. Delete it" },
    });
    Run::command(["hook", "claude-code"]).stdin(event.to_string())
}

fn which() -> Value {
    json!({ "agent": "Tester", "question": "Which?", "options": ["One", "Two"] })
}

#[track_caller]
fn assert_unanswered(window: &Window) {
    assert_eq!(window.see("document.documentElement.dataset.phase"), "asking");
    assert!(!window.is_over());
}

/// Notes down every key that comes to the page.
fn listen(window: &Window) {
    window.run("window.keys = []; addEventListener('keydown', ({ key }) => window.keys.push(key))");
}

#[test]
fn typing_on_as_another_window_closes_answers_nothing() {
    let runs: [fn() -> Run; 3] = [confirm, permission, || Run::ask(&which())];
    for run in runs {
        let screen = Screen::start();
        screen.configure("focus = \"never\"\narming_ms = 2000");
        let editor = Editor::open(&screen);
        let window = run().open(&screen);
        listen(&window);
        assert!(editor.has_keyboard() && !window.person.has_keyboard());
        // For longer than the window does nothing after it got the keyboard.
        let mut typing = Typing::begin(&screen, &format!("exit\n{}", "make all\n".repeat(12)));
        until("the shell to end", || (editor.text() == "exit\r").then_some(()));
        drop(editor);
        until("the typing to end", || typing.is_over().then_some(()));
        assert!(window.person.has_keyboard(), "the window manager gave it the keyboard");
        // All of the last line came here, and nobody was asked again.
        window
            .await_true("the keys to come here", "window.keys.join('').endsWith('make allEnter')");
        window.await_armed();
        assert_unanswered(&window);
        assert_eq!(window.chosen(), [0; 0]);
    }
}

#[test]
fn words_typed_at_a_permission_a_plan_or_a_question_stay_words() {
    for run in [permission(), plan(), Run::ask(&which())] {
        let screen = Screen::start();
        let window = run.open(&screen);
        listen(&window);
        drop(Typing::begin(&screen, "Do not run that, 1 or 2\n"));
        window.await_text(".notice", "Nothing was sent. Press Enter again to continue.");
        assert_unanswered(&window);
        let other = "[data-focus=\"other\"]";
        let typed = window.see(&format!("document.querySelector('{other}').value"));
        assert_eq!(typed, "Do not run that, 1 or 2");
        assert!(window.shows(".verbs") || window.chosen() == [2]);
        // After a pause Enter works as always. This one may come before.
        window.person.press_at_most(2, "Return", || window.is_over().then_some(()));
        let said = window.await_end().stdout;
        assert!(said.contains("Do not run that, 1 or 2"), "{said}");
        assert!(!said.contains("\"allow\""), "{said}");
    }
}

#[test]
fn words_typed_at_a_confirmation_confirm_nothing() {
    let screen = Screen::start();
    let window = confirm().open(&screen);
    drop(Typing::begin(&screen, "no wait\n"));
    window.await_text(".notice", "Choose with 1–2 or ↑ ↓ first, then press Enter.");
    assert_unanswered(&window);
    assert_eq!(window.chosen(), [0; 0]);
    window.await_armed();
    window.person.press("2 Return");
    window.await_end().is(1, "no\n");
}

#[test]
fn confirmation_starts_on_no_card() {
    let screen = Screen::start();
    let window = confirm().open(&screen);
    window.await_focus(".verbs");
    window.person.press("Return");
    window.await_text(".notice", "Choose with 1–2 or ↑ ↓ first, then press Enter.");
    assert_unanswered(&window);
    window.person.press("Down");
    window.await_focus("[data-index='0']");
    window.await_text(".notice", "");
    window.person.press("Down Return");
    window.await_end().is(1, "no\n");
}

#[test]
fn a_digit_and_enter_at_once_still_answer() {
    let screen = Screen::start();
    let window = permission().open(&screen);
    window.person.press_at_once("1 Return");
    let said = window.await_end().stdout;
    assert!(said.contains("\"allow\""), "{said}");
}

#[test]
fn closing_before_arming_does_nothing() {
    // On a busy machine the key may come late: then it proves nothing, and a new window is tried.
    let tried = (0..10).any(|_| {
        let screen = Screen::start();
        screen.configure("focus = \"always\"\narming_ms = 3000");
        std::thread::scope(|scope| {
            let opening = scope.spawn(|| Run::ask(&which()).open_unarmed(&screen));
            Person::at(&screen).press("alt+F4");
            let window = opening.join().expect("the window opens");
            let early = window.see("document.documentElement.dataset.armed") == "false";
            window.await_armed();
            if early {
                assert_unanswered(&window);
                window.person.press_once("alt+F4", || window.is_over().then_some(()));
            }
            early
        })
    });
    assert!(tried, "no window could be closed before it was armed");
}
