//! The icon in the tray, as a panel sees it.

use std::fs;

use serde_json::json;

use crate::support::{Person, Run, Screen, TrayHost, TrayItem, until};

/// What is always there, below the questions.
const SWITCHES: [&str; 8] = [
    "Do not disturb",
    "  [x] Off",
    "  [ ] Until I turn it off",
    "  [ ] For one hour",
    "[ ] Start at login",
    "History",
    "---",
    "Quit",
];

fn resident() -> Run {
    Run::app(["--resident"])
}

fn ask(question: &str) -> Run {
    Run::ask(&json!({ "questions": [{ "text": question, "options": ["Yes", "No"] }] }))
}

/// The bytes of the picture.
fn icon(item: &TrayItem) -> Option<Vec<u8>> {
    fs::read(item.property::<String>("IconName")).ok()
}

#[test]
fn it_counts_and_names_those_who_wait() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let _app = resident().start(&screen);
    let item = host.await_item();
    assert_eq!(item.property::<String>("Title"), "Askdeck");
    assert_eq!(item.property::<String>("Status"), "Active");
    item.await_menu(&[&["(No question waits)", "Show Askdeck", "---"][..], &SWITCHES].concat());
    let bare = until("the icon", || icon(&item));

    let _one = ask("Which R&D_database?").start(&screen);
    item.await_line("(1 question waits)");
    let line = item.await_line("Which R&D_database?");
    let one = until("another icon", || icon(&item).filter(|icon| *icon != bare));

    let _two = ask("Deploy?").start(&screen);
    item.await_line("(2 questions wait)");
    until("a third icon", || icon(&item).filter(|icon| *icon != bare && *icon != one));

    item.choose(&line);
    Person::at(&screen);
}

#[test]
fn do_not_disturb_shows_what_was_chosen() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let _app = resident().start(&screen);
    let item = host.await_item();
    item.choose("[ ] For one hour");
    item.await_line("[x] For one hour");
    item.await_line("[ ] Off");
    item.choose("[ ] Off");
    item.await_line("[x] Off");
    item.await_line("[ ] For one hour");
}

#[test]
fn it_starts_at_login_when_told_to() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let _app = resident().start(&screen);
    let item = host.await_item();
    let entry = screen.path(".config/autostart/Askdeck.desktop");
    item.choose("[ ] Start at login");
    item.await_line("[x] Start at login");
    let text = fs::read_to_string(&entry).expect("it was written before it was shown");
    let starts = format!("Exec={} --resident\n", env!("CARGO_BIN_EXE_askdeck-desktop"));
    assert!(text.contains(&starts), "{text}");
    item.choose("[x] Start at login");
    item.await_line("[ ] Start at login");
    assert!(!entry.exists());
}

#[test]
fn a_panel_that_comes_late_or_anew_gets_the_icon() {
    let screen = Screen::start();
    let mut app = resident().start(&screen);
    for _ in 0..2 {
        let item = TrayHost::start(&screen).await_item();
        item.await_line("Show Askdeck");
        assert!(!app.is_over());
    }
}

#[test]
fn quit_ends_the_app_silently() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let app = resident().start(&screen);
    host.await_item().choose("Quit");
    app.ends().is(0, "");
}

#[test]
fn it_speaks_the_language_of_the_person() {
    for (locale, words) in [("pt_BR.UTF-8", "Não perturbe"), ("zh_CN.UTF-8", "勿扰")] {
        let screen = Screen::with("LANG", locale);
        let host = TrayHost::start(&screen);
        let _app = resident().start(&screen);
        host.await_item().await_line(words);
    }
}
