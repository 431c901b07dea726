use serde_json::json;

use super::{LEFT, ask, given, in_words, open, which};
use crate::support::{Home, Kept, Run, press_at_most, until};

#[test]
fn other_box_counts_columns_of_chinese() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    terminal.press("3");
    terminal.await_text("Type your own answer");
    let at = |columns: u16| {
        until(format!("the cursor after {columns} columns"), || {
            let (column, _) = terminal.cursor()?;
            (column == 11 + columns).then_some(())
        });
    };
    at(0);
    terminal.press("框架选择");
    terminal.await_text("│ 框架选择");
    at(8);
    terminal.press(LEFT);
    at(6);
    terminal.press("\x7f");
    terminal.await_text("│ 框架择");
    at(4);
    // Each of them is one to the person, and one to Backspace.
    terminal.press("👩‍💻e\u{301}");
    terminal.await_text("e\u{301}择");
    terminal.press("\x7f\x7f选\r");
    terminal.ends().answers(&json!([
        { "id": "question-0", "question": "Which database?", "selected": [], "other": "框架选择" },
    ]));
    terminal.await_text("✓ Which database?: 框架选择");
}

#[test]
fn words_typed_at_a_question_go_to_other_and_send_nothing() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    terminal.press("no, 1 of them\r");
    terminal.await_text("│ no, 1 of them");
    terminal.await_text("Nothing was sent. Press Enter again to continue.");
    assert!(!terminal.is_over());
    // The first one may come without a pause, and then only says the same again.
    let again = || terminal.press("\r");
    press_at_most(2, "Enter to send", again, || terminal.is_over().then_some(()));
    terminal.ends().answers(&json!([
        { "id": "question-0", "question": "Which database?", "selected": [], "other": "no, 1 of them" },
    ]));
}

#[test]
fn words_typed_at_a_confirmation_confirm_nothing() {
    let home = Home::new();
    let terminal = open(&home, Run::command(["confirm", "Delete it?", "--ui=terminal"]));
    assert!(!terminal.screen().contains('❯'), "{}", terminal.screen());
    terminal.press("\r");
    let notice = "Choose with 1–2 or ↑ ↓ first, then press Enter.";
    terminal.await_text(notice);
    terminal.press("no wait\r");
    // After a letter that was meant for something else no key counts for a while, and nobody can see
    // whether that is over or has not begun.
    let answer = || terminal.press("1\r");
    press_at_most(2, "the answer", answer, || terminal.is_over().then_some(()));
    terminal.ends().is(0, "yes\n");
}

#[test]
fn text_editing_keys() {
    let home = Home::new();
    let terminal = ask(
        &home,
        &json!({
            "agent": "Tester", "question": "In your words?", "type": "text", "multiline": true,
        }),
    );
    terminal.press("one two three");
    // Word by word, to the beginning and the end; Alt+Enter and Ctrl+J begin a line.
    terminal.press("\x1b[1;5D\x17\x1b[Hzero \x1b[F\x1b\rfour\nfive");
    terminal.await_text("│ zero one three");
    terminal.await_text("│ four");
    terminal.await_text("│ five");
    terminal.press("\x1b[200~; six\rseven\x1b[31m\x1b[201~");
    terminal.await_text("│ five; six");
    terminal.press("\x1b[A\x1b[A\x01- ");
    terminal.await_text("│ - four");
    terminal.press("\r");
    terminal.ends().answers(&given("zero one three\n- four\nfive; six\nseven"));
}

#[test]
fn single_line_box_stays_one_line() {
    let home = Home::new();
    let terminal = ask(
        &home,
        &json!({
            "agent": "Tester", "question": "In your words?", "type": "text", "multiline": false,
        }),
    );
    terminal.press("\x1b[200~one\rtwo\x1b[201~\n\x1b\r!");
    terminal.await_text("│ one two!");
    assert!(!terminal.screen().contains("new line"), "{}", terminal.screen());
    terminal.press("\r");
    terminal.ends().answers(&given("one two!"));
}

#[test]
fn terminal_never_draws_a_secret() {
    let home = Home::new();
    let payload = json!({ "agent": "Tester", "question": "Token?", "type": "secret" });
    let terminal = ask(&home, &payload);
    terminal.press("tr0ub4dor");
    terminal.await_text("│ *********");
    terminal.press(" \r");
    terminal.ends().answers(&json!([
        { "id": "question-0", "question": "Token?", "value": "tr0ub4dor " },
    ]));
    terminal.await_text("✓ Token?: ********");
    let holds = |bytes: &[u8]| bytes.windows(6).any(|part| part == b"tr0ub4");
    assert!(!holds(&terminal.bytes()), "it was drawn");
    let kept = std::fs::read(Kept::file(&home)).expect("it is kept");
    assert!(!holds(&kept), "it was written");
}

#[test]
fn terminal_answers_every_kind_and_reports_errors() {
    let home = Home::new();
    let terminal = ask(
        &home,
        &json!({ "agent": "Tester", "questions": [
            { "question": "How many?", "type": "integer" },
            { "question": "Which config?", "type": "json" },
            { "question": "Verbose?", "type": "boolean" },
            { "question": "Anything else?", "type": "text", "required": false },
        ]}),
    );
    terminal.press("many\r");
    terminal.await_text("Enter a whole number.");
    terminal.press("\x15one\x15");
    terminal.press("3\r");
    terminal.await_text("Question 2 of 4");
    terminal.press("{\r");
    terminal.await_text("This is not valid JSON (line 1, column 1).");
    terminal.press("\"a\":1}\r");
    terminal.await_text("Question 3 of 4");
    terminal.press("2");
    terminal.await_text("(*) 2 No");
    terminal.press("\r");
    terminal.await_text("Optional");
    terminal.press("\r");
    terminal.await_text("Skipped");
    terminal.press("\r");
    terminal.ends().answers(&json!([
        { "id": "question-0", "question": "How many?", "value": 3 },
        { "id": "question-1", "question": "Which config?", "value": { "a": 1 } },
        { "id": "question-2", "question": "Verbose?", "value": false },
        { "id": "question-3", "question": "Anything else?", "skipped": true },
    ]));
}

#[test]
fn terminal_sends_a_note() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    terminal.press("2");
    terminal.await_text("(*) 2");
    terminal.tab_to("Add a note");
    terminal.press("\r");
    terminal.await_text("Anything the agent should know");
    terminal.press("16 or later\r");
    terminal.ends().answers(&json!([
        { "id": "question-0", "question": "Which database?", "selected": ["SQLite"], "note": "16 or later" },
    ]));
}

#[test]
fn long_text_scrolls_with_the_cursor() {
    let home = Home::new();
    let terminal = ask(&home, &in_words());
    let lines: Vec<_> = (0..40).map(|line| format!("line {line}")).collect();
    let lines = lines.join("\n");
    terminal.press(&lines);
    terminal.await_text("│ line 39");
    assert!(!terminal.screen().contains("In your words?"), "{}", terminal.screen());
    terminal.press("\x1b[5~\x1b[5~\x1b[5~\x1b[5~");
    terminal.await_text("In your words?");
    terminal.press(", the end\r");
    terminal.ends().answers(&given(&(lines + ", the end")));
}
