//! Several agents at one window: a list beside the dialog, and nothing that gets in the way.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Home, Kept, Person, Run, Running, Screen, Terminal, Window, Wire, until};

/// Whether the list shows the whole row of the dialog that is on the stage.
const ROW_IN_SIGHT: &str = "(() => { const row = document.querySelector('[aria-current=\"true\"]').getBoundingClientRect(); const list = document.querySelector('.inbox-list').getBoundingClientRect(); return row.top >= list.top && row.bottom <= list.bottom; })()";

/// Two questions, each taller than a small window.
fn long(agent: &str, folder: &str) -> Value {
    let options: Vec<_> = (1..=15).map(|n| format!("Option {n}")).collect();
    json!({ "agent": agent, "cwd": folder, "questions": [
        { "header": "First", "question": format!("What does {agent} need?"), "options": options },
        { "header": "Second", "question": "And in your words?", "type": "text" },
    ]})
}

fn short(agent: &str) -> Value {
    json!({ "agent": agent, "cwd": "/srv/shop", "question": "Deploy?", "options": ["Now", "Later"] })
}

/// Asks too, while the window is there, and waits until the list tells.
#[track_caller]
fn join(window: &Window, payload: &Value, screen: &Screen) -> Running {
    let rows = window.see("document.querySelectorAll('.inbox-row').length").as_u64();
    let running = Run::ask(payload).start(screen);
    let more = format!("document.querySelectorAll('.inbox-row').length > {}", rows.unwrap_or(0));
    window.await_true("one more in the list", &more);
    running
}

#[track_caller]
fn await_current(window: &Window, agent: &str) {
    window.await_text("[aria-current='true'] .inbox-agent", agent);
    window.await_text(".dialog .agent", &format!("{agent} asks"));
    window.await_armed();
}

#[test]
fn inbox_shows_agent_folder_and_time() {
    let screen = Screen::start();
    let window = Run::ask(&long("One", "/srv/shop/api")).open(&screen);
    assert!(!window.shows(".inbox"), "one question needs no list");
    let _two = join(&window, &long("Two", "/srv/blog/api"), &screen);
    let _three = join(&window, &long("Three", "/srv/blog/web"), &screen);
    window.await_text(".inbox h2", "3 open questions");
    assert_eq!(window.texts(".inbox-agent"), ["One", "Two", "Three"]);
    assert_eq!(window.texts(".inbox-folder"), ["shop/api", "blog/api", "web"]);
    assert_eq!(window.text(".inbox-about"), "What does One need?");
    assert_eq!(window.texts(".inbox-time"), ["now"; 3]);
    // Only what was not seen yet is called new.
    assert_eq!(window.texts(".inbox-state"), ["", "New", "New"]);
    await_current(&window, "One");
}

#[test]
fn inbox_row_names_the_command_or_file() {
    let screen = Screen::start();
    let rename = json!({ "agent": "Codex", "question": "Rename `User` to **Account**?" });
    let window = Run::ask(&rename).open(&screen);
    let decides = |about: &str, message: &str| {
        let question = json!({ "question": about, "options": ["Yes", "No"], "consent": true });
        let cwd = "/srv/shop";
        json!({ "agent": "Claude", "cwd": cwd, "message": message, "questions": [question] })
    };
    let run = decides("Run this command?", "```sh\nnpm test &&\n  rm -rf dist\n```");
    let edit =
        decides("Edit `store.rs`?", "```\n/srv/shop/src/store.rs\n```\n\n```diff\n-a\n+b\n```");
    let plan = decides("Start?", "# Plan\n\n```sh\nnpm test\n```");
    let others = [run, edit, plan].map(|payload| join(&window, &payload, &screen));
    let abouts = ["Rename User to Account?", "Run this command?", "Edit store.rs?", "Start?"];
    assert_eq!(window.texts(".inbox-about"), abouts);
    assert_eq!(window.texts(".inbox-about code"), ["User", "store.rs"]);
    let subjects = window.texts(".inbox-subject");
    assert_eq!(subjects, ["", "npm test && ⏎ rm -rf dist", "src/store.rs", ""]);
    drop(others);
}

#[test]
fn mute_button_shows_on_hover_and_focus() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    let _two = join(&window, &short("Two"), &screen);
    await_current(&window, "One");
    let shown = "[...document.querySelectorAll('.inbox-mute')].map((bell) => getComputedStyle(bell).opacity).join()";
    let await_shown = |bells: &str| window.await_true(bells, &format!("{shown} === '{bells}'"));
    let point = |css: &str| {
        let middle = format!(
            "(() => {{ const box = document.querySelector('{css}').getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round); }})()"
        );
        let [x, y]: [i64; 2] = serde_json::from_value(window.see(&middle)).expect("a point");
        window.person.point(x, y);
    };
    window.click(".card:nth-child(1)");
    await_shown("0,0");
    point(".inbox-row:nth-child(2)");
    await_shown("0,1");
    point(".caller");
    await_shown("0,0");
    window.tab_to(".inbox-row:nth-child(2) .inbox-jump");
    await_shown("0,1");
}

#[test]
fn inbox_shows_minutes_waited() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    submit(&screen, "One", "1");
    submit(&screen, "Two", "2");
    Run::command(["stop"]).ends(&screen).is(0, "");
    Kept::of(&screen).wait(Duration::from_secs(125));
    let window = Run::command(["show"]).open(&screen);
    window.await_text(".inbox h2", "2 open questions");
    assert_eq!(window.texts(".inbox-time"), ["2 min"; 2]);
}

#[test]
fn each_dialog_keeps_its_draft_its_tab_and_its_scroll_position() {
    let screen = Screen::start();
    let window = Run::ask(&long("One", "/srv/shop")).open(&screen);
    let _two = join(&window, &long("Two", "/srv/shop"), &screen);
    let _three = join(&window, &long("Three", "/srv/shop"), &screen);
    let person = &window.person;
    window.click("#tab-1");
    window.click("#panel-1.current textarea");
    window.await_focus("#panel-1 textarea");
    person.type_text("half a sentence");
    // At once, with the last letters still on their way.
    person.press("alt+Down");
    await_current(&window, "Two");
    assert!(window.shows("#panel-0.current"));
    person.press("2");
    window.await_chosen(&[1]);
    let scrolled = "document.querySelector('.panel.current').scrollTop";
    window.run(&format!("{scrolled} = 120"));
    person.press("alt+Down");
    await_current(&window, "Three");
    assert_eq!(window.chosen(), [0; 0]);
    person.press("alt+Down");
    await_current(&window, "One");
    assert!(window.shows("#panel-1.current"), "it was at its second question");
    assert_eq!(window.see("document.querySelector('#panel-1 textarea').value"), "half a sentence");
    window.click(".inbox-row:nth-child(2) .inbox-jump");
    await_current(&window, "Two");
    assert_eq!((window.chosen(), window.see(scrolled)), (vec![1], json!(120)));
    person.press("alt+Up");
    await_current(&window, "One");
    person.press("alt+Up");
    await_current(&window, "Three");
}

#[test]
fn first_come_is_first_served() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    let two = join(&window, &short("Two"), &screen);
    let three = join(&window, &short("Three"), &screen);
    window.person.press("2 Return");
    assert_eq!(window.await_end().code, Some(0));
    await_current(&window, "Two");
    window.person.press("1 Return");
    assert_eq!(two.ends().code, Some(0));
    window.await_text(".dialog .agent", "Three asks");
    window.await_true("the list to go", "document.querySelector('.inbox').hidden");
    window.await_armed();
    window.person.press("1 Return");
    assert_eq!(three.ends().code, Some(0));
    window.person.await_gone();
}

/// Notes whether any of these is elsewhere in any frame from now on. The window may grow on its left: its
/// right edge is what stays.
const WATCH: &str = "
    const parts = [...document.querySelectorAll('.card, .caller, .question, .footer, .buttons button')].filter((part) => part.checkVisibility());
    const place = ({ left, top, width, height }) => [innerWidth - left, top, width, height];
    const places = () => JSON.stringify(parts.map((part) => place(part.getBoundingClientRect())));
    const before = places();
    window.moved = null;
    const look = () => {
        window.frames_seen = (window.frames_seen ?? 0) + 1;
        if (places() !== before) window.moved ??= before + ' to ' + places();
        requestAnimationFrame(look);
    };
    look();";

/// Another question comes, and goes again: nothing under the pointer moves.
#[track_caller]
fn assert_stays(window: &Window, screen: &Screen) {
    let right_edge = || {
        let [x, y] = window.person.corner();
        (x + window.see("innerWidth").as_i64().expect("a width"), y)
    };
    let place = right_edge();
    window.run(WATCH);
    let two = join(window, &short("Two"), screen);
    let three = join(window, &short("Three"), screen);
    let told = "document.querySelector('.inbox').checkVisibility({ visibilityProperty: true })
        || document.querySelector('.others').checkVisibility()";
    window.await_true("the person to see that others wait", told);
    two.interrupt();
    three.interrupt();
    window.await_true(
        "the others to be gone",
        "document.querySelectorAll('.inbox-row').length === 1",
    );
    window.run("window.frames_seen = 0");
    window.await_true("it to be painted", "window.frames_seen > 2");
    assert_eq!(window.see("window.moved"), Value::Null);
    until("the window to be where it was", || (right_edge() == place).then_some(()));
    assert_eq!(window.text(".dialog .agent"), "One asks");
}

#[test]
fn later_question_moves_nothing() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    let width = window.see("innerWidth").as_u64().expect("a width");
    assert_stays(&window, &screen);
    window.await_true("the window to make room", &format!("innerWidth === {width} + 260"));
    let left_of = "document.querySelector('.inbox').getBoundingClientRect().right
        === document.querySelector('.dialog').getBoundingClientRect().left";
    window.await_true("the list to be on the left", left_of);
    assert_eq!(window.see("getComputedStyle(document.documentElement).pointerEvents"), "auto");
}

#[test]
fn later_question_moves_nothing_at_the_screen_edge() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    window.person.move_window(100, 100);
    assert_stays(&window, &screen);
    assert!(!window.shows(".inbox"), "there is no room for it");
}

#[test]
fn later_question_moves_nothing_in_a_maximised_window() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    window.maximise();
    assert_stays(&window, &screen);
}

#[test]
fn narrow_window_opens_the_inbox_over_the_dialog() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    window.resize(420, 360);
    window.person.move_window(100, 100);
    let _two = join(&window, &short("Two"), &screen);
    window.await_text(".others", "1 more");
    window.click(".others");
    window.await_shown(".inbox");
    window.await_focus("[aria-current='true']");
    // Esc leaves the list, not the dialog.
    window.person.press("Escape");
    window.await_focus(".others");
    assert!(!window.shows(".inbox"));
    window.person.press("Return");
    window.await_shown(".inbox");
    window.click(".inbox-row:nth-child(2) .inbox-jump");
    window.await_text(".dialog .agent", "Two asks");
    // For the next question the window may have grown, and have room for the list beside it.
    assert!(!window.shows(".inbox.over"));
    assert!(!window.is_over());
}

#[test]
fn inbox_keeps_its_scroll_position() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    let mut others: Vec<_> =
        (2..=12).map(|n| join(&window, &short(&format!("Agent {n}")), &screen)).collect();
    await_current(&window, "One");
    let list = "document.querySelector('.inbox-list')";
    window.await_true("more than is in sight", &format!("{list}.scrollHeight > innerHeight"));
    window.run(&format!("{list}.scrollTop = {list}.scrollHeight"));
    let scrolled = window.see(&format!("{list}.scrollTop"));
    assert_ne!(scrolled, 0);
    others.push(join(&window, &short("One more"), &screen));
    assert_eq!(window.see(&format!("{list}.scrollTop")), scrolled);
    // Another dialog brings its own row in sight.
    window.person.press("alt+Down");
    await_current(&window, "Agent 2");
    window.await_true("its row to be in sight", ROW_IN_SIGHT);
}

#[test]
fn inbox_finds_one_dialog_of_many() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    let mut wire = Wire::to(&screen);
    for n in 2..=30 {
        wire.call("submit", &json!({ "payload": short(&format!("Agent {n}")) }));
    }
    let all = "document.querySelectorAll('.inbox-row').length === 30";
    window.await_true("all of them in the list", all);
    for (key, agent) in [("alt+Up", "Agent 30"), ("alt+Up", "Agent 29"), ("alt+Down", "Agent 30")] {
        window.person.press(key);
        await_current(&window, agent);
        window.await_true("its row to be in sight", ROW_IN_SIGHT);
    }
}

#[test]
fn inbox_and_list_call_a_nameless_script_a_script() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    let payload = json!({ "question": "Restart?", "options": ["Now", "Later"] });
    let caller = json!({ "agent": "bash", "program": "bash" });
    Wire::to(&screen).call("submit", &json!({ "payload": payload, "caller": caller }));
    window.await_true("two rows", "document.querySelectorAll('.inbox-row').length === 2");
    assert_eq!(window.texts(".inbox-agent"), ["One", "A script"]);
    let mutes = "[...document.querySelectorAll('.inbox-mute')].map((button) => button.title)";
    let titles = json!(["Mute One for an hour", "Mute this script for an hour"]);
    assert_eq!(window.see(mutes), titles);
    let listed = Run::command(["list"]).ends(&screen).stdout;
    assert!(listed.contains("  A script: Restart?"), "{listed}");
    let open = Run::command(["list", "--json"]).ends(&screen).stdout;
    let open: Value = serde_json::from_str(&open).expect("it is JSON");
    assert_eq!((&open[0]["nameless"], &open[1]["nameless"]), (&Value::Null, &Value::Bool(true)));
    window.person.press("alt+Down");
    window.await_text(".dialog .agent", "A script asks");
    window.person.await_title("A script — Askdeck");
}

/// Asks without waiting, and returns the ticket.
#[track_caller]
fn submit(home: &Home, agent: &str, key: &str) -> String {
    let ended = Run::ask(&short(agent)).args(["--no-wait", "--key", key]).ends(home);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.stdout.trim().to_owned()
}

/// The same in a terminal of its own, as another caller.
#[track_caller]
fn submit_elsewhere(home: &Home, agent: &str) {
    let ask = Run::ask(&short(agent)).args(["--no-wait"]);
    assert_eq!(Terminal::start(ask, home, 80, 24).ends().code, Some(0));
}

/// A caller may call itself something else each time, and start a new process for each question.
#[test]
fn rate_limited_caller_is_listed_but_does_not_pop_up() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    let over_one_wire = (0..10).map(|n| {
        let caller = json!({ "agent": format!("Agent {n}"), "session": n.to_string() });
        let ask = json!({ "payload": short("Chatty"), "caller": caller });
        wire.call("submit", &ask)["ticket"].as_str().expect("a ticket is a text").to_owned()
    });
    let mut tickets: Vec<_> = over_one_wire.collect();
    tickets.extend((10..20).map(|n| submit(&screen, &format!("Agent {n}"), &n.to_string())));
    let person = Person::at(&screen);
    for ticket in tickets {
        wire.call("withdraw", &json!({ "ticket": ticket }));
    }
    until("the window to go", || (!person.is_visible()).then_some(()));
    let quiet = submit(&screen, "Yet another", "21");
    assert!(!person.is_visible());
    // Had it been on the stage, this one could not get there.
    submit_elsewhere(&screen, "Honest");
    Person::at_window(&screen, "Honest");
    let listed = Run::command(["list"]).ends(&screen).stdout;
    assert!(listed.contains(&quiet), "{listed}");
}

#[test]
fn muted_caller_waits_until_it_is_opened() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    let two = join(&window, &short("Two"), &screen);
    let mute = ".inbox-row:nth-child(2) .inbox-mute";
    let label = |word: &str| {
        let said = format!("document.querySelector('{mute}').ariaLabel === '{word}'");
        window.await_true(word, &said);
    };
    label("Mute Two for an hour");
    window.click(mute);
    label("Unmute Two");
    // They are of the same terminal.
    assert_eq!(window.texts(".inbox-state"), ["Muted for an hour"; 2]);
    // The keyboard is still where it was.
    window.await_focus(mute);
    window.person.press("Return");
    label("Mute Two for an hour");
    window.click(mute);
    label("Unmute Two");
    window.click(".card:nth-child(1)");
    window.click(".primary");
    assert_eq!(window.await_end().code, Some(0));
    until("the window to go", || (!window.person.is_visible()).then_some(()));
    Run::command(["show"]).ends(&screen).is(0, "");
    window.person.await_title("Two — Askdeck");
    drop(two);
}

#[test]
fn muting_by_keyboard_and_unmuting() {
    let screen = Screen::start();
    let window = Run::ask(&short("One")).open(&screen);
    Run::command(["resident"]).ends(&screen).is(0, "");
    let _two = join(&window, &short("Two"), &screen);
    let mute = ".inbox-row:nth-child(2) .inbox-mute";
    window.tab_to(mute);
    window.person.press("space");
    window.await_shown("[data-state='muted']");
    window.click(".card:nth-child(1)");
    window.click(".primary");
    assert_eq!(window.await_end().code, Some(0));
    until("the window to go", || (!window.person.is_visible()).then_some(()));

    let quiet = submit(&screen, "Two", "2");
    submit_elsewhere(&screen, "Three");
    // Had the other been on the stage, this one could not get there.
    window.person.await_title("Three — Askdeck");
    await_current(&window, "Three");
    assert_eq!(window.texts(".inbox-agent"), ["Two", "Two", "Three"]);
    let muted = "document.querySelectorAll('[data-state=\"muted\"]').length";
    assert_eq!(window.see(muted), 2);
    window.click(".inbox-row:nth-child(1) .inbox-mute");
    window.await_true("both to be heard again", &format!("{muted} === 0"));
    Run::command(["withdraw", &quiet]).ends(&screen).is(0, "");
    window.click(".card:nth-child(1)");
    window.click(".primary");
    await_current(&window, "Two");
}

fn every_row_can_be_read(theme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    let window = Run::ask(&long("One", "/srv/shop/api")).open(&screen);
    let mut others: Vec<_> = (2..=6)
        .map(|n| join(&window, &long(&format!("Agent number {n} of many"), "/srv/api"), &screen))
        .collect();
    others.pop().expect("there are five").interrupt();
    window.click(".inbox-row:nth-child(3) .inbox-mute");
    window.await_shown("[data-state='muted']");
    window.await_true("colours to settle", "document.getAnimations().length === 0");
    assert_eq!(window.run(include_str!("support/contrast.js")), json!([]));
    window.assert_accessible("beside the dialog");
    assert_eq!(window.run(include_str!("support/reach.js")), json!([]));
    window.resize(420, 360);
    window.click(".others");
    window.await_shown(".inbox");
    assert_eq!(window.run(include_str!("support/contrast.js")), json!([]), "small");
    window.assert_accessible("over the dialog");
}

#[test]
fn inbox_contrast_dark() {
    every_row_can_be_read("Adwaita:dark");
}

#[test]
fn inbox_contrast_light() {
    every_row_can_be_read("Adwaita");
}

#[test]
fn inbox_title_has_a_singular() {
    let screen = Screen::start();
    let window = Run::ask(&json!({ "agent": "One", "question": "One?" })).open(&screen);
    let mut wire = Wire::to(&screen);
    let other = json!({ "payload": { "agent": "Two", "question": "Two?" } });
    let ticket = wire.call("submit", &other)["ticket"].take();
    window.await_text(".inbox h2", "2 open questions");
    wire.call("withdraw", &json!({ "ticket": ticket }));
    window.await_text(".inbox h2", "1 open question");
}
