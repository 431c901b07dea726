use std::{collections::BTreeSet, thread};

use serde_json::{Value, json};

use super::question;
use crate::support::{Person, Run, Screen, Wire, until};

/// A row of numbers that is the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % limit
    }
}

fn nonce(number: usize) -> Value {
    json!({
        "agent": format!("Agent {number}"),
        "question": "Which nonce?",
        "options": [format!("nonce-{number}")],
    })
}

#[test]
fn ten_that_ask_at_once_are_answered_in_any_order_each_with_its_own() {
    const SEED: u64 = 2026;
    let screen = Screen::start();
    let window = Run::ask(&nonce(0)).open(&screen);
    let mut running: Vec<_> =
        (1..=10).map(|number| (number, Run::ask(&nonce(number)).start(&screen))).collect();
    let mut wire = Wire::to(&screen);
    let open = until("all to be asked", || {
        let open = wire.call("list", &json!({}))["open"].take();
        open.as_array().filter(|open| open.len() == 11).cloned()
    });
    let mut dice = Dice(SEED);
    let mut order = Vec::new();
    while !running.is_empty() {
        let (number, one) = running.remove(dice.below(running.len()));
        order.push(number);
        let agent = format!("Agent {number}");
        let its = open.iter().find(|open| open["agent"] == agent.as_str()).expect("it is open");
        let shown = wire.call("show", &json!({ "ticket": its["ticket"] }));
        assert_eq!(shown, json!({ "done": true }), "seed {SEED}, so far {order:?}");
        let nonce = format!("nonce-{number}");
        window.await_text(".current .card .label", &nonce);
        window.await_armed();
        window.person.press("Return");
        one.ends().answers(&json!([
            { "id": "question-0", "question": "Which nonce?", "selected": [nonce] },
        ]));
    }
    assert!(!order.is_sorted(), "seed {SEED} gives no random order");
}

#[test]
fn a_thousand_wait_at_once_and_each_gets_its_own() {
    const CALLERS: usize = 1_000;
    const BY_KEYS: usize = 3;
    let screen = Screen::start();
    let mut control = Wire::to_resident(&screen);
    let mut callers: Vec<Wire> = (0..CALLERS)
        .map(|number| {
            let mut caller = Wire::to(&screen);
            let ticket = format!("ticket-{number}");
            caller.send("ask", &json!({ "payload": nonce(number), "ticket": ticket }));
            caller
        })
        .collect();
    until("all to be asked", || {
        let open = control.call("list", &json!({}))["open"].take();
        (open.as_array()?.len() == CALLERS).then_some(())
    });
    let person = Person::at(&screen);
    let by_keys: Vec<_> = (0..BY_KEYS)
        .map(|_| {
            person.press_until("Return", || {
                callers
                    .iter()
                    .enumerate()
                    .find_map(|(number, caller)| Some((number, caller.came()?)))
            })
        })
        .collect();
    for (number, reply) in &by_keys {
        assert_eq!(reply["result"]["ticket"], format!("ticket-{number}"));
        assert_eq!(reply["result"]["outcome"], "answered");
        let written = reply["result"]["written"].as_str().expect("a text");
        assert!(written.contains(&format!("\"nonce-{number}\"")), "{written}");
    }
    let answered: BTreeSet<usize> = by_keys.iter().map(|(number, _)| *number).collect();
    for (number, caller) in callers.iter_mut().enumerate() {
        let ticket = format!("ticket-{number}");
        let withdrawn = control.call("withdraw", &json!({ "ticket": ticket }));
        if withdrawn == json!({ "withdrawn": true }) {
            let reply = caller.next();
            assert_eq!(reply["result"]["outcome"], "withdrawn", "{number}");
            assert_eq!(reply["result"]["ticket"], ticket);
        } else {
            // A Return too many has answered one that was not waited for.
            let reply = if answered.contains(&number) { None } else { Some(caller.next()) };
            assert!(reply.is_none_or(|reply| reply["result"]["ticket"] == ticket), "{number}");
        }
    }
    assert_eq!(control.call("list", &json!({})), json!({ "open": [] }));
}

#[test]
fn eight_clients_submit_thousands_and_all_are_stored() {
    const EACH: usize = 260;
    let screen = Screen::start();
    let mut control = Wire::to_resident(&screen);
    let submitted: BTreeSet<String> = thread::scope(|scope| {
        let clients: Vec<_> = (0..8)
            .map(|client| {
                let mut wire = Wire::to(&screen);
                scope.spawn(move || {
                    for number in 0..EACH {
                        let payload = question(&format!("{number} of client {client}?"));
                        wire.send("submit", &json!({ "payload": payload }));
                    }
                    (0..EACH).map(|_| ticket(&wire.next()["result"])).collect::<Vec<_>>()
                })
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().expect("all are taken")).collect()
    });
    assert_eq!(submitted.len(), 8 * EACH);
    let open = control.call("list", &json!({}))["open"].take();
    let listed: BTreeSet<_> = open.as_array().expect("a list").iter().map(ticket).collect();
    assert!(listed == submitted, "the list is not what was submitted");

    Run::command(["stop"]).ends(&screen).is(0, "");
    let kept = Run::command(["status"]).ends(&screen);
    kept.is(1, &format!("not running; {} open\n", 8 * EACH));
}

fn ticket(of: &Value) -> String {
    of["ticket"].as_str().expect("a ticket is a text").to_owned()
}
