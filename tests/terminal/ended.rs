use std::fs;

use serde_json::{Value, json};

use super::{DOWN, LEFT, RIGHT, UP, ask, chosen, in_terminal, in_words, open, which};
use crate::support::{Home, Run, Terminal, askdeck, signal, until};

fn several() -> Value {
    json!({ "agent": "Tester", "questions": [
        { "header": "Database", "question": "Which database?", "options": ["PostgreSQL", "SQLite"] },
        { "header": "Regions", "question": "Which regions?", "type": "multi",
          "options": ["Europe", "Asia", "Africa"] },
        { "header": "Name", "question": "What name?", "type": "text" },
    ]})
}

#[test]
fn terminal_answers_several_questions_at_every_size() {
    for (columns, rows) in [(40, 15), (80, 24), (200, 50)] {
        let home = Home::new();
        let terminal = Terminal::start(in_terminal(&several()), &home, columns, rows);
        terminal.await_armed();
        terminal.await_text("Tester asks");
        terminal.await_text("Question 1 of 3");
        terminal.press("2");
        terminal.await_text("(*) 2 SQLite");
        terminal.await_text("✓ Database");
        terminal.press("\r");
        terminal.await_text("Question 2 of 3");
        terminal.press(" ");
        terminal.await_text("[x] 1 Europe");
        terminal.press(DOWN);
        terminal.press(DOWN);
        terminal.await_text("❯ [ ] 3 Africa");
        terminal.press(UP);
        terminal.press(" ");
        terminal.await_text("[x] 2 Asia");
        terminal.press("\r");
        terminal.await_text("Question 3 of 3");
        terminal.press("shop\r");
        terminal.await_text("Check your answers");
        terminal.press("2");
        terminal.await_text("Question 2 of 3");
        terminal.press("3");
        terminal.await_text("[x] 3 Africa");
        terminal.press("1");
        terminal.await_text("[ ] 1 Europe");
        terminal.press(RIGHT);
        terminal.await_text("│ shop");
        terminal.press("\r");
        terminal.await_text("Check your answers");
        terminal.press("\r");
        terminal.ends().answers(&json!([
            { "id": "question-0", "header": "Database", "question": "Which database?", "selected": ["SQLite"] },
            { "id": "question-1", "header": "Regions", "question": "Which regions?", "selected": ["Asia", "Africa"] },
            { "id": "question-2", "header": "Name", "question": "What name?", "value": "shop" },
        ]));
        // What was answered stays, on the terminal alone.
        for line in ["✓ Database: SQLite", "✓ Regions: Asia, Africa", "✓ Name: shop"] {
            terminal.await_text(line);
        }
    }
}

#[test]
fn ctrl_s_sends_from_anywhere_once_complete() {
    let home = Home::new();
    let terminal = ask(&home, &several());
    terminal.press("1\r");
    terminal.await_text("Question 2 of 3");
    terminal.press("\x13");
    terminal.await_text("This question needs an answer.");
    terminal.press("1\r");
    terminal.await_text("Question 3 of 3");
    terminal.press("shop\x1b");
    terminal.await_text("Ctrl+S send");
    terminal.press(LEFT);
    terminal.await_text("[x] 1 Europe");
    terminal.press("\x13");
    let ended = terminal.ends();
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn ctrl_c_works_before_arming() {
    let home = Home::new();
    home.configure("arming_ms = 5000");
    let terminal = Terminal::start(in_terminal(&which()), &home, 80, 24);
    terminal.await_text("Which database?");
    terminal.press("1\r");
    terminal.await_read();
    assert!(!terminal.is_over(), "other keys do nothing yet");
    terminal.press("\x03");
    terminal.ends().is_json(1, &json!({ "outcome": "dismissed" }));
}

#[test]
fn terminal_is_chosen_without_a_display() {
    let home = Home::new();
    let terminal = open(&home, Run::ask(&which()));
    terminal.press(DOWN);
    terminal.press("\r");
    terminal.ends().answers(&chosen("SQLite"));

    let terminal = open(&home, Run::command(["confirm", "Delete it?", "--default=no"]));
    terminal.await_text("❯ 2 No");
    terminal.press("\r");
    terminal.ends().is(1, "no\n");
    let terminal = open(&home, Run::command(["confirm", "Delete it?", "--ui=terminal"]));
    terminal.press("1");
    terminal.await_text("❯ 1 Yes");
    terminal.press("\r");
    terminal.ends().is(0, "yes\n");
}

#[test]
fn dumb_terminal_exits_with_3() {
    let home = Home::new();
    let advice = "; run this in the foreground of a terminal, or ask with --ui window\n";
    let none = "askdeck: TERM says that the terminal cannot draw";
    in_terminal(&which()).ends(&home).says(3, "", &format!("{none}{advice}"));
    let dumb = Terminal::start(in_terminal(&which()).env("TERM", "dumb"), &home, 80, 24);
    dumb.ends().says(3, "", &format!("{none}{advice}"));
    let detached = Run::program("setsid", ["--wait", askdeck(), "--ui=terminal"])
        .stdin(which().to_string())
        .env("TERM", "xterm");
    let none = "askdeck: this program has no terminal";
    detached.ends(&home).says(3, "", &format!("{none}{advice}"));
    // As an agent does that draws on the terminal itself while it runs commands.
    let script =
        "stty raw </dev/tty; \"$0\" --ui=terminal; code=$?; stty sane </dev/tty; exit $code";
    let agent = Run::program("sh", ["-c", script, askdeck()]);
    let agent = Terminal::start(agent.stdin(which().to_string()), &home, 80, 24);
    let in_use = "askdeck: another program is using the terminal";
    agent.ends().says(3, "", &format!("{in_use}{advice}"));
    let nowhere = "askdeck: there is neither a display nor a terminal to ask on; \
        set DISPLAY or WAYLAND_DISPLAY, or run this in a desktop session or a terminal\n";
    let dumb = Terminal::start(Run::ask(&which()).env("TERM", "dumb"), &home, 80, 24);
    dumb.ends().says(3, "", nowhere);
    let later = in_terminal(&which()).args(["--no-wait"]).ends(&home);
    assert_eq!((later.code, later.stdout.as_str()), (Some(2), ""), "{later:?}");
}

#[test]
fn terminal_declines_with_a_reason() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    terminal.press("1");
    terminal.await_text("(*) 1");
    terminal.tab_to("Decline…");
    terminal.press("\r");
    terminal.await_text("Decline to answer");
    terminal.press("\x1b");
    terminal.await_text("Which database?");
    terminal.tab_to("Decline…");
    terminal.press("\r");
    terminal.await_text("Decline to answer");
    terminal.press("decide it yourself\r");
    let partial = chosen("PostgreSQL (Recommended)");
    terminal.ends().is_json(
        1,
        &json!({ "outcome": "declined", "reason": "decide it yourself", "partial": partial }),
    );
    terminal.await_text("Declined");
}

#[test]
fn terminal_asks_for_clarification() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    terminal.tab_to("Ask a question…");
    terminal.press("\r");
    terminal.await_text("something first");
    terminal.press("\r");
    terminal.await_text("Write what you would like to know.");
    terminal.press("How much data?\r");
    terminal.ends().is_json(1, &json!({ "outcome": "clarify", "text": "How much data?" }));
    terminal.await_text("Your question was sent");
}

#[test]
fn esc_and_ctrl_c_keep_the_draft() {
    let dismissed = json!({ "outcome": "dismissed" });
    for key in ["\x1b", "\x03"] {
        let home = Home::new();
        let terminal = ask(&home, &which());
        terminal.press(key);
        terminal.ends().is_json(1, &dismissed);
        terminal.await_text("Closed");

        let terminal = ask(&home, &in_words());
        terminal.press("half a sentence");
        terminal.await_text("│ half a sentence");
        terminal.press("\x1b");
        terminal.await_current("[ Send ]");
        terminal.press(key);
        terminal.await_text("Close without answering?");
        terminal.press(key);
        terminal.ends().is_json(1, &dismissed);
    }
}

#[test]
fn timeout_exits_with_124() {
    let home = Home::new();
    let run = in_terminal(&which()).args(["--timeout=2s"]);
    let terminal = Terminal::start(run, &home, 80, 24);
    terminal.await_text(" left");
    terminal.ends().is_json(124, &json!({ "outcome": "timed_out" }));
    terminal.await_text("Time ran out");
}

#[test]
fn signal_restores_the_terminal() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    signal("TSTP", terminal.process());
    until("the program to stop", || is_stopped(terminal.process()).then_some(()));
    until("the terminal to be given back", || terminal.is_given_back().then_some(()));
    signal("CONT", terminal.process());
    terminal.await_armed();
    signal("INT", terminal.process());
    terminal.ends().is_json(130, &json!({ "outcome": "withdrawn" }));
    for (name, code) in [("TERM", 128 + 15), ("HUP", 128 + 1)] {
        let terminal = ask(&home, &which());
        signal(name, terminal.process());
        let ended = terminal.ends();
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(code), ""), "{ended:?}");
        Run::command(["status"]).ends(&home).is(1, "not running; 1 open\n");
    }
}

fn is_stopped(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
}

#[test]
fn terminal_ignores_keys_before_arming() {
    let home = Home::new();
    home.configure("arming_ms = 3000");
    let terminal = Terminal::start(in_terminal(&which()), &home, 80, 24);
    for _ in 0..20 {
        terminal.press("1\r");
    }
    terminal.await_text("Which database?");
    terminal.press("2\r");
    terminal.await_armed();
    assert!(!terminal.screen().contains("(*)"), "{}", terminal.screen());
    assert!(!terminal.is_over());
    terminal.press("2\r");
    terminal.ends().answers(&chosen("SQLite"));
}

#[test]
fn terminal_keys_go_between_questions() {
    let home = Home::new();
    let terminal = ask(&home, &several());
    terminal.press(RIGHT);
    terminal.await_text("Question 2 of 3");
    terminal.press(RIGHT);
    terminal.await_text("Question 3 of 3");
    // In a text box the arrows are the text's.
    terminal.press("ab");
    terminal.press(LEFT);
    terminal.press("-");
    terminal.await_text("│ a-b");
    terminal.press("\x1b");
    terminal.await_current("[ Review ]");
    terminal.press("\x1b[9;5u");
    terminal.await_text("Not answered");
    terminal.press("\r");
    terminal.await_text("This question needs an answer.");
    terminal.await_text("Question 1 of 3");
    terminal.press("\x1b");
    terminal.await_text("Close without answering?");
    terminal.press("\x1b");
    assert_eq!(terminal.ends().code, Some(1));
}

#[test]
fn terminal_leaves_an_agreed_url_on_the_screen() {
    let address = "https://tracker.example/sign-in?state=1";
    let page = json!({ "jsonrpc": "2.0", "id": 3, "method": "elicitation/create", "params": {
        "mode": "url", "elicitationId": "1", "url": address, "message": "Please sign in.",
    }});
    for (key, action) in [("1\r", "accept"), ("2\r", "decline")] {
        let home = Home::new();
        let terminal = ask(&home, &page);
        terminal.press(key);
        let result = json!({ "action": action });
        terminal.ends().is_json(0, &json!({ "jsonrpc": "2.0", "id": 3, "result": result }));
        terminal.await_text("✓ Please sign in.");
        let left = terminal.screen().contains(&format!("Open it in a browser: {address}"));
        assert_eq!(left, action == "accept", "{}", terminal.screen());
    }
}
