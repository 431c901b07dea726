//! `askdeck mcp`, called by the official client for Python and by the official Inspector.
//!
//! Real clients give up after 60 or 300 seconds. Here the server is told by `--return-after` to be
//! done within a few; nothing else differs. The Inspector always gives up after 60.

use std::{collections::BTreeMap, ffi::OsStr, fs, time::Instant};

use serde_json::{Value, json};

use crate::support::{
    Ended, Home, Kept, McpClient, Person, Run, Screen, askdeck, foreign, signal, until,
};

mod elicitation;
mod patience;
mod tasks;

fn which() -> Value {
    json!({ "questions": [{
        "question": "Which database?",
        "header": "Database",
        "multiSelect": false,
        "options": [
            { "label": "PostgreSQL (Recommended)", "description": "For complex queries" },
            { "label": "SQLite", "description": "Nothing to set up" },
        ],
    }]})
}

fn in_words(question: &str) -> Value {
    json!({ "questions": [{ "question": question, "type": "text" }] })
}

/// What the result says in its structured form; it must also say it as text. What is no answer says
/// so in either, since some clients show their model only one of them.
#[track_caller]
fn told(result: &Value, text: &str) -> Value {
    assert_eq!(result["content"][0]["text"], text, "{result}");
    assert_ne!(result["isError"], true, "{result}");
    let mut structured = result["structuredContent"].clone();
    if structured["outcome"] != "answered" {
        let message = structured.as_object_mut().and_then(|members| members.remove("message"));
        assert_eq!(message.unwrap_or_default(), text, "{result}");
    }
    structured
}

/// The first answer: what was chosen, written, noted.
fn first(structured: &Value) -> &Value {
    &structured["answers"][0]
}

/// Presses the keys once, which must give the call its result.
#[track_caller]
fn press_for_result(screen: &Screen, key: &str, client: &mut McpClient, call: u64) -> Value {
    Person::at(screen).press_once(key, || client.try_result(call))
}

const NO_ANSWER: &str =
    "\n\nThis is no answer. Do not assume one, and do not ask the same again by yourself.";

#[test]
fn mcp_call_with_a_lone_surrogate_is_answered() {
    let client = r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
    let lines = [
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{client}}}"#),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.into(),
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"\ud800","arguments":{}}}"#.into(),
        r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#.into(),
    ];
    let ended = Run::command(["mcp"]).stdin(lines.join("\n") + "\n").ends(&Home::new());
    let replies = ended.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut replies: Vec<Value> = replies.collect();
    replies.sort_by_key(|reply| reply["id"].as_u64());
    assert_eq!((ended.code, replies.len()), (Some(0), 3), "{}", ended.stderr);
    let why = replies[1]["error"]["message"].as_str().expect("there is no such tool");
    assert!(why.starts_with("unknown tool `\u{fffd}`"), "{why}");
}

#[test]
fn unreadable_mcp_request_gets_an_error_with_its_id() {
    let client = r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let lines = [
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{client}}}"#),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.into(),
        format!(
            r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"ask_user_question","arguments":{{"questions":{deep}}}}}}}"#
        ),
        r#"{"jsonrpc":"2.0","id":"three","method":"tools/call","params":7}"#.into(),
        r#"{"jsonrpc":"2.0","id":4,"method":"no/such"}"#.into(),
    ];
    let ended = Run::command(["mcp"]).stdin(lines.join("\n") + "\n").ends(&Home::new());
    let replies = ended.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let replies: Vec<Value> = replies.collect();
    let error = |id: Value| {
        let reply = replies.iter().find(|reply| reply["id"] == id);
        reply.unwrap_or_else(|| panic!("no reply to {id} in {replies:?}"))["error"].clone()
    };
    assert_eq!((ended.code, replies.len()), (Some(0), 4), "{replies:?}");
    let deep = error(json!(2));
    assert_eq!(deep["code"], -32600);
    let why = deep["message"].as_str().unwrap_or_default();
    assert!(why.starts_with("the request cannot be read: recursion limit exceeded"), "{why}");
    assert_eq!(error(json!("three"))["code"], -32600);
    assert_eq!(error(json!(4))["code"], -32601);
}

#[test]
fn mcp_tools_are_listed_in_either_protocol_era() {
    let home = Home::new();
    for mode in ["legacy", "2026-07-28"] {
        let tools = McpClient::with(&home, [], &json!({ "mode": mode })).list();
        let tools = tools.as_array().expect("a list of tools");
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str()).collect();
        let expected = ["ask_user_question", "confirm_action", "get_answer"];
        assert_eq!(names, expected.map(Some), "{mode}");
        for tool in tools {
            assert!(jsonschema::validator_for(&tool["inputSchema"]).is_ok(), "{tool}");
            assert_eq!(tool["outputSchema"]["required"], json!(["outcome"]), "{tool}");
        }
    }
}

#[test]
fn mcp_answer_comes_as_text_and_data() {
    let screen = Screen::without_arming();
    let mut client = McpClient::with(&screen, [], &json!({ "name": "Tester" }));
    let call = client.call("ask_user_question", &which());
    Person::at_window(&screen, "Tester");
    let result = press_for_result(&screen, "Return", &mut client, call);
    let text = "The user answered.\n\n\
        1. Database: Which database?\n   Selected: PostgreSQL (Recommended)";
    let structured = told(&result, text);
    let expected = json!({ "outcome": "answered", "answers": [{
        "id": "question-0",
        "header": "Database",
        "question": "Which database?",
        "selected": ["PostgreSQL (Recommended)"],
    }]});
    assert_eq!(structured, expected);
}

#[test]
fn mcp_selected_other_and_note_go_back_apart() {
    let screen = Screen::start();
    let mut questions = which();
    let list = questions["questions"].as_array_mut().expect("a list");
    list.push(json!({ "question": "Which features?", "multiSelect": true, "options": [
        { "label": "Search" }, { "label": "Export" }, { "label": "Login" },
    ]}));
    list.push(json!({ "question": "In your words?", "type": "text" }));
    let window = McpClient::once([], "ask_user_question", &questions).open(&screen);
    window.click("#panel-0 .card:nth-child(3)");
    window.type_into("#panel-0 [data-focus='other']", "MariaDB");
    window.click("#panel-0 .add-note");
    window.type_into("#panel-0 .note textarea", "we know it");
    window.click("#tab-1");
    window.click("#panel-1 .card:nth-child(1)");
    window.click("#panel-1 .card:nth-child(3)");
    window.await_chosen(&[0, 2]);
    window.click("#tab-2");
    window.type_into("#panel-2 textarea", "keep it small");
    window.person.press("ctrl+Return");
    let ended = window.await_end();
    let result = McpClient::result_of(&ended.stdout);
    let text = "The user answered.\n\n\
        1. Database: Which database?\n   Own words: MariaDB\n   Note: we know it\n\n\
        2. Which features?\n   Selected: Search, Login\n\n\
        3. In your words?\n   Answer: keep it small";
    let structured = told(&result, text);
    assert_eq!(first(&structured)["other"], "MariaDB");
    assert_eq!(first(&structured)["selected"], json!([]));
    assert_eq!(first(&structured)["note"], "we know it");
    assert_eq!(structured["answers"][1]["selected"], json!(["Search", "Login"]));
    assert_eq!(structured["answers"][2]["value"], "keep it small");
}

#[test]
fn confirm_action_is_confirmed_or_dismissed() {
    let screen = Screen::without_arming();
    let mut client = McpClient::start(&screen, []);
    let action = json!({ "action": "Delete 15 files?", "details": "All of `tests/old`" });
    let call = client.call("confirm_action", &action);
    let result = press_for_result(&screen, "1 Return", &mut client, call);
    let structured = told(&result, "The user answered.\n\n1. Delete 15 files?\n   Answer: Yes");
    assert_eq!(structured["confirmed"], true);

    let call = client.call("confirm_action", &action);
    let result = press_for_result(&screen, "Escape", &mut client, call);
    let text = format!("The user closed the window without answering.{NO_ANSWER}");
    assert_eq!(told(&result, &text), json!({ "outcome": "dismissed" }));
}

#[test]
fn mcp_decline_clarification_and_timeout_are_no_answers() {
    let screen = Screen::start();
    let window = McpClient::once([], "ask_user_question", &which()).open(&screen);
    window.click(".away button:nth-child(1)");
    window.type_into(".composer [data-focus='aside']", "not my project");
    window.click(".primary");
    let result = McpClient::result_of(&window.close().stdout);
    let text = format!("The user declined to answer. Reason: not my project{NO_ANSWER}");
    let structured = told(&result, &text);
    assert_eq!(structured, json!({ "outcome": "declined", "reason": "not my project" }));

    let window = McpClient::once([], "ask_user_question", &which()).open(&screen);
    window.click(".away button:nth-child(2)");
    window.type_into(".composer [data-focus='aside']", "how many users?");
    window.click(".primary");
    let result = McpClient::result_of(&window.close().stdout);
    let text = "The user did not answer but asks: how many users?\n\n\
        This is no answer. Respond to it, then ask again if you still need to know.";
    let structured = told(&result, text);
    assert_eq!(structured, json!({ "outcome": "clarify", "text": "how many users?" }));

    let mut client = McpClient::start(&screen, ["--timeout", "1s"]);
    let call = client.call("ask_user_question", &which());
    let text = format!("The user did not answer in time.{NO_ANSWER}");
    assert_eq!(told(&client.result(call), &text), json!({ "outcome": "timed_out" }));
}

#[test]
fn bad_mcp_arguments_are_reported_all_at_once() {
    let home = Home::new();
    let mut client = McpClient::start(&home, []);
    let arguments = json!({ "questions": [
        { "question": "Which?", "options": [{ "label": "Same" }, { "label": "Same" }] },
        { "header": "No text" },
    ]});
    let call = client.call("ask_user_question", &arguments);
    let result = client.result(call);
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["content"][0]["text"],
        "The user was not asked, because the arguments are wrong:\n\
         questions[1].question: missing, expected a string\n\
         questions[0].options[1].label: `Same` appears twice\n\
         Do not assume an answer."
    );
    for (tool, arguments, problem) in [
        ("ask_user_question", json!({}), "questions: 0 questions, but 1 to 20 are allowed"),
        (
            "ask_user_question",
            json!({ "questions": [{ "question": "Password?", "type": "secret" }] }),
            "questions[0].type: unknown value `secret`, expected `single`, `multi` or `text`",
        ),
        (
            "ask_user_question",
            json!({ "questions": [{ "question": "Go?" }], "timeout": 1 }),
            "timeout: unknown field",
        ),
        ("confirm_action", json!({}), "action: missing, expected a string"),
        ("get_answer", json!({}), "ticket: missing, expected a string"),
    ] {
        let call = client.call(tool, &arguments);
        let result = client.result(call);
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert_eq!(text.lines().nth(1), Some(problem), "{tool} {arguments}");
        assert_eq!(result["isError"], true, "{tool} {arguments}");
    }
}

#[test]
fn mcp_calls_at_once_each_get_their_own_answer() {
    let screen = Screen::without_arming();
    let mut client = McpClient::start(&screen, []);
    let questions = ["First?", "Second?", "Third?"];
    let calls = questions.map(|question| {
        let options = json!([{ "label": format!("Yes, {question}") }, { "label": "No" }]);
        let question = json!({ "question": question, "options": options });
        client.call("ask_user_question", &json!({ "questions": [question] }))
    });
    until("all to be asked", || (Kept::of(&screen).dialogs() == 3).then_some(()));
    let person = Person::at(&screen);
    for answered in 1..=calls.len() {
        person.press_once("Return", || {
            let results = calls.iter().filter(|call| client.try_result(**call).is_some());
            (results.count() == answered).then_some(())
        });
    }
    for (question, call) in questions.iter().zip(calls) {
        let structured = client.result(call)["structuredContent"].clone();
        assert_eq!(first(&structured)["question"], *question);
        assert_eq!(first(&structured)["selected"], json!([format!("Yes, {question}")]));
    }
}

#[test]
fn cancelled_mcp_call_keeps_question_and_draft() {
    let screen = Screen::without_arming();
    let mut client = McpClient::with(&screen, [], &json!({ "name": "Tester" }));
    let call = client.call("ask_user_question", &in_words("In your words?"));
    let person = Person::at(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Tester");
    // The page may not know yet that the box takes text.
    person.press_at_most(2, "x", || (!kept.typed("Tester").is_empty()).then_some(()));
    client.cancel(call);
    await_state(&screen, "caller_left");
    until("the agent to be noted as gone", || {
        (kept.count(&ticket, "caller_left") == 1).then_some(())
    });
    person.type_text("yz");
    until("the text to be kept", || kept.typed("Tester").ends_with("yz").then_some(()));

    // The same question again is the same dialog, with all that was typed.
    let typed = kept.typed("Tester");
    let call = client.call("ask_user_question", &in_words("In your words?"));
    await_state(&screen, "shown");
    person.press("Return");
    let structured = client.result(call)["structuredContent"].clone();
    assert_eq!(first(&structured)["value"], *typed);
}

/// Waits until the only open question is in this state.
#[track_caller]
fn await_state(screen: &Screen, state: &str) {
    until(format!("an open question in state {state}"), || {
        let list = Run::command(["list", "--json"]).ends(screen).stdout;
        let list: Value = serde_json::from_str(&list).ok()?;
        (list[0]["state"] == state).then_some(())
    });
}

#[test]
fn mcp_server_ends_with_its_client() {
    let screen = Screen::start();
    let mut client = McpClient::with(&screen, [], &json!({ "name": "Tester" }));
    client.call("ask_user_question", &which());
    Person::at(&screen);
    signal("KILL", client.process());
    let killed = Instant::now();
    until("the server to end", || screen.programs("askdeck").is_empty().then_some(()));
    assert!(killed.elapsed().as_secs() < 4, "it does not wait for calls that nobody waits for");
    await_state(&screen, "caller_left");
}

#[test]
fn mcp_question_comes_back_after_a_killed_app() {
    let screen = Screen::without_arming();
    let mut client = McpClient::start(&screen, []);
    let call = client.call("ask_user_question", &which());
    let person = Person::at(&screen);
    signal("KILL", person.app());
    person.await_gone();
    let result = press_for_result(&screen, "Return", &mut client, call);
    assert_eq!(result["structuredContent"]["outcome"], "answered");
}

/// The Inspector's command line, with a server that was started with these arguments.
fn inspect<const N: usize>(screen: &Screen, server: &[&str], args: [&str; N]) -> Run {
    // It hands nothing of its environment on by itself.
    let here = screen.command("true");
    let text = |text: &OsStr| text.to_string_lossy().into_owned();
    let env: BTreeMap<_, _> =
        here.get_envs().filter_map(|(name, value)| Some((text(name), text(value?)))).collect();
    let server = json!({
        "command": askdeck(),
        "args": server,
        "env": env,
    });
    let config = screen.path("inspector.json");
    let servers = json!({ "mcpServers": { "askdeck": server } });
    fs::write(&config, servers.to_string()).expect("the home is ours");
    Run::program(foreign::node(), [&foreign::inspector().display().to_string()])
        .args(["--cli", "--quiet", "--format=json", "--server=askdeck", "--config"])
        .args([&config.display().to_string()])
        .args(args)
}

/// The same for a call of a tool.
fn inspect_call(screen: &Screen, server: &[&str], tool: &str, arguments: &Value) -> Run {
    let tool = format!("--tool-name={tool}");
    let arguments = format!("--tool-args-json={arguments}");
    inspect(screen, server, ["--method=tools/call", &tool, &arguments])
}

/// What the Inspector got.
#[track_caller]
fn inspected(ended: &Ended) -> Value {
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{}", ended.stdout);
    let output: Value = serde_json::from_str(&ended.stdout).expect("it prints JSON");
    output["result"].clone()
}

#[test]
fn inspector_lists_and_calls() {
    let screen = Screen::without_arming();
    // Strictly: it would find fault with the schemas on stderr.
    let listed = inspect(&screen, &["mcp"], ["--method=tools/list", "--strict"]).ends(&screen);
    assert_eq!(inspected(&listed)["tools"].as_array().map(Vec::len), Some(3));

    let mut running = inspect_call(&screen, &["mcp"], "ask_user_question", &which()).start(&screen);
    Person::at(&screen).press_once("Return", || running.is_over().then_some(()));
    let structured = &inspected(&running.ends())["structuredContent"];
    assert_eq!(first(structured)["selected"], json!(["PostgreSQL (Recommended)"]));
}

#[test]
fn interrupted_inspector_leaves_the_question() {
    let screen = Screen::start();
    let running = inspect_call(&screen, &["mcp"], "ask_user_question", &which()).start(&screen);
    Person::at(&screen);
    await_state(&screen, "shown");
    running.interrupt();
    await_state(&screen, "caller_left");
}

#[test]
fn mcp_writes_only_the_protocol_to_stdout() {
    let home = Home::new();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
    }});
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "ask_user_question", "arguments": which(),
    }});
    let ended = Run::command(["mcp"]).stdin(format!("{hello}\n{ready}\n{call}\n")).ends(&home);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let replies: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(replies[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(replies[0]["result"]["serverInfo"]["name"], "askdeck");
    Run::command(["mcp"]).ends(&home).is(0, "");
    assert!(!fs::exists(Kept::file(&home)).unwrap(), "nobody was asked, so nothing is kept");
}
