//! The menu: its entries, their labels, and what each of them means.

use askdeck_core::{
    deck::Quiet,
    text,
    words::{self, Words},
};
use askdeck_desk::paths;
use tauri::{
    AppHandle, Wry,
    menu::{CheckMenuItem, Menu, MenuBuilder, MenuId, MenuItem, SubmenuBuilder},
};

use super::{TrayChoice, TrayState};

/// More would not fit on a screen.
const MOST_QUESTIONS: usize = 10;
const LONGEST_LABEL: usize = 60;

pub(super) fn build(app: &AppHandle, state: &TrayState) -> tauri::Result<Menu<Wry>> {
    let words = paths::language().words();
    let say = |key| words::say(words, key, []);
    let entry = |choice, label| entry(app, &choice, label);
    let check = |choice, key, checked| {
        CheckMenuItem::with_id(app, id(&choice), say(key), true, checked, None::<&str>)
    };
    let quiet = |quiet, key| check(TrayChoice::Quiet(quiet), key, state.quiet == quiet);

    let mut menu = MenuBuilder::new(app)
        .item(&MenuItem::new(app, count(words, state), false, None::<&str>)?)
        .item(&entry(TrayChoice::ShowDeck, say("tray_show"))?)
        .separator();
    for (ticket, label) in state.waiting.iter().take(MOST_QUESTIONS) {
        menu = menu.item(&entry(TrayChoice::Show { ticket: ticket.clone() }, shown(label))?);
    }
    let more = state.waiting.len().saturating_sub(MOST_QUESTIONS);
    if more > 0 {
        let more = words::say(words, "tray_more", [("n", more.to_string())]);
        menu = menu.item(&entry(TrayChoice::ShowDeck, more)?);
    }
    if !state.waiting.is_empty() {
        menu = menu.separator();
    }
    let quiet = SubmenuBuilder::new(app, say("tray_quiet"))
        .item(&quiet(Quiet::Off, "tray_quiet_off")?)
        .item(&quiet(Quiet::UntilISay, "tray_quiet_until")?)
        .item(&quiet(Quiet::OneHour, "tray_quiet_hour")?)
        .build()?;
    let login = TrayChoice::StartAtLogin(!state.starts_at_login);
    menu.item(&quiet)
        .item(&check(login, "tray_login", state.starts_at_login)?)
        .item(&entry(TrayChoice::History, say("tray_history"))?)
        .separator()
        .item(&entry(TrayChoice::Quit, say("tray_quit"))?)
        .build()
}

/// What an entry means; other menus have entries, too, that mean nothing here.
pub(super) fn choice(id: &MenuId) -> Option<TrayChoice> {
    serde_json::from_str(&id.0).ok()
}

/// How many wait, in words.
pub(super) fn summary(state: &TrayState) -> String {
    count(paths::language().words(), state)
}

fn count(words: &Words, state: &TrayState) -> String {
    let key = match state.waiting.len() {
        0 => "tray_none",
        1 => "tray_one",
        _ => "tray_many",
    };
    words::say(words, key, [("n", state.waiting.len().to_string())])
}

fn entry(app: &AppHandle, choice: &TrayChoice, label: String) -> tauri::Result<MenuItem<Wry>> {
    MenuItem::with_id(app, id(choice), label, true, None::<&str>)
}

/// The choice itself, so that a click on a menu that is no longer true still means what it said.
fn id(choice: &TrayChoice) -> String {
    serde_json::to_string(choice).expect("a choice is plain data")
}

/// Foreign text as a label: on one line, not too long, and without a key of its own.
fn shown(label: &str) -> String {
    let label = text::clean_line(label);
    let mut shown: String = label.chars().take(LONGEST_LABEL).collect();
    if shown.len() < label.len() {
        shown.pop();
        shown = shown.trim_end().to_owned() + "…";
    }
    shown.replace('&', "&&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_read_back() {
        let choices = [
            TrayChoice::ShowDeck,
            TrayChoice::Show { ticket: "a\"b".into() },
            TrayChoice::Quiet(Quiet::UntilISay),
            TrayChoice::StartAtLogin(true),
            TrayChoice::History,
            TrayChoice::Quit,
        ];
        for expected in choices {
            assert_eq!(choice(&MenuId(id(&expected))), Some(expected));
        }
        assert_eq!(choice(&MenuId::new("copy")), None);
    }

    #[test]
    fn labels_are_short_and_plain() {
        assert_eq!(shown("Claude · api:\n\tWhich \u{1b}[31mone?"), "Claude · api: Which one?");
        assert_eq!(shown("R&D"), "R&&D");
        assert_eq!(shown(&"问".repeat(60)), "问".repeat(60));
        assert_eq!(shown(&"问".repeat(61)), "问".repeat(59) + "…");
        assert_eq!(shown(&format!("{} and more", "a".repeat(58))), "a".repeat(58) + "…");
    }

    #[test]
    fn the_count_is_in_words() {
        let words = words::Language::ENGLISH.words();
        let counted = |waiting| {
            let waiting = vec![(String::new(), String::new()); waiting];
            count(words, &TrayState { waiting, ..TrayState::default() })
        };
        assert_eq!(
            [0, 1, 12].map(counted),
            ["No questions waiting", "1 question waiting", "12 questions waiting"]
        );
    }
}
