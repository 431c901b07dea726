//! The hook inside the real Claude Code. Only the model is scripted; what counts is the text that
//! it would read.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Claude, Kept, Model, Person, Run, Screen, askdeck, press_once, until};

fn question(multi: bool) -> Value {
    json!({ "questions": [{
        "question": "Which framework?",
        "header": "Framework",
        "multiSelect": multi,
        "options": [
            { "label": "React", "description": "Big" },
            { "label": "Vue", "description": "Small" },
            { "label": "Svelte", "description": "Compiled" },
        ],
    }]})
}

fn asking(multi: bool) -> Model {
    Model::using(&[("AskUserQuestion", question(multi))])
}

const GO_ON: &str = "You can now continue with these answers in mind.";
const READ_IT: &str = "Read the answers carefully — they may request clarification, changes, or \
    that you not proceed — and follow what they actually say.";

#[test]
fn claude_code_gets_one_choice_in_every_permission_mode() {
    for mode in ["default", "acceptEdits", "plan", "bypassPermissions", "auto", "dontAsk"] {
        let screen = Screen::without_arming();
        let mut model = asking(false);
        let _claude = Claude::print(&screen, &model, mode).start(&screen);
        model.turn(0);
        let person = Person::at(&screen);
        person.press_once("Return", || person.title().is_empty().then_some(()));
        assert_eq!(
            model.result(1),
            format!("Your questions have been answered: \"Which framework?\"=\"React\". {GO_ON}"),
            "{mode}"
        );
    }
}

#[test]
fn claude_code_gets_several_choices() {
    let screen = Screen::start();
    let mut model = asking(true);
    let window = Claude::print(&screen, &model, "default").open(&screen);
    window.click("#panel-0 .card:nth-child(1)");
    window.click("#panel-0 .card:nth-child(3)");
    window.await_chosen(&[0, 2]);
    window.person.press("ctrl+Return");
    let text = format!(
        "Your questions have been answered: \"Which framework?\"=\"React, Svelte\". {GO_ON}"
    );
    assert_eq!(model.result(1), text);
}

#[test]
fn claude_code_gets_own_words() {
    let screen = Screen::start();
    let mut model = asking(false);
    let window = Claude::print(&screen, &model, "default").open(&screen);
    window.click("#panel-0 .card:nth-child(4)");
    window.type_into("#panel-0 [data-focus='other']", "plain HTML");
    window.person.press("ctrl+Return");
    let text = format!("The user answered: \"Which framework?\"=\"plain HTML\". {READ_IT}");
    assert_eq!(model.result(1), text);
}

#[test]
fn claude_code_gets_the_note() {
    let screen = Screen::start();
    let mut model = asking(false);
    let window = Claude::print(&screen, &model, "default").open(&screen);
    window.click("#panel-0 .card:nth-child(2)");
    window.click("#panel-0 .add-note");
    window.type_into("#panel-0 .note textarea", "version 3");
    window.person.press("ctrl+Return");
    let text =
        format!("The user answered: \"Which framework?\"=\"Vue\" notes: version 3. {READ_IT}");
    assert_eq!(model.result(1), text);
}

#[test]
fn claude_code_gets_the_reason_of_a_decline() {
    let screen = Screen::start();
    let mut model = asking(false);
    let window = Claude::print(&screen, &model, "default").open(&screen);
    window.click(".away button:nth-child(1)");
    window.type_into(".composer [data-focus='aside']", "ask the team");
    window.click(".primary");
    let text = model.result(1);
    let declined = "The user declined to answer these questions. Their reason: ask the team";
    assert!(text.ends_with(declined), "{text}");
}

/// A host of Claude Code runs the command itself, with a limit; hooks have none.
#[test]
fn claude_code_gets_a_time_out_as_no_answer() {
    let screen = Screen::start();
    let mut model = asking(true);
    let mut claude = Claude::hosted(&screen, &model);
    let request = claude.request();
    let run = Run::ask(&request["request"]["input"]).args(["--dialect=claude", "--timeout=8s"]);
    let window = run.open(&screen);
    window.click("#panel-0 .card:nth-child(2)");
    window.await_chosen(&[1]);
    let ended = window.await_end();
    assert_eq!(ended.code, Some(124), "{ended:?}");
    let written = serde_json::from_str(&ended.stdout).expect("the answer is JSON");
    claude.decide(&request, &written);
    let turn = model.turn(1);
    let text = "The user did not answer these questions in time. Do not assume an answer.\n\n\
        The questions and what the user had chosen so far, but not sent:\n\
        - \"Which framework?\"\n  Vue";
    assert_eq!(turn.results, [text]);
    let last = turn.messages.last().map(ToString::to_string).unwrap_or_default();
    assert!(last.contains("\"is_error\":true"), "{last}");
}

#[test]
fn claude_code_asks_in_its_terminal_after_a_closed_window() {
    let screen = Screen::without_arming();
    let mut model = asking(false);
    let claude = Claude::start(&screen, &model, "default");
    model.turn(0);
    let person = Person::at(&screen);
    person.press_once("Escape", || person.title().is_empty().then_some(()));
    claude.await_text("❯ 1. React");
    claude.press("Enter");
    let text =
        format!("Your questions have been answered: \"Which framework?\"=\"React\". {GO_ON}");
    assert_eq!(model.result(1), text);
    claude.await_text("Done.");
}

#[test]
fn claude_code_asks_in_its_terminal_without_a_display() {
    let screen = Screen::start();
    let mut model = asking(false);
    let claude = Claude::start_without_display(&screen, &model);
    model.turn(0);
    claude.await_text("❯ 1. React");
    claude.press("Enter");
    assert!(model.result(1).contains("\"Which framework?\"=\"React\""));
}

#[test]
fn claude_code_plan_sent_back_and_then_approved() {
    let screen = Screen::without_arming();
    let plan = |text: &str| ("Write", json!({ "file_path": "$PLAN", "content": text }));
    let exit = || ("ExitPlanMode", json!({}));
    let tools = [plan("1. Extract\n"), exit(), plan("1. Extract\n2. Test\n"), exit()];
    let mut model = Model::using(&tools);
    let window = Claude::print(&screen, &model, "plan").open(&screen);
    assert_eq!(window.texts(".prose li"), ["Extract"]);
    window.type_into(".verbs textarea", "and test it");
    window.click(".verb.refuses");
    let text = model.result(2);
    let said = "The user wants you to keep planning. They say: and test it";
    assert!(text.ends_with(said), "{text}");
    // The second plan may come to a new window, which the driver does not know.
    model.turn(3);
    let mut approved = None;
    Person::at(&screen).press_once("1 Return", || {
        approved = model.try_result(4);
        approved.as_ref().map(drop)
    });
    let text = approved.unwrap_or_default();
    assert!(text.starts_with("User has approved your plan."), "{text}");
}

#[test]
fn claude_code_permission_in_window_or_terminal() {
    let screen = Screen::without_arming();
    let touch = |name: &str| ("Bash", json!({ "command": format!("touch {name}") }));
    let mut model = Model::using(&[touch("one"), touch("two"), touch("three")]);
    let claude = Claude::start(&screen, &model, "default");
    let made = |name: &str| screen.path("work").join(name).exists();
    model.turn(0);
    claude.await_text("touch one");
    Person::at(&screen).press_once("1 Return", || made("one").then_some(()));

    // The terminal asks at the same time. Once it is decided there, the window asks no more.
    let kept = Kept::of(&screen);
    let first = kept.ticket("Claude Code");
    claude.await_prompt("touch two");
    let second = until("the second question", || {
        Some(kept.ticket("Claude Code")).filter(|ticket| *ticket != first)
    });
    let allow = || claude.press("Enter");
    press_once("the file to be made", allow, || made("two").then_some(()));
    until("the question to be taken back", || {
        (kept.count(&second, "withdrawn") == 1).then_some(())
    });

    claude.await_text("touch three");
    until("the third question", || (kept.ticket("Claude Code") != second).then_some(()));
    let person = Person::at(&screen);
    // Claude suggests two more ways to allow it.
    let mut denied = None;
    person.press_once("4 Return", || {
        denied = model.try_result(3);
        denied.as_ref().map(drop)
    });
    assert_eq!(denied.unwrap_or_default(), "The user did not allow this.");
    assert!(!made("three"));
}

/// A model that asks through our server.
fn asking_by_tool() -> Model {
    Model::using(&[("mcp__askdeck__ask_user_question", question(false))])
}

#[test]
fn claude_code_uses_our_tools_without_permission() {
    let screen = Screen::without_arming();
    let mut model = asking_by_tool();
    let _claude = Claude::start(&screen, &model, "default");
    model.turn(0);
    let person = Person::at_window(&screen, "Claude Code");
    person.press_once("Return", || person.title().is_empty().then_some(()));
    let text = model.result(1);
    assert!(text.contains("React"), "{text}");
    assert_eq!(Kept::of(&screen).dialogs(), 1);
}

/// Others it finds only by a search. In its terminal, a prompt that is there before the servers are
/// connected is sent without any of them.
#[test]
fn claude_code_sees_our_tools_in_its_first_request() {
    let screen = Screen::without_arming();
    let mut model = asking_by_tool();
    let _claude = Claude::print(&screen, &model, "default").start(&screen);
    let tools = model.turn(0).tools;
    for name in ["ask_user_question", "confirm_action", "get_answer"] {
        assert!(tools.contains(&format!("mcp__askdeck__{name}")), "{tools:?}");
    }
}

/// Our own program stands for any that a project calls by our name.
#[test]
fn claude_code_asks_permission_for_a_project_server_named_askdeck() {
    let screen = Screen::start();
    let server = json!({ "command": askdeck(), "args": ["mcp"] });
    let write = |name: &str, value: Value| {
        fs::write(screen.path(name), value.to_string()).expect("the home is ours");
    };
    write("work/.mcp.json", json!({ "mcpServers": { "askdeck": server } }));
    fs::create_dir(screen.path("work/.claude")).expect("the folder is new");
    write("work/.claude/settings.local.json", json!({ "enabledMcpjsonServers": ["askdeck"] }));
    let mut model = asking_by_tool();
    let _claude = Claude::start(&screen, &model, "default");
    model.turn(0);
    let asked = until("a question", || {
        let list = Run::command(["list", "--json"]).ends(&screen).stdout;
        let list: Value = serde_json::from_str(&list).ok()?;
        list[0]["about"].as_str().map(str::to_owned)
    });
    assert_eq!(asked, "Use `ask_user_question` of `askdeck`?");
}

/// In the place of two minutes Claude Code waits for one second, in its terminal.
#[test]
fn claude_code_gets_an_answer_after_it_went_on() {
    let screen = Screen::with("CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS", "1000");
    let mut model = asking_by_tool();
    let claude = Claude::start(&screen, &model, "default");
    model.turn(0);
    let text = model.result(1);
    assert!(text.contains("was moved to the background"), "{text}");
    claude.await_text("Done.");
    let person = Person::at_window(&screen, "Claude Code");
    person.press_once("Return", || person.title().is_empty().then_some(()));
    let told = model.told("<task-notification>");
    assert!(told.contains("\"selected\":[\"React\"]"), "{told}");
}

/// Claude Code with a server that wants a form filled in: our own, without a display.
fn with_form(screen: &Screen, model: &Model) -> Run {
    let server = json!({
        "command": askdeck(),
        "args": ["mcp"],
        "env": { "DISPLAY": "", "ASKDECK_HOME": screen.path("nowhere") },
    });
    let servers = json!({ "mcpServers": { "tracker": server } }).to_string();
    Claude::print(screen, model, "bypassPermissions").args(["--mcp-config", &servers])
}

fn asking_by_form() -> Model {
    Model::using(&[("mcp__tracker__ask_user_question", question(false))])
}

#[test]
fn claude_code_fills_in_the_form_of_an_mcp_server() {
    let screen = Screen::start();
    let mut model = asking_by_form();
    let window = with_form(&screen, &model).open(&screen);
    assert_eq!(window.text(".dialog .agent"), "tracker (Claude Code) asks");
    window.click("#panel-0 .card:nth-child(2)");
    window.person.press("ctrl+Return");
    let text = model.result(1);
    assert!(text.contains("Selected: Vue") || text.contains("\"Vue\""), "{text}");
}

#[test]
fn claude_code_declines_the_form_of_an_mcp_server() {
    let screen = Screen::start();
    let mut model = asking_by_form();
    let window = with_form(&screen, &model).open(&screen);
    window.click(".away button:nth-child(1)");
    window.click(".primary");
    let text = model.result(1);
    assert!(text.contains("declined") && !text.contains("Selected"), "{text}");
}

#[test]
fn claude_code_closes_the_form_of_an_mcp_server() {
    let screen = Screen::start();
    let mut model = asking_by_form();
    let window = with_form(&screen, &model).open(&screen);
    window.person.press("Escape");
    let text = model.result(1);
    assert!(text.contains("closed") && !text.contains("Selected"), "{text}");
}
