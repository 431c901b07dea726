//! Where no window can be shown, the client asks in its own way.

use serde_json::{Value, json};

use super::{NO_ANSWER, first, told, which};
use crate::support::{Home, McpClient, Person, Run, Screen, signal};

fn all() -> Value {
    let mut questions = which();
    let list = questions["questions"].as_array_mut().expect("a list");
    list.push(json!({ "question": "Which features?", "multiSelect": true, "options": [
        { "label": "Search" }, { "label": "Export" },
    ]}));
    list.push(json!({ "question": "In your words?", "type": "text" }));
    questions
}

/// A client that fills in the form so.
#[track_caller]
fn client(home: &Home, mode: &str, reply: &Value) -> McpClient {
    McpClient::with(home, [], &json!({ "mode": mode, "elicitation": reply }))
}

#[test]
fn questions_become_a_flat_elicitation_form() {
    let home = Home::new();
    for mode in ["legacy", "2026-07-28"] {
        let content = json!({
            "question_1": "SQLite",
            "question_2": ["Export"],
            "question_2_other": "Import",
            "question_3": "keep it small",
        });
        let mut client = client(&home, mode, &json!({ "action": "accept", "content": content }));
        let call = client.call("ask_user_question", &all());
        let text = "The user answered.\n\n\
            1. Database: Which database?\n   Selected: SQLite\n\n\
            2. Which features?\n   Selected: Export\n   Own words: Import\n\n\
            3. In your words?\n   Answer: keep it small";
        let structured = told(&client.result(call), text);
        assert_eq!(structured["answers"][1]["other"], "Import", "{mode}");
        let form = client.hear("the form", |line| line.get("elicitation").cloned());
        assert_eq!(form["message"], "3 questions", "{mode}");
        let schema = &form["requestedSchema"];
        let labels = json!(["PostgreSQL (Recommended)", "SQLite"]);
        assert_eq!(schema["properties"]["question_1"]["enum"], labels, "{mode}");
        assert_eq!(schema["properties"]["question_2"]["type"], "array", "{mode}");
        let fields: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
        assert_eq!(fields.len(), 5, "{mode}");
        // Beside an Other no option can be demanded.
        assert_eq!(schema["required"], json!(["question_3"]), "{mode}");
    }
}

#[test]
fn elicited_empty_field_stays_empty() {
    let home = Home::new();
    let content = json!({ "question_1": "", "question_3": "x" });
    let mut client = client(&home, "legacy", &json!({ "action": "accept", "content": content }));
    let call = client.call("ask_user_question", &all());
    let structured = client.result(call)["structuredContent"].clone();
    assert_eq!(first(&structured)["skipped"], true);
    assert_eq!(structured["answers"][1]["skipped"], true);
    assert_eq!(structured["answers"][2]["value"], "x");
}

#[test]
fn refused_or_closed_elicitation_is_no_answer() {
    let home = Home::new();
    let closed = "The client's form was closed without an answer. The user may not have seen it.";
    for (action, outcome, text) in
        [("decline", "declined", "The user declined to answer."), ("cancel", "dismissed", closed)]
    {
        for mode in ["legacy", "2026-07-28"] {
            let mut client = client(&home, mode, &json!({ "action": action }));
            let call = client.call("confirm_action", &json!({ "action": "Delete all?" }));
            let structured = told(&client.result(call), &format!("{text}{NO_ANSWER}"));
            assert_eq!(structured, json!({ "outcome": outcome }), "{action} {mode}");
        }
    }
}

#[test]
fn elicited_confirmation_needs_an_answer() {
    let home = Home::new();
    for (content, confirmed) in [
        (json!({ "question_1": "Yes" }), json!(true)),
        (json!({ "question_1": "No" }), json!(false)),
    ] {
        let mut client =
            client(&home, "legacy", &json!({ "action": "accept", "content": content }));
        let call = client.call("confirm_action", &json!({ "action": "Delete all?" }));
        assert_eq!(client.result(call)["structuredContent"]["confirmed"], confirmed);
    }
    for content in [json!({ "question_1": "Maybe" }), json!({ "question_1": true })] {
        let mut client =
            client(&home, "legacy", &json!({ "action": "accept", "content": content }));
        let call = client.call("confirm_action", &json!({ "action": "Delete all?" }));
        let result = client.result(call);
        assert_eq!(result["isError"], true, "{result}");
    }
}

#[test]
fn client_without_elicitation_gets_no_answer() {
    let home = Home::new();
    let mut client = McpClient::start(&home, []);
    let call = client.call("ask_user_question", &all());
    let result = client.result(call);
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["content"][0]["text"],
        "There is no answer: there is no display to show the question on; set DISPLAY or \
         WAYLAND_DISPLAY, or run this in a desktop session.\nDo not assume an answer."
    );
}

/// The tools ask for no secret, but by its ticket a client may wait for any question.
#[test]
fn secret_is_never_elicited() {
    let screen = Screen::start();
    let secret = json!({ "agent": "Tester", "question": "Password?", "type": "secret" });
    let asked = Run::ask(&secret).args(["--no-wait"]).ends(&screen);
    let ticket = asked.stdout.trim();
    let person = Person::at(&screen);
    signal("KILL", person.app());
    person.await_gone();
    for mode in ["legacy", "2026-07-28"] {
        let reply = json!({ "action": "accept", "content": { "question_1": "hunter2" } });
        let setup = json!({ "mode": mode, "elicitation": reply, "without_display": true });
        let mut client = McpClient::with(&screen, [], &setup);
        let call = client.call("get_answer", &json!({ "ticket": ticket }));
        let result = client.result(call);
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.starts_with("There is no answer: there is no display"), "{mode}: {result}");
    }
}
