//! An answer is delivered once its caller has acknowledged it. One that was sent but never read goes
//! to the next who asks the same.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
};

use serde_json::{Value, json};

use super::{given, in_words};
use crate::support::{Kept, McpClient, Run, Screen, Terminal, Wire, signal, socket, stop, until};

/// A resident app whose questions programs may answer, and a connection to it.
fn resident(screen: &Screen) -> Wire {
    screen.configure("answers_over_socket = true");
    Wire::to_resident(screen)
}

#[track_caller]
fn answer(wire: &mut Wire, ticket: &str, text: &str) {
    let answer = json!({ "ticket": ticket, "answers": [{ "value": text }] });
    until("it to be asked", || (wire.call("answer", &answer)["done"] == true).then_some(()));
}

/// A program that asks over the socket and reads nothing by itself.
#[track_caller]
fn ask(screen: &Screen, params: &Value) -> UnixStream {
    let mut caller = UnixStream::connect(socket(screen)).expect("the app listens");
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "ask", "params": params });
    caller.write_all(format!("{request}\n").as_bytes()).expect("the app reads");
    caller
}

#[track_caller]
fn read(caller: &UnixStream) -> Value {
    let mut line = String::new();
    BufReader::new(caller).read_line(&mut line).expect("the app writes text");
    serde_json::from_str(&line).expect("the app writes JSON")
}

/// Waits until the app has so many connections, and so has seen all others close.
#[track_caller]
fn await_connections(screen: &Screen, count: usize) {
    let path = socket(screen).display().to_string();
    until("the app to see who is gone", || {
        let sockets = fs::read_to_string("/proc/net/unix").expect("Linux has it");
        // One more is that on which the app listens.
        (sockets.lines().filter(|line| line.ends_with(&path)).count() == count + 1).then_some(())
    });
}

/// Whoever asks the same now is not asked anew.
#[track_caller]
fn assert_given_again(wire: &mut Wire, text: &str) {
    wire.send("ask", &json!({ "payload": in_words("Tester"), "ack": true }));
    let again = wire.next()["result"].take();
    assert_eq!(again["answers"], json!([{ "value": text }]), "{again}");
    assert_eq!(again["reused"], true, "{again}");
}

/// Whoever asks the same now is asked anew, under this ticket.
#[track_caller]
fn assert_asked_anew(screen: &Screen, ticket: &str) {
    let mut asks = Wire::to(screen);
    asks.send("ask", &json!({ "payload": in_words("Tester"), "ticket": ticket }));
    let mut other = Wire::to(screen);
    until("it to be asked anew", || {
        let open = other.call("list", &json!({}));
        (open["open"][0]["ticket"] == ticket).then_some(())
    });
    assert_eq!(other.call("withdraw", &json!({ "ticket": ticket })), json!({ "withdrawn": true }));
    asks.leave();
    other.leave();
}

#[test]
fn command_killed_before_reading_gets_the_answer_again() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let stopped = Run::ask(&in_words("Tester")).start(&screen);
    let ticket = Kept::of(&screen).ticket("Tester");
    stop(stopped.process());
    answer(&mut wire, &ticket, "typed");
    drop(stopped);
    await_connections(&screen, 1);
    Run::ask(&in_words("Tester")).ends(&screen).answers(&given("typed"));
    let kept = Kept::of(&screen);
    until("it to be delivered", || (kept.count(&ticket, "delivered") == 1).then_some(()));
    await_connections(&screen, 1);
    assert_asked_anew(&screen, "anew");
}

#[test]
fn program_closing_unread_gets_the_answer_again() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let caller = ask(&screen, &json!({ "payload": in_words("Tester"), "ticket": "t" }));
    answer(&mut wire, "t", "typed");
    drop(caller);
    await_connections(&screen, 1);
    assert_given_again(&mut wire, "typed");
    assert_eq!(Kept::of(&screen).count("t", "delivered"), 0);
}

/// The app may write to a connection after its caller is gone, and is then told of that instead of
/// when it reads.
#[test]
fn subscriber_closing_unread_gets_the_answer_again() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let mut caller = UnixStream::connect(socket(&screen)).expect("the app listens");
    let subscribe = json!({ "jsonrpc": "2.0", "id": 2, "method": "subscribe" });
    let ask = json!({ "payload": in_words("Tester"), "ticket": "t" });
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "ask", "params": ask });
    caller.write_all(format!("{subscribe}\n{ask}\n").as_bytes()).expect("the app reads");
    answer(&mut wire, "t", "typed");
    drop(caller);
    await_connections(&screen, 1);
    assert_given_again(&mut wire, "typed");
}

#[test]
fn program_that_read_its_answer_has_got_it() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let kept = |ticket: &str| {
        let kept = Kept::of(&screen);
        until("it to be delivered", || (kept.count(ticket, "delivered") == 1).then_some(()));
    };
    let mut goes_on = ask(&screen, &json!({ "payload": in_words("Tester"), "ticket": "goes-on" }));
    answer(&mut wire, "goes-on", "typed");
    assert_eq!(read(&goes_on)["result"]["outcome"], "answered");
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "list" });
    goes_on.write_all(format!("{list}\n").as_bytes()).expect("the app reads");
    kept("goes-on");
    let closes = ask(&screen, &json!({ "payload": in_words("Tester"), "ticket": "closes" }));
    answer(&mut wire, "closes", "typed");
    assert_eq!(read(&closes)["result"]["outcome"], "answered");
    drop(closes);
    kept("closes");
    assert_asked_anew(&screen, "anew");
}

#[test]
fn program_sending_on_without_reading_has_not_got_its_answer() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let delivered = |ticket: &str| Kept::of(&screen).count(ticket, "delivered");
    let request = |id: u32, method: &str, params: &Value| {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        format!("{request}\n")
    };
    let submit = |ticket: &str| {
        request(2, "submit", &json!({ "payload": in_words(ticket), "ticket": ticket }))
    };
    let await_open = |wire: &mut Wire, ticket: &str| {
        until("the next call to be heard", || {
            let open = wire.call("list", &json!({}))["open"].take();
            open.as_array()?.iter().any(|open| open["ticket"] == ticket).then_some(())
        });
    };
    // After the answer was sent.
    let mut caller = ask(&screen, &json!({ "payload": in_words("Tester"), "ticket": "t" }));
    answer(&mut wire, "t", "typed");
    caller.write_all(submit("after").as_bytes()).expect("the app reads");
    await_open(&mut wire, "after");
    assert_eq!(delivered("t"), 0);
    drop(caller);
    await_connections(&screen, 1);

    // Together with what is answered at once.
    let mut caller = UnixStream::connect(socket(&screen)).expect("the app listens");
    let again = request(1, "ask", &json!({ "payload": in_words("Tester"), "ticket": "again" }));
    caller.write_all((again.clone() + &submit("with")).as_bytes()).expect("the app reads");
    await_open(&mut wire, "with");
    assert_eq!(delivered("t"), 0);
    drop(caller);
    await_connections(&screen, 1);

    // It reads all, and then goes on.
    let mut caller = UnixStream::connect(socket(&screen)).expect("the app listens");
    caller.write_all((again + &submit("last")).as_bytes()).expect("the app reads");
    let mut lines = BufReader::new(caller.try_clone().expect("a socket can be shared")).lines();
    for _ in 0..2 {
        lines.next().expect("a reply").expect("a text");
    }
    caller.write_all(request(3, "list", &json!({})).as_bytes()).expect("the app reads");
    lines.next().expect("a reply").expect("a text");
    assert_eq!(delivered("t"), 1);
}

#[test]
fn answer_counts_as_delivered_only_once_acknowledged() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let mut caller = Wire::to(&screen);
    let promised = json!({ "payload": in_words("Tester"), "ticket": "t", "ack": true });
    caller.send("ask", &promised);
    answer(&mut wire, "t", "typed");
    assert_eq!(caller.next()["result"]["outcome"], "answered");
    // It is nobody else's while its caller is there, and another message is no acknowledgement.
    caller.call("list", &json!({}));
    assert_asked_anew(&screen, "meanwhile");
    assert_eq!(Kept::of(&screen).count("t", "delivered"), 0);
    caller.leave();
    await_connections(&screen, 1);

    let mut subscriber = Wire::to(&screen);
    subscriber.call("subscribe", &json!({}));
    let mut caller = Wire::to(&screen);
    caller.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "again", "ack": true }));
    assert_eq!(caller.next()["result"]["reused"], true);
    assert_eq!(caller.call("received", &json!({ "ticket": "again" })), json!({ "done": true }));
    let heard = subscriber.next();
    assert_eq!(
        (&heard["params"]["event"], &heard["params"]["ticket"]),
        (&json!("delivered"), &json!("t"))
    );
    assert_eq!(caller.call("received", &json!({ "ticket": "again" })), json!({ "done": false }));
    assert_eq!(Kept::of(&screen).count("t", "delivered"), 1);
    caller.leave();
    assert_asked_anew(&screen, "anew");
}

#[test]
fn app_killed_before_the_acknowledgement_delivers_again() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let mut caller = Wire::to(&screen);
    caller.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "t", "ack": true }));
    answer(&mut wire, "t", "typed");
    assert_eq!(caller.next()["result"]["outcome"], "answered");
    for app in screen.programs("askdeck-desktop") {
        signal("KILL", app);
    }
    caller.await_closed();
    assert_given_again(&mut Wire::to_resident(&screen), "typed");
}

/// Waits until the only question of this agent is open, answers it, and waits until that is
/// delivered.
#[track_caller]
fn answer_and_await_delivery(screen: &Screen, wire: &mut Wire, agent: &str, answers: &Value) {
    let ticket = until(format!("a question of {agent}"), || {
        let open = wire.call("list", &json!({}));
        let open = open["open"].as_array()?.iter().find(|open| open["agent"] == agent)?;
        open["ticket"].as_str().map(str::to_owned)
    });
    let answer = json!({ "ticket": ticket, "answers": answers });
    assert_eq!(wire.call("answer", &answer), json!({ "done": true }));
    let kept = Kept::of(screen);
    until(format!("{agent} to acknowledge"), || {
        (kept.count(&ticket, "delivered") == 1).then_some(())
    });
}

#[test]
fn every_entry_point_acknowledges_delivery() {
    let screen = Screen::start();
    let mut wire = resident(&screen);
    let typed = json!([{ "value": "typed" }]);

    let command = Run::ask(&in_words("Command")).start(&screen);
    answer_and_await_delivery(&screen, &mut wire, "Command", &typed);
    command.ends().answers(&given("typed"));

    let ticket = Run::ask(&in_words("Ticket")).args(["--no-wait"]).ends(&screen).stdout;
    let result = Run::command(["result", "--wait", ticket.trim_end()]).start(&screen);
    answer_and_await_delivery(&screen, &mut wire, "Ticket", &typed);
    result.ends().answers(&given("typed"));

    let ask = Run::ask(&in_words("Terminal")).args(["--ui=terminal"]);
    let terminal = Terminal::start(ask, &screen, 80, 24);
    answer_and_await_delivery(&screen, &mut wire, "Terminal", &typed);
    terminal.ends().answers(&given("typed"));

    let mut client = McpClient::with(&screen, [], &json!({ "name": "Client" }));
    let call = client.call("confirm_action", &json!({ "action": "Go on?" }));
    answer_and_await_delivery(&screen, &mut wire, "Client", &json!([{ "value": true }]));
    assert_eq!(client.result(call)["structuredContent"]["confirmed"], true);

    let options =
        json!([{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }]);
    let question =
        json!({ "question": "Which?", "header": "Q", "multiSelect": false, "options": options });
    let event = json!({
        "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion",
        "tool_input": { "questions": [question] },
    });
    let hook = Run::command(["hook", "claude-code"]).stdin(event.to_string()).start(&screen);
    answer_and_await_delivery(&screen, &mut wire, "Claude Code", &json!([{ "selected": [0] }]));
    assert_eq!(hook.ends().code, Some(0));
}
