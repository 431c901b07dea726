//! Whose question is whose: keys, tickets, ids and withdrawals of several callers.

use askdeck_core::dialect;
use serde_json::{Value, json};

use super::question;
use crate::support::{Ended, Home, Kept, Person, Run, Screen, Wire, signal, until};

const KEY_TAKEN: &str = "another question with the same key is open; choose another key, or none";

fn run<const N: usize>(home: &Home, args: [&str; N]) -> Ended {
    Run::command(args).ends(home)
}

/// An app in which this test answers by the socket, where no person is needed.
fn answering(screen: &Screen) -> Wire {
    screen.configure("answers_over_socket = true");
    Wire::to_resident(screen)
}

#[track_caller]
fn answer(wire: &mut Wire, ticket: &str, answer: &Value) {
    let answers = json!({ "ticket": ticket, "answers": [answer] });
    until("it to be asked", || (wire.call("answer", &answers)["done"] == true).then_some(()));
}

#[track_caller]
fn await_asked(screen: &Screen, ticket: &str) {
    until("it to be asked", || (run(screen, ["result", ticket]).code == Some(1)).then_some(()));
}

fn written(ended: &Value) -> Value {
    let written = ended["written"].as_str().unwrap_or_else(|| panic!("not ended: {ended}"));
    serde_json::from_str(written).expect("these dialects are JSON")
}

/// A command that asks this with the key `deploy`.
fn keyed(text: &str) -> Run {
    Run::ask(&question(text)).args(["--key=deploy"])
}

#[test]
fn key_of_another_open_question_is_refused() {
    let screen = Screen::without_arming();
    run(&screen, ["resident"]).is(0, "");
    let first = keyed("Staging?").start(&screen);
    Person::at(&screen);
    let assert_refused = || {
        let refused = format!("askdeck: {KEY_TAKEN}\n");
        keyed("Production?").ends(&screen).says(2, "", &refused);
        keyed("Production?").args(["--no-wait"]).ends(&screen).says(2, "", &refused);
        let mut wire = Wire::to(&screen);
        for method in ["ask", "submit"] {
            wire.send(method, &json!({ "payload": question("Production?"), "key": "deploy" }));
            let error = json!({ "code": -32602, "message": KEY_TAKEN });
            assert_eq!(wire.next()["error"], error, "{method}");
        }
        run(&screen, ["status"]).is(0, "running resident, version 0.1.0; 1 open\n");
    };
    assert_refused();
    // Also of a question that was restored.
    signal("KILL", screen.programs("askdeck-desktop")[0]);
    run(&screen, ["resident"]).is(0, "");
    assert_refused();

    let mut joined = keyed("Staging?").start(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Tester");
    until("both to be asked again", || (kept.count(&ticket, "asked_again") == 2).then_some(()));
    run(&screen, ["show", &ticket]).is(0, "");
    Person::at(&screen).press_once("Return", || joined.is_over().then_some(()));
    let answers = json!([{ "id": "question-0", "question": "Staging?", "selected": ["Now"] }]);
    for asked in [first, joined] {
        asked.ends().answers(&answers);
    }
}

#[test]
fn undelivered_answer_is_not_used_for_another_question_with_its_key() {
    let screen = Screen::start();
    let mut wire = answering(&screen);
    // Killed, and answered after that.
    drop({
        let killed = keyed("Staging?").start(&screen);
        until("it to be asked", || (!run(&screen, ["list"]).stdout.is_empty()).then_some(()));
        killed
    });
    let ticket = Kept::of(&screen).ticket("Tester");
    let kept = Kept::of(&screen);
    until("it to be gone", || (kept.count(&ticket, "caller_left") == 1).then_some(()));
    answer(&mut wire, &ticket, &json!({ "selected": [0] }));

    let mut other = keyed("Production?").start(&screen);
    let asked = until("the other to be asked", || {
        let open = wire.call("list", &json!({}))["open"].take();
        (open[0]["about"] == "Production?").then(|| open[0]["ticket"].as_str().map(str::to_owned))
    });
    assert!(!other.is_over());
    answer(&mut wire, &asked.expect("a ticket"), &json!({ "selected": [1] }));
    let answers = json!([{ "id": "question-0", "question": "Production?", "selected": ["Later"] }]);
    other.ends().answers(&answers);
    // The same question still gets its own.
    let answers = json!([{ "id": "question-0", "question": "Staging?", "selected": ["Now"] }]);
    keyed("Staging?").ends(&screen).answers(&answers);
}

#[test]
fn ticket_is_refused_for_another_question_with_its_key() {
    let screen = Screen::start();
    let mut wire = answering(&screen);
    let ask = |text| json!({ "payload": question(text), "ticket": "t", "key": "deploy" });
    let why = "another question has the ticket `t`; choose another, or none";
    let refused = |wire: &mut Wire| {
        for method in ["ask", "submit"] {
            wire.send(method, &ask("Production?"));
            assert_eq!(wire.next()["error"]["message"], why, "{method}");
        }
    };
    wire.call("submit", &ask("Staging?"));
    refused(&mut wire);
    answer(&mut wire, "t", &json!({ "selected": [0] }));
    refused(&mut wire);
}

/// A question of each of these dialects with this id, an answer to it, and where the reply has the id.
fn with_id(id: &str) -> Vec<(Value, Value, &'static str)> {
    let options =
        json!([{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }]);
    let questions = json!([{ "question": "Which?", "header": "Which", "options": options, "multiSelect": false }]);
    let chosen = json!({ "selected": [1] });
    let codex = json!([{ "id": "q", "question": "Which?", "header": "Which", "options": options,
        "isOther": false, "isSecret": false }]);
    let kimi = json!([{ "question": "Which?", "header": "Which", "options": options, "multi_select": false }]);
    let gemini =
        json!([{ "question": "Which?", "header": "Which", "options": options, "type": "choice" }]);
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let ag_ui = json!([{ "id": id, "reason": "input_required", "message": "Which?" }]);
    vec![
        (
            json!({ "interaction_id": id, "question": "Which?" }),
            json!({ "value": "B" }),
            "/interaction_id",
        ),
        (
            json!({ "id": id, "method": "item/tool/requestUserInput", "params": {
                "threadId": "t", "turnId": "u", "itemId": "i", "questions": codex } }),
            chosen.clone(),
            "/id",
        ),
        (
            json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": {
                "mode": "form", "message": "Which?", "requestedSchema": schema } }),
            json!({ "value": "B" }),
            "/id",
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "request", "params": {
                "type": "QuestionRequest",
                "payload": { "id": id, "tool_call_id": "t", "questions": kimi } } }),
            chosen.clone(),
            "/result/request_id",
        ),
        (
            json!({ "type": "ask-user-request", "correlationId": id, "questions": gemini }),
            chosen.clone(),
            "/correlationId",
        ),
        (json!({ "type": "ask_user", "id": id, "questions": questions }), chosen, "/id"),
        (
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r",
                "outcome": { "type": "interrupt", "interrupts": ag_ui } }),
            json!({ "value": "B" }),
            "/resume/0/interruptId",
        ),
    ]
}

#[test]
fn joined_caller_gets_the_ids_of_its_own_payload() {
    let screen = Screen::start();
    let mut wire = answering(&screen);
    for (number, (one, other)) in with_id("one").into_iter().zip(with_id("other")).enumerate() {
        let (payload, given, at) = one;
        let id = |ended: &Value| written(ended).pointer(at).cloned();
        let [first, second, late] =
            ["first", "second", "late"].map(|name| format!("{name}-{number}"));
        let key = number.to_string();
        let ask = |payload: &Value, ticket: &str| json!({ "payload": payload, "ticket": ticket, "key": key });
        let (mut waits, mut joins) = (Wire::to(&screen), Wire::to(&screen));
        waits.send("ask", &ask(&payload, &first));
        await_asked(&screen, &first);
        joins.send("ask", &ask(&other.0, &second));
        await_asked(&screen, &second);
        answer(&mut wire, &second, &given);
        for (waiting, ticket, own) in [(waits, &first, "one"), (joins, &second, "other")] {
            let ended = waiting.next()["result"].take();
            assert_eq!(id(&ended), Some(own.into()), "{ended}");
            assert_eq!(ended["ticket"], **ticket);
            let later = wire.call("result", &json!({ "ticket": ticket }));
            assert_eq!(later, ended);
        }

        // An answer that reached nobody is given to another caller of the same question.
        let mut leaves = Wire::to(&screen);
        leaves.send("ask", &ask(&payload, &format!("gone-{number}")));
        await_asked(&screen, &format!("gone-{number}"));
        leaves.leave();
        let kept = Kept::of(&screen);
        until("it to be gone", || {
            (kept.count(&format!("gone-{number}"), "caller_left") == 1).then_some(())
        });
        answer(&mut wire, &format!("gone-{number}"), &given);
        let reused = wire.call("ask", &ask(&other.0, &late));
        assert_eq!(
            (&reused["reused"], id(&reused)),
            (&json!(true), Some("other".into())),
            "{reused}"
        );
    }

    // The same without the app that was asked, and with the next one.
    run(&screen, ["stop"]).is(0, "");
    for (number, (_, _, at)) in with_id("").into_iter().enumerate() {
        for (name, own) in
            [("first", "one"), ("second", "other"), ("late", "other"), ("gone", "one")]
        {
            let told = run(&screen, ["result", &format!("{name}-{number}")]);
            let told: Value = serde_json::from_str(&told.stdout).expect("it prints JSON");
            assert_eq!(told.pointer(at), Some(&json!(own)), "{name}: {told}");
        }
    }
    let mut wire = Wire::to_resident(&screen);
    for (number, (_, _, at)) in with_id("").into_iter().enumerate() {
        for (name, own) in [("first", "one"), ("second", "other"), ("late", "other")] {
            let told = wire.call("result", &json!({ "ticket": format!("{name}-{number}") }));
            assert_eq!(written(&told).pointer(at), Some(&json!(own)), "{told}");
        }
    }
}

#[test]
fn reply_is_in_the_dialect_of_its_own_caller() {
    let screen = Screen::start();
    let mut wire = answering(&screen);
    let payload = json!({ "question": "Which?", "type": "text", "notes": false });
    let ask = |ticket: &str, to: &str| json!({ "payload": payload, "to": to, "ticket": ticket, "key": "k" });
    let (mut one, mut other) = (Wire::to(&screen), Wire::to(&screen));
    one.send("ask", &ask("one", "askdeck"));
    await_asked(&screen, "one");
    other.send("ask", &ask("other", "text"));
    await_asked(&screen, "other");
    answer(&mut wire, "one", &json!({ "value": "B" }));
    let own = json!({ "outcome": "answered", "answers": [
        { "id": "question-0", "question": "Which?", "value": "B" },
    ]});
    assert_eq!(written(&one.next()["result"]), own);
    let text = other.next()["result"]["written"].take();
    assert!(
        text.as_str().is_some_and(|text| text.contains('B') && !text.starts_with('{')),
        "{text}"
    );
}

#[test]
fn withdrawing_leaves_the_question_to_other_submitters() {
    let screen = Screen::start();
    let mut wire = answering(&screen);
    let submit = |ticket: &str| json!({ "payload": question("Deploy?"), "ticket": ticket });
    for ticket in ["one", "other"] {
        assert_eq!(wire.call("submit", &submit(ticket))["ticket"], ticket);
    }
    assert_eq!(wire.call("withdraw", &json!({ "ticket": "one" })), json!({ "withdrawn": true }));
    assert_eq!(wire.call("withdraw", &json!({ "ticket": "one" })), json!({ "withdrawn": false }));
    assert_eq!(wire.call("list", &json!({}))["open"][0]["ticket"], "other", "the one that is open");
    let result = |wire: &mut Wire, ticket: &str| wire.call("result", &json!({ "ticket": ticket }));
    assert_eq!(result(&mut wire, "one")["outcome"], "withdrawn");
    assert_eq!(result(&mut wire, "other")["state"], "pending");
    // Asked again under a ticket that was taken back, it stays so.
    assert_eq!(wire.call("ask", &submit("one"))["outcome"], "withdrawn");
    answer(&mut wire, "other", &json!({ "selected": [0] }));
    assert_eq!(result(&mut wire, "other")["outcome"], "answered");
    assert_eq!(result(&mut wire, "one")["outcome"], "withdrawn");
}

#[test]
fn dropped_connection_keeps_the_question() {
    let screen = Screen::start();
    let mut wire = answering(&screen);
    let ask = |ticket: &str| json!({ "payload": question("Deploy?"), "ticket": ticket });
    let (mut leaves, mut withdraws) = (Wire::to(&screen), Wire::to(&screen));
    let await_left = |wire: &mut Wire| {
        until("nobody to wait", || {
            let open = wire.call("list", &json!({}))["open"].take();
            (open[0]["ticket"] == "left" && open[0]["state"] == "caller_left").then_some(())
        });
    };
    leaves.send("ask", &ask("left"));
    await_asked(&screen, "left");
    leaves.leave();
    await_left(&mut wire);
    withdraws.send("ask", &ask("taken-back"));
    await_asked(&screen, "taken-back");
    wire.call("withdraw", &json!({ "ticket": "taken-back" }));
    assert_eq!(withdraws.next()["result"]["outcome"], "withdrawn");
    await_left(&mut wire);
    answer(&mut wire, "left", &json!({ "selected": [0] }));
    assert_eq!(wire.call("ask", &ask("left"))["outcome"], "answered");
}

#[test]
fn withdrawn_ticket_stays_withdrawn() {
    let screen = Screen::start();
    let wire = answering(&screen);
    let ask = |ticket: &str| json!({ "payload": question("Deploy?"), "ticket": ticket });
    let (mut withdraws, mut stays) = (Wire::to(&screen), Wire::to(&screen));
    withdraws.send("ask", &ask("taken-back"));
    await_asked(&screen, "taken-back");
    stays.send("ask", &ask("stays"));
    await_asked(&screen, "stays");
    run(&screen, ["withdraw", "taken-back"]).is(0, "");
    assert_eq!(withdraws.next()["result"]["outcome"], "withdrawn");
    let told = json!({ "outcome": "withdrawn" });
    let check = || run(&screen, ["result", "taken-back"]).is_json(130, &told);
    check();
    signal("KILL", screen.programs("askdeck-desktop")[0]);
    stays.await_closed();
    check();
    let mut wire = {
        drop(wire);
        Wire::to_resident(&screen)
    };
    check();
    await_asked(&screen, "stays");
    answer(&mut wire, "stays", &json!({ "selected": [0] }));
    check();
    // What only this caller hears is no delivery: the answer is still there for the other.
    assert_eq!(wire.call("ask", &ask("stays"))["outcome"], "answered");
    run(&screen, ["stop"]).is(0, "");
    check();
    assert_eq!(run(&screen, ["result", "stays"]).code, Some(0));
}

#[test]
fn withdraw_needs_no_app() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    let submit = |ticket: &str| json!({ "payload": question("Deploy?"), "ticket": ticket });
    for ticket in ["one", "other"] {
        wire.call("submit", &submit(ticket));
    }
    run(&screen, ["stop"]).is(0, "");
    let withdraw = |ticket: &str| {
        let run = Run::command(["withdraw", ticket]);
        run.without_env("DISPLAY").without_env("WAYLAND_DISPLAY").ends(&screen)
    };
    let unknown = |ticket: &str| {
        format!("askdeck: no open question has the ticket `{ticket}`; see `askdeck list`\n")
    };
    withdraw("one").is(0, "");
    withdraw("one").says(2, "", &unknown("one"));
    run(&screen, ["result", "one"]).is_json(130, &json!({ "outcome": "withdrawn" }));
    assert!(run(&screen, ["list"]).stdout.starts_with("other  "));
    run(&screen, ["status"]).is(1, "not running; 1 open\n");
    withdraw("other").is(0, "");
    run(&screen, ["status"]).is(1, "not running; 0 open\n");
    withdraw("nonsense").says(2, "", &unknown("nonsense"));
    assert!(screen.programs("askdeck-desktop").is_empty());
}

/// A secret question in each dialect that can ask for one.
fn secrets() -> Vec<(&'static str, Value)> {
    let password = json!({ "type": "string", "format": "password" });
    let form = json!({ "type": "object", "properties": { "token": password } });
    let params = json!({ "mode": "form", "message": "Token?", "requestedSchema": form });
    let request = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    vec![
        ("askdeck", json!({ "question": "Token?", "type": "secret" })),
        (
            "codex",
            json!({ "threadId": "t", "turnId": "u", "itemId": "i", "questions": [
                { "id": "token", "header": "Token", "question": "Token?", "isOther": true,
                  "isSecret": true, "options": null } ] }),
        ),
        ("nova", json!({ "interaction_id": 1, "question": "Token?", "schema": password })),
        ("mcp", request("elicitation/create", params.clone())),
        (
            "acp",
            request("elicitation/create", {
                let mut params = params;
                params["sessionId"] = json!("s");
                params
            }),
        ),
        (
            "ag-ui",
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {
                "type": "interrupt", "interrupts": [
                    { "id": "i", "reason": "input_required", "message": "Token?", "responseSchema": form } ] } }),
        ),
    ]
}

#[test]
fn no_subscriber_gets_a_secret_in_any_dialect() {
    let screen = Screen::start();
    let mut wire = answering(&screen);
    let mut asker = Wire::to(&screen);
    let mut subscribers = ["askdeck", "nova", "sema"].map(|words| {
        let mut subscriber = Wire::to(&screen);
        assert_eq!(subscriber.call("subscribe", &json!({ "as": words }))["done"], true);
        (words, subscriber, 0)
    });
    let canary = "canary4713";
    let mut count = 0;
    for (name, payload) in secrets() {
        for to in dialect::ALL.map(|dialect| dialect.name) {
            let ticket = format!("{name}-{to}");
            let ask = json!({ "payload": payload, "dialect": name, "to": to, "ticket": ticket });
            asker.send("ask", &ask);
            let reply = until("it to be asked, or refused", || {
                let answers = json!({ "ticket": ticket, "answers": [{ "value": canary }] });
                let answered = wire.call("answer", &answers)["done"] == true;
                asker.came().or_else(|| answered.then(|| asker.next()))
            });
            // Some dialects cannot carry every question back.
            if reply.get("error").is_some() {
                continue;
            }
            assert!(reply["result"].to_string().contains(canary), "{ticket}: {reply}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
    for (words, subscriber, heard) in &mut subscribers {
        subscriber.send("list", &json!({}));
        let last = loop {
            let message = subscriber.next();
            if message.get("id").is_some() {
                break message;
            }
            assert!(!message.to_string().contains(canary), "{words}: {message}");
            *heard += 1;
        };
        assert_eq!(last["result"]["open"], json!([]));
        assert!(*heard >= 2 * secrets().len(), "{words} heard {heard}");
    }
}
