use askdeck_core::{
    asking,
    dialog::Caller,
    outcome::{Answer, Outcome},
    protocol::Ask,
};
use askdeck_desk::store::{self, Store};
use serde_json::{Value, json};

use super::question;
use crate::support::{Ended, Home, Kept, Person, Run, Screen, Wire, signal, until};

const STILL_OPEN: &str = "askdeck: the question is still open; wait for it with --wait\n";

fn run<const N: usize>(home: &Home, args: [&str; N]) -> Ended {
    Run::command(args).ends(home)
}

/// Asks without waiting, and returns the ticket.
#[track_caller]
fn submit(screen: &Screen, payload: &Value) -> String {
    let ended = Run::ask(payload).args(["--no-wait"]).ends(screen);
    let ticket = ended.stdout.trim_end().to_owned();
    ended.is(0, &format!("{ticket}\n"));
    assert!(!ticket.is_empty() && !ticket.contains(char::is_whitespace), "{ticket}");
    ticket
}

/// Presses Return until the question of this ticket has ended.
#[track_caller]
fn answer(screen: &Screen, ticket: &str) {
    Person::at(screen)
        .press_once("Return", || (run(screen, ["result", ticket]).code == Some(0)).then_some(()));
}

fn answered(asked: &str) -> String {
    let answers = json!([{ "id": "question-0", "question": asked, "selected": ["Now"] }]);
    format!("{}\n", json!({ "outcome": "answered", "answers": answers }))
}

#[test]
fn ticket_redeems_any_number_of_times() {
    let screen = Screen::without_arming();
    let ticket = submit(&screen, &question("Deploy?"));
    run(&screen, ["result", &ticket]).says(1, "", STILL_OPEN);
    let waits = Run::command(["result", &ticket, "--wait"]).start(&screen);
    answer(&screen, &ticket);
    waits.ends().is(0, &answered("Deploy?"));
    for _ in 0..2 {
        run(&screen, ["result", &ticket]).is(0, &answered("Deploy?"));
    }
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    for _ in 0..2 {
        run(&screen, ["result", &ticket]).is(0, &answered("Deploy?"));
        run(&screen, ["result", &ticket, "--wait"]).is(0, &answered("Deploy?"));
    }
    assert!(screen.programs("askdeck-desktop").is_empty(), "what has ended needs no app");
}

#[test]
fn ticket_redeems_after_restart() {
    let screen = Screen::without_arming();
    run(&screen, ["resident"]).is(0, "");
    let ticket = submit(&screen, &question("Deploy?"));
    let mut waits = Run::command(["result", &ticket, "--wait"]).start(&screen);
    Person::at(&screen);
    run(&screen, ["stop"]).is(0, "");
    run(&screen, ["status"]).is(1, "not running; 1 open\n");
    run(&screen, ["result", &ticket]).says(1, "", STILL_OPEN);
    assert!(!waits.is_over());
    assert!(screen.programs("askdeck-desktop").is_empty(), "it was quit, and stays so");

    run(&screen, ["resident"]).is(0, "");
    run(&screen, ["show", &ticket]).is(0, "");
    answer(&screen, &ticket);
    waits.ends().says(
        0,
        &answered("Deploy?"),
        "askdeck: Askdeck was quit; the question stays open, and this command waits until Askdeck runs again\n",
    );
}

#[test]
fn ticket_waiter_gets_the_question_back_after_a_killed_app() {
    let screen = Screen::without_arming();
    let ticket = submit(&screen, &question("Deploy?"));
    let person = Person::at(&screen);
    signal("KILL", person.app());
    person.await_gone();
    // Nobody asks it again, and nobody shows it.
    let waits = Run::command(["result", &ticket, "--wait"]).start(&screen);
    answer(&screen, &ticket);
    waits.ends().is(0, &answered("Deploy?"));
}

#[test]
fn ticket_is_refused_for_another_question() {
    let screen = Screen::without_arming();
    let mut wire = Wire::to_resident(&screen);
    let ask = |text| json!({ "payload": question(text), "ticket": "deploy" });
    assert_eq!(wire.call("submit", &ask("Staging?"))["ticket"], "deploy");
    answer(&screen, "deploy");
    assert_eq!(wire.call("ask", &ask("Staging?"))["outcome"], "answered");
    for method in ["ask", "submit"] {
        wire.send(method, &ask("Production?"));
        let why = "another question has the ticket `deploy`; choose another, or none";
        assert_eq!(wire.next()["error"]["message"], why, "{method}");
    }
}

#[test]
fn withdraw_ends_the_question() {
    let screen = Screen::start();
    let asks = Run::ask(&question("Deploy?")).start(&screen);
    let person = Person::at(&screen);
    let listed: Value =
        serde_json::from_str(&run(&screen, ["list", "--json"]).stdout).expect("JSON");
    let ticket = listed[0]["ticket"].as_str().expect("a ticket").to_owned();
    run(&screen, ["withdraw", &ticket]).is(0, "");
    asks.ends().is_json(130, &json!({ "outcome": "withdrawn" }));
    run(&screen, ["result", &ticket]).is_json(130, &json!({ "outcome": "withdrawn" }));
    let unknown =
        format!("askdeck: no open question has the ticket `{ticket}`; see `askdeck list`\n");
    run(&screen, ["withdraw", &ticket]).says(2, "", &unknown);
    person.await_gone();
}

/// The app has taken this question under this ticket.
#[track_caller]
fn await_asked(screen: &Screen, ticket: &str) {
    until("it to be asked", || (run(screen, ["result", ticket]).code == Some(1)).then_some(()));
}

#[test]
fn joined_caller_has_a_ticket_of_its_own() {
    let screen = Screen::without_arming();
    let mut first = Wire::to_resident(&screen);
    let ask = |ticket: &str| json!({ "payload": question("Deploy?"), "ticket": ticket });
    first.send("ask", &ask("one"));
    let mut second = Wire::to(&screen);
    second.send("ask", &ask("two"));
    await_asked(&screen, "two");
    run(&screen, ["result", "two"]).says(1, "", STILL_OPEN);
    run(&screen, ["status"]).is(0, "running resident, version 0.1.0; 1 open\n");
    let waits = Run::command(["result", "two", "--wait"]).start(&screen);

    let person = Person::at(&screen);
    signal("KILL", person.app());
    person.await_gone();
    let mut second = Wire::to_resident(&screen);
    run(&screen, ["result", "two"]).says(1, "", STILL_OPEN);
    second.send("ask", &ask("two"));
    run(&screen, ["show", "two"]).is(0, "");
    answer(&screen, "two");
    assert_eq!(second.next()["result"]["outcome"], "answered");
    waits.ends().is(0, &answered("Deploy?"));

    // The first one had no app to tell it, and is not asked again; nor is the second.
    for ticket in ["one", "two"] {
        assert_eq!(Wire::to(&screen).call("ask", &ask(ticket))["outcome"], "answered");
    }
    run(&screen, ["stop"]).is(0, "");
    for ticket in ["one", "two"] {
        run(&screen, ["result", ticket]).is(0, &answered("Deploy?"));
    }
}

#[test]
fn withdrawing_leaves_the_question_to_other_waiters() {
    let screen = Screen::without_arming();
    let mut first = Run::ask(&question("Deploy?")).start(&screen);
    let person = Person::at(&screen);
    let second = Run::ask(&question("Deploy?")).start(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Tester");
    until("the second to join", || (kept.count(&ticket, "asked_again") == 1).then_some(()));
    second.interrupt();
    second.ends().is_json(130, &json!({ "outcome": "withdrawn" }));
    assert!(!first.is_over());
    run(&screen, ["result", &ticket]).says(1, "", STILL_OPEN);
    person.press_once("Return", || first.is_over().then_some(()));
    first.ends().is(0, &answered("Deploy?"));
}

#[test]
fn withdraw_works_after_askdeck_was_quit() {
    let screen = Screen::start();
    run(&screen, ["resident"]).is(0, "");
    let asks = Run::ask(&question("Deploy?")).start(&screen);
    Person::at(&screen);
    run(&screen, ["stop"]).is(0, "");
    run(&screen, ["status"]).is(1, "not running; 1 open\n");
    asks.interrupt();
    let ended = asks.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(130), "{\"outcome\":\"withdrawn\"}\n"));
    assert!(!ended.stderr.contains("may still be open"), "{ended:?}");
    run(&screen, ["status"]).is(1, "not running; 0 open\n");
}

#[test]
fn deadline_passes_after_askdeck_was_quit() {
    let screen = Screen::start();
    run(&screen, ["resident"]).is(0, "");
    let asks = Run::ask(&question("Deploy?")).args(["--timeout=5s"]).start(&screen);
    until("it to be asked", || (!run(&screen, ["list"]).stdout.is_empty()).then_some(()));
    run(&screen, ["stop"]).is(0, "");
    asks.ends().says(
        124,
        "{\"outcome\":\"timed_out\"}\n",
        "askdeck: Askdeck was quit; the question stays open, and this command waits until Askdeck runs again\n\
         askdeck: timed out; the question stays open until Askdeck runs again\n",
    );
    run(&screen, ["status"]).is(1, "not running; 1 open\n");
}

#[test]
fn polling_holds_up_no_deadline() {
    let screen = Screen::start();
    let mut asker = Wire::to_resident(&screen);
    let ask = json!({ "payload": question("Too late?"), "timeout_ms": 2000, "ticket": "late" });
    asker.send("ask", &ask);
    await_asked(&screen, "late");
    let mut looker = Wire::to(&screen);
    until("the time to be over", || {
        let result = looker.call("result", &json!({ "ticket": "late" }));
        (result["outcome"] == "timed_out").then_some(())
    });
    assert_eq!(asker.next()["result"]["outcome"], "timed_out");
    let history = looker.call("history", &json!({}))["history"].take();
    assert_eq!(history[0]["through"], Value::Null);
}

#[test]
fn malformed_ticket_is_refused() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    let told = "ticket: expected 1 to 200 printable ASCII characters without spaces; leave it out to get one";
    for ticket in ["", "a b", "a\nb", "\u{1b}[31mred", "a\u{202e}b", &"t".repeat(201)] {
        for method in ["ask", "submit"] {
            wire.send(method, &json!({ "payload": question("Deploy?"), "ticket": ticket }));
            let error = wire.next()["error"].take();
            assert_eq!(error, json!({ "code": -32602, "message": told }), "{ticket:?}");
        }
    }
    let id = "toolu_01A/6f9619ff-8b86-d011-b42d-00c04fc964ff@host:1";
    let submitted = wire.call("submit", &json!({ "payload": question("Deploy?"), "ticket": id }));
    assert_eq!(submitted["ticket"], id);
}

/// Also what an older Askdeck has kept, which took any ticket.
#[test]
fn list_and_history_hold_no_escapes() {
    let home = Home::new();
    let (mut store, _) = Store::open(Some(&Kept::file(&home)));
    let foul = |text: &str| format!("{text}\u{1b}[31m\n{text}\u{202e}");
    let payload = json!({ "question": foul("q"), "type": "text" });
    let caller = Caller { agent: foul("me"), cwd: Some(foul("/srv")), ..Caller::default() };
    let ask = Ask { payload, ..Ask::default() };
    let asked = asking::check(&ask, "t".into(), |_, _| caller).expect("a question");
    let mut dialog = asked.dialog;
    dialog.id = foul("a");
    store.insert(&dialog, asked.key.as_str(), store::now()).expect("the store is ours");
    let assert_clean = |command: &str, all: &[&str]| {
        let told = run(&home, [command]).stdout;
        assert!(all.iter().all(|text| told.contains(text)), "{told:?}");
        assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told:?}");
    };
    assert_clean("list", &["a a  ", "me me", "q q"]);
    let answer = Answer { value: Some(foul("yes").into()), ..Answer::default() };
    let outcome = Outcome::Answered { answers: vec![answer] };
    store.end(&dialog, &outcome, None, store::now()).expect("the store is ours");
    assert_clean("history", &["a a  ", "me me", "/srv", "q q", "yes yes"]);
}

#[test]
fn unknown_ticket_is_refused() {
    let screen = Screen::start();
    let unknown = "askdeck: no question has the ticket `nonsense`, or it was deleted; \
        see `askdeck list` and `askdeck history`\n";
    run(&screen, ["result", "nonsense"]).says(2, "", unknown);
    run(&screen, ["resident"]).is(0, "");
    run(&screen, ["result", "nonsense"]).says(2, "", unknown);
    run(&screen, ["result", "nonsense", "--wait"]).says(2, "", unknown);
    let not_open = "askdeck: no open question has the ticket `nonsense`; \
        see `askdeck list`\n";
    run(&screen, ["show", "nonsense"]).says(2, "", not_open);
    let nothing = "askdeck: no question is open; `askdeck show --history` shows past ones\n";
    run(&screen, ["show"]).says(1, "", nothing);
}

#[test]
fn list_works_with_and_without_an_app() {
    let screen = Screen::without_arming();
    run(&screen, ["list"]).is(0, "");
    run(&screen, ["list", "--json"]).is(0, "[]\n");
    run(&screen, ["status"]).is(1, "not running; 0 open\n");
    run(&screen, ["stop"]).is(0, "");
    run(&screen, ["resident"]).is(0, "");
    run(&screen, ["resident"]).is(0, "");
    run(&screen, ["status"]).is(0, "running resident, version 0.1.0; 0 open\n");
    assert_eq!(screen.programs("askdeck-desktop").len(), 1);

    let ticket = submit(&screen, &question("Deploy?"));
    let folder = screen.path("work").display().to_string();
    let listed = |state: &str| {
        let shown = run(&screen, ["list", "--json"]);
        let mut open: Value = serde_json::from_str(&shown.stdout).expect("JSON");
        assert!(open[0]["asked_at"].take().is_i64());
        let expected = json!([{
            "ticket": ticket, "agent": "Tester", "cwd": folder, "host": null, "about": "Deploy?",
            "asked_at": null, "state": state,
        }]);
        (open == expected).then_some(())
    };
    until("it to be shown", || listed("shown"));
    let line = run(&screen, ["list"]);
    assert!(line.stdout.starts_with(&format!("{ticket}  shown      ")), "{line:?}");
    assert!(line.stdout.ends_with("s  Tester: Deploy?\n"), "{line:?}");
    run(&screen, ["status"]).is(0, "running resident, version 0.1.0; 1 open\n");
    Person::at(&screen).press_once("Escape", || listed("set_aside"));
    run(&screen, ["stop"]).is(0, "");
    listed("set_aside").expect("it is kept");
    run(&screen, ["resident"]).is(0, "");
    listed("set_aside").expect("it is kept");
}

#[test]
fn history_search_works_with_and_without_an_app() {
    let screen = Screen::without_arming();
    let mut wire = Wire::to_resident(&screen);
    for (agent, text, cwd) in [("Ann", "Paint it?", "/srv/shop"), ("Bob", "Ship it?", "/srv/ship")]
    {
        let payload =
            json!({ "agent": agent, "cwd": cwd, "question": text, "options": ["Now", "Later"] });
        let ticket = wire.call("submit", &json!({ "payload": payload }))["ticket"].take();
        answer(&screen, ticket.as_str().expect("a ticket"));
    }
    let found = |args: &[&str]| {
        let mut run = Run::command(["history", "--json"]);
        for arg in args {
            run = run.args([arg]);
        }
        let records: Value = serde_json::from_str(&run.ends(&screen).stdout).expect("JSON");
        let agents = records.as_array().expect("a list").iter();
        agents.map(|record| record["dialog"]["caller"]["agent"].clone()).collect::<Value>()
    };
    let check = || {
        assert_eq!(found(&[]), json!(["Bob", "Ann"]));
        assert_eq!(found(&["paint"]), json!(["Ann"]));
        assert_eq!(found(&["now"]), json!(["Bob", "Ann"]));
        assert_eq!(found(&["--agent", "bob"]), json!(["Bob"]));
        assert_eq!(found(&["--project", "shop"]), json!(["Ann"]));
        assert_eq!(found(&["--project", "/srv/ship", "--agent", "Ann"]), json!([]));
        assert_eq!(found(&["--limit", "1"]), json!(["Bob"]));
        let told = run(&screen, ["history", "--agent", "Ann"]);
        assert!(
            told.stdout.ends_with(" ago  answered  Ann in /srv/shop\n    Paint it?\n      Now\n"),
            "{told:?}"
        );
        run(&screen, ["history", "nothing like it"]).is(0, "");
        let stats = run(&screen, ["stats"]);
        assert!(stats.stdout.starts_with("answered          2\n"), "{stats:?}");
        let columns = "   to answer  to be seen  to the end\n";
        assert!(stats.stdout.contains(columns), "{stats:?}");
        let stats: Value =
            serde_json::from_str(&run(&screen, ["stats", "--json"]).stdout).expect("JSON");
        assert_eq!(stats["outcomes"], json!({ "answered": 2 }));
        assert_eq!(stats["agents"][1]["agent"], "Bob");
        assert_eq!(
            (&stats["agents"][1]["count"], &stats["agents"][1]["answered"]),
            (&json!(1), &json!(1))
        );
        let waited = &stats["agents"][1]["median_wait_ms"];
        assert!(waited.as_i64().is_some_and(|waited| waited > 0), "{stats}");
        assert_eq!(&stats["agents"][1]["median_answer_ms"], waited);
    };
    check();
    run(&screen, ["stop"]).is(0, "");
    check();
}
