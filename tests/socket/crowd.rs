use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    process::{Child, Stdio},
    thread,
};

use serde_json::{Value, json};

use super::question;
use crate::support::{Person, Run, Screen, Wire, askdeck, until};

/// Lets programs answer in the person's place.
const ANSWERED_OVER_SOCKET: &str = "focus = \"always\"\nanswers_over_socket = true";

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
fn ten_callers_are_answered_in_any_order() {
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

/// The reply is the answer to this question, and no other.
#[track_caller]
fn assert_own(number: usize, reply: &Value) {
    assert_eq!(reply["result"]["ticket"], format!("ticket-{number}"));
    assert_eq!(reply["result"]["outcome"], "answered");
    let written = reply["result"]["written"].as_str().expect("a text");
    assert!(written.contains(&format!("\"nonce-{number}\"")), "{written}");
}

/// A command that waits for its payload.
fn waiting_for_input(screen: &Screen) -> Child {
    let child = screen
        .command(askdeck())
        .args(["ask", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    until("it to read", || {
        let waits = fs::read_to_string(format!("/proc/{}/wchan", child.id())).ok()?;
        waits.ends_with("pipe_read").then_some(())
    });
    child
}

/// Asks ten at once and answers them in any order. How many milliseconds lay between the first and
/// the last to be asked.
#[track_caller]
fn ask_ten_at_once(screen: &Screen, wire: &mut Wire, dice: &mut Dice) -> i64 {
    let mut commands: Vec<_> = (0..10).map(|_| waiting_for_input(screen)).collect();
    for (number, command) in commands.iter_mut().enumerate() {
        let mut stdin = command.stdin.take().expect("it is piped");
        stdin.write_all(nonce(number).to_string().as_bytes()).expect("it reads");
    }
    let open = until("all to be asked", || {
        let open = wire.call("list", &json!({}))["open"].take();
        open.as_array().filter(|open| open.len() == 10).cloned()
    });
    let asked: Vec<_> = open.iter().filter_map(|open| open["asked_at"].as_i64()).collect();
    let mut commands: Vec<_> = commands.into_iter().enumerate().collect();
    while !commands.is_empty() {
        let (number, command) = commands.remove(dice.below(commands.len()));
        let agent = format!("Agent {number}");
        let its = open.iter().find(|open| open["agent"] == agent.as_str()).expect("it is open");
        let answer = json!({ "ticket": its["ticket"], "answers": [{ "selected": [0] }] });
        assert_eq!(wire.call("answer", &answer), json!({ "done": true }), "{number}");
        let printed = command.wait_with_output().expect("it is our child");
        let answers = json!([
            { "id": "question-0", "question": "Which nonce?", "selected": [format!("nonce-{number}")] },
        ]);
        let expected = format!("{}\n", json!({ "outcome": "answered", "answers": answers }));
        assert_eq!(String::from_utf8_lossy(&printed.stdout), expected);
    }
    asked.iter().max().expect("ten") - asked.iter().min().expect("ten")
}

#[test]
fn ten_commands_at_once_ask_within_100_ms() {
    let screen = Screen::start();
    screen.configure(ANSWERED_OVER_SOCKET);
    let mut wire = Wire::to_resident(&screen);
    let mut dice = Dice(2027);
    // The machine may be busy with something else, but not most of the time.
    let mut spans: Vec<_> =
        (0..9).map(|_| ask_ten_at_once(&screen, &mut wire, &mut dice)).collect();
    spans.sort_unstable();
    assert!(spans[4] <= 100, "the middle of {spans:?}");
}

#[test]
fn thousand_callers_each_get_their_own_answer() {
    const CALLERS: usize = 1_000;
    const BY_KEYS: usize = 3;
    let screen = Screen::without_arming();
    screen.configure(ANSWERED_OVER_SOCKET);
    let mut control = Wire::to_resident(&screen);
    let callers: Vec<Wire> = (0..CALLERS)
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
            person.press_once("Return", || {
                callers
                    .iter()
                    .enumerate()
                    .find_map(|(number, caller)| Some((number, caller.came()?)))
            })
        })
        .collect();
    let mut answered = BTreeSet::new();
    for (number, reply) in &by_keys {
        assert_own(*number, reply);
        answered.insert(*number);
    }
    for (number, caller) in callers.iter().enumerate() {
        let ticket = format!("ticket-{number}");
        if answered.contains(&number) {
            continue;
        }
        let answer = json!({ "ticket": ticket, "answers": [{ "selected": [0] }] });
        assert_eq!(control.call("answer", &answer), json!({ "done": true }));
        assert_own(number, &caller.next());
    }
    assert_eq!(control.call("list", &json!({})), json!({ "open": [] }));
}

#[test]
fn thousands_of_submits_are_all_stored() {
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
