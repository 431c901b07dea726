//! Nothing typed is lost, whoever dies: the agent's command, the app, or the file it writes to.

use std::{
    fs, hint,
    ops::Range,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

use crate::support::{
    Home, Kept, Person, Run, Running, Screen, Window, Wire, signal, try_signal, until,
};

/// To whom an answer goes.
mod delivery;
/// What befalls the file in which it is kept.
mod files;
/// What another program does to it.
mod locked;
/// What is kept of a secret: nothing.
mod secrets;
/// What was sent, and by whom it was received.
mod unread;

/// What a person may lose of their typing.
const LOST_AT_MOST: Duration = Duration::from_secs(1);

fn in_words(agent: &str) -> Value {
    json!({ "agent": agent, "question": "In your words?", "type": "text" })
}

fn given(value: &str) -> Value {
    json!([{ "id": "question-0", "question": "In your words?", "value": value }])
}

/// What a subcommand prints with `--json`.
#[track_caller]
fn told<const N: usize>(home: &Home, args: [&str; N]) -> Value {
    let ended = Run::command(args).args(["--json"]).ends(home);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    serde_json::from_str(&ended.stdout).expect("it prints JSON")
}

/// Types into the box that has the keyboard, as soon as it takes text: `x`, and `text`. Returns all
/// that has got there.
#[track_caller]
fn type_as_soon_as_possible(person: &Person, kept: &Kept, agent: &str, text: &str) -> String {
    let before = kept.typed(agent);
    // The page may not know yet that the box takes text.
    person.press_at_most(2, "x", || (kept.typed(agent) != before).then_some(()));
    person.type_text(text);
    until(format!("`{text}` to be kept"), || {
        Some(kept.typed(agent)).filter(|typed| typed.ends_with(text))
    })
}

/// Numbers that look random, and are the same for the same seed.
struct Chance(u64);

impl Chance {
    /// A test that fails tells its seed.
    #[expect(clippy::print_stderr, reason = "it is seen if the test fails")]
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970");
        let seed = now.subsec_nanos().into();
        eprintln!("the seed is {seed}");
        Self(seed)
    }

    fn of(&mut self, range: Range<u64>) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        range.start + (self.0 >> 33) % (range.end - range.start)
    }

    fn letter(&mut self) -> char {
        char::from(b'a' + u8::try_from(self.of(0..23)).expect("less than 23"))
    }
}

/// All letters that were typed, and when each was down.
#[derive(Default)]
struct Typed(Vec<(char, Instant)>);

impl Typed {
    fn press(&mut self, letter: char, person: &Person) {
        person.press(&letter.to_string());
        self.0.push((letter, Instant::now()));
    }

    fn text(&self) -> String {
        self.0.iter().map(|(letter, _)| letter).collect()
    }

    /// Goes back to what was kept: the person goes on from what they see.
    #[track_caller]
    fn assert_kept(&mut self, kept: &str, killed: Instant) {
        let text = self.text();
        assert!(text.starts_with(kept), "typed `{text}`, but `{kept}` was kept");
        let lost = &self.0[kept.len()..];
        let longest = lost.first().map_or(Duration::ZERO, |(_, pressed)| killed - *pressed);
        assert!(
            longest <= LOST_AT_MOST,
            "typed {longest:?} before the kill and not kept: {lost:?}"
        );
        self.0.truncate(kept.len());
    }
}

/// Types while the app is killed again and again, and sends in the end.
fn type_through_kills(kills: usize, chance: &mut Chance) {
    let screen = Screen::without_arming();
    let running = Run::ask(&in_words("Tester")).start(&screen);
    let kept = Kept::of(&screen);
    let mut typed = Typed::default();
    // The box takes no text at first, so what is pressed until then does not count.
    let letters = |typed: &str| typed.replace('x', "");
    let ticket = kept.ticket("Tester");
    for kill in 0..kills {
        until("the question to be shown", || (kept.count(&ticket, "shown") > kill).then_some(()));
        let person = Person::at(&screen);
        person.activate();
        let reopened = type_as_soon_as_possible(&person, &kept, "Tester", "");
        assert_eq!(letters(&reopened), typed.text());
        let (start, long) = (Instant::now(), Duration::from_millis(chance.of(0..1300)));
        while start.elapsed() < long {
            typed.press(chance.letter(), &person);
        }
        signal("KILL", person.app());
        let killed = Instant::now();
        person.await_gone();
        typed.assert_kept(&letters(&kept.typed("Tester")), killed);
        kept.assert_sound();
    }
    let person = Person::at(&screen);
    person.activate();
    let all = type_as_soon_as_possible(&person, &kept, "Tester", "z");
    assert_eq!(letters(&all), typed.text() + "z");
    person.press("Return");
    running.ends().answers(&given(&all));
    assert_eq!(kept.count(&ticket, "answered"), 1);
    kept.assert_sound();
}

#[test]
fn killed_app_loses_at_most_a_second_of_typing() {
    let mut chance = Chance::new();
    // A desk for each core: a person spends most of the time waiting for the window.
    let desks = thread::available_parallelism().map_or(2, usize::from).min(5);
    thread::scope(|scope| {
        for desk in 0..desks {
            let mut chance = Chance(chance.of(0..u64::from(u32::MAX)));
            let kills = (50 + desk) / desks;
            scope.spawn(move || type_through_kills(kills, &mut chance));
        }
    });
}

#[test]
fn draft_is_kept_within_a_quarter_of_a_second() {
    let screen = Screen::without_arming();
    let _asked = Run::ask(&in_words("Tester")).start(&screen);
    let person = Person::at(&screen);
    person.activate();
    let kept = Kept::of(&screen);
    let mut typed = type_as_soon_as_possible(&person, &kept, "Tester", "z");
    let mut times = Vec::new();
    // The machine may be busy with something else, but not all the time.
    until("six keys of eight to be kept in time", || {
        typed.push('a');
        person.press("a");
        let pressed = Instant::now();
        until("it to be kept", || (kept.typed("Tester") == typed).then_some(()));
        times.push(pressed.elapsed());
        let last = times.last_chunk::<8>()?;
        let in_time = last.iter().filter(|time| **time <= Duration::from_millis(250));
        (in_time.count() >= 6).then_some(())
    });
}

#[test]
fn app_killed_while_sending_delivers_once() {
    let mut chance = Chance::new();
    let screen = Screen::without_arming();
    for round in 0..6 {
        let agent = format!("Tester {round}");
        let mut running = Run::ask(&in_words(&agent)).start(&screen);
        let person = Person::at_window(&screen, &agent);
        let kept = Kept::of(&screen);
        person.activate();
        let typed = type_as_soon_as_possible(&person, &kept, &agent, "z");
        let app = person.app();
        let (pressed, delay) = (Instant::now(), Duration::from_millis(chance.of(0..60)));
        person.press("Return");
        while pressed.elapsed() < delay {
            hint::spin_loop();
        }
        // It may have ended by itself.
        try_signal("KILL", app);
        person.await_gone();
        // If it was killed too early, the question is there again.
        let is_again = until("an answer or a window", || {
            if running.is_over() { Some(false) } else { screen.has_window().then_some(true) }
        });
        if is_again {
            Person::at(&screen).press_once("Return", || running.is_over().then_some(()));
        }
        running.ends().answers(&given(&typed));
        assert_eq!(kept.count(&kept.ticket(&agent), "answered"), 1);
        kept.assert_sound();
    }
}

#[test]
fn answer_to_a_killed_command_is_kept_for_ticket_and_next_ask() {
    let screen = Screen::start();
    let both = json!({ "agent": "Tester", "questions": [
        { "question": "In your words?", "type": "text" },
        { "question": "In other words?", "type": "text" },
    ]});
    let window = Run::ask(&both).open(&screen);
    window.type_into(".current textarea", "half a sentence");
    window.await_shown("#tab-0[data-progress='answered']");
    signal("KILL", window.command());
    window.await_text(
        ".notice",
        "The agent disconnected. Your answer will be saved and delivered when it asks again.",
    );
    let typed = window.see("document.querySelector('textarea').value");
    assert_eq!(typed, "half a sentence");
    let open = told(&screen, ["list"]);
    assert_eq!((&open[0]["agent"], &open[0]["state"]), (&json!("Tester"), &json!("caller_left")));
    let ticket = open[0]["ticket"].as_str().expect("a ticket is a text");

    window.person.press("Return");
    window.await_focus("#panel-1 textarea");
    window.person.type_text("the rest");
    window.person.press("Return");
    window.await_shown(".review");
    window.person.press("Return");
    window.person.await_gone();

    let answers = json!([
        { "id": "question-0", "question": "In your words?", "value": "half a sentence" },
        { "id": "question-1", "question": "In other words?", "value": "the rest" },
    ]);
    // By the same question without a window, and by its ticket any number of times.
    Run::ask(&both).ends(&screen).answers(&answers);
    for _ in 0..2 {
        Run::command(["result", ticket]).ends(&screen).answers(&answers);
    }
}

#[test]
fn question_says_that_a_killed_agent_left() {
    let screen = Screen::without_arming();
    let asked = Run::ask(&in_words("Tester")).start(&screen);
    let person = Person::at(&screen);
    person.activate();
    let kept = Kept::of(&screen);
    let typed = type_as_soon_as_possible(&person, &kept, "Tester", "z");
    // It is killed.
    drop(asked);
    until("the app to notice", || {
        (told(&screen, ["list"])[0]["state"] == "caller_left").then_some(())
    });
    signal("KILL", person.app());
    person.await_gone();

    let window = Run::command(["show"]).open(&screen);
    let left =
        "The agent disconnected. Your answer will be saved and delivered when it asks again.";
    window.await_text(".notice", left);
    assert_eq!(told(&screen, ["list"])[0]["state"], "caller_left");
    assert_eq!(window.see("document.querySelector('textarea').value"), typed.as_str());
    let asked = Run::ask(&in_words("Tester")).start(&screen);
    window.await_text(".notice", "");
    window.person.press("Return");
    asked.ends().answers(&given(&typed));
}

/// Declines by keyboard, with a reason.
#[track_caller]
fn decline(window: &Window) {
    window.click(".away button:nth-child(1)");
    window.await_focus(".composer [data-focus='aside']");
    window.person.type_text("Not now");
    await_reason(window);
    window.person.press("Return");
    window.await_shown(".undo");
}

#[track_caller]
fn await_reason(window: &Window) {
    let reason = "document.querySelector('.composer [data-focus=\"aside\"]').value === 'Not now'";
    window.await_true("the reason", reason);
}

#[test]
fn decline_is_undone_by_key_and_mouse() {
    let screen = Screen::start();
    let window = Run::ask(&in_words("Tester")).open(&screen);
    let mut wire = Wire::to_resident(&screen);
    assert_eq!(wire.call("subscribe", &json!({})), json!({ "done": true }));
    window.type_into(".current textarea", "half a sentence");
    decline(&window);
    // Nothing of this gets into the box that is covered.
    window.person.type_text("abc");
    window.person.press("ctrl+z");
    // It is where it was before the decline, whose reason is kept.
    window.await_focus("#panel-0 textarea");
    window.click(".away button:nth-child(1)");
    await_reason(&window);
    window.person.press("Return");
    window.await_shown(".undo");
    window.click(".undo .plain");
    window.await_focus("#panel-0 textarea");
    assert!(!window.is_over());

    window.person.press("Return");
    window.await_end().answers(&given("half a sentence"));
    assert_eq!(wire.next()["params"]["event"], "answered", "the first that anybody heard");
}

#[test]
fn decline_is_sent_when_confirmed_or_after_ten_seconds() {
    let screen = Screen::start();
    let window = Run::ask(&in_words("Tester")).open(&screen);
    Run::command(["resident"]).ends(&screen).is(0, "");
    let declined = json!({ "outcome": "declined", "reason": "Not now" });
    let start = Instant::now();
    decline(&window);
    assert!(!window.is_over());
    window.await_end().is_json(1, &declined);
    assert!(start.elapsed() >= Duration::from_secs(10), "{:?}", start.elapsed());

    let confirmed = Run::ask(&in_words("Another")).start(&screen);
    window.await_text(".dialog .agent", "Another asks");
    window.await_armed();
    decline(&window);
    window.person.press("Return");
    confirmed.ends().is_json(1, &declined);
}

/// Three commands that wait, and what the person has typed for each.
fn three_drafts(screen: &Screen) -> [(Running, String); 3] {
    let agents = ["One", "Two", "Three"];
    let running = agents.map(|agent| {
        let running = Run::ask(&in_words(agent)).start(screen);
        Kept::of(screen).ticket(agent);
        running
    });
    let kept = Kept::of(screen);
    let person = Person::at(screen);
    person.activate();
    let drafts = agents.map(|agent| {
        let is_there = || person.title().starts_with(agent);
        if !is_there() {
            person.press_once("alt+Down", || is_there().then_some(()));
        }
        type_as_soon_as_possible(&person, &kept, agent, &agent.to_lowercase())
    });
    let mut drafts = drafts.into_iter();
    running.map(|running| (running, drafts.next().expect("as many as agents")))
}

/// Sends every draft as it is, and checks that each command gets its own.
#[track_caller]
fn send_all(screen: &Screen, mut waiting: [(Running, String); 3], stderr: &str) {
    until("all three to come back", || {
        (told(screen, ["list"]).as_array().map(Vec::len) == Some(3)).then_some(())
    });
    let person = Person::at(screen);
    person.activate();
    for answered in 1..=waiting.len() {
        person.press_once("Return", || {
            let over =
                waiting.iter_mut().filter_map(|(running, _)| running.is_over().then_some(()));
            (over.count() == answered).then_some(())
        });
    }
    for (running, draft) in waiting {
        let answered = json!({ "outcome": "answered", "answers": given(&draft) });
        running.ends().says(0, &format!("{answered}\n"), stderr);
    }
}

#[test]
fn drafts_survive_a_killed_app() {
    let screen = Screen::without_arming();
    let waiting = three_drafts(&screen);
    let person = Person::at(&screen);
    signal("KILL", person.app());
    person.await_gone();
    send_all(&screen, waiting, "");
}

#[test]
fn drafts_survive_askdeck_stop() {
    let screen = Screen::without_arming();
    let mut waiting = three_drafts(&screen);
    Run::command(["stop"]).ends(&screen).is(0, "");
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    assert!(waiting.iter_mut().all(|(running, _)| !running.is_over()));
    Run::command(["resident"]).ends(&screen).is(0, "");
    let told = "askdeck: Askdeck was quit; the question stays open, and this command waits until Askdeck runs again\n";
    send_all(&screen, waiting, told);
}

#[test]
fn same_question_joins_the_open_dialog() {
    let screen = Screen::start();
    let window = Run::ask(&in_words("Tester")).open(&screen);
    window.person.type_text("for ");
    window.await_true("it to be typed", "document.querySelector('textarea').value === 'for '");
    let second = Run::ask(&in_words("Tester")).start(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Tester");
    until("the second to join", || (kept.count(&ticket, "asked_again") == 1).then_some(()));
    assert_eq!(told(&screen, ["list"]).as_array().map(Vec::len), Some(1));
    window.person.type_text("both");
    window.person.press("Return");
    window.await_end().answers(&given("for both"));
    second.ends().answers(&given("for both"));
    assert_eq!(kept.count(&ticket, "answered"), 1);
}

#[test]
fn deadline_waits_while_typing_and_keeps_the_draft() {
    let screen = Screen::start();
    let limit = Duration::from_secs(9);
    let asked = Instant::now();
    let window = Run::ask(&in_words("Tester")).args(["--timeout=9s"]).open(&screen);
    until("the time to be up", || {
        window.person.press("z");
        (asked.elapsed() > 2 * limit).then_some(())
    });
    assert!(!window.is_over());
    window.await_text(".farewell p", "Time ran out");
    let ended = window.await_end();
    assert_eq!(ended.code, Some(124), "{ended:?}");
    let record = &told(&screen, ["history"])[0];
    assert_eq!(record["outcome"]["outcome"], "timed_out");
    let draft = record["draft"].as_str().expect("a draft is kept");
    assert!(draft.contains("zzzz"), "{draft}");
}

#[test]
fn withdrawn_question_says_so_and_keeps_the_draft() {
    let screen = Screen::start();
    let window = Run::ask(&in_words("Tester")).open(&screen);
    window.type_into(".current textarea", "half a sentence");
    let kept = Kept::of(&screen);
    until("it to be kept", || (kept.typed("Tester") == "half a sentence").then_some(()));
    Run::command(["withdraw", &kept.ticket("Tester")]).ends(&screen).is(0, "");
    window.await_text(".farewell p", "The agent withdrew the question");
    window.await_end().is_json(130, &json!({ "outcome": "withdrawn" }));
    let record = &told(&screen, ["history"])[0];
    assert_eq!(record["outcome"]["outcome"], "withdrawn");
    let draft = record["draft"].as_str().expect("a draft is kept");
    assert!(draft.contains("half a sentence"), "{draft}");
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&entry.path()),
            // Reading a socket or a pipe would wait for whoever writes to it.
            Ok(kind) if kind.is_file() => vec![entry.path()],
            _ => Vec::new(),
        })
        .collect()
}

/// The person's keys wait at the screen until the app goes on, and its time is over by then.
#[test]
fn draft_is_kept_while_a_stopped_app_misses_its_deadline() {
    let screen = Screen::start();
    let asked = Instant::now();
    let limit = Duration::from_secs(12);
    let window = Run::ask(&in_words("Tester")).args(["--timeout", "12s"]).open(&screen);
    let kept = Kept::of(&screen);
    let app = window.person.app();
    signal("STOP", app);
    window.person.type_text("late words");
    until("its time to be over", || (asked.elapsed() > limit * 2).then_some(()));
    signal("CONT", app);
    until("it to be kept", || (kept.typed("Tester") == "late words").then_some(()));
    // It still ends, once they stop.
    window
        .await_end()
        .is_json(124, &json!({ "outcome": "timed_out", "partial": given("late words") }));
}
