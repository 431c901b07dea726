//! Past dialogs: finding them, reading them, copying from them, deleting them.

use std::ops::Range;

use askdeck_core::{
    deck::DialogEvent,
    dialog::Dialog,
    outcome::{Answer, Outcome, Through},
};
use askdeck_desk::store::{self, Store};
use serde_json::{Value, json};

use crate::support::{Home, Kept, Person, Run, Screen, Window, until};

/// What the person deletes is gone.
mod deleting;

const MINUTE: i64 = 60_000;

/// A dialog with one question, as the store keeps it.
fn dialog(ticket: &str, agent: &str, folder: &str, question: &str) -> Dialog {
    serde_json::from_value(json!({
        "id": ticket, "dialect": "askdeck", "title": null, "message": null, "timeout": null,
        "caller": { "agent": agent, "session": null, "cwd": folder, "host": null, "pid": null,
                    "program": null },
        "questions": [{ "id": "q", "header": null, "text": question, "details": null,
                        "kind": { "type": "text", "multiline": false, "placeholder": null,
                                  "default": null },
                        "required": true, "notes": true, "schema": null }],
        "form": null, "metadata": null,
    }))
    .expect("it is a dialog")
}

fn answered(text: &str) -> Outcome {
    Outcome::Answered { answers: vec![Answer { value: Some(text.into()), ..Answer::default() }] }
}

/// What the app will find when it starts.
fn store(home: &Home) -> Store {
    let (store, notice) = Store::open(Some(&Kept::file(home)));
    assert_eq!(notice, None);
    store
}

fn add(store: &mut Store, dialog: &Dialog, outcome: &Outcome, asked_at: i64, waited: i64) {
    add_with_draft(store, dialog, "{}", outcome, asked_at, waited);
}

fn add_with_draft(
    store: &mut Store,
    dialog: &Dialog,
    draft: &str,
    outcome: &Outcome,
    asked_at: i64,
    waited: i64,
) {
    add_through(store, dialog, draft, outcome, Through::Window, asked_at..asked_at + waited);
}

fn add_through(
    store: &mut Store,
    dialog: &Dialog,
    draft: &str,
    outcome: &Outcome,
    through: Through,
    open: Range<i64>,
) {
    store
        .insert(dialog, &dialog.id, open.start)
        .and_then(|()| store.save_draft(&dialog.id, draft))
        .and_then(|()| store.end(dialog, outcome, Some(through), open.end))
        .expect("the store is ours");
}

/// Opens the history alone, and looks into it.
fn open(screen: &Screen) -> Window<'_> {
    let window = Run::command(["show", "--history"]).open_unarmed(screen);
    window.switch();
    await_drawn(&window);
    window
}

fn await_drawn(window: &Window) {
    let drawn = "document.querySelector('.entry, .empty:not([hidden])') !== null";
    window.await_true("the history to be drawn", drawn);
}

fn await_entries(window: &Window, count: usize) {
    until(format!("{count} entries"), || (window.texts(".entry").len() == count).then_some(()));
}

fn search(window: &Window, text: &str) {
    let script = "const box = document.querySelector('.search'); box.value = arguments[0]; box.dispatchEvent(new Event('input'));";
    window.run_with(script, &json!([text]));
}

fn choose(window: &Window, place: usize, shown: &str) {
    let script = "const select = document.querySelectorAll('.finder select')[arguments[0]]; select.value = [...select.options].find((one) => one.text === arguments[1]).value; select.dispatchEvent(new Event('change'));";
    window.run_with(script, &json!([place, shown]));
}

fn await_closed(screen: &Screen) {
    let look = || screen.ask("xdotool", ["search", "--onlyvisible", "--name", "^History — "]);
    until("the history to be closed", || look().is_none().then_some(()));
}

/// Without a WebDriver, which gives windows another kind of storage.
#[test]
fn history_window_opens_again() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    for _ in 0..3 {
        Run::command(["show", "--history"]).ends(&screen).is(0, "");
        let person = Person::at_window(&screen, "History");
        until("the keyboard", || person.has_keyboard().then_some(()));
        person.press("Escape");
        await_closed(&screen);
    }
}

#[test]
fn history_calls_a_nameless_script_a_script() {
    let screen = Screen::start();
    let mut store = store(&screen);
    let mut script = dialog("one", "bash", "/srv/shop", "Restart?");
    script.caller.program = Some("bash".into());
    add(&mut store, &script, &answered("Now"), store::now() - MINUTE, 1_000);
    let named = dialog("two", "Codex", "/srv/shop", "Deploy?");
    add(&mut store, &named, &answered("Later"), store::now() - 2 * MINUTE, 1_000);
    drop(store);
    let told = Run::command(["history"]).ends(&screen).stdout;
    assert!(told.contains("  A script in /srv/shop"), "{told}");
    let counted = Run::command(["stats"]).ends(&screen).stdout;
    assert!(counted.contains("\nScripts (bash) "), "{counted}");

    let window = open(&screen);
    await_entries(&window, 2);
    assert_eq!(window.texts(".entry .agent"), ["A script", "Codex"]);
    // Those of one program are found by it.
    choose(&window, 0, "Scripts (bash)");
    await_entries(&window, 1);
    assert_eq!(window.text(".entry .agent"), "A script");
}

/// What happened in the deck is in the history, the draft of what timed out too.
#[test]
fn history_shows_answered_and_unanswered_questions() {
    let screen = Screen::start();
    let pick = json!({ "agent": "Painter", "questions": [
        { "question": "Which **colour**?", "options": [{ "label": "Red" }, { "label": "Blue" }] },
        { "question": "The password?", "type": "secret" },
    ]});
    let window = Run::ask(&pick).open(&screen);
    Run::command(["resident"]).ends(&screen).is(0, "");
    window.click("#panel-0 .card:nth-child(2) .words");
    window.await_chosen(&[1]);
    window.click(".primary");
    window.await_focus("#panel-1 [data-focus='text']");
    window.type_into("#panel-1 [data-focus='text']", "hunter2");
    window.click(".primary");
    window.await_shown("#panel-2.current");
    window.click(".primary");
    assert_eq!(window.await_end().code, Some(0));

    let late = json!({ "agent": "Namer", "timeout": "8s", "questions": [{ "question": "A name?", "type": "text" }] });
    let command = Run::ask(&late).start(&screen);
    window.await_shown("#panel-0.current [data-focus='text']");
    window.await_armed();
    window.type_into("#panel-0 [data-focus='text']", "Half a na");
    assert_eq!(command.ends().code, Some(124));

    Run::command(["show", "--history"]).ends(&screen).is(0, "");
    window.switch();
    await_drawn(&window);
    await_entries(&window, 2);
    assert_eq!(window.texts(".entry .agent"), ["Namer", "Painter"]);
    assert_eq!(window.texts(".entry .outcome"), ["Time ran out", "Answered"]);
    assert_eq!(window.texts(".asked-text"), ["A name?", "Which colour?", "The password?"]);
    assert_eq!(window.texts(".given-texts"), ["Half a na", "Blue"]);
    assert!(window.text(".given-label").starts_with("Not sent"), "{}", window.text(".given-label"));
    assert_eq!(window.texts(".secret"), ["a secret, not saved"]);
    assert!(!window.text("body").contains("hunter2"));

    // What is copied can be pasted.
    window.click(".entry:nth-of-type(2) .copy");
    window.await_text(".entry:nth-of-type(2) .copy", "Copied");
    let person = Person::at_window(&screen, "History");
    until("the keyboard", || person.has_keyboard().then_some(()));
    person.press("slash ctrl+v");
    window.await_true(
        "the answer to be pasted",
        "document.querySelector('.search').value === 'Blue'",
    );
    await_entries(&window, 1);
    assert_eq!(window.text(".entry .agent"), "Painter");

    // The first leaves the text, the second the window; the app stays.
    person.press("Escape");
    await_entries(&window, 2);
    person.press("Escape");
    await_closed(&screen);
    assert!(Run::command(["status"]).ends(&screen).stdout.starts_with("running resident"));
}

#[test]
fn empty_history_says_so_and_closes_with_the_app() {
    let screen = Screen::start();
    let window = open(&screen);
    assert!(window.text(".empty").starts_with("Nothing here yet."));
    assert!(!window.shows(".chart"));
    let person = Person::at_window(&screen, "History");
    window.await_focus(".search");
    until("the keyboard", || person.has_keyboard().then_some(()));
    person.press("Escape");
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
}

#[test]
fn menu_launch_with_nothing_open_shows_the_history() {
    let screen = Screen::start();
    Run::from_menu().ends(&screen).is(0, "");
    Person::at_window(&screen, "History");
    assert!(Run::command(["status"]).ends(&screen).stdout.starts_with("running resident"));
}

/// The entries that offer to be shown whole.
fn cut(window: &Window) -> Value {
    window.see("[...document.querySelectorAll('.entry')].filter((entry) => entry.querySelector('.whole').checkVisibility()).map((entry) => entry.dataset.ticket).sort()")
}

#[test]
fn history_expands_only_cut_texts() {
    let screen = Screen::start();
    let mut kept = store(&screen);
    let at = store::now() - 10 * MINUTE;
    let texts = [("short", 1), ("wide", 4), ("long", 300)];
    for (ticket, times) in texts {
        let dialog = dialog(ticket, "Claude", "/p/web", "What now?");
        add(&mut kept, &dialog, &answered(&"Word after word. ".repeat(times)), at, 5_000);
    }
    drop(kept);
    let window = open(&screen);
    await_entries(&window, 3);
    until("the long one to be cut", || (cut(&window) == json!(["long"])).then_some(()));
    window.click("[data-ticket='long'] .whole");
    window.await_shown("[data-ticket='long'].open");
    window.await_text("[data-ticket='long'] .whole", "Show less");
    // In a narrow window more is.
    window.resize(420, 360);
    until("the wide one to be cut", || (cut(&window) == json!(["long", "wide"])).then_some(()));
    window.resize(760, 680);
    until("the wide one to be whole", || (cut(&window) == json!(["long"])).then_some(()));
}

#[test]
fn history_marks_answers_of_other_programs() {
    let screen = Screen::start();
    let mut kept = store(&screen);
    let dialog = dialog("a", "Claude", "/p/web", "Which port?");
    let at = store::now() - MINUTE;
    add_through(&mut kept, &dialog, "{}", &answered("8080"), Through::Socket, at..at + 1);
    drop(kept);
    let window = open(&screen);
    window.await_text(".entry .outcome", "Answered by another program");
    assert!(!window.shows(".entry .reused"));
}

#[test]
fn history_search_by_words_and_agent() {
    let screen = Screen::start();
    let mut kept = store(&screen);
    let at = store::now() - 10 * MINUTE;
    add(
        &mut kept,
        &dialog("a", "Claude", "/p/one/api", "Which port?"),
        &answered("8080"),
        at,
        5_000,
    );
    add(
        &mut kept,
        &dialog("b", "Claude", "/p/two/api", "Which host?"),
        &answered("Ärger"),
        at + 1,
        5_000,
    );
    let withdrawn = dialog("c", "codex", "/p/web", "Ship it?");
    let draft = r#"{"drafts":[{"text":"not bef"}],"asides":{"decline":"","clarify":"Ship what?"}}"#;
    add_with_draft(&mut kept, &withdrawn, draft, &Outcome::Withdrawn, at + 2, 20_000);
    drop(kept);

    let window = open(&screen);
    await_entries(&window, 3);
    assert_eq!(window.texts(".given.not_sent .given-texts"), ["not bef", "Ship what?"]);
    search(&window, "äRG");
    await_entries(&window, 1);
    assert_eq!(window.text(".given-texts"), "Ärger");
    assert_eq!(window.text(".found"), "1 found");
    search(&window, "nowhere to be found");
    window.await_shown(".empty");
    search(&window, "which");
    await_entries(&window, 2);
    search(&window, "");
    await_entries(&window, 3);
    choose(&window, 0, "Claude");
    await_entries(&window, 2);
    choose(&window, 1, "one/api");
    await_entries(&window, 1);
    assert_eq!(window.text(".given-texts"), "8080");
    choose(&window, 0, "All agents");
    choose(&window, 1, "web");
    window.await_text(".entry .agent", "codex");
    choose(&window, 1, "All folders");
    await_entries(&window, 3);

    // From the search into the list and back.
    let person = Person::at_window(&screen, "History");
    person.press("ctrl+f Down Down");
    window.await_focus(".entry:nth-of-type(2)");
    person.press("Up Up");
    window.await_focus(".search");
}

#[test]
fn long_history_is_paged_and_charted_whole() {
    let screen = Screen::start();
    let mut kept = store(&screen);
    let today = store::now() - 2 * MINUTE;
    // All in one moment, as when a script takes its questions back.
    for number in 0..120 {
        let agent = if number % 3 == 0 { "codex" } else { "Claude" };
        let dialog = dialog(&format!("t{number}"), agent, "/p/web", &format!("Question {number}?"));
        add(&mut kept, &dialog, &answered("yes"), today, MINUTE);
    }
    add(
        &mut kept,
        &dialog("old", "Claude", "/p/web", "Long ago?"),
        &answered("yes"),
        today - 40 * 24 * 60 * MINUTE,
        1,
    );
    drop(kept);

    let window = open(&screen);
    await_entries(&window, 50);
    assert_eq!(window.text(".found"), "");
    window.click(".more");
    await_entries(&window, 100);
    window.await_focus(".entry:nth-of-type(51)");
    window.click(".more");
    await_entries(&window, 121);
    assert!(!window.shows(".more"));
    assert_eq!(window.text(".found"), "");
    let tickets = window.see(
        "new Set([...document.querySelectorAll('.entry')].map((one) => one.dataset.ticket)).size",
    );
    assert_eq!(tickets, 121);

    window.click(".statistics");
    window.click(".chart summary");
    let rows = window.see("[...document.querySelectorAll('.chart tbody tr')].map((row) => [...row.cells].slice(1).map((cell) => cell.innerText))");
    assert_eq!(rows, json!([["Claude", "80", "1 min"], ["codex", "40", "1 min"]]));
    assert_eq!(window.texts(".bars .count"), ["120"]);

    // What ends in the meantime waits until it is asked for.
    let ticket = Run::command(["--no-wait", "-q", "New?", "-o", "Yes", "-o", "No"]).ends(&screen);
    Run::command(["withdraw", ticket.stdout.trim()]).ends(&screen).is(0, "");
    window.run("dispatchEvent(new Event('focus'))");
    window.await_shown(".newer");
    window.click(".newer");
    window.await_text(".entry .asked-text", "New?");
    search(&window, "question");
    window.await_text(".found", "The newest 50");
}

#[test]
fn history_is_grouped_by_day() {
    let screen = Screen::start();
    let mut kept = store(&screen);
    let now = store::now();
    let day = 24 * 60 * MINUTE;
    for (ticket, at) in
        [("new", now), ("too", now - 1), ("before", now - day), ("old", now - 400 * day)]
    {
        add(&mut kept, &dialog(ticket, "Claude", "/p/web", "Which?"), &answered("This"), at - 1, 1);
    }
    drop(kept);
    let window = open(&screen);
    await_entries(&window, 4);
    let shown = window.see("[...document.querySelectorAll('.past-day, .entry')].map((one) => one.dataset.ticket ?? one.innerText)");
    let [today, new, too, yesterday, before, long_ago, old] =
        serde_json::from_value::<[String; 7]>(shown).expect("three days and four entries");
    assert_eq!([today, yesterday], ["Today", "Yesterday"]);
    assert_eq!([new, too, before, old], ["new", "too", "before", "old"]);
    let year = window.see("String(new Date(Date.now() - 400 * 86400000).getFullYear())");
    assert!(long_ago.contains(year.as_str().expect("a year")), "{long_ago}");
    // A day goes with its last entry.
    window.click("[data-ticket='before'] .trash");
    window.click("[data-ticket='before'] .remove");
    await_entries(&window, 3);
    assert_eq!(window.texts(".past-day").len(), 2);
    window.await_focus("[data-ticket='old']");
}

#[test]
fn statistics_are_behind_their_button_and_key() {
    let screen = Screen::start();
    everything(&screen);
    let window = open(&screen);
    await_entries(&window, 6);
    assert!(!window.shows(".chart"), "the list comes first");
    window.click(".statistics");
    window.await_shown(".chart");
    window.await_focus(".statistics");
    let person = Person::at_window(&screen, "History");
    until("the keyboard", || person.has_keyboard().then_some(()));
    person.press("ctrl+f alt+s");
    window.await_true(
        "the chart to go",
        "document.querySelector('.chart').checkVisibility() === false",
    );
    person.press("alt+s");
    window.await_shown(".chart");
    // In the search, a slash is a slash.
    person.press("slash");
    window.await_true("a slash", "document.querySelector('.search').value === '/'");
}

fn everything(screen: &Screen) {
    let mut kept = store(screen);
    let at = store::now() - 5 * MINUTE;
    let long = "Donaudampfschifffahrtsgesellschaft".repeat(20) + &" and so on".repeat(300);
    let outcomes = [
        answered(&long),
        Outcome::Declined { reason: Some("Not now".into()), partial: Vec::new() },
        Outcome::Dismissed,
        Outcome::TimedOut {
            partial: vec![Answer { value: Some("half".into()), ..Answer::default() }],
        },
        Outcome::Withdrawn,
        Outcome::Clarify { text: "Which one?".into(), partial: Vec::new() },
    ];
    for (number, outcome) in (0..).zip(&outcomes) {
        let agent = format!("Agent with quite a long name {number}");
        let folder = format!("/projects/a folder with a long name/{number}");
        let dialog = dialog(
            &format!("t{number}"),
            &agent,
            &folder,
            &format!("**What** `now`? {}", &long[..400]),
        );
        let draft = r#"{"drafts":[{"text":"a draft","note":"a note"}]}"#;
        add_with_draft(&mut kept, &dialog, draft, outcome, at + number, number * MINUTE);
    }
}

fn every_text_can_be_read(theme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    everything(&screen);
    let window = open(&screen);
    await_entries(&window, 6);
    window.click(".statistics");
    window.click(".chart summary");
    assert_eq!(window.run(include_str!("support/contrast.js")), json!([]));
    window.assert_accessible("with its table");
    window.click(".entry:last-child .whole");
    window.await_shown(".entry.open");
    assert_eq!(window.run(include_str!("support/reach.js")), json!([]));
    window.resize(420, 360);
    assert_eq!(window.run(include_str!("support/reach.js")), json!([]));
}

#[test]
fn history_contrast_dark() {
    every_text_can_be_read("Adwaita:dark");
}

#[test]
fn history_contrast_light() {
    every_text_can_be_read("Adwaita");
}

#[test]
fn history_in_every_language() {
    for (locale, title, search) in [
        ("pt_BR.UTF-8", "Histórico — Askdeck", "Buscar em perguntas e respostas"),
        ("zh_CN.UTF-8", "历史记录 — Askdeck", "搜索问题和回答"),
    ] {
        let screen = Screen::with("LANG", locale);
        everything(&screen);
        let window = open(&screen);
        window.person.await_title(title);
        assert_eq!(window.see("document.querySelector('.search').placeholder"), search);
        window.resize(420, 360);
        assert_eq!(window.run(include_str!("support/reach.js")), json!([]), "{locale}");
    }
}

#[test]
fn history_marks_a_reused_answer() {
    let screen = Screen::start();
    let mut kept = store(&screen);
    let asked = dialog("used", "Tester", "/srv/shop", "Which one?");
    add(&mut kept, &asked, &answered("This one"), store::now() - MINUTE, 1);
    kept.note("used", &DialogEvent::Reused, store::now()).expect("the store is ours");
    drop(kept);
    let window = open(&screen);
    window.await_text(".entry .outcome", "Answered");
    assert_eq!(window.text(".entry .reused"), "Reused when asked again");
}
