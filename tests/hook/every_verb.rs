//! Every verb of every decision, inside the real Claude Code.

use std::fs;

use serde_json::json;

use crate::support::{Claude, Deciding, Screen};

const DENIED: &str = "The user did not allow this.";
fn refused() -> String {
    format!("{DENIED} They say: {}", Deciding::WORDS)
}

#[test]
fn claude_code_bash_takes_every_verb() {
    const RUN: &str = "Run this command?";
    let screen = Screen::without_arming();
    let names = ["one", "two", "three", "four", "five", "six"];
    let touch = |name| ("Bash", json!({ "command": format!("touch {name}") }));
    let mut person = Deciding::about(&screen, "Claude Code", &names.map(touch));
    let _claude = Claude::start(&screen, &person.model, "default");
    assert_eq!(person.say_no(RUN), refused());
    assert_eq!(person.press(RUN, "4 Return"), DENIED);
    person.press(RUN, "1 Return");
    // Claude itself suggests two more ways to allow it: for the folder, and for all edits.
    person.press(RUN, "2 Return");
    person.press(RUN, "3 Return");
    person.next();
    let made = |name| screen.path("work").join(name).exists();
    assert_eq!(names.map(made), [false, false, true, true, true, true]);
}

#[test]
fn claude_code_edit_takes_every_verb() {
    const EDIT: &str = "Edit `a.txt`? +1 −1";
    let screen = Screen::without_arming();
    let file = screen.path("work/a.txt");
    fs::write(&file, "a\nb\n").expect("the home is ours");
    let edit = |old: &str, new: &str| {
        ("Edit", json!({ "file_path": file, "old_string": old, "new_string": new }))
    };
    let read = ("Read", json!({ "file_path": file }));
    let edits = [edit("a", "1"), edit("a", "2"), edit("a", "3"), edit("3", "4"), edit("4", "5")];
    let tools: Vec<_> = [read].into_iter().chain(edits).collect();
    let mut person = Deciding::about(&screen, "Claude Code", &tools);
    let _claude = Claude::start(&screen, &person.model, "default");
    person.next();
    assert_eq!(person.say_no(EDIT), refused());
    assert_eq!(person.press(EDIT, "3 Return"), DENIED);
    let text = || fs::read_to_string(&file).expect("it is there");
    assert_eq!(text(), "a\nb\n");
    person.press(EDIT, "1 Return");
    assert_eq!(text(), "3\nb\n");
    person.press(EDIT, "2 Return");
    person.next();
    assert_eq!(text(), "5\nb\n");
}

#[test]
fn claude_code_write_takes_every_verb() {
    const WRITE: &str = "Write `a.txt`? +1 −0";
    let screen = Screen::without_arming();
    let path = |folder: u32| screen.path(&format!("work/{folder}/a.txt"));
    let write = |folder| ("Write", json!({ "file_path": path(folder), "content": "new\n" }));
    let mut person = Deciding::about(&screen, "Claude Code", &[1, 2, 3, 4, 5].map(write));
    let _claude = Claude::start(&screen, &person.model, "default");
    assert_eq!(person.say_no(WRITE), refused());
    assert_eq!(person.press(WRITE, "3 Return"), DENIED);
    person.press(WRITE, "1 Return");
    person.press(WRITE, "2 Return");
    person.next();
    assert_eq!(
        [1, 2, 3, 4, 5].map(|folder| path(folder).exists()),
        [false, false, true, true, true]
    );
}

/// There is no network: what is allowed fails in another way than what is not.
#[test]
fn claude_code_web_fetch_takes_every_verb() {
    const FETCH: &str = "Fetch `docs.example`?";
    let screen = Screen::without_arming();
    let fetch = || {
        let input = json!({ "url": "https://docs.example/a", "prompt": "What is it?" });
        ("WebFetch", input)
    };
    let mut person =
        Deciding::about(&screen, "Claude Code", &[fetch(), fetch(), fetch(), fetch(), fetch()]);
    let _claude = Claude::start(&screen, &person.model, "default");
    assert_eq!(person.say_no(FETCH), refused());
    assert_eq!(person.press(FETCH, "3 Return"), DENIED);
    for allowed in [person.press(FETCH, "1 Return"), person.press(FETCH, "2 Return"), person.next()]
    {
        assert!(allowed.contains("docs.example"), "{allowed}");
        assert!(!allowed.contains(DENIED), "{allowed}");
    }
}

#[test]
fn claude_code_plan_is_sent_back_without_words() {
    const PLAN: &str = "Go ahead with this plan?";
    let screen = Screen::without_arming();
    let plan = ("Write", json!({ "file_path": "$PLAN", "content": "1. Extract\n" }));
    let mut person = Deciding::about(&screen, "Claude Code", &[plan, ("ExitPlanMode", json!({}))]);
    let _claude = Claude::start(&screen, &person.model, "plan");
    person.next();
    let text = person.press(PLAN, "2 Return");
    let said = "The user wants you to keep planning. They did not say what to change: ask them.";
    assert!(text.ends_with(said), "{text}");
}
