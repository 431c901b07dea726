use std::fs;

use super::*;
use crate::support::{Prompt, Wire};

const DAY: i64 = 24 * 60 * MINUTE;
const CANARY: &str = "canary-of-the-coal-mine";

/// Three answers of two agents that arrived, from today, three days ago and ten days ago; one that
/// reached nobody; and a question that is still open.
fn five(home: &Home) {
    let mut kept = store(home);
    let now = store::now();
    for (ticket, agent, days) in [("new", "Claude", 0), ("mid", "codex", 3), ("old", "Claude", 10)]
    {
        let question = format!("{CANARY} {ticket}?");
        let at = now - days * DAY - 10 * MINUTE;
        add(&mut kept, &dialog(ticket, agent, "/p/web", &question), &answered(CANARY), at, MINUTE);
        kept.deliver(ticket, at + MINUTE).expect("the store is ours");
    }
    let unheard = dialog("unheard", "codex", "/p/api", "Unheard?");
    add(&mut kept, &unheard, &answered("Nobody knows"), now - 11 * DAY, MINUTE);
    let open = dialog("open", "codex", "/p/api", "Open?");
    kept.insert(&open, "open", now - 10 * DAY).expect("the store is ours");
    kept.save_draft("open", r#"{"drafts":[{"text":"half"}]}"#).expect("the store is ours");
}

fn past(home: &Home) -> Vec<String> {
    let export = Run::command(["history", "export"]).ends(home);
    assert_eq!((export.code, export.stderr.as_str()), (Some(0), ""));
    let lines =
        export.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.map(|record| record["dialog"]["id"].as_str().expect("a ticket").to_owned()).collect()
}

fn delete<const N: usize>(home: &Home, args: [&str; N]) -> (Option<i32>, String) {
    let ended = Run::command(["history", "delete", "--yes"]).args(args).ends(home);
    assert_eq!(ended.stdout, "");
    (ended.code, ended.stderr)
}

/// That no file of the home holds it but what programs have printed.
#[track_caller]
fn assert_no_byte(home: &Home, word: &str) {
    let files = fs::read_dir(home.path("askdeck/data")).expect("the home is ours");
    for file in files.map(|file| file.expect("the home is ours").path()) {
        let bytes = fs::read(&file).expect("the home is ours");
        let found = bytes.windows(word.len()).any(|part| part == word.as_bytes());
        assert!(!found, "{} holds it", file.display());
    }
}

const UNHEARD_AND_OPEN: &str = "askdeck: 1 answer was not delivered yet and stays; name its ticket to delete it: `unheard`\n\
    askdeck: 1 question is still open and stays: `open`\n";

fn what_is_named_or_fits_is_deleted_and_the_rest_stays(home: &Home) {
    assert_eq!(past(home), ["new", "mid", "old", "unheard"]);
    let nothing = "askdeck: nothing to delete\n";
    assert_eq!(delete(home, ["--agent", "nobody"]), (Some(0), nothing.into()));
    let (code, told) = delete(home, ["--before", "5d"]);
    assert_eq!(
        (code, told),
        (Some(0), format!("{UNHEARD_AND_OPEN}askdeck: deleted 1 past question\n"))
    );
    assert_eq!(past(home), ["new", "mid", "unheard"]);
    let unknown = "askdeck: no question has the ticket `old`, or it was deleted; \
        see `askdeck list` and `askdeck history`\n";
    assert_eq!(delete(home, ["new", "old"]), (Some(2), unknown.into()));
    Run::command(["result", "old"]).ends(home).says(2, "", unknown);
    let still_open = "askdeck: 1 question is still open and stays: `open`\n";
    assert_eq!(delete(home, ["open"]), (Some(1), format!("{still_open}{nothing}")));
    let (code, told) = delete(home, ["--all"]);
    assert_eq!(
        (code, told),
        (Some(0), format!("{UNHEARD_AND_OPEN}askdeck: deleted 2 past questions\n"))
    );
    assert_no_byte(home, CANARY);
    assert_eq!(past(home), ["unheard"]);
    assert_eq!(delete(home, ["unheard"]), (Some(0), "askdeck: deleted 1 past question\n".into()));
    assert!(past(home).is_empty());
    let open = Run::command(["list"]).ends(home).stdout;
    assert!(open.starts_with("open "), "{open}");
}

#[test]
fn delete_command_works_without_an_app() {
    let home = Home::new();
    five(&home);
    what_is_named_or_fits_is_deleted_and_the_rest_stays(&home);
    assert_eq!(home.programs("askdeck-desktop"), [0; 0], "none was started for it");
}

#[test]
fn delete_command_works_through_the_app() {
    let screen = Screen::start();
    five(&screen);
    Run::command(["resident"]).ends(&screen).is(0, "");
    what_is_named_or_fits_is_deleted_and_the_rest_stays(&screen);
    assert!(Run::command(["status"]).ends(&screen).stdout.starts_with("running resident"));
    Kept::of(&screen).assert_sound();
}

#[test]
fn delete_needs_a_yes() {
    let home = Home::new();
    five(&home);
    let unasked = "askdeck: not a terminal, so this cannot be confirmed; pass --yes\n";
    Run::command(["history", "delete", "--all"]).ends(&home).says(2, "", unasked);
    let question = "Delete 3 past questions for good?";
    let asks = || Prompt::asks(&home, "history delete --all", question);
    for answer in ["n\n", "\n", "\u{4}"] {
        let (code, screen) = asks().answers(answer);
        assert_eq!(code, Some(1), "{screen}");
        assert!(screen.contains("askdeck: nothing was deleted"), "{screen}");
    }
    assert_eq!(past(&home).len(), 4);
    let (code, screen) = asks().answers("y\n");
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(past(&home), ["unheard"]);
}

#[test]
fn deletion_says_what_it_will_delete() {
    let home = Home::new();
    for args in
        [&["--yes"][..], &["--all", "ticket"], &["--all", "--agent", "a"], &["--before", "30"]]
    {
        let run = args.iter().fold(Run::command(["history", "delete"]), |run, arg| run.args([arg]));
        assert_eq!(run.ends(&home).code, Some(2), "{args:?}");
    }
}

#[test]
fn export_has_the_whole_history() {
    let home = Home::new();
    let mut kept = store(&home);
    let now = store::now();
    // Many of them in one moment, as when a script takes its questions back.
    for number in 0..350 {
        let dialog = dialog(&format!("t{number:03}"), "Claude", "/p/web", "Which?");
        let at = if number < 250 { now - 2 * DAY } else { now - number };
        add(&mut kept, &dialog, &answered("yes"), at, 0);
    }
    drop(kept);
    let mut tickets = past(&home);
    assert_eq!(tickets.len(), 350);
    tickets.sort_unstable();
    tickets.dedup();
    assert_eq!(tickets.len(), 350);
    let since = Run::command(["history", "export", "--since", "1d"]).ends(&home);
    assert_eq!(since.stdout.lines().count(), 100);
    let listed = Run::command(["history", "--json", "--limit", "1"]).ends(&home).stdout;
    let listed: Value = serde_json::from_str(&listed).expect("it is JSON");
    let exported = since.stdout.lines().next().expect("a line");
    assert_eq!(listed[0], serde_json::from_str::<Value>(exported).expect("it is JSON"));
}

#[test]
fn history_limit_deletes_old_entries_when_the_app_starts() {
    let screen = Screen::start();
    five(&screen);
    screen.configure("history_days = 5");
    Run::command(["resident"]).ends(&screen).is(0, "");
    until("the old one to be deleted", || {
        (past(&screen) == ["new", "mid", "unheard"]).then_some(())
    });
    assert!(Run::command(["list"]).ends(&screen).stdout.starts_with("open "));
}

/// Where no app ever runs, each question that is answered in a terminal takes a few with it.
#[test]
fn history_limit_deletes_old_entries_in_a_terminal() {
    let home = Home::new();
    five(&home);
    home.configure("history_days = 5");
    let asks = Run::command(["ask", "--ui", "terminal", "-q", "Now?", "-o", "Yes", "-o", "No"]);
    let terminal = crate::support::Terminal::start(asks, &home, 80, 24);
    terminal.await_armed();
    terminal.press("1\r");
    assert_eq!(terminal.ends().code, Some(0));
    let past = past(&home);
    assert_eq!(past.len(), 4, "{past:?}");
    assert_eq!(past[1..], ["new", "mid", "unheard"]);
}

#[test]
fn acknowledging_a_deleted_answer_is_harmless() {
    let screen = Screen::without_arming();
    let mut wire = Wire::to_resident(&screen);
    let payload = json!({ "agent": "Tester", "question": "Which?", "options": ["a", "b"] });
    wire.send("ask", &json!({ "payload": payload, "ticket": "sent", "ack": true }));
    let reply = Person::at(&screen).press_once("Return", || wire.came());
    assert_eq!(reply["result"]["outcome"], "answered", "{reply}");
    assert_eq!(delete(&screen, ["sent"]).0, Some(0));
    assert_eq!(wire.call("received", &json!({ "ticket": "sent" })), json!({ "done": true }));
    assert_eq!(wire.call("hello", &json!({ "protocol": 2 }))["not_kept"], Value::Null);
}

fn tickets(window: &Window) -> Value {
    window.see("[...document.querySelectorAll('.entry')].map((entry) => entry.dataset.ticket)")
}

fn await_tickets(window: &Window, expected: &[&str]) {
    until(format!("{expected:?}"), || (tickets(window) == json!(expected)).then_some(()));
}

#[test]
fn deleting_one_entry_by_mouse_and_keyboard() {
    let screen = Screen::start();
    five(&screen);
    let window = open(&screen);
    await_tickets(&window, &["new", "mid", "old", "unheard"]);
    let person = Person::at_window(&screen, "History");
    until("the keyboard", || person.has_keyboard().then_some(()));

    // By mouse: quiet until the pointer is there.
    let seen = |ticket: &str| {
        window.see(&format!(
            "getComputedStyle(document.querySelector('[data-ticket={ticket}] .trash')).opacity"
        ))
    };
    person.point(5, 5);
    until("nothing to be under the pointer", || {
        (window.see("document.querySelector('.entry:hover')") == Value::Null).then_some(())
    });
    assert_eq!((seen("new"), seen("mid")), (json!("0"), json!("0")));
    window.click("[data-ticket='new'] .trash");
    assert_eq!(seen("new"), json!("1"));
    window.await_text("[data-ticket='new'] .sure p", "Delete this entry?");
    window.assert_accessible("asked whether to delete");
    window.click("[data-ticket='new'] .keep");
    window.await_focus("[data-ticket='new']");
    assert!(!window.shows(".sure"));
    window.click("[data-ticket='new'] .trash");
    window.click("[data-ticket='new'] .remove");
    await_tickets(&window, &["mid", "old", "unheard"]);

    // By keyboard: Escape keeps, and the window stays.
    person.press("ctrl+f Down Down Delete");
    window.await_focus("[data-ticket='old'] .sure");
    person.press("Escape");
    window.await_focus("[data-ticket='old']");
    person.press("Delete");
    window.await_focus("[data-ticket='old'] .sure");
    // The keyboard is at neither button yet.
    person.press("Return");
    person.press("Tab");
    window.await_focus("[data-ticket='old'] .remove");
    person.press("Return");
    await_tickets(&window, &["mid", "unheard"]);
    window.await_focus("[data-ticket='unheard']");
    person.press("Delete");
    let warned = "Delete this entry? What you said has not reached the agent yet.";
    window.await_text(".sure p", warned);
    window.await_focus("[data-ticket='unheard'] .sure");
    person.press("Tab Return");
    await_tickets(&window, &["mid"]);

    person.press("Escape");
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    assert_eq!(past(&screen), ["mid"]);
}

fn all_that_is_found_is_deleted(theme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    five(&screen);
    let window = open(&screen);
    await_tickets(&window, &["new", "mid", "old", "unheard"]);
    search(&window, "claude");
    await_tickets(&window, &["new", "old"]);
    window.click(".remove-all");
    window.await_text(".state .sure p", "Delete 2 entries for good?");
    window.assert_accessible("asked whether to delete all");
    assert_eq!(window.run(include_str!("../support/contrast.js")), json!([]));
    // Whoever looks for something else has not agreed to delete that.
    search(&window, "");
    await_tickets(&window, &["new", "mid", "old", "unheard"]);
    assert!(!window.shows(".sure"));
    window.click(".remove-all");
    let stays =
        "Delete 3 entries for good? 1 stays: what you said in it has not reached the agent yet.";
    window.await_text(".state .sure p", stays);
    window.resize(420, 360);
    assert_eq!(window.run(include_str!("../support/reach.js")), json!([]));
    window.click(".state .remove");
    await_tickets(&window, &["unheard"]);
    window.click(".remove-all");
    until("it to be told", || window.text(".found").contains("one by one").then_some(()));
    assert_no_byte(&screen, CANARY);
}

#[test]
fn deleting_all_search_results_dark() {
    all_that_is_found_is_deleted("Adwaita:dark");
}

#[test]
fn deleting_all_search_results_light() {
    all_that_is_found_is_deleted("Adwaita");
}
