use serde_json::{Value, json};

use super::question;
use crate::support::{Person, Run, Screen, Wire};

/// The next event, which must be this one.
#[track_caller]
fn hears(wire: &Wire, event: &str, about: &str) {
    let heard = wire.next();
    assert_eq!(heard["method"], "event", "{heard}");
    let params = &heard["params"];
    assert_eq!((&params["event"], &params["about"]), (&event.into(), &about.into()), "{heard}");
    assert_eq!(params["agent"], "Tester");
    assert!(params["at"].as_i64().is_some_and(|at| at > 1_600_000_000_000), "{heard}");
}

#[track_caller]
fn subscribe(screen: &Screen, params: &Value) -> Wire {
    let mut wire = Wire::to_resident(screen);
    assert_eq!(wire.call("subscribe", params), json!({ "done": true }));
    wire
}

/// Presses the keys once, and returns the next message.
#[track_caller]
fn press(screen: &Screen, key: &str, wire: &Wire) -> Value {
    Person::at(screen).press_once(key, || wire.came())
}

#[test]
fn subscriber_gets_every_event() {
    let screen = Screen::without_arming();
    let wire = subscribe(&screen, &json!({}));
    let mut asker = Wire::to(&screen);

    asker.send("ask", &json!({ "payload": question("Answer?"), "ticket": "one" }));
    hears(&wire, "asked", "Answer?");
    hears(&wire, "shown", "Answer?");
    let answered = press(&screen, "Return", &wire);
    assert_eq!(answered["params"]["event"], "answered");
    assert_eq!(answered["params"]["ticket"], "one");
    assert_eq!(asker.next()["result"]["outcome"], "answered");
    asker.call("received", &json!({ "ticket": "one" }));
    hears(&wire, "delivered", "Answer?");

    asker.send("submit", &json!({ "payload": question("Withdraw?"), "ticket": "two" }));
    hears(&wire, "asked", "Withdraw?");
    hears(&wire, "shown", "Withdraw?");
    asker.send("withdraw", &json!({ "ticket": "two" }));
    hears(&wire, "withdrawn", "Withdraw?");

    asker.send("submit", &json!({ "payload": question("Too late?"), "timeout_ms": 12000 }));
    hears(&wire, "asked", "Too late?");
    hears(&wire, "shown", "Too late?");
    hears(&wire, "timed_out", "Too late?");

    asker.send("submit", &json!({ "payload": question("Later?"), "ticket": "three" }));
    hears(&wire, "asked", "Later?");
    hears(&wire, "shown", "Later?");
    assert_eq!(press(&screen, "Escape", &wire)["params"]["event"], "set_aside");
    Wire::to(&screen).call("withdraw", &json!({ "ticket": "three" }));
    hears(&wire, "withdrawn", "Later?");
}

#[test]
fn subscriber_gets_caller_left_and_caller_back() {
    let screen = Screen::start();
    let wire = subscribe(&screen, &json!({ "as": "askdeck" }));
    let ask = json!({ "payload": question("Where are you?"), "key": "same" });
    let mut asker = Wire::to(&screen);
    asker.send("ask", &ask);
    hears(&wire, "asked", "Where are you?");
    hears(&wire, "shown", "Where are you?");
    asker.leave();
    hears(&wire, "caller_left", "Where are you?");
    Wire::to(&screen).send("submit", &ask);
    hears(&wire, "asked_again", "Where are you?");
}

#[test]
fn subscriber_gets_a_decline() {
    let screen = Screen::start();
    let window = Run::ask(&question("Decline?")).open(&screen);
    let mut wire = Wire::to(&screen);
    assert_eq!(wire.call("subscribe", &json!({})), json!({ "done": true }));
    window.click(".away button:nth-child(1)");
    window.await_focus(".composer [data-focus='aside']");
    window.click(".primary");
    hears(&wire, "declined", "Decline?");
    hears(&wire, "delivered", "Decline?");
}

#[test]
fn subscriber_as_nova() {
    let screen = Screen::without_arming();
    let wire = subscribe(&screen, &json!({ "as": "nova" }));
    let mut asker = Wire::to(&screen);
    let prompt = |id: u32| {
        json!({
            "interaction_id": id,
            "question": "Which calendar?",
            "schema": { "type": "string", "enum": ["Work", "Home"] },
            "origin_name": "Calendar agent",
            "thread_id": 7,
        })
    };
    let update = |id: u32, status: &str| json!({ "jsonrpc": "2.0", "method": "interaction_update", "params": { "interaction_id": id, "status": status } });
    let prompted =
        |id: u32| json!({ "jsonrpc": "2.0", "method": "user_prompt", "params": prompt(id) });

    asker.send("ask", &json!({ "payload": prompt(1), "ticket": "one" }));
    assert_eq!(wire.next(), prompted(1));
    assert_eq!(press(&screen, "Return", &wire), update(1, "ANSWERED"));
    let reply = asker.next();
    let written = json!({ "interaction_id": 1, "status": "ANSWERED", "answer": "Work" });
    assert_eq!(reply["result"]["written"], written.to_string());
    asker.call("received", &json!({ "ticket": "one" }));
    assert_eq!(wire.next(), update(1, "RESUMING"));
    // Who fetches it once more resumes nothing.
    let fetched = asker.call("result", &json!({ "ticket": "one" }));
    assert_eq!(fetched["written"], written.to_string());

    asker.send("ask", &json!({ "payload": prompt(2), "ticket": "two" }));
    assert_eq!(wire.next(), prompted(2));
    Wire::to(&screen).call("withdraw", &json!({ "ticket": "two" }));
    assert_eq!(wire.next(), update(2, "CANCELED"));
    assert_eq!(asker.next()["result"]["outcome"], "withdrawn");

    // Nothing was said in between, and of others nothing is.
    asker.send("submit", &json!({ "payload": question("Not Nova's?") }));
    asker.send("submit", &json!({ "payload": prompt(3) }));
    assert_eq!(wire.next(), prompted(3));
}

#[test]
fn subscriber_as_sema() {
    let screen = Screen::without_arming();
    let wire = subscribe(&screen, &json!({ "as": "sema" }));
    let mut asker = Wire::to(&screen);
    let request = json!({
        "agentId": "main",
        "questions": [{
            "question": "这个功能使用哪个状态管理库？",
            "header": "状态管理",
            "options": [
                { "label": "Redux Toolkit", "description": "成熟方案，适合大型项目" },
                { "label": "Zustand", "description": "轻量简洁，适合中小型项目" },
            ],
            "multiSelect": false,
        }],
        "metadata": { "source": "remember" },
    });
    let response = json!({ "agentId": "main", "answers": { "question-0": "Redux Toolkit" } });
    asker.send("ask", &json!({ "payload": request }));
    let event =
        |name: &str, data: &Value| json!({ "jsonrpc": "2.0", "method": name, "params": data });
    assert_eq!(wire.next(), event("ask:question:request", &request));
    let answered = press(&screen, "Return", &wire);
    assert_eq!(answered, event("ask:question:response", &response));
    assert_eq!(asker.next()["result"]["written"], response.to_string());
}

#[test]
fn subscriber_as_an_unknown_dialect_is_refused() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    wire.send("subscribe", &json!({ "as": "klingon" }));
    let error = json!({ "code": -32602, "message": "as: unknown value `klingon`, expected `askdeck`, `nova` or `sema`" });
    assert_eq!(wire.next()["error"], error);
}
