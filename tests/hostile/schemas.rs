//! Payloads that would take years to check are refused, and meanwhile nobody is held up.

use serde_json::{Map, Value, json};

use crate::support::{Run, Screen, Wire};

const TOO_MANY_STEPS: &str =
    "not a usable JSON Schema: it takes more than 50000 steps to check one value";

/// Definitions of which each is the one before it twice: a few KB, and 2⁴⁰ steps to check.
fn bomb(mut schema: Value) -> Value {
    let twice = |level: usize| {
        let before = json!({ "$ref": format!("#/$defs/a{}", level - 1) });
        json!({ "allOf": [before, before] })
    };
    let mut parts: Map<_, _> = (1..40).map(|level| (format!("a{level}"), twice(level))).collect();
    parts.insert("a0".into(), json!(true));
    schema["allOf"] = twice(40)["allOf"].take();
    schema["$defs"] = parts.into();
    schema
}

/// A question with a bomb for its answer.
fn nova() -> Value {
    let schema = bomb(json!({ "type": "string", "default": "x" }));
    json!({ "interaction_id": 1, "question": "Name?", "schema": schema })
}

/// A form with a bomb for all of its fields together.
fn form(fields: usize) -> Value {
    let field = |n| (format!("field{n}"), json!({ "type": "string" }));
    let properties: Map<_, _> = (0..fields).map(field).collect();
    let schema = json!({ "type": "object", "properties": properties, "default": {} });
    json!({ "message": "Before I go on", "requestedSchema": bomb(schema) })
}

#[test]
fn schema_bomb_is_refused_and_holds_up_nobody() {
    let screen = Screen::start();
    let question = json!({ "question": "Which?", "options": ["A", "B"] });
    let window = Run::ask(&question).open(&screen);
    let mut wire = Wire::to(&screen);
    for (payload, at) in
        [(nova(), "schema"), (form(51), "requestedSchema"), (form(50), "requestedSchema")]
    {
        let told = format!("{at}: {TOO_MANY_STEPS}");
        // The app does not rely on the command.
        wire.send("ask", &json!({ "payload": payload }));
        assert_eq!(wire.next()["error"]["message"], told.as_str());
        Run::ask(&payload).ends(&screen).says(2, "", &format!("askdeck: {told}\n"));
    }
    let listed = Run::command(["list"]).ends(&screen);
    assert!(listed.code == Some(0) && listed.stdout.contains("Which?"), "{}", listed.stdout);
    window.person.press("2 Return");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Which?", "selected": ["B"] },
    ]));
}

#[test]
fn schema_bomb_with_a_default_is_refused() {
    let screen = Screen::start();
    let node = json!({ "$ref": "#/$defs/node" });
    let default = (0..60).fold(json!(1), |value, _| json!([value]));
    let schema = json!({
        "$ref": "#/$defs/node",
        "default": default,
        "$defs": { "node": { "default": default, "allOf": [{ "items": node }, { "items": node }] } },
    });
    let payload = json!({ "interaction_id": 1, "question": "Which?", "schema": schema });
    let told = "askdeck: schema: what is in its box from the start takes more than 200000 steps to check\n";
    Run::ask(&payload).ends(&screen).says(2, "", told);
}

#[test]
fn unknown_fields_are_reported_up_to_a_limit() {
    let screen = Screen::start();
    let mut payload = json!({ "question": "Which?", "options": ["A", "B"] });
    for n in 0..80_000 {
        payload[format!("f{n}")] = json!(1);
    }
    let mut wire = Wire::to_resident(&screen);
    wire.send("ask", &json!({ "payload": payload, "dialect": "askdeck" }));
    let refused = wire.next()["error"]["message"].take();
    let told: Vec<_> = refused.as_str().expect("it is refused").lines().collect();
    assert_eq!((told[0], told.len()), ("f0: unknown field", 101));
    assert_eq!(told[100], "79900 more problems");
}
