//! Opening is not stealing: a resident app gets the person's attention, never their keys.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::{
    Accessible, Editor, Heard, Home, Notifications, Person, Role, Run, Running, Screen, State,
    Typing, Wire, until,
};

/// Longer than hands rest that are typing.
const RESTED: Duration = Duration::from_millis(2_500);

fn question(number: usize) -> Value {
    json!({ "agent": format!("Tester {number}"), "question": "Keep <b>all</b> & go?",
        "options": ["Now", "Later"] })
}

fn resident(screen: &Screen) -> Running {
    screen.configure("focus = \"idle\"");
    let app = Run::app(["--resident"]).start(screen);
    until("the app to listen", || {
        (Run::command(["status"]).ends(screen).code == Some(0)).then_some(())
    });
    Wire::to(screen).call("ready", &json!({}));
    app
}

/// What the list says about the one open question.
#[track_caller]
fn await_state(home: &Home, state: &str) {
    until(format!("the question to be {state}"), || {
        let open: Value =
            serde_json::from_str(&Run::command(["list", "--json"]).ends(home).stdout).ok()?;
        (open[0]["state"] == state).then_some(())
    });
}

/// Keys that all mean something in the window, and no two alike in a row.
fn keys(count: usize) -> String {
    "1a2b3c4d5".chars().cycle().take(count).collect()
}

/// Types for a while, in which the window leaves the keyboard where it is.
fn type_on(editor: &Editor) -> Typing {
    let before = editor.text();
    let typing = editor.type_text(&keys(300));
    until("the first key to arrive", || (editor.text() != before).then_some(()));
    typing
}

fn radios(screen: &Screen) -> Vec<Accessible> {
    until("the options to be seen", || {
        let radios = Accessible::desktop(screen).all(Role::RadioButton);
        (!radios.is_empty()).then_some(radios)
    })
}

#[track_caller]
fn assert_nothing_chosen(screen: &Screen) {
    assert!(!radios(screen).iter().any(|radio| radio.is(State::Checked)), "something is chosen");
}

#[test]
fn new_window_takes_none_of_a_thousand_keys_typed_elsewhere() {
    let screen = Screen::start();
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    let text = keys(1_000);
    let mut typing = editor.type_text(&text);
    let mut asked = Vec::new();
    until("the typing to end", || {
        assert!(editor.has_keyboard(), "after {} questions", asked.len());
        if asked.len() < 20 {
            asked.push(Run::ask(&question(asked.len())).start(&screen));
        }
        typing.is_over().then_some(())
    });
    assert_eq!(asked.len(), 20, "all of them came while keys were pressed");
    until("the last key", || (editor.text().len() == text.len()).then_some(()));
    assert_eq!(editor.text(), text);

    let person = Person::at(&screen);
    assert!(person.is_in_front() && !person.has_keyboard());
    assert_nothing_chosen(&screen);
    assert!(!asked.iter_mut().any(Running::is_over), "nobody has answered");

    let (x, y) = radios(&screen)[0].middle().expect("an option has a place");
    person.click_screen(x, y);
    until("the click to give the keyboard", || person.has_keyboard().then_some(()));
    assert_nothing_chosen(&screen);
    assert!(!asked.iter_mut().any(Running::is_over), "nobody has answered");
}

#[test]
fn idle_person_gets_the_window_in_front() {
    let screen = Screen::start();
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    until("a first key", || {
        drop(editor.type_text("a"));
        (!editor.text().is_empty()).then_some(())
    });
    let last_key = Instant::now();
    until("the hands to rest", || (last_key.elapsed() > RESTED).then_some(()));
    let _asked = Run::ask(&question(0)).start(&screen);
    let person = Person::at(&screen);
    until("the window to have the keyboard", || person.has_keyboard().then_some(()));
}

#[test]
fn a_burst_of_questions_is_one_notification() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    let typing = type_on(&editor);
    let asked: Vec<_> = (0..5).map(|number| Run::ask(&question(number)).start(&screen)).collect();
    notifications.await_count(1);
    drop(typing);
    let person = Person::at(&screen);
    assert!(!person.has_keyboard());
    until("the window to ask for attention", || person.is_urgent().then_some(()));
    assert_eq!(notifications.count(), 1);
    let heard = notifications.heard();
    let new = heard.iter().filter(|heard| matches!(heard, Heard::Shows { replaces: 0, .. }));
    assert_eq!(new.count(), 1, "all others take its place: {heard:?}");
    for heard in heard {
        let Heard::Shows { body, .. } = heard else { panic!("nothing was answered: {heard:?}") };
        assert!(!body.contains("<b>"), "what an agent sends is only text: {body}");
    }

    notifications.click();
    until("the click to bring the window", || person.has_keyboard().then_some(()));
    notifications.await_count(0);
    until("it to have been seen", || (!person.is_urgent()).then_some(()));
    drop(asked);
}

#[test]
fn notification_closes_when_nothing_waits() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    let _typing = type_on(&editor);
    let asked = Run::ask(&question(0)).start(&screen);
    notifications.await_count(1);
    asked.interrupt();
    assert_eq!(asked.ends().code, Some(130));
    notifications.await_count(0);
    until("it to be heard", || {
        matches!(notifications.heard().last(), Some(Heard::Closes(_))).then_some(())
    });
}

/// An app whose window never takes the keyboard, and another program's window that has it.
fn unseen(screen: &Screen) -> (Wire, Editor<'_>) {
    screen.configure("focus = \"never\"");
    (Wire::to_resident(screen), Editor::open(screen))
}

/// Asks without waiting.
#[track_caller]
fn submit(wire: &mut Wire, number: usize) {
    let ask = json!({ "payload": question(number), "ticket": number.to_string() });
    assert_eq!(wire.call("submit", &ask)["state"], "pending");
}

/// Waits until the notification on the screen is about this question.
#[track_caller]
fn await_notified(notifications: &Notifications, number: usize) {
    let about = format!("Tester {number} asks");
    until(format!("`{about}`"), || match notifications.heard().pop() {
        Some(Heard::Shows { title, .. }) if title == about => Some(()),
        _ => None,
    });
    notifications.await_count(1);
}

#[test]
fn notification_click_opens_its_question() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let (mut wire, _editor) = unseen(&screen);
    for number in [0, 1, 2] {
        submit(&mut wire, number);
        await_notified(&notifications, number);
    }
    let person = Person::at_window(&screen, "Tester 0");
    notifications.click();
    person.await_title("Tester 2 — Askdeck");
    until("the keyboard", || person.has_keyboard().then_some(()));
}

#[test]
fn question_in_an_unfocused_window_gets_a_notification() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let (mut wire, editor) = unseen(&screen);
    submit(&mut wire, 0);
    await_notified(&notifications, 0);
    let person = Person::at(&screen);
    // The person has seen it, and went back to what they did.
    // A window that has just come quietly does not take the keyboard yet.
    until("it to have been seen", || {
        person.activate();
        (!person.is_urgent()).then_some(())
    });
    notifications.await_count(0);
    editor.activate();
    until("the editor to have the keyboard", || editor.has_keyboard().then_some(()));

    // While the window still says that the question was taken back, the next one comes.
    assert_eq!(wire.call("withdraw", &json!({ "ticket": "0" })), json!({ "withdrawn": true }));
    submit(&mut wire, 1);
    await_notified(&notifications, 1);
    person.await_title("Tester 1 — Askdeck");
    until("the window to ask for attention", || person.is_urgent().then_some(()));
    assert!(editor.has_keyboard());
}

#[test]
fn show_with_nothing_open_raises_no_later_window() {
    let screen = Screen::start();
    let (mut wire, editor) = unseen(&screen);
    assert_eq!(wire.call("show", &json!({})), json!({ "done": false }));
    submit(&mut wire, 0);
    let person = Person::at(&screen);
    until("the window to ask for attention", || person.is_urgent().then_some(()));
    assert!(editor.has_keyboard());
}

#[test]
fn show_never_takes_the_keyboard_while_the_person_types() {
    let screen = Screen::start();
    let _app = resident(&screen);
    let mut wire = Wire::to(&screen);
    let editor = Editor::open(&screen);
    let text = keys(300);
    let mut typing = editor.type_text(&text);
    until("the typing to begin", || (!editor.text().is_empty()).then_some(()));
    submit(&mut wire, 0);
    await_state(&screen, "shown");
    let mut calls = 0;
    until("the typing to end", || {
        for show in [json!({}), json!({ "ticket": "0" }), json!({ "history": true })] {
            assert_eq!(wire.call("show", &show), json!({ "done": true }));
        }
        calls += 1;
        assert!(editor.has_keyboard(), "after {calls} calls");
        typing.is_over().then_some(())
    });
    assert!(calls > 1, "none came while keys were pressed");
    Person::at_window(&screen, "History");
    until("the last key", || (editor.text().len() == text.len()).then_some(()));
    assert_eq!(editor.text(), text);
    assert_nothing_chosen(&screen);
}

#[test]
fn question_withdrawn_at_once_leaves_no_notification() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let (mut wire, _editor) = unseen(&screen);
    submit(&mut wire, 0);
    await_notified(&notifications, 0);
    for number in 1..=20 {
        let ticket = number.to_string();
        wire.send("submit", &json!({ "payload": question(number), "ticket": ticket }));
        wire.send("withdraw", &json!({ "ticket": ticket }));
        let (_submitted, withdrawn) = (wire.next(), wire.next());
        assert_eq!(withdrawn["result"], json!({ "withdrawn": true }), "{number}");
    }
    notifications.await_count(0);
}

#[test]
fn hanging_notification_daemon_holds_up_nothing() {
    let screen = Screen::start();
    let notifications = Notifications::start(&screen);
    let _app = resident(&screen);
    let editor = Editor::open(&screen);
    notifications.hang();
    let _typing = type_on(&editor);
    let _asked = Run::ask(&question(0)).start(&screen);
    let person = Person::at(&screen);
    until("the window to be in front", || person.is_in_front().then_some(()));
    assert_eq!(notifications.heard(), [], "it has not even said what it is able to do");
    notifications.go_on();
    notifications.await_count(1);
}

/// Sets a question aside by the key that does so.
#[track_caller]
fn set_aside(person: &Person, screen: &Screen) {
    until("the keyboard", || person.has_keyboard().then_some(()));
    person.press_once("Escape", || (!person.is_visible()).then_some(()));
    await_state(screen, "set_aside");
}

#[test]
fn setting_aside_without_a_tray_notifies_how_to_come_back() {
    let screen = Screen::without_arming();
    let notifications = Notifications::start(&screen);
    Run::command(["resident"]).ends(&screen).is(0, "");
    let mut asked = Run::ask(&question(0)).start(&screen);
    let person = Person::at(&screen);
    let ways: [(&str, &dyn Fn()); 4] = [
        ("a launch from the menu", &|| Run::from_menu().ends(&screen).is(0, "")),
        ("a launch as at login", &|| Run::app(["--resident"]).ends(&screen).is(0, "")),
        ("the command", &|| Run::command(["show"]).ends(&screen).is(0, "")),
        ("a click", &|| notifications.click()),
    ];
    for (way, come_back) in ways {
        set_aside(&person, &screen);
        notifications.await_count(1);
        let (title, body) = until("it to be heard", || match notifications.heard().pop() {
            Some(Heard::Shows { title, body, .. }) => Some((title, body)),
            _ => None,
        });
        assert_eq!(title, "Askdeck is still running");
        assert!(body.starts_with("The question is still waiting. Start Askdeck again"), "{body}");
        come_back();
        until(format!("{way} to bring the window"), || person.is_visible().then_some(()));
        notifications.await_count(0);
    }
    assert!(!asked.is_over(), "the agent has heard of none of this");
}

#[test]
fn reused_answer_gets_a_notification() {
    for stays in [false, true] {
        let screen = Screen::without_arming();
        let notifications = Notifications::start(&screen);
        if stays {
            Run::command(["resident"]).ends(&screen).is(0, "");
        }
        let asked = Run::ask(&question(0)).start(&screen);
        let person = Person::at(&screen);
        // It is killed.
        drop(asked);
        await_state(&screen, "caller_left");
        person.press_once("Return", || (!person.is_visible()).then_some(()));
        assert_eq!(notifications.heard(), [], "the window was seen");

        Run::ask(&question(0)).ends(&screen).answers(&json!([
            { "id": "question-0", "question": "Keep <b>all</b> & go?", "selected": ["Now"] },
        ]));
        notifications.await_count(1);
        let shown = Heard::Shows {
            replaces: 0,
            title: "Your earlier answer was used".into(),
            body: "Tester 0: Keep &lt;b&gt;all&lt;/b&gt; &amp; go?".into(),
        };
        until(format!("it to be heard, stays: {stays}"), || {
            (notifications.heard() == [shown.clone()]).then_some(())
        });
        let history = Run::command(["history"]).ends(&screen).stdout;
        assert!(history.contains("  answered, reused when asked again  Tester 0"), "{history}");
        if stays {
            notifications.click();
            Person::at_window(&screen, "History");
        }

        // It was used up: the next one is asked.
        let _asked = Run::ask(&question(0)).start(&screen);
        Person::at_window(&screen, "Tester 0");
    }
}

/// A script in the place of the program that plays sounds, and `PATH` with it. It stands for the
/// desktop's sound server, which cannot run here.
fn player(screen: &Screen, script: &str) -> String {
    screen.configure("focus = \"always\"\nsound = true");
    let folder = screen.path("players");
    let player = folder.join("canberra-gtk-play");
    fs::create_dir_all(&folder).expect("the home is ours");
    fs::write(&player, format!("#!/bin/sh\n{script}\n")).expect("the home is ours");
    fs::set_permissions(&player, fs::Permissions::from_mode(0o700)).expect("the file is ours");
    format!("{}:{}", folder.display(), env::var("PATH").expect("programs are found by it"))
}

#[test]
fn a_sound_is_played_once_the_window_is_there() {
    let screen = Screen::start();
    let heard = screen.path("heard");
    let note = "{ echo \"$@\"; xdotool search --onlyvisible --class askdeck-desktop; }";
    let path = player(&screen, &format!("{note} >>{}", heard.display()));
    let _asked = Run::ask(&question(0)).env("PATH", path).start(&screen);
    let person = Person::at(&screen);
    let lines = until("the sound", || {
        let heard = fs::read_to_string(&heard).ok()?;
        (heard.lines().count() > 1).then_some(heard)
    });
    let seen = screen.ask("xdotool", ["search", "--onlyvisible", "--class", "askdeck-desktop"]);
    assert!(person.is_visible());
    assert_eq!(lines, format!("-i message-new-instant\n{}\n", seen.expect("it is visible")));
}

#[test]
fn hanging_sound_player_holds_up_nothing_and_is_ended() {
    let screen = Screen::without_arming();
    let pid = screen.path("player");
    // What ends other programs does not end it.
    let hang =
        format!("trap '' TERM\necho $$ >{0}.new\nmv {0}.new {0}\nexec sleep 1000", pid.display());
    let path = player(&screen, &hang);
    let mut asked = Run::ask(&question(0)).env("PATH", path).start(&screen);
    let person = Person::at(&screen);
    let player = until("the player", || fs::read_to_string(&pid).ok());
    person.press_once("Return", || asked.is_over().then_some(()));
    assert_eq!(asked.ends().code, Some(0));
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    let process = Path::new("/proc").join(player.trim());
    until("the player to be ended", || (!process.exists()).then_some(()));
}
