//! The window, driven through WebDriver: every kind of question and every part of the page.

use serde_json::{Value, json};

use crate::support::{Run, Screen, Window};

/// Two questions and what is asked before them.
fn two_questions() -> Value {
    json!({ "agent": "Tester", "cwd": "/srv/projects/shop/backend", "title": "Before I start",
        "message": "Two **decisions** are yours.", "questions": [
        { "header": "Database", "question": "Which `database`?", "options": [
            { "label": "PostgreSQL (Recommended)", "description": "Runs already" },
            { "label": "SQLite", "description": "Nothing to run" },
        ]},
        { "header": "Features", "question": "Which features?", "type": "multi",
          "options": ["Search", "Export"] },
    ]})
}

/// Shift+Enter, as WebDriver writes it.
const NEW_LINE: &str = "\u{e008}\u{e007}\u{e008}";

#[track_caller]
fn next(window: &Window) {
    window.click(".primary");
}

#[test]
fn every_kind_of_question_takes_its_answer() {
    let screen = Screen::start();
    let payload = json!({ "questions": [
        { "id": "single", "question": "One of them?", "options": ["A", "B"] },
        { "id": "multi", "question": "Some of them?", "type": "multi", "options": ["A", "B", "C"] },
        { "id": "text", "question": "In your words?", "type": "text" },
        { "id": "confirm", "question": "Delete it?", "type": "confirm", "yes": "Delete", "no": "Keep" },
        { "id": "number", "question": "How much?", "type": "number", "min": 1 },
        { "id": "boolean", "question": "Is it so?", "type": "boolean" },
        { "id": "secret", "question": "The token?", "type": "secret" },
        { "id": "json", "question": "The settings?", "type": "json" },
    ]});
    let window = Run::ask(&payload).open(&screen);
    window.click(".current .card:nth-child(2)");
    next(&window);

    window.await_shown("#panel-1.current");
    for card in [1, 2, 3, 2] {
        window.click(&format!("#panel-1.current .card:nth-child({card})"));
    }
    window.await_chosen(&[0, 2]);
    next(&window);

    window.type_into("#panel-2.current textarea", &format!("two{NEW_LINE}lines"));
    next(&window);

    window.await_shown("#panel-3.current");
    assert_eq!(window.texts(".current .label"), ["Delete", "Keep"]);
    window.click(".current .card:nth-child(2)");
    next(&window);

    window.type_into("#panel-4.current input", "much");
    next(&window);
    window.await_text(".current .error", "Enter a number.");
    window.run("document.querySelector('.current input').value = ''");
    window.type_into(".current input", "2.5");
    next(&window);

    window.await_shown("#panel-5.current");
    assert_eq!(window.texts(".current .label"), ["Yes", "No"]);
    window.click(".current .card:nth-child(1)");
    next(&window);

    window.type_into("#panel-6.current input", "s3cret ");
    assert_eq!(window.see("document.querySelector('.current input').type"), "password");
    window.click(".current .boxed button");
    assert_eq!(window.see("document.querySelector('.current input').type"), "text");
    next(&window);

    window.type_into("#panel-7.current textarea", "{\"a\": [1]");
    next(&window);
    window.await_text(".current .error", "This is not valid JSON (line 1, column 9).");
    window.type_into(".current textarea", "}");
    next(&window);

    window.await_shown("#panel-8.current");
    let given = ["B", "A\nC", "two\nlines", "Keep", "2.5", "Yes", "••••••••", "{\"a\": [1]}"];
    assert_eq!(window.texts(".row .given"), given);
    next(&window);
    window.await_end().answers(&json!([
        { "id": "single", "question": "One of them?", "selected": ["B"] },
        { "id": "multi", "question": "Some of them?", "selected": ["A", "C"] },
        { "id": "text", "question": "In your words?", "value": "two\nlines" },
        { "id": "confirm", "question": "Delete it?", "value": false },
        { "id": "number", "question": "How much?", "value": 2.5 },
        { "id": "boolean", "question": "Is it so?", "value": true },
        { "id": "secret", "question": "The token?", "value": "s3cret " },
        { "id": "json", "question": "The settings?", "value": { "a": [1] } },
    ]));
}

#[test]
fn tabs_and_review_lead_everywhere() {
    let screen = Screen::start();
    let window = Run::ask(&two_questions()).open(&screen);
    window.person.await_title("Question 1 of 2 · Before I start — Askdeck");
    assert_eq!(window.text(".agent"), "Tester asks");
    assert_eq!(window.text(".folder"), "shop/backend");
    assert_eq!(window.text(".intro"), "Before I start\nTwo decisions are yours.");
    assert_eq!(window.texts("[role=tab]"), ["Database", "Features", "Review"]);
    assert_eq!(window.text(".current .question code"), "database");
    assert_eq!(window.texts(".current .card .number"), ["1", "2", "3"]);
    assert_eq!(window.text(".current .badge"), "Recommended");
    assert_eq!(window.texts(".current .description"), ["Runs already", "Nothing to run"]);
    assert!(!window.shows("#tab-0[data-progress='answered']"));

    // Leaving a question unanswered by its tab is no mistake; sending so is.
    window.click("#tab-2");
    window.await_shown("#panel-2.current");
    assert_eq!(window.texts(".row .given"), ["Not answered", "Not answered"]);
    next(&window);
    window.await_text("#panel-0.current .error", "This question needs an answer.");
    window.click(".current .card:nth-child(1)");
    window.await_shown("#tab-0[data-progress='answered'] .check");
    assert_eq!(window.text("#panel-0 .error"), "");
    next(&window);
    window.click("#panel-1.current .card:nth-child(1)");
    window.await_shown("#tab-1[data-progress='answered'] .check");
    assert_eq!(window.text(".primary"), "Review");
    next(&window);

    window.await_shown("#panel-2.current");
    assert_eq!(window.texts(".row .given"), ["PostgreSQL", "Search"]);
    assert_eq!(window.texts(".row .change"), ["Change", "Change"]);
    window.click(".row:nth-child(1)");
    window.click("#panel-0.current .card:nth-child(2)");
    window.await_chosen(&[1]);
    window.click("#tab-2");
    window.click(".row:nth-child(1)");
    window.click("#panel-0.current .card:nth-child(1)");
    window.await_chosen(&[0]);
    next(&window);
    window.await_shown("#panel-1.current");
    window.click(".onward .plain");
    window.await_shown("#panel-0.current");
    window.click("#tab-2");
    window.await_text(".primary", "Send");
    next(&window);
    window.await_text(".farewell", "Sent");
    // The label goes back exactly as it came.
    window.await_end().answers(&json!([
        { "id": "question-0", "header": "Database", "question": "Which `database`?",
          "selected": ["PostgreSQL (Recommended)"] },
        { "id": "question-1", "header": "Features", "question": "Which features?",
          "selected": ["Search"] },
    ]));
}

#[test]
fn other_box_takes_focus_grows_and_keeps_its_text() {
    let screen = Screen::start();
    let question = json!({ "question": "Which?", "options": ["A", "B"] });
    let window = Run::ask(&question).open(&screen);
    let height = || window.see("document.querySelector('textarea').offsetHeight").as_i64();
    window.click(".other .number");
    window.await_focus("textarea");
    window.await_chosen(&[2]);
    next(&window);
    window.await_text(".error", "Type your own answer, or choose another option.");

    let one_line = height();
    window.type_into("textarea", &["one", "two", "three", "four"].join(NEW_LINE));
    assert!(height() > one_line, "{:?} after {one_line:?}", height());
    assert_eq!(window.see("(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('textarea'))"), true);

    window.click(".card:nth-child(1)");
    window.await_chosen(&[0]);
    let kept = "document.querySelector('textarea').value";
    assert_eq!(window.see(kept), "one\ntwo\nthree\nfour");
    // Typing into the box chooses it.
    window.type_into("textarea", "!");
    window.await_chosen(&[2]);
    next(&window);
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Which?", "selected": [], "other": "one\ntwo\nthree\nfour!" },
    ]));
}

#[test]
fn click_beside_a_box_keeps_its_focus() {
    let screen = Screen::start();
    let window = Run::ask(&json!({ "question": "What name?", "type": "text" })).open(&screen);
    window.person.type_text("two");
    window.click(".panel.current .question");
    window.await_focus("textarea");
    let keys = "document.querySelector('.footer .keys').textContent.includes('leave field')";
    window.await_true("Esc to leave the box", keys);
    window.person.type_text(" words");
    window.await_true("Esc still to leave the box", keys);
    window.person.press("Return");
    window
        .await_end()
        .answers(&json!([{ "id": "question-0", "question": "What name?", "value": "two words" }]));
}

#[test]
fn focus_moved_before_a_click_is_answered_stays() {
    let screen = Screen::start();
    let question = json!({ "question": "Which?", "multi": true, "options": ["A", "B"] });
    let window = Run::ask(&question).open(&screen);
    // No answer can come in between.
    window.run(
        "document.querySelector('.card:nth-child(2) input').click();
         document.querySelector('.other textarea').focus();",
    );
    window.await_chosen(&[1]);
    window.await_focus(".other textarea");
    window.person.type_text("own");
    window.await_chosen(&[1, 2]);
    next(&window);
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Which?", "selected": ["B"], "other": "own" },
    ]));
}

#[test]
fn note_is_sent_and_an_optional_question_skipped() {
    let screen = Screen::start();
    let payload = json!({ "questions": [
        { "question": "Which?", "options": ["A", "B"], "other": false },
        { "question": "Anything else?", "type": "text", "required": false },
    ]});
    let window = Run::ask(&payload).open(&screen);
    window.click("#panel-0 .add-note");
    window.await_focus("#panel-0 .note textarea");
    window.type_into("#panel-0 .note textarea", "only if it is free");
    window.click(".current .card:nth-child(2)");
    next(&window);
    window.await_text("#panel-1.current .hint", "Optional");
    next(&window);
    window.await_shown("#panel-2.current");
    assert_eq!(window.texts(".row .given"), ["B\nNote: only if it is free", "Skipped"]);
    next(&window);
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Which?", "selected": ["B"],
          "note": "only if it is free" },
        { "id": "question-1", "question": "Anything else?", "skipped": true },
    ]));
}

#[test]
fn previews_stand_beside_the_options() {
    let screen = Screen::start();
    let payload = json!({ "questions": [{ "header": "Layout", "question": "Which layout?",
        "multiSelect": false, "options": [
        { "label": "Text", "description": "a", "preview": "# Title\n\nSome *words* and [a link](https://a.example/)" },
        { "label": "Code", "description": "b", "preview": "```rust\nfn main() {}\n```" },
        { "label": "Diff", "description": "c", "preview": "```diff\n@@ -1 +1 @@\n-old\n+new\n```" },
        { "label": "None", "description": "d" },
    ]}]});
    let window = Run::ask(&payload).open(&screen);
    assert_eq!(window.see("innerWidth"), 980);
    window.await_text(".preview h2", "Title");
    assert_eq!(window.text(".preview em"), "words");
    assert_eq!(window.text(".preview a"), "a link https://a.example/");
    let beside = "document.querySelector('.preview').getBoundingClientRect().left >= document.querySelector('.cards').getBoundingClientRect().right";
    assert_eq!(window.see(beside), true);
    // It follows the cursor, and nothing is chosen by that.
    window.person.press("Down");
    window.await_text(".preview pre code", "fn main() {}");
    window.person.press("Down");
    window.await_text(".preview .diff .removed", "-old");
    assert_eq!(window.text(".preview .diff .added"), "+new");
    window.person.press("Down");
    window.await_text(".preview", "No preview for this option.");
    assert_eq!(window.chosen(), [0; 0]);
    window.click(".card:nth-child(3)");
    window.await_text(".preview .diff .added", "+new");
    next(&window);
    let ended = window.await_end();
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(answer["answers"], json!({ "Which layout?": "Diff" }));
    let preview = &answer["annotations"]["Which layout?"]["preview"];
    assert_eq!(preview, "```diff\n@@ -1 +1 @@\n-old\n+new\n```");
}

#[test]
fn schema_errors_stand_under_the_field() {
    let screen = Screen::start();
    let payload = json!({ "type": "user_prompt", "interaction_id": "i-7", "origin_name": "Nova",
    "thread_id": "t-1", "question": "How shall it run?", "schema": {
        "type": "object", "required": ["workers", "name", "mail", "level"], "properties": {
            "workers": { "type": "integer", "minimum": 1, "maximum": 8 },
            "name": { "type": "string", "pattern": "^[a-z]+$", "maxLength": 10 },
            "mail": { "type": "string", "format": "email" },
            "level": { "enum": ["low", "high"] },
            "tags": { "type": "array", "items": { "type": "string" } },
        }
    }});
    let window = Run::ask(&payload).open(&screen);
    let mut step = 0;
    let mut field = |wrong: &[(&str, &str)], right: &str| {
        let input = format!("[data-question='{step}'] :is(input, textarea)");
        let retype = |text: &str| {
            window.await_shown(&input);
            window.run_with(
                "const box = document.querySelector(arguments[0]); box.focus(); box.select();",
                &json!([input]),
            );
            window.type_into(&input, text);
            next(&window);
        };
        for (text, trouble) in wrong {
            retype(text);
            window.await_text(&format!("#error-{step}"), trouble);
            let invalid = window
                .see(&format!("document.querySelector(`{input}`).getAttribute('aria-invalid')"));
            assert_eq!(invalid, "true");
        }
        retype(right);
        step += 1;
    };
    field(&[("nine", "Enter a whole number."), ("9", "Must be at most 8.")], "4");
    field(
        &[
            ("UPPER", "This does not match the pattern ^[a-z]+$."),
            ("abcdefghijk", "Must have at most 10 characters."),
        ],
        "runner",
    );
    field(&[("nobody", "Enter an e-mail address, such as name@example.com.")], "a@b.example");
    window.click("[data-question='3'] .card:nth-child(2)");
    assert_eq!(window.text("[data-question='4'] .field-hint"), "Optional");
    window.type_into("[data-question='4'] textarea", "[1]");
    next(&window);
    window.await_text("#error-4", "This is not valid: value is not of type \"string\"");
    window.run(
        "const box = document.querySelector('[data-question=\"4\"] textarea'); box.focus(); box.select();",
    );
    window.type_into("[data-question='4'] textarea", "[\"x\"]");
    next(&window);
    window.await_end().is_json(
        0,
        &json!({ "interaction_id": "i-7", "status": "ANSWERED", "answer": {
            "workers": 4, "name": "runner", "mail": "a@b.example", "level": "high", "tags": ["x"],
        }}),
    );
}

#[test]
fn decline_takes_a_reason_and_can_be_cancelled() {
    let screen = Screen::start();
    let window = Run::ask(&two_questions()).open(&screen);
    window.click("#panel-0 .card:nth-child(1)");
    window.await_chosen(&[0]);
    window.click(".away button:nth-child(1)");
    window.await_text(".composer-title", "Decline all 2 questions");
    window.await_focus(".composer [data-focus='aside']");
    window.click(".onward .plain");
    window.await_chosen(&[0]);
    window.click(".away button:nth-child(1)");
    window.type_into(".composer [data-focus='aside']", "not my project");
    window.click(".primary");
    window.await_text(".farewell", "Declined");
    window.await_end().is_json(
        1,
        &json!({ "outcome": "declined", "reason": "not my project", "partial": [
            { "id": "question-0", "header": "Database", "question": "Which `database`?",
              "selected": ["PostgreSQL (Recommended)"] },
        ]}),
    );
}

#[test]
fn clarification_is_sent() {
    let screen = Screen::start();
    let question = json!({ "question": "Which?", "options": ["A", "B"] });
    let window = Run::ask(&question).open(&screen);
    window.click(".away button:nth-child(2)");
    window.await_true(
        "whom it goes to",
        "/^Ask .* something first$/.test(document.querySelector('.composer-title')?.innerText)",
    );
    window.click(".primary");
    window.await_text(".composer .error", "Write what you would like to know.");
    window.type_into(".composer [data-focus='aside']", "What is B?");
    window.click(".primary");
    window.await_text(".farewell", "Your question was sent");
    window.await_end().is_json(1, &json!({ "outcome": "clarify", "text": "What is B?" }));
}

#[test]
fn countdown_pauses_while_the_person_is_active() {
    let screen = Screen::start();
    let question = json!({ "question": "Which?", "options": ["A", "B"], "timeout": "2m" });
    let window = Run::ask(&question).open(&screen);
    window.await_true(
        "the countdown to run",
        "/^1:[0-5]\\d left$/.test(document.querySelector('.countdown').innerText)",
    );
    window.person.press("Down");
    window.await_true(
        "the countdown to rest",
        "/^1:[0-5]\\d left · paused$/.test(document.querySelector('.countdown').innerText)",
    );
}

#[test]
fn text_box_shows_its_limit() {
    let screen = Screen::start();
    let question = json!({ "question": "What?", "type": "text" });
    let window = Run::ask(&question).open(&screen);
    let fill = |bytes: usize| {
        window.run_with(
            "const box = document.querySelector('textarea');
             box.value = 'x'.repeat(arguments[0]);
             box.dispatchEvent(new InputEvent('input', { bubbles: true }));",
            &json!([bytes]),
        );
    };
    assert_eq!(window.text(".limit"), "");
    fill(32 * 1024 + 1);
    window.await_text(".limit", "32.0 of 32 KiB");
    window.await_text(".error", "This text is too long: the limit is 32 KiB.");
    next(&window);
    assert!(!window.is_over());
    fill(32 * 1024);
    window.await_text(".error", "");
    next(&window);
    let ended = window.await_end();
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(answer["answers"][0]["value"].as_str().map(str::len), Some(32 * 1024));
}
