//! Clients that give up, and clients that are kept patient.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::net::{UnixListener, UnixStream},
    thread,
};

use askdeck_core::protocol::VERSION;
use serde_json::{Value, json};

use super::{await_state, first, inspect_call, inspected, press_for_result, told, which};
use crate::support::{Home, Kept, McpClient, Person, Run, Screen, socket, until};

#[track_caller]
fn ticket(result: &Value) -> String {
    let ticket = result["structuredContent"]["ticket"].as_str().unwrap_or_default().to_owned();
    let text = format!(
        "The user has not answered yet. The question stays open in their window.\n\n\
         Call get_answer with ticket \"{ticket}\" to wait for the answer; do not ask again."
    );
    assert_eq!(told(result, &text), json!({ "outcome": "pending", "ticket": ticket }));
    ticket
}

/// In the place of 60 seconds the client waits twenty, and the server returns after two.
#[test]
fn mcp_client_gets_a_ticket_before_its_timeout() {
    let screen = Screen::without_arming();
    let mut client = McpClient::start(&screen, ["--return-after", "2s"]);
    let limit = json!({ "timeout": 20 });
    let call = client.call_with("ask_user_question", &which(), &limit);
    let asked = ticket(&client.result(call));
    // Between two calls nobody has left.
    await_state(&screen, "shown");
    for _ in 0..2 {
        let call = client.call_with("get_answer", &json!({ "ticket": asked }), &limit);
        assert_eq!(ticket(&client.result(call)), asked);
    }
    let call = client.call("get_answer", &json!({ "ticket": asked }));
    let result = press_for_result(&screen, "Return", &mut client, call);
    let structured = &result["structuredContent"];
    assert_eq!(first(structured)["selected"], json!(["PostgreSQL (Recommended)"]));

    // By its ticket any number of times, and after the server too.
    drop(client);
    let mut other = McpClient::start(&screen, []);
    let call = other.call("get_answer", &json!({ "ticket": asked }));
    assert_eq!(other.result(call)["structuredContent"], *structured);
    let call = other.call("get_answer", &json!({ "ticket": "no-such" }));
    let unknown = other.result(call);
    assert_eq!(unknown["isError"], true);
    assert_eq!(
        unknown["content"][0]["text"],
        "There is no answer: no question has the ticket `no-such`, or it was deleted; \
         see `askdeck list` and `askdeck history`.\nDo not assume an answer."
    );
}

#[test]
fn asking_again_without_the_ticket_joins_the_dialog() {
    let screen = Screen::without_arming();
    let mut client = McpClient::start(&screen, ["--return-after", "2s"]);
    let call = client.call("ask_user_question", &which());
    let asked = ticket(&client.result(call));
    // Answered while no call waits for it.
    let person = Person::at(&screen);
    person.press_once("Return", || {
        let result = Run::command(["result", &asked]).ends(&screen);
        (result.code == Some(0)).then_some(())
    });
    let call = client.call("ask_user_question", &which());
    let structured = client.result(call)["structuredContent"].clone();
    assert_eq!(first(&structured)["selected"], json!(["PostgreSQL (Recommended)"]));
    person.await_gone();
}

#[test]
fn answer_redeemed_without_an_app_is_not_reused() {
    let screen = Screen::without_arming();
    let mut client = McpClient::start(&screen, ["--return-after", "2s"]);
    let call = client.call("ask_user_question", &which());
    let asked = ticket(&client.result(call));
    drop(client);
    await_state(&screen, "caller_left");
    let person = Person::at(&screen);
    let kept = Kept::of(&screen);
    person.press_once("Return", || (kept.count(&asked, "answered") == 1).then_some(()));
    person.await_no_app();

    let mut client = McpClient::start(&screen, []);
    let call = client.call("get_answer", &json!({ "ticket": asked }));
    assert_eq!(client.result(call)["structuredContent"]["outcome"], "answered");
    client.call("ask_user_question", &which());
    until("it to be asked anew", || (kept.dialogs() == 2).then_some(()));
}

/// One connection to an app that greets, and then does what the test wants.
struct Connection(BufReader<UnixStream>);

impl Connection {
    /// Waits for somebody who greets and makes a call.
    fn accept(listener: &UnixListener) -> (Self, Value) {
        let (stream, _) = listener.accept().expect("somebody comes");
        let mut connection = Self(BufReader::new(stream));
        let greeting = connection.read().expect("a greeting");
        let hello = json!({ "protocol": VERSION, "version": "0.1.0", "web_view": "a window" });
        connection.reply(&greeting, "result", &hello);
        let call = connection.read().expect("a call");
        (connection, call)
    }

    /// Nothing if the other end has hung up.
    fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("the command writes text");
        serde_json::from_str(&line).ok()
    }

    fn reply(&mut self, call: &Value, body: &str, value: &Value) {
        let response = json!({ "jsonrpc": "2.0", "id": call["id"], body: value });
        writeln!(self.0.get_ref(), "{response}").expect("the command reads");
    }
}

#[test]
fn get_answer_works_again_after_it_failed() {
    let home = Home::new();
    fs::create_dir_all(home.path("askdeck/run")).expect("the home is ours");
    let listener = UnixListener::bind(socket(&home)).expect("the folder is ours");
    let mut client = McpClient::start(&home, ["--return-after", "2s"]);
    let call = client.call("ask_user_question", &which());
    let (mut app, ask) = Connection::accept(&listener);
    let asked = ticket(&client.result(call));
    app.reply(&ask, "error", &json!({ "code": -32603, "message": "out of order" }));
    assert_eq!(app.read(), None);

    thread::spawn(move || {
        let (mut app, result) = Connection::accept(&listener);
        let ended = json!({
            "ticket": result["params"]["ticket"], "written": "", "outcome": "dismissed",
        });
        app.reply(&result, "result", &ended);
    });
    // Until the server has heard that it failed, whoever asks hears the same.
    until("the ticket to be good", || {
        let call = client.call("get_answer", &json!({ "ticket": asked }));
        (client.result(call)["structuredContent"]["outcome"] == "dismissed").then_some(())
    });
}

/// The server knows nothing of this client's limit, so the client gives up first.
#[test]
fn mcp_client_that_gave_up_gets_the_answer_again() {
    let screen = Screen::without_arming();
    // Started by the call, it might not have been asked anything yet when the client gives up.
    Run::command(["resident"]).ends(&screen).is(0, "");
    let mut client = McpClient::start(&screen, []);
    let call = client.call_with("ask_user_question", &which(), &json!({ "timeout": 1 }));
    let error = client.result(call);
    assert!(error.as_str().is_some_and(|error| error.contains("timed out")), "{error}");
    await_state(&screen, "caller_left");
    let person = Person::at(&screen);
    person.press_once("Return", || (!person.is_visible()).then_some(()));
    let call = client.call("ask_user_question", &which());
    let structured = client.result(call)["structuredContent"].clone();
    assert_eq!(first(&structured)["selected"], json!(["PostgreSQL (Recommended)"]));
}

#[test]
fn mcp_progress_comes_every_ten_seconds() {
    let screen = Screen::start();
    let mut client = McpClient::start(&screen, []);
    let call = client.call_with("ask_user_question", &which(), &json!({ "progress": true }));
    let silent = client.call("confirm_action", &json!({ "action": "Go?" }));
    until("two notifications", || (client.progress(call).len() == 2).then_some(()));
    assert_eq!(client.progress(call), [10.0, 20.0]);
    assert!(client.progress(silent).is_empty());
    let message = client.hear("a notification", |line| line.get("message").cloned());
    assert_eq!(message, "Waiting for the user's answer");
}

/// It asks for no progress. Each of its calls is a server of its own, which must have asked before
/// it ends.
#[test]
fn inspector_gets_a_ticket_and_then_the_answer() {
    let screen = Screen::without_arming();
    let server = ["mcp", "--return-after", "10s"];
    let pending = inspect_call(&screen, &server, "ask_user_question", &which()).ends(&screen);
    let asked = json!({ "ticket": ticket(&inspected(&pending)) });
    let mut running = inspect_call(&screen, &["mcp"], "get_answer", &asked).start(&screen);
    Person::at(&screen).press_once("Return", || running.is_over().then_some(()));
    let structured = &inspected(&running.ends())["structuredContent"];
    assert_eq!(first(structured)["selected"], json!(["PostgreSQL (Recommended)"]));
}
