//! The icon in the tray, as a panel sees it.

use std::fs;

use serde_json::json;

use crate::support::{
    APP, Editor, Heard, Notifications, Person, Run, Screen, TrayHost, TrayItem, Wire, until,
};

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
fn tray_counts_and_names_open_questions() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let _app = resident().start(&screen);
    let item = host.await_item();
    assert_eq!(item.property::<String>("Title"), "Askdeck");
    assert_eq!(item.property::<String>("Status"), "Active");
    item.await_menu(&[&["(No questions waiting)", "Show Askdeck", "---"][..], &SWITCHES].concat());
    let bare = until("the icon", || icon(&item));

    let _one = ask("Which R&D_database?").start(&screen);
    item.await_line("(1 question waiting)");
    let line = item.await_line("Which R&D_database?");
    let one = until("another icon", || icon(&item).filter(|icon| *icon != bare));

    let _two = ask("Deploy?").start(&screen);
    item.await_line("(2 questions waiting)");
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

/// A question of this agent, asked without waiting for the answer.
fn submit(wire: &mut Wire, agent: &str) {
    let payload = json!({ "agent": agent, "question": "Deploy?", "options": ["Now", "Later"] });
    let asked = wire.call("submit", &json!({ "payload": payload, "ticket": agent }));
    assert_eq!(asked["state"], "pending");
}

fn is_any_window_visible(screen: &Screen) -> bool {
    let visible = ["search", "--onlyvisible", "--class", "askdeck-desktop"];
    screen.ask("xdotool", visible).is_some()
}

/// Who asks is not the shell that runs it.
#[test]
fn tray_title_and_notification_call_a_nameless_script_a_script() {
    let screen = Screen::start();
    screen.configure("focus = \"never\"");
    let host = TrayHost::start(&screen);
    let notifications = Notifications::start(&screen);
    let mut wire = Wire::to_resident(&screen);
    let item = host.await_item();
    let _editor = Editor::open(&screen);
    let payload = json!({ "question": "Deploy?", "options": ["Now", "Later"] });
    let caller = json!({ "agent": "bash", "program": "bash" });
    wire.call("submit", &json!({ "payload": payload, "caller": caller }));
    item.await_line("A script: Deploy?");
    Person::at_window(&screen, "A script — Askdeck");
    notifications.await_count(1);
    let heard = notifications.heard();
    assert!(
        matches!(&heard[..], [Heard::Shows { title, .. }] if title == "A script asks"),
        "{heard:?}"
    );
}

#[test]
fn do_not_disturb_shows_only_the_count() {
    let screen = Screen::start();
    screen.configure("answers_over_socket = true");
    let host = TrayHost::start(&screen);
    let notifications = Notifications::start(&screen);
    let mut wire = Wire::to_resident(&screen);
    let item = host.await_item();
    let bare = until("the icon", || icon(&item));
    item.choose("[ ] Until I turn it off");
    item.await_line("[x] Until I turn it off");
    // Another window has the keyboard, so that a notification would come.
    let _editor = Editor::open(&screen);
    submit(&mut wire, "One");
    submit(&mut wire, "Two");
    item.await_line("(2 questions waiting)");
    until("another icon", || icon(&item).filter(|icon| *icon != bare));

    // An answer that is used again.
    let ask = json!({ "payload": { "agent": "Three", "question": "Deploy?", "options": ["Now"] },
        "ticket": "three" });
    let mut leaves = Wire::to(&screen);
    leaves.send("ask", &ask);
    item.await_line("(3 questions waiting)");
    leaves.leave();
    until("the app to notice", || {
        (wire.call("list", &json!({}))["open"][2]["state"] == "caller_left").then_some(())
    });
    let answer = json!({ "ticket": "three", "answers": [{ "selected": [0] }] });
    assert_eq!(wire.call("answer", &answer), json!({ "done": true }));
    assert_eq!(wire.call("ask", &json!({ "payload": ask["payload"] }))["reused"], true);
    item.await_line("(2 questions waiting)");
    assert!(!is_any_window_visible(&screen));
    assert_eq!(notifications.heard(), []);
    item.choose("[ ] Off");
    Person::at_window(&screen, "One");
}

#[test]
fn do_not_disturb_and_set_aside_survive_a_restart() {
    let screen = Screen::without_arming();
    let host = TrayHost::start(&screen);
    let mut wire = Wire::to_resident(&screen);
    submit(&mut wire, "Later");
    let person = Person::at_window(&screen, "Later");
    person.press_once("Escape", || (!person.is_visible()).then_some(()));
    let item = host.await_item();
    item.choose("[ ] Until I turn it off");
    item.await_line("[x] Until I turn it off");
    Run::command(["stop"]).ends(&screen).is(0, "");

    let mut wire = Wire::to_resident(&screen);
    let item = until("a new icon", || {
        let new = host.await_item();
        (!new.is(&item)).then_some(new)
    });
    item.await_line("[x] Until I turn it off");
    submit(&mut wire, "Now");
    item.await_line("(2 questions waiting)");
    assert!(!is_any_window_visible(&screen));
    // First come would be first served, had it not been set aside.
    item.choose("[ ] Off");
    Person::at_window(&screen, "Now");
}

#[test]
fn tray_entries_open_what_they_name() {
    let screen = Screen::without_arming();
    let host = TrayHost::start(&screen);
    let mut wire = Wire::to_resident(&screen);
    let item = host.await_item();
    submit(&mut wire, "One");
    submit(&mut wire, "Two");
    let person = Person::at_window(&screen, "One");
    item.choose(&item.await_line("Two: "));
    person.await_title("Two — Askdeck");
    person.press_once("Escape", || (person.title() == "One — Askdeck").then_some(()));
    // It was shown before, so the app cannot say when the window shows it again.
    person.press_at_most(2, "Escape", || (!person.is_visible()).then_some(()));
    item.choose("Show Askdeck");
    until("the window", || person.is_visible().then_some(()));
    person.await_title("One — Askdeck");
    item.choose("History");
    Person::at_window(&screen, "History");
}

#[test]
fn tray_turns_on_start_at_login() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let _app = resident().start(&screen);
    let item = host.await_item();
    let entry = screen.path(".config/autostart/Askdeck.desktop");
    item.choose("[ ] Start at login");
    item.await_line("[x] Start at login");
    let text = fs::read_to_string(&entry).expect("it was written before it was shown");
    let starts = format!("Exec=\"{APP}\" --resident\n");
    assert!(text.contains(&starts), "{text}");
    item.choose("[x] Start at login");
    item.await_line("[ ] Start at login");
    assert!(!entry.exists());
}

#[test]
fn system_wide_start_at_login_can_be_turned_off() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let all = screen.path("etc/autostart");
    fs::create_dir_all(&all).expect("the home is ours");
    // As the package brings it, and then as an administrator changes it.
    let packed = include_str!("../packaging/autostart.desktop");
    fs::write(all.join("Askdeck.desktop"), packed.replace("Hidden=true\n", ""))
        .expect("the home is ours");
    let _app =
        resident().env("XDG_CONFIG_DIRS", screen.path("etc").display().to_string()).start(&screen);
    let item = host.await_item();
    item.choose("[x] Start at login");
    item.await_line("[ ] Start at login");
    let entry = screen.path(".config/autostart/Askdeck.desktop");
    let own = fs::read_to_string(&entry).expect("it was written before it was shown");
    assert!(own.ends_with("\nHidden=true\n"), "{own}");
    item.choose("[ ] Start at login");
    item.await_line("[x] Start at login");
    let own = fs::read_to_string(&entry).expect("it was written before it was shown");
    assert!(!own.contains("Hidden"), "{own}");
}

#[test]
fn resident_command_turns_on_start_at_login() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let settings = screen.path("settings");
    let run = || {
        let run = Run::command(["resident", "--at-login"]);
        run.env("XDG_CONFIG_HOME", settings.display().to_string())
    };
    run().ends(&screen).is(0, "");
    let item = host.await_item();
    let checked = item.await_line("[x] Start at login");
    let entry = settings.join("autostart/Askdeck.desktop");
    let text = fs::read_to_string(&entry).expect("it was written before the command ended");
    let starts = text.lines().find_map(|line| line.strip_prefix("Exec=")).expect("it starts it");

    // At the next login.
    Run::command(["stop"]).ends(&screen).is(0, "");
    let _app = Run::program("sh", ["-c", &format!("exec {starts}")])
        .env("XDG_CONFIG_HOME", settings.display().to_string())
        .start(&screen);
    until("it to stay", || {
        let status = Run::command(["status"]).ends(&screen).stdout;
        status.starts_with("running resident").then_some(())
    });
    let item = until("a new icon", || {
        let new = host.await_item();
        (!new.is(&item)).then_some(new)
    });
    item.choose(&checked);
    item.await_line("[ ] Start at login");
    assert!(!entry.exists());
}

#[test]
fn unwritable_login_entry_is_reported() {
    let screen = Screen::start();
    // Nobody, not even root, can make a folder in a file.
    fs::write(screen.path("settings"), "").expect("the home is ours");
    let settings = screen.path("settings").display().to_string();
    let run = Run::command(["resident", "--at-login"]).env("XDG_CONFIG_HOME", &settings);
    let says = format!(
        "askdeck: Askdeck stays, but cannot start at login: {settings}/autostart/Askdeck.desktop: Not a directory (os error 20)\n"
    );
    run.ends(&screen).says(2, "", &says);
    assert!(Run::command(["status"]).ends(&screen).stdout.starts_with("running resident"));
}

#[test]
fn tray_icon_comes_with_a_late_or_new_panel() {
    let screen = Screen::start();
    let mut app = resident().start(&screen);
    for _ in 0..2 {
        let item = TrayHost::start(&screen).await_item();
        item.await_line("Show Askdeck");
        assert!(!app.is_over());
    }
}

#[test]
fn tray_quit_ends_the_app() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let app = resident().start(&screen);
    host.await_item().choose("Quit");
    app.ends().is(0, "");
}

#[test]
fn tray_quit_keeps_open_questions() {
    let screen = Screen::start();
    let host = TrayHost::start(&screen);
    let app = resident().start(&screen);
    let item = host.await_item();
    submit(&mut Wire::to(&screen), "One");
    Person::at_window(&screen, "One");
    item.await_line("(1 question waiting)");
    item.choose("Quit");
    app.ends().is(0, "");
    Run::command(["status"]).ends(&screen).is(1, "not running; 1 open\n");
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
