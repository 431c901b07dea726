//! Real pseudo-terminals: what the person types, what an emulator shows them, and what the caller
//! gets.

use serde_json::{Value, json};

use crate::support::{Home, Run, Terminal};

/// Whose question is whose, without an app.
mod claims;
/// One dialog on a terminal and in the window, and the app that comes and goes.
mod deck;
/// How it looks, whatever the terminal can do and whatever the agent sent.
mod drawn;
/// Every way a dialog can end, and what is left on the screen.
mod ended;
/// Nothing typed is lost when the terminal is.
mod kept;
/// Text boxes.
mod typed;

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";

fn which() -> Value {
    json!({ "agent": "Tester", "question": "Which database?", "options": [
        { "label": "PostgreSQL (Recommended)", "description": "For complex queries" },
        { "label": "SQLite", "description": "Nothing to set up" },
    ]})
}

fn in_words() -> Value {
    json!({ "agent": "Tester", "question": "In your words?", "type": "text" })
}

fn given(value: &str) -> Value {
    json!([{ "id": "question-0", "question": "In your words?", "value": value }])
}

fn chosen(label: &str) -> Value {
    json!([{ "id": "question-0", "question": "Which database?", "selected": [label] }])
}

fn in_terminal(payload: &Value) -> Run {
    Run::ask(payload).args(["--ui=terminal"])
}

/// Asks in a terminal of the usual size, and waits until it takes keys.
#[track_caller]
fn ask(home: &Home, payload: &Value) -> Terminal {
    open(home, in_terminal(payload))
}

#[track_caller]
fn open(home: &Home, run: Run) -> Terminal {
    let terminal = Terminal::start(run, home, 80, 24);
    terminal.await_armed();
    terminal
}
