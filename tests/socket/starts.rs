use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::net::{UnixListener, UnixStream},
    thread,
};

use serde_json::{Value, json};

use super::{mode, question};
use crate::support::{Home, Person, Run, Running, Screen, Wire, askdeck, signal, socket, until};

/// Presses Return once for each of them.
#[track_caller]
fn answer_each(screen: &Screen, running: &mut [Running]) {
    let person = Person::at(screen);
    for answered in 1..=running.len() {
        person.press_once("Return", || {
            let over = running.iter_mut().map(Running::is_over).filter(|over| *over);
            (over.count() == answered).then_some(())
        });
    }
}

/// The same, and checks that each got an answer of its own.
#[track_caller]
fn answer_all(screen: &Screen, mut running: Vec<Running>) {
    answer_each(screen, &mut running);
    for (number, one) in running.into_iter().enumerate() {
        let asked = format!("Number {number}?");
        one.ends()
            .answers(&json!([{ "id": "question-0", "question": asked, "selected": ["Now"] }]));
    }
}

#[test]
fn eight_simultaneous_starts_end_up_in_one_app() {
    let screen = Screen::without_arming();
    let running: Vec<_> = (0..8)
        .map(|number| Run::ask(&question(&format!("Number {number}?"))).start(&screen))
        .collect();
    until("all eight to be asked", || {
        let list = Run::command(["list"]).ends(&screen);
        (list.stdout.lines().count() == 8).then_some(())
    });
    until("one app to be left", || (screen.programs("askdeck-desktop").len() == 1).then_some(()));
    answer_all(&screen, running);
    until("the app to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));
}

#[test]
fn resident_app_survives_the_program_that_started_it() {
    let screen = Screen::without_arming();
    // As a terminal does when the person presses Ctrl+C in it, and when they close it.
    let script = format!("trap : INT HUP; {} resident; kill -INT 0; kill -HUP 0", askdeck());
    Run::program("setsid", ["--wait", "sh", "-c", &script]).ends(&screen).is(0, "");
    let app = screen.programs("askdeck-desktop");
    answer_all(&screen, vec![Run::ask(&question("Number 0?")).start(&screen)]);
    assert_eq!(screen.programs("askdeck-desktop"), app);
    let status = Run::command(["status"]).ends(&screen);
    assert!(status.stdout.starts_with("running resident"), "{status:?}");
}

#[track_caller]
fn await_status(screen: &Screen, expected: &str) {
    until(format!("the status `{expected}`"), || {
        Run::command(["status"]).ends(screen).stdout.starts_with(expected).then_some(())
    });
}

#[test]
fn killed_resident_app_is_resident_again_unless_quit() {
    let screen = Screen::without_arming();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let first = Run::ask(&question("Number 0?")).start(&screen);
    signal("KILL", Person::at(&screen).app());
    await_status(&screen, "running resident, version 0.1.0; 1 open");

    Run::command(["stop"]).ends(&screen).is(0, "");
    let second = Run::ask(&question("Number 1?")).start(&screen);
    await_status(&screen, "running until its deck is empty, version 0.1.0; 2 open");
    answer_each(&screen, &mut [first, second]);
    await_status(&screen, "not running; 0 open");
}

#[test]
fn socket_of_a_dead_app_is_replaced() {
    let screen = Screen::without_arming();
    fs::create_dir_all(screen.path("askdeck/run")).expect("the home is ours");
    drop(UnixListener::bind(socket(&screen)).expect("the folder is ours"));
    Wire::to_resident(&screen);

    let app = screen.programs("askdeck-desktop")[0];
    signal("KILL", app);
    until("it to die", || screen.programs("askdeck-desktop").is_empty().then_some(()));
    assert!(socket(&screen).exists(), "a killed app cannot tidy up");
    answer_all(&screen, vec![Run::ask(&question("Number 0?")).start(&screen)]);
}

#[test]
fn removed_socket_is_made_again_by_the_only_app() {
    let screen = Screen::without_arming();
    let first = Run::ask(&question("Number 0?")).start(&screen);
    Person::at(&screen);
    let app = screen.programs("askdeck-desktop");
    for _ in 0..3 {
        fs::remove_file(socket(&screen)).expect("the home is ours");
        // Whoever comes in this moment waits for the app that runs.
        Run::command(["show"]).ends(&screen).is(0, "");
        until("no other app to be there", || {
            (screen.programs("askdeck-desktop") == app).then_some(())
        });
    }
    let second = Run::ask(&question("Number 1?")).start(&screen);
    until("both to be open in it", || {
        let list = Run::command(["list"]).ends(&screen);
        (list.stdout.lines().count() == 2).then_some(())
    });
    answer_all(&screen, vec![first, second]);
}

#[test]
fn socket_is_in_the_runtime_directory_by_default() {
    let screen = Screen::start();
    let run = |name| Run::command([name]).without_env("ASKDECK_HOME");
    run("resident").ends(&screen).is(0, "");
    let directory = screen.path("run/askdeck");
    assert_eq!((mode(&directory), mode(&directory.join("askdeck.sock"))), (0o700, 0o600));
    run("stop").ends(&screen).is(0, "");
    assert!(!directory.join("askdeck.sock").exists());
}

/// An app of another version: greets once, and returns what it was told then.
fn other_app(home: &Home, hello: Value) -> thread::JoinHandle<Option<Value>> {
    fs::create_dir_all(home.path("askdeck/run")).expect("the home is ours");
    let path = socket(home);
    let listener = UnixListener::bind(&path).expect("the folder is ours");
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody comes");
        let mut lines = BufReader::new(stream.try_clone().expect("a socket can be shared")).lines();
        let asked: Value = read(&lines.next()?.ok()?);
        assert_eq!(asked["method"], "hello");
        reply(&mut stream, &asked, &hello);
        let told: Value = read(&lines.next()?.ok()?);
        reply(&mut stream, &told, &json!({ "done": true }));
        fs::remove_file(path).expect("it is there");
        Some(told)
    })
}

fn read(line: &str) -> Value {
    serde_json::from_str(line).expect("the command writes JSON")
}

fn reply(stream: &mut UnixStream, request: &Value, result: &Value) {
    let response = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
    stream.write_all(format!("{response}\n").as_bytes()).expect("the command reads");
}

#[test]
fn older_app_makes_way_for_a_newer_one() {
    let screen = Screen::without_arming();
    let older = other_app(&screen, json!({ "protocol": 0, "version": "0.0.9", "resident": true }));
    let running = Run::ask(&question("Number 0?")).start(&screen);
    let told = older.join().expect("it was asked").expect("it was told something");
    assert_eq!(told["method"], "shutdown");
    answer_all(&screen, vec![running]);
    // The older one stayed, so the newer one does.
    let status = Run::command(["status"]).ends(&screen);
    status.is(0, "running resident, version 0.1.0; 0 open\n");
}

#[test]
fn too_old_command_says_so() {
    let screen = Screen::start();
    let hello = json!({ "protocol": 99, "version": "9.0.0", "news": ["of", "the future"] });
    let newer = other_app(&screen, hello);
    Run::ask(&question("Anyone?")).ends(&screen).says(
        4,
        "",
        "askdeck: this command is older than the running app (9.0.0); update it\n",
    );
    assert_eq!(newer.join().expect("it was asked"), None);
}

#[test]
fn older_remote_app_is_left_alone() {
    let screen = Screen::start();
    let older = other_app(&screen, json!({ "protocol": 0, "version": "0.0.9" }));
    let run =
        Run::ask(&question("Anyone?")).env("ASKDECK_SOCKET", socket(&screen).display().to_string());
    run.ends(&screen).says(
        4,
        "",
        "askdeck: the app at the other end (0.0.9) is older than this command; update the app\n",
    );
    assert_eq!(older.join().expect("it was asked"), None);
}
