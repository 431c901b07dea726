use serde_json::{Value, json};

use super::person::Person;
use crate::session::{Action, AsideKind, Focus};

#[track_caller]
fn case(person: &Person, expected: &str) {
    let hints = person.view.hints.iter().map(|hint| format!("{} {}", hint.keys, hint.word));
    assert_eq!(hints.collect::<Vec<_>>().join(", "), expected);
}

fn which() -> Value {
    json!({ "question": "Which?", "options": ["a", "b"] })
}

#[test]
fn the_keys_that_work_are_named_where_they_work() {
    let person = Person::at(json!([which()]));
    case(&person, "↑ ↓ key_move, 1–3 key_choose, Enter key_send, Esc key_close");
    let person = person.press(&["3"]);
    case(&person, "Enter key_send, Shift+Enter key_line, Esc key_leave");
    let person = person.press(&["Escape"]).clicks(Action::OpenAside { aside: AsideKind::Decline });
    case(&person, "Enter key_decline, Shift+Enter key_line, Esc key_back");

    let multi = json!({ "question": "Which ones?", "type": "multi", "options": ["a", "b"], "other": false });
    let person = Person::at(json!([multi, { "question": "How many?", "type": "number" }]));
    case(
        &person,
        "↑ ↓ key_move, 1–2 key_choose, Space key_toggle, Enter key_next, ← → key_tabs, Esc key_close",
    );
    let person = person.press(&["1", "Enter"]);
    case(&person, "Enter key_next, Esc key_leave");
    let person = person.types(crate::session::TextField::Text, "3").press(&["Escape"]);
    case(&person, "Enter key_next, ← → key_tabs, Ctrl+Enter key_send, Esc key_close");
    let person = person.press(&["Enter"]);
    case(&person, "Enter key_send, ← → key_tabs, Esc key_close");
    let person = person.press(&["ArrowDown"]);
    assert_eq!(person.view.focus, Focus::Row { index: 0 });
    case(&person, "↑ ↓ key_move, Enter change, ← → key_tabs, Esc key_close");
}
