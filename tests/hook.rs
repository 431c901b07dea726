//! `askdeck hook claude-code`: events on stdin, the real window answered, decisions on stdout. What
//! Claude Code itself makes of them is told in `claude_code`.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::support::{Browser, Ended, Home, Kept, Person, Run, Screen, askdeck, signal, until};

mod claude_code;
mod every_verb;
mod own_tools;

fn hook(event: &Value) -> Run {
    Run::command(["hook", "claude-code"]).stdin(event.to_string())
}

/// An event as Claude Code sends it.
fn event(name: &str, more: &Value) -> Value {
    let mut event = json!({
        "session_id": "abc123",
        "transcript_path": "/tmp/t.jsonl",
        "cwd": "/srv/shop",
        "permission_mode": "default",
        "hook_event_name": name,
    });
    for (name, value) in more.as_object().expect("an object") {
        event[name] = value.clone();
    }
    event
}

fn two_questions() -> Value {
    json!({
        "questions": [
            { "question": "Which framework?", "header": "Framework", "multiSelect": false, "options": [
                { "label": "React", "description": "Big", "preview": "# React" },
                { "label": "Vue", "description": "Small" },
            ]},
            { "question": "Which features?", "header": "Features", "multiSelect": true, "options": [
                { "label": "Search", "description": "By word" },
                { "label": "Export", "description": "As PDF" },
            ]},
        ],
        "metadata": { "source": "plan" },
    })
}

fn questions() -> Value {
    let more = json!({ "tool_name": "AskUserQuestion", "tool_input": two_questions() });
    event("PreToolUse", &more)
}

fn one_question() -> Value {
    let mut event = questions();
    event["tool_input"]["questions"].as_array_mut().expect("a list").truncate(1);
    event
}

fn permission(tool: &str, input: &Value) -> Value {
    let suggestions = json!([
        { "type": "addRules", "behavior": "allow", "destination": "localSettings",
          "rules": [{ "toolName": "Bash", "ruleContent": "npm run *" }] },
        { "type": "setMode", "mode": "acceptEdits", "destination": "session" },
        { "type": "addRules", "behavior": "deny", "destination": "session",
          "rules": [{ "toolName": "Bash" }] },
    ]);
    let more = json!({
        "tool_name": tool, "tool_input": input, "permission_suggestions": suggestions,
    });
    event("PermissionRequest", &more)
}

/// The decision, which is the only line on stdout.
#[track_caller]
fn decided(ended: &Ended) -> Value {
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
    let output: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
    output["hookSpecificOutput"].clone()
}

#[track_caller]
fn press_for_decision(screen: &Screen, key: &str, event: &Value) -> Ended {
    let mut running = hook(event).start(screen);
    Person::at(screen).press_once(key, || running.is_over().then_some(()));
    running.ends()
}

#[test]
fn hook_answers_come_with_the_questions() {
    let screen = Screen::start();
    let window = hook(&questions()).open(&screen);
    window.click("#panel-0 .card:nth-child(1)");
    window.click("#panel-0 .add-note");
    window.type_into("#panel-0 .note textarea", "v19 please");
    window.click("#tab-1");
    window.click("#panel-1 .card:nth-child(2)");
    window.click("#panel-1 .card:nth-child(3)");
    window.type_into("#panel-1 [data-focus='other']", "Login");
    window.person.press("ctrl+Return");
    let mut input = two_questions();
    input["answers"] = json!({ "Which framework?": "React", "Which features?": "Export, Login" });
    input["annotations"] =
        json!({ "Which framework?": { "preview": "# React", "notes": "v19 please" } });
    let expected = json!({
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "updatedInput": input,
    });
    assert_eq!(decided(&window.await_end()), expected);
}

#[test]
fn decline_and_clarification_deny_with_the_reason() {
    let screen = Screen::start();
    let window = hook(&questions()).open(&screen);
    window.click("#panel-0 .card:nth-child(2)");
    window.await_chosen(&[1]);
    window.click(".away button:nth-child(1)");
    window.type_into(".composer [data-focus='aside']", "ask the team");
    window.click(".primary");
    let expected = json!({
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "The user declined to answer these questions. Their reason: ask the team\n\n\
            The questions and what the user had chosen so far, but not sent:\n\
            - \"Which framework?\"\n  Vue\n\
            - \"Which features?\"\n  (no answer)",
    });
    assert_eq!(decided(&window.close()), expected);

    let window = hook(&one_question()).open(&screen);
    window.click(".away button:nth-child(2)");
    window.type_into(".composer [data-focus='aside']", "for which page?");
    window.click(".primary");
    let decision = decided(&window.await_end());
    assert_eq!(decision["permissionDecision"], "deny");
    let reason = decision["permissionDecisionReason"].as_str().unwrap_or_default();
    assert!(reason.contains("They say: for which page?"), "{reason}");
}

#[test]
fn hook_without_an_answer_prints_nothing() {
    let screen = Screen::without_arming();
    press_for_decision(&screen, "Escape", &one_question()).is(0, "");
    for silent in [
        event("PermissionRequest", &json!({ "tool_name": "AskUserQuestion", "tool_input": {} })),
        event("PermissionRequest", &json!({ "tool_name": "ExitPlanMode", "tool_input": {} })),
        event("PreToolUse", &json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } })),
        event("PreToolUse", &json!({ "tool_name": "ExitPlanMode", "tool_input": {} })),
        event("Notification", &json!({ "message": "Claude waits" })),
        event("SomethingNew", &json!({})),
        json!({}),
    ] {
        hook(&silent).ends(&screen).is(0, "");
    }
}

#[test]
fn hook_errors_take_one_sentence_and_never_block() {
    let home = Home::new();
    let no_display = "askdeck: there is no display to show the question on; set DISPLAY or \
        WAYLAND_DISPLAY, or run this in a desktop session\n";
    hook(&one_question()).ends(&home).says(0, "", no_display);
    let run = |stdin: &str| Run::command(["hook", "claude-code"]).stdin(stdin).ends(&home);
    run("").says(0, "", "askdeck: the payload is empty, expected JSON\n");
    run("{half").says(
        0,
        "",
        "askdeck: the payload is not JSON: key must be a string at line 1 column 2\n",
    );
    let half = run(r#"{"hook_event_name":"PreToolUse","cwd":"\ud800"}"#);
    assert_eq!((half.code, half.stdout.as_str()), (Some(0), ""));
    assert_eq!(half.stderr.lines().count(), 1, "{half:?}");
    run("[]").says(0, "", "askdeck: the event is not a JSON object\n");
    let mut many = one_question();
    let one = many["tool_input"]["questions"][0].clone();
    let five = (0..5).map(|number| {
        let mut question = one.clone();
        question["question"] = format!("Which {number}?").into();
        question
    });
    many["tool_input"]["questions"] = five.collect();
    many["tool_input"]["questions"][0]["options"] = json!([]);
    hook(&many).ends(&home).says(
        0,
        "",
        "askdeck: the event cannot be asked: tool_input.questions: 5 questions, but 1 to 4 are \
         allowed; tool_input.questions[0].options: 0 options, but 2 to 4 are allowed\n",
    );
}

#[test]
fn plan_is_approved_or_sent_back() {
    let screen = Screen::without_arming();
    let input = json!({ "plan": "## Refactor\n1. Extract `auth`", "planFilePath": "/tmp/p.md" });
    let plan = event("PreToolUse", &json!({ "tool_name": "ExitPlanMode", "tool_input": input }));
    let window = hook(&plan).open(&screen);
    assert_eq!(window.text(".prose h2"), "Refactor");
    assert_eq!(window.text(".prose code"), "auth");
    window.type_into(".verbs textarea", "small commits");
    window.click(".verb[data-index='0']");
    let expected = json!({
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "updatedInput": input,
        "additionalContext": "The user approved the plan and added: small commits",
    });
    assert_eq!(decided(&window.close()), expected);

    let window = hook(&plan).open(&screen);
    window.type_into(".verbs textarea", "split step 1");
    window.click(".verb.refuses");
    let expected = json!({
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "The user wants you to keep planning. They say: split step 1",
    });
    assert_eq!(decided(&window.close()), expected);
    press_for_decision(&screen, "Escape", &plan).is(0, "");
}

#[test]
fn permission_allowed_once_always_or_denied() {
    let screen = Screen::without_arming();
    let input = json!({ "command": "npm run lint", "description": "Lint it" });
    let request = permission("Bash", &input);
    let window = hook(&request).open(&screen);
    assert_eq!(window.text(".prose code"), "npm run lint");
    assert_eq!(window.text(".current .question"), "Run this command?");
    let labels = window.texts(".verb .label");
    let offered =
        ["Allow once", "Always allow npm run *", "Accept all edits this session", "Don't allow"];
    assert_eq!(labels, offered);
    window.click(".verb[data-index='1']");
    let rule = &request["permission_suggestions"][0];
    let expected = json!({
        "hookEventName": "PermissionRequest",
        "decision": { "behavior": "allow", "updatedPermissions": [rule] },
    });
    assert_eq!(decided(&window.close()), expected);

    let window = hook(&request).open(&screen);
    window.type_into(".verbs [data-focus='other']", "use pnpm");
    window.click(".verb.refuses");
    let message = "The user did not allow this. They say: use pnpm";
    let denied = json!({ "behavior": "deny", "message": message });
    assert_eq!(decided(&window.close())["decision"], denied);

    let ended = press_for_decision(&screen, "1 Return", &request);
    assert_eq!(decided(&ended)["decision"], json!({ "behavior": "allow" }));
    press_for_decision(&screen, "Escape", &request).is(0, "");
}

#[test]
fn permission_names_the_subagent_that_asks() {
    let screen = Screen::start();
    let mut request = permission("Bash", &json!({ "command": "ls" }));
    request["agent_id"] = json!("a1b2");
    request["agent_type"] = json!("code-reviewer");
    let window = hook(&request).open(&screen);
    assert_eq!(window.text(".dialog .agent"), "Claude Code (code-reviewer) asks");
}

#[test]
fn permission_shows_the_command_before_its_description() {
    let screen = Screen::start();
    let lie = format!("List the files\n\n```sh\nls -la\n```\n# Safe\n{}", "\n\n&nbsp;".repeat(80));
    let input = json!({ "description": lie, "command": "rm -rf ~/work \u{115f}\u{fe01}\u{2028}" });
    let window = hook(&permission("Bash", &input)).open(&screen);
    let blocks =
        "[...document.querySelectorAll('.intro .prose > *')].map((block) => block.tagName)";
    assert_eq!(window.see(blocks), json!(["PRE", "BLOCKQUOTE"]));
    assert_eq!(window.text(".prose pre"), "rm -rf ~/work \\u115f\\ufe01\\u2028");
    assert_eq!(window.see("document.querySelector('.prose blockquote').children.length"), json!(1));
    let said = window.text(".prose blockquote");
    assert!(said.starts_with("List the files ```sh ls -la ``` # Safe &nbsp;"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.chars().count() <= 301, "{said}");
}

#[test]
fn long_command_is_shown_whole() {
    let screen = Screen::start();
    let command = format!("npm run build{} && rm -rf ~/work", " --flag".repeat(30));
    let window = hook(&permission("Bash", &json!({ "command": command }))).open(&screen);
    assert_eq!(window.text(".prose pre").replace('\n', " "), command);
    let hidden = "(() => { const { scrollWidth, clientWidth } = document.querySelector('.prose pre'); return scrollWidth - clientWidth; })()";
    assert_eq!(window.see(hidden), json!(0));
}

#[test]
fn overwritten_file_is_never_shown_as_new() {
    let screen = Screen::start();
    let file = screen.path("work/picture");
    fs::write(&file, b"\xff\xd8\xff\xe0").expect("the home is ours");
    let input = json!({ "file_path": file, "content": "new\n" });
    let window = hook(&permission("Write", &input)).open(&screen);
    assert_eq!(window.text(".prose > p"), "Replaces 4 bytes that are not shown:");
    let path = window.see("document.querySelector('.file .path').title");
    assert_eq!(path, file.display().to_string());
    assert_eq!(window.texts(".diff .added"), ["+new"]);
}

#[test]
fn endless_transcript_takes_no_memory_and_holds_up_nobody() {
    let screen = Screen::without_arming();
    let fifo = screen.path("work/fifo");
    let made = Command::new("mkfifo").arg(&fifo).status().expect("mkfifo is there");
    assert!(made.success());
    for transcript in ["/dev/zero".into(), fifo] {
        let mut request = permission("Bash", &json!({ "command": "npm run lint" }));
        request["transcript_path"] = json!(transcript);
        let mut running = hook(&request).start(&screen);
        let person = Person::at(&screen);
        let status = format!("/proc/{}/status", screen.programs("askdeck")[0]);
        let status = fs::read_to_string(status).expect("the hook waits");
        let most =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells");
        let most: u64 = most.trim_end_matches("kB").trim().parse().expect("a number");
        assert!(most < 200_000, "{most} kB");
        person.press_once("Escape", || running.is_over().then_some(()));
        running.ends().is(0, "");
    }
}

#[test]
fn file_change_is_shown_as_a_diff() {
    let screen = Screen::start();
    let file = screen.path("work/a.txt");
    fs::write(&file, "one\ntwo\nthree\n").expect("the home is ours");
    let input = json!({ "file_path": file, "content": "one\n2\nthree\n" });
    let window = hook(&permission("Write", &input)).open(&screen);
    let path = window.see("document.querySelector('.file .path').title");
    assert_eq!(path, file.display().to_string());
    let rows = ["@@ -1,3 +1,3 @@", "one", "-two", "+2", "three"];
    assert_eq!(window.texts(".file .part > div"), rows);
    assert_eq!(window.see("document.querySelector('.file .added').dataset.new"), "2");
    assert_eq!(window.texts(".file summary span:is(.plus, .minus)"), ["+1", "−1"]);
}

#[test]
fn permission_closes_when_claude_no_longer_needs_it() {
    let screen = Screen::start();
    let request = permission("Bash", &json!({ "command": "npm run lint" }));
    let running = hook(&request).start(&screen);
    let person = Person::at(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Claude Code");
    signal("TERM", screen.programs("askdeck")[0]);
    running.ends().is(0, "");
    until("the question to be taken back", || {
        (kept.count(&ticket, "withdrawn") == 1).then_some(())
    });
    person.await_gone();
}

/// As Codex does when the person interrupts it.
#[test]
fn permission_closes_when_its_hook_is_killed() {
    let screen = Screen::start();
    let request = permission("Bash", &json!({ "command": "npm run lint" }));
    let _running = hook(&request).start(&screen);
    let person = Person::at(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Claude Code");
    signal("KILL", screen.programs("askdeck")[0]);
    until("the question to be taken back", || {
        (kept.count(&ticket, "withdrawn") == 1).then_some(())
    });
    person.await_gone();
}

#[test]
fn permission_closes_without_an_app() {
    let screen = Screen::start();
    let request = permission("Bash", &json!({ "command": "npm run lint" }));
    let running = hook(&request).start(&screen);
    let person = Person::at(&screen);
    Run::command(["stop"]).ends(&screen).is(0, "");
    person.await_no_app();
    Run::command(["status"]).ends(&screen).is(1, "not running; 1 open\n");
    signal("TERM", screen.programs("askdeck")[0]);
    running.ends().is(0, "");
    Run::command(["status"]).ends(&screen).is(1, "not running; 0 open\n");
}

#[test]
fn question_stays_and_says_so_when_claude_is_gone() {
    let screen = Screen::start();
    let mut hook = screen
        .command(askdeck())
        .args(["hook", "claude-code"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    let mut input = hook.stdin.take().expect("stdin is piped");
    write!(input, "{}", one_question()).expect("the hook reads");
    drop(input);
    Person::at(&screen);
    drop(hook.stdout.take());
    let status = until("the hook to end", || hook.try_wait().expect("a child"));
    assert!(status.success());
    until("the question to say that the agent left", || {
        let list = Run::command(["list", "--json"]).ends(&screen).stdout;
        list.contains("caller_left").then_some(())
    });
}

#[test]
fn elicitation_hook_fills_in_the_form() {
    let screen = Screen::without_arming();
    let schema = json!({ "type": "object", "required": ["user"], "properties": {
        "user": { "type": "string", "title": "User name", "maxLength": 20 },
        "level": { "type": "string", "enum": ["low", "high"] },
    }});
    let more = json!({
        "mcp_server_name": "tracker", "message": "Who are you?", "mode": "form",
        "requested_schema": schema,
    });
    let form = event("Elicitation", &more);
    let window = hook(&form).open(&screen);
    assert_eq!(window.text(".dialog .agent"), "tracker (Claude Code) asks");
    window.type_into("[data-question='0'] input", "alice");
    window.click("[data-question='1'] .card:nth-child(2)");
    window.person.press("ctrl+Return");
    let expected = json!({
        "hookEventName": "Elicitation",
        "action": "accept",
        "content": { "user": "alice", "level": "high" },
    });
    assert_eq!(decided(&window.close()), expected);

    let window = hook(&form).open(&screen);
    window.click(".away button:nth-child(1)");
    window.await_focus(".primary");
    window.click(".primary");
    let expected = json!({ "hookEventName": "Elicitation", "action": "decline" });
    assert_eq!(decided(&window.close()), expected);
    // The first one leaves the text box.
    press_for_decision(&screen, "Escape Escape", &form).is(0, "");
}

#[test]
fn elicited_url_is_opened_only_after_consent() {
    let screen = Screen::without_arming();
    let browser = Browser::in_home(&screen);
    let page = |url: &str| {
        let more = json!({
            "mcp_server_name": "tracker", "message": "Please sign in.", "mode": "url", "url": url,
        });
        hook(&event("Elicitation", &more)).env("PATH", browser.path.clone())
    };

    let url = "https://tracker.example/sign-in?state=1";
    let window = page(url).open(&screen);
    window.await_text(".verb .description", url);
    window.click(".verb.refuses");
    let declined = json!({ "hookEventName": "Elicitation", "action": "decline" });
    assert_eq!(decided(&window.close()), declined);
    assert_eq!(browser.visited(), "");

    let mut running = page(url).start(&screen);
    Person::at(&screen).press_once("1 Return", || running.is_over().then_some(()));
    let accepted = json!({ "hookEventName": "Elicitation", "action": "accept" });
    assert_eq!(decided(&running.ends()), accepted);
    assert_eq!(browser.await_visit(), format!("{url}\n"));

    let ended = page("file:///etc/passwd").ends(&screen);
    assert_eq!((ended.code, &*ended.stdout), (Some(0), ""));
}
