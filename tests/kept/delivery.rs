//! An answer is given once: to whoever waits for it, by its ticket, or to the next who asks the same,
//! but never to one who asks anew.

use std::fs;

use serde_json::json;

use super::{given, in_words, type_as_soon_as_possible};
use crate::support::{APP, Kept, Person, Run, Screen, Wire, until};

/// Types into the only window and sends it. Returns what was sent.
#[track_caller]
fn answer(screen: &Screen, text: &str) -> String {
    let person = Person::at(screen);
    person.activate();
    let typed = type_as_soon_as_possible(&person, &Kept::of(screen), "Tester", text);
    person.press("Return");
    typed
}

#[test]
fn answer_fetched_without_an_app_is_not_reused() {
    let screen = Screen::without_arming();
    let submitted = Run::ask(&in_words("Tester")).args(["--no-wait"]).ends(&screen);
    let ticket = submitted.stdout.trim_end();
    let first = answer(&screen, "first");
    // Its window may outlast it for a moment, and be taken for that of the next one.
    let visible = ["search", "--onlyvisible", "--class", "askdeck-desktop"];
    until("the app and its window to go", || {
        let is_gone = screen.programs("askdeck-desktop").is_empty();
        (is_gone && screen.ask("xdotool", visible).is_none()).then_some(())
    });
    Run::command(["result", ticket]).ends(&screen).answers(&given(&first));

    let anew = Run::ask(&in_words("Tester")).start(&screen);
    let second = answer(&screen, "second");
    anew.ends().answers(&given(&second));
}

/// What the kernel is asked to do tells more than what is found afterwards.
#[test]
fn answer_is_on_disk_before_its_caller_gets_it() {
    let screen = Screen::without_arming();
    screen.configure("answers_over_socket = true");
    let trace = screen.path("trace");
    let calls = "trace=pwrite64,fdatasync,fsync,sendto,sendmsg,write,writev";
    let app = APP;
    let _app = Run::program("strace", ["-f", "--seccomp-bpf", "-y", "-s", "8192", "-e", calls])
        .args(["-o", &trace.display().to_string(), app, "--resident"])
        .start(&screen);
    until("the app to listen", || {
        (Run::command(["status"]).ends(&screen).code == Some(0)).then_some(())
    });
    let mut wire = Wire::to(&screen);
    wire.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "t" }));
    let mut other = Wire::to(&screen);
    let answer = json!({ "ticket": "t", "answers": [{ "value": "typed" }] });
    until("it to be asked", || (other.call("answer", &answer)["done"] == true).then_some(()));
    assert_eq!(wire.next()["result"]["outcome"], "answered");
    Run::command(["stop"]).ends(&screen).is(0, "");

    let outcome = r#"\"outcome\":\"answered\""#;
    let is_file = |line: &str| line.contains("askdeck.sqlite-wal>");
    let trace = fs::read_to_string(trace).expect("strace writes text");
    let steps: Vec<_> = trace
        .lines()
        .filter_map(|line| match line {
            _ if line.contains("sync(") && is_file(line) => Some("synced"),
            _ if !line.contains(outcome) => None,
            _ if is_file(line) => Some("written"),
            _ => Some("told"),
        })
        .skip_while(|step| *step != "written")
        .collect();
    let first = |what| steps.iter().position(|step| *step == what);
    assert!(first("synced").is_some() && first("synced") < first("told"), "{steps:?}");
}

#[test]
fn answer_of_a_caller_that_just_left_is_reused() {
    let screen = Screen::without_arming();
    let mut wire = Wire::to_resident(&screen);
    wire.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "t" }));
    Kept::of(&screen).ticket("Tester");
    wire.leave();
    let typed = answer(&screen, "typed");
    let kept = Kept::of(&screen);
    until("it to end", || (kept.count("t", "answered") == 1).then_some(()));
    let mut next = Wire::to(&screen);
    let ended = next.call("ask", &json!({ "payload": in_words("Tester"), "ticket": "next" }));
    assert_eq!((&ended["reused"], &ended["ticket"]), (&json!(true), &json!("next")));
    assert_eq!(ended["answers"], json!([{ "value": typed }]));
}

#[test]
fn undelivered_answer_is_reused_within_reuse_minutes() {
    for (minutes, reused) in [(1, true), (0, false)] {
        let screen = Screen::without_arming();
        screen.configure(&format!("answers_over_socket = true\nreuse_minutes = {minutes}"));
        let mut wire = Wire::to_resident(&screen);
        let mut leaves = Wire::to(&screen);
        leaves.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "t" }));
        let state = |wire: &mut Wire| {
            let listed = wire.call("list", &json!({}));
            listed["open"][0]["state"].clone()
        };
        until("it to be asked", || (!state(&mut wire).is_null()).then_some(()));
        leaves.leave();
        until("the app to notice", || (state(&mut wire) == "caller_left").then_some(()));
        let answer = json!({ "ticket": "t", "answers": [{ "value": "typed" }] });
        assert_eq!(wire.call("answer", &answer), json!({ "done": true }));

        wire.send("ask", &json!({ "payload": in_words("Tester"), "ticket": "again" }));
        let mut other = Wire::to(&screen);
        if reused {
            assert_eq!(wire.next()["result"]["reused"], true);
            assert_eq!(other.call("list", &json!({})), json!({ "open": [] }));
        } else {
            until("it to be asked anew", || {
                let open = other.call("list", &json!({}));
                (open["open"][0]["ticket"] == "again").then_some(())
            });
        }
    }
}
