//! The Tasks extension of revision 2026-07-28.
//!
//! The Inspector has the official client for it. The one for Python knows only how to declare it:
//! there the requests are made one by one, and the official schemas check each message.

use serde_json::{Value, json};

use super::{await_state, first, inspect_call, press_for_result, which};
use crate::support::{Home, Kept, McpClient, Person, Run, Screen, foreign, signal, until};

#[track_caller]
fn client<const N: usize>(home: &Home, args: [&str; N]) -> McpClient {
    let setup = json!({ "name": "Tester", "mode": "2026-07-28", "tasks": "claimed" });
    McpClient::with(home, args, &setup)
}

/// Asks, and returns the id of the task that this creates.
#[track_caller]
fn create(home: &Home, client: &mut McpClient) -> String {
    let call = client.call("ask_user_question", &which());
    let task = client.result(call);
    check(home, &[("CreateTaskResult", &task)]);
    assert_eq!(task["status"], "working", "{task}");
    task["taskId"].as_str().expect("the id is a text").to_owned()
}

#[track_caller]
fn get(client: &mut McpClient, id: &str) -> Value {
    client.request("tasks/get", &json!({ "taskId": id }))
}

/// The state in which a task ends.
#[track_caller]
fn ended(home: &Home, client: &mut McpClient, id: &str) -> Value {
    let task = until("the task to end", || {
        Some(get(client, id)).filter(|task| task["status"] != "working")
    });
    check(home, &[("GetTaskResult", &task)]);
    assert_eq!(task["taskId"], id);
    task
}

/// Checks messages with the official schemas.
#[track_caller]
fn check(home: &Home, messages: &[(&str, &Value)]) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/mcp_tasks.mjs");
    let schemas = foreign::task_schemas().display().to_string();
    let run = Run::program(foreign::node(), [script, &schemas]);
    run.stdin(json!(messages).to_string()).ends(home).says(0, "", "");
}

#[test]
fn inspector_polls_a_task() {
    let screen = Screen::without_arming();
    for (key, is_error, outcome) in
        [("Return", json!(false), "answered"), ("Escape", json!(true), "dismissed")]
    {
        let call = inspect_call(&screen, &["mcp"], "ask_user_question", &which());
        let mut running = call.args(["--protocol-era=modern"]).start(&screen);
        let person = Person::at(&screen);
        let ticket = open_ticket(&screen);
        person.press_once(key, || running.is_over().then_some(()));
        let output: Value = serde_json::from_str(&running.ends().stdout).expect("it prints JSON");
        let result = &output["result"];
        assert_eq!(result["structuredContent"]["outcome"], outcome, "{output}");
        assert_eq!(result["isError"], is_error, "{output}");
        assert_eq!(Kept::of(&screen).count(&ticket, "submitted"), 1, "it was a task");
    }
}

/// The ticket of the only open question.
#[track_caller]
fn open_ticket(screen: &Screen) -> String {
    until("an open question", || {
        let list = Run::command(["list", "--json"]).ends(screen).stdout;
        let list: Value = serde_json::from_str(&list).ok()?;
        list[0]["ticket"].as_str().map(str::to_owned)
    })
}

#[test]
fn task_outlives_server_and_app() {
    let screen = Screen::without_arming();
    let mut asking = client(&screen, []);
    let id = create(&screen, &mut asking);
    let kept = Kept::of(&screen);
    assert_eq!(kept.ticket("Tester"), id, "it is kept before the client has its id");
    let person = Person::at(&screen);
    let app = person.app();
    drop(asking);
    signal("KILL", app);
    person.await_gone();

    let mut client = client(&screen, []);
    let working = get(&mut client, &id);
    check(&screen, &[("GetTaskResult", &working)]);
    assert_eq!(working["status"], "working", "{working}");
    let person = Person::at(&screen);
    await_state(&screen, "shown");
    person.press_once("Return", || (kept.count(&id, "answered") == 1).then_some(()));
    let task = ended(&screen, &mut client, &id);
    assert_eq!(
        (&task["status"], &task["statusMessage"]),
        (&"completed".into(), &"The user answered.".into())
    );
    let result = &task["result"];
    assert_eq!(result["isError"], false, "{task}");
    assert_eq!(
        first(&result["structuredContent"])["selected"],
        json!(["PostgreSQL (Recommended)"])
    );
    check(&screen, &[("CallToolResult", result)]);

    // The id is the ticket, for every other client too.
    let mut other = McpClient::start(&screen, []);
    let call = other.call("get_answer", &json!({ "ticket": id }));
    assert_eq!(other.result(call)["structuredContent"], result["structuredContent"]);
    assert_eq!(get(&mut client, &id), task);
    assert_eq!(kept.dialogs(), 1);
}

#[test]
fn cancelled_task_withdraws_the_question() {
    let screen = Screen::start();
    let mut client = client(&screen, []);
    let id = create(&screen, &mut client);
    let person = Person::at(&screen);
    let done = client.request("tasks/update", &json!({ "taskId": id, "inputResponses": {} }));
    let cancelled = client.request("tasks/cancel", &json!({ "taskId": id }));
    check(&screen, &[("UpdateTaskResult", &done), ("CancelTaskResult", &cancelled)]);
    until("the window to go", || (!person.is_visible()).then_some(()));
    assert_eq!(Kept::of(&screen).count(&id, "withdrawn"), 1);
    let task = ended(&screen, &mut client, &id);
    assert_eq!((&task["status"], &task["result"]), (&"cancelled".into(), &Value::Null));
    assert_eq!(client.request("tasks/cancel", &json!({ "taskId": id })), cancelled);
}

#[test]
fn task_without_an_answer_is_an_error() {
    let screen = Screen::start();
    let mut client = client(&screen, ["--timeout", "1s"]);
    let id = create(&screen, &mut client);
    let task = ended(&screen, &mut client, &id);
    assert_eq!(task["statusMessage"], "The user did not answer in time.");
    assert_eq!(task["result"]["isError"], true, "{task}");
    assert_eq!(task["result"]["structuredContent"]["outcome"], "timed_out");
    assert_eq!(task["result"]["structuredContent"].get("answers"), None);
}

#[test]
fn question_that_cannot_be_kept_is_no_task() {
    let screen = Screen::start();
    let mut client = client(&screen, ["--return-after", "2s"]);
    create(&screen, &mut client);
    let lock = Kept::lock(&screen);
    let call = client.call("confirm_action", &json!({ "action": "Go?" }));
    let structured = client.result(call)["structuredContent"].clone();
    assert_eq!(structured["outcome"], "pending");
    drop(lock);
    // From then on its ticket is as good as any.
    let ticket = structured["ticket"].as_str().expect("a ticket");
    until("it to be kept", || (get(&mut client, ticket)["status"] == "working").then_some(()));
}

#[test]
fn unknown_task_is_refused() {
    let home = Home::new();
    let mut client = client(&home, []);
    for (method, params) in [
        ("tasks/get", json!({ "taskId": "no-such" })),
        ("tasks/update", json!({ "taskId": "no-such", "inputResponses": {} })),
        ("tasks/cancel", json!({ "taskId": "no-such" })),
    ] {
        let error = client.request(method, &params);
        assert_eq!(error["code"], -32602, "{method}: {error}");
    }
}

/// A client of the older revision may have said at first that it has tasks. It cannot read one.
#[test]
fn client_without_tasks_in_its_request_gets_a_ticket() {
    let screen = Screen::without_arming();
    for setup in [
        json!({ "mode": "legacy" }),
        json!({ "mode": "legacy", "tasks": "advertised" }),
        json!({ "mode": "2026-07-28" }),
    ] {
        let mut client = McpClient::with(&screen, ["--return-after", "2s"], &setup);
        let call = client.call("ask_user_question", &which());
        let structured = client.result(call)["structuredContent"].clone();
        assert_eq!(structured["outcome"], "pending", "{setup}");
        if setup.get("tasks").is_none() {
            let error = get(&mut client, structured["ticket"].as_str().unwrap_or_default());
            assert_eq!(error["code"], -32021, "{setup}: {error}");
            let required = &error["data"]["requiredCapabilities"]["extensions"];
            assert_eq!(required, &json!({ "io.modelcontextprotocol/tasks": {} }), "{setup}");
        }
        let call = client.call("get_answer", &json!({ "ticket": structured["ticket"] }));
        let result = press_for_result(&screen, "Return", &mut client, call);
        assert_eq!(result["structuredContent"]["outcome"], "answered", "{setup}");
    }
}

#[test]
fn task_without_a_display_is_not_created() {
    let home = Home::new();
    let mut client = client(&home, []);
    let call = client.call("ask_user_question", &which());
    let result = client.result(call);
    assert_eq!(result["isError"], true, "{result}");
    assert!(result["content"][0]["text"].as_str().is_some_and(|text| text.contains("no display")));
}
