//! Real keys and a real mouse, as X11 delivers them. The WebDriver only looks.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Person, Run, Screen, Window, until};

fn one_question() -> Value {
    json!({ "agent": "Tester", "question": "Deploy?", "options": ["Now", "Later"] })
}

fn three_questions() -> Value {
    json!({ "agent": "Tester", "questions": [
        { "header": "Database", "question": "Which database?", "options": ["PostgreSQL", "SQLite"] },
        { "header": "Features", "question": "Which features?", "type": "multi",
          "options": ["Search", "Export", "Import"] },
        { "header": "Cache", "question": "Which cache?", "options": ["Redis", "None"] },
    ]})
}

#[test]
fn whole_dialog_by_keyboard() {
    let screen = Screen::start();
    let window = Run::ask(&three_questions()).open(&screen);
    let person = &window.person;
    person.await_title("Question 1 of 3 · Tester — Askdeck");
    person.press("Down");
    window.await_focus("[data-index='1']");
    assert_eq!(window.chosen(), [0; 0], "moving chooses nothing");
    person.press("Return");

    person.await_title("Question 2 of 3 · Tester — Askdeck");
    person.press("space Down Down space");
    window.await_chosen(&[0, 2]);
    person.press("Down");
    window.await_focus("textarea");
    person.type_text("1 more, please");
    person.press("Return");

    person.await_title("Question 3 of 3 · Tester — Askdeck");
    window.await_focus("#panel-2 [data-index='0']");
    person.press("1 Return");

    person.await_title("Review · Tester — Askdeck");
    window.await_shown(".review");
    assert_eq!(window.texts(".row .given"), ["SQLite", "Search\nImport\n1 more, please", "Redis"]);
    person.press("3");
    person.await_title("Question 3 of 3 · Tester — Askdeck");
    window.await_chosen(&[0]);
    person.press("2 Return");
    person.await_title("Review · Tester — Askdeck");
    person.press("Return");
    person.await_title("Sent · Tester — Askdeck");
    window.await_end().answers(&json!([
        { "id": "question-0", "header": "Database", "question": "Which database?",
          "selected": ["SQLite"] },
        { "id": "question-1", "header": "Features", "question": "Which features?",
          "selected": ["Search", "Import"], "other": "1 more, please" },
        { "id": "question-2", "header": "Cache", "question": "Which cache?", "selected": ["None"] },
    ]));
    person.await_gone();
}

#[test]
fn keys_go_between_the_questions_and_send_from_anywhere() {
    let screen = Screen::start();
    let window = Run::ask(&three_questions()).open(&screen);
    let person = &window.person;
    person.press("Right");
    person.await_title("Question 2 of 3 · Tester — Askdeck");
    person.press("ctrl+Tab");
    person.await_title("Question 3 of 3 · Tester — Askdeck");
    person.press("ctrl+shift+Tab");
    person.await_title("Question 2 of 3 · Tester — Askdeck");
    person.press("Left");
    person.await_title("Question 1 of 3 · Tester — Askdeck");
    assert_eq!(window.see("document.querySelectorAll('input:checked').length"), 0);

    // Too early: it shows what is missing instead.
    person.press("2 ctrl+Return");
    person.await_title("Question 2 of 3 · Tester — Askdeck");
    window.await_text("#error-1", "This question needs an answer.");
    person.press("2 Right 1");
    person.await_title("Question 3 of 3 · Tester — Askdeck");
    window.await_chosen(&[0]);
    person.press("Left ctrl+Return");
    let ended = window.await_end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn while_typing_single_keys_are_only_characters() {
    let screen = Screen::start();
    let window = Run::ask(&one_question()).open(&screen);
    let person = &window.person;
    person.press("3");
    window.await_focus("textarea");
    person.type_text("1 2 q");
    person.press("Left shift+Return");
    person.type_text("3");
    window.await_true(
        "the keys in the box",
        "document.querySelector('textarea').value.includes('3')",
    );
    assert_eq!(window.chosen(), [2]);
    let typed = window.see("document.querySelector('textarea').value");
    assert_eq!(typed.as_str().map(|text| text.matches('\n').count()), Some(1), "{typed}");

    // Esc leaves the box, then asks before it throws the text away, then closes.
    person.press("Escape");
    window.await_focus(".primary");
    person.press("Escape");
    window.await_text(".notice p", "Close without answering? What you entered will be lost.");
    assert!(!window.is_over());
    window.await_focus(".notice [data-focus='keep']");
    person.press("Return");
    window.await_focus("textarea");
    window.await_text(".notice", "");
    person.press("Escape");
    window.await_focus(".primary");
    person.press("Escape Escape");
    window.await_end().is_json(1, &json!({ "outcome": "dismissed" }));
}

#[test]
fn enter_of_an_input_method_does_not_send() {
    let screen = Screen::start();
    let question = json!({ "question": "In your words?", "type": "text" });
    let window = Run::ask(&question).open(&screen);
    let person = &window.person;
    window.await_focus("textarea");
    let typed = |text: &str| {
        let holds = format!("document.querySelector('textarea').value === '{text}'");
        window.await_true(&format!("the box to hold {text}"), &holds);
    };
    // GTK's own input method: the code of a character, composed until Enter takes it.
    person.press("ctrl+shift+u 4 e 2 d");
    typed("u4e2d");
    person.press("Return");
    typed("中");
    assert_eq!(window.see("document.documentElement.dataset.phase"), "asking");
    person.press("Return");
    window
        .await_end()
        .answers(&json!([{ "id": "question-0", "question": "In your words?", "value": "中" }]));
}

/// Presses keys the moment that the window is there, and returns it if that was early enough.
fn pressed_too_early<'a>(screen: &'a Screen, keys: &str) -> Option<Window<'a>> {
    let (window, early) = std::thread::scope(|scope| {
        let opening = scope.spawn(|| Run::ask(&one_question()).open_unarmed(screen));
        Person::at(screen).press(keys);
        let window = opening.join().expect("the window opens");
        let early = window.see("document.documentElement.dataset.armed") == "false";
        (window, early)
    });
    early.then_some(window)
}

#[test]
fn keys_pressed_before_the_window_is_armed_do_nothing() {
    // On a busy machine a key may come late: then it proves nothing, and a new window is tried.
    let screen = (0..10).find_map(|_| {
        let screen = Screen::start();
        screen.configure("focus = \"always\"\narming_ms = 3000");
        let armed = pressed_too_early(&screen, "Return").map(|window| {
            window.await_armed();
            assert_eq!(window.chosen(), [0; 0]);
            assert_eq!(window.see("document.documentElement.dataset.phase"), "asking");
        });
        armed.map(|()| screen)
    });
    assert!(screen.is_some(), "no key could be pressed before a window was armed");
}

#[test]
fn key_held_while_the_window_appears_never_sends() {
    let screen = Screen::start();
    screen.ask("xdotool", ["keydown", "Return"]).unwrap();
    let window = Run::ask(&one_question()).open_unarmed(&screen);
    await_repeats(&window);
    window.person.release("Return");
    window.await_armed();
    window.person.press("Return");
    assert_eq!(window.await_end().code, Some(0));
}

#[test]
fn key_held_while_the_window_gets_focus_never_sends() {
    let screen = Screen::start();
    let window = Run::ask(&one_question()).open(&screen);
    let text = json!({ "agent": "Another", "question": "What?", "type": "text" });
    let _another = in_another_home(Run::ask(&text), &screen).start(&screen);
    let another = Person::at_window(&screen, "Another");
    until("another window to have the keyboard", || another.has_keyboard().then_some(()));
    another.hold("Return");
    window.person.activate();
    await_repeats(&window);
    window.person.release("Return");
    window.await_armed();
    window.person.press("Return");
    assert_eq!(window.await_end().code, Some(0));
}

#[test]
fn held_key_goes_one_step_at_most() {
    let screen = Screen::start();
    let window = Run::ask(&three_questions()).open(&screen);
    let person = &window.person;
    person.press("1 Right 1 Right");
    person.await_title("Question 3 of 3 · Tester — Askdeck");
    person.hold("Return");
    person.await_title("Review · Tester — Askdeck");
    await_repeats(&window);
    person.await_title("Review · Tester — Askdeck");
    person.release("Return");
    person.press("Return");
    assert_eq!(window.await_end().code, Some(0));
}

/// Waits until a key that is held down has come many times, to no effect.
#[track_caller]
fn await_repeats(window: &Window) {
    window.run("addEventListener('keydown', () => (window.seen = (window.seen ?? 0) + 1))");
    window.await_true("the key to repeat", "window.seen > 20");
    assert_eq!(window.chosen(), [0; 0]);
    assert!(!window.is_over());
}

#[test]
fn mouse_chooses_and_only_a_button_sends() {
    let screen = Screen::start();
    let window = Run::ask(&one_question()).open(&screen);
    click(&window, ".card:nth-child(2)");
    window.await_chosen(&[1]);
    click(&window, ".card:nth-child(1)");
    window.await_chosen(&[0]);
    assert!(!window.is_over());
    click(&window, "button.primary");
    assert_eq!(window.await_end().code, Some(0));
}

#[test]
fn slow_click_in_the_review_changes_the_answer() {
    let screen = Screen::start();
    let window = Run::ask(&three_questions()).open(&screen);
    window.person.press("1 Right Right Right");
    window.person.await_title("Review · Tester — Askdeck");
    let (x, y) = middle(&window, ".row:nth-child(1) .line");
    window.person.point(x, y);
    window.run(
        "new MutationObserver(() => (window.drawn = true))
            .observe(document.documentElement, { attributeFilter: ['data-armed'] });",
    );
    window.person.mouse_down();
    window.await_true("the page to be drawn anew", "window.drawn === true");
    window.person.mouse_up();
    window.person.await_title("Question 1 of 3 · Tester — Askdeck");
}

#[test]
fn click_that_raises_the_window_chooses_nothing() {
    let screen = Screen::start();
    let window = Run::ask(&one_question()).open(&screen);
    window.person.move_window(0, 0);
    let other = Run::ask(&one_question()).args(["--agent=Another"]);
    let other = in_another_home(other, &screen).start(&screen);
    Person::at_window(&screen, "Another").move_window(700, 400);
    until("another window to have the keyboard", || (!window.person.has_keyboard()).then_some(()));
    window.run(
        "new MutationObserver(() => {
            if (document.documentElement.dataset.armed === 'false') window.disarmed = true;
         }).observe(document.documentElement, { attributeFilter: ['data-armed'] });",
    );
    click(&window, ".card:nth-child(2)");
    until("the click to give the keyboard", || window.person.has_keyboard().then_some(()));
    window.await_true("the window to wait anew", "window.disarmed === true");
    window.await_armed();
    assert_eq!(window.chosen(), [0; 0]);
    click(&window, ".card:nth-child(2)");
    window.await_chosen(&[1]);
    drop(other);
}

/// Asks through another app, which has a window of its own.
fn in_another_home(run: Run, screen: &Screen) -> Run {
    let home = screen.path("another");
    fs::create_dir_all(home.join("config")).expect("the folder is ours");
    fs::write(home.join("config/config.toml"), "focus = \"always\"").expect("the folder is ours");
    run.env("ASKDECK_HOME", home.to_string_lossy())
}

/// Clicks the middle of an element with the real mouse.
#[track_caller]
fn click(window: &Window, css: &str) {
    let (x, y) = middle(window, css);
    window.person.click(x, y);
}

#[track_caller]
fn middle(window: &Window, css: &str) -> (i64, i64) {
    window.await_shown(css);
    let middle = window.see(&format!(
        "(({{ x, y, width, height }}) => [x + width / 2, y + height / 2].map(Math.round))
            (document.querySelector('{css}').getBoundingClientRect())"
    ));
    serde_json::from_value(middle).expect("two numbers")
}

#[test]
fn tab_comes_round_and_the_focus_is_always_seen() {
    let screen = Screen::start();
    let plan = json!({ "agent": "Tester", "message": "A long plan.\n\n".repeat(80), "question": "Go ahead?", "type": "confirm" });
    let window = Run::ask(&plan).open(&screen);
    let ring = "getComputedStyle(document.activeElement).outlineStyle !== 'none' && document.activeElement !== document.body";
    window.person.press("Tab");
    window.await_true("a ring", ring);
    for key in ["shift+Tab", "shift+Tab", "shift+Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab"] {
        window.run("window.before = document.activeElement");
        window.person.press(key);
        window.await_true(
            "the keyboard to move",
            &format!("document.activeElement !== window.before && {ring}"),
        );
    }
}

#[test]
fn text_set_aside_has_its_caret_again() {
    let screen = Screen::start();
    let window =
        Run::ask(&json!({ "agent": "Tester", "question": "What?", "type": "text" })).open(&screen);
    Run::command(["resident"]).ends(&screen).is(0, "");
    window.await_focus("textarea");
    window.person.type_text("half ");
    window.person.press("Escape");
    window.await_focus(".primary");
    window.person.press("Escape");
    until("the window to go", || (!window.person.is_visible()).then_some(()));
    Run::command(["show"]).ends(&screen).is(0, "");
    until("the window", || window.person.is_visible().then_some(()));
    window.await_focus("textarea");
}
