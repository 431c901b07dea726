use std::{
    io::{BufRead, BufReader},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};

use super::question;
use crate::support::{APP, Run, Running, Screen, Terminal, Wire, socket, until};

/// The socket for callers from elsewhere.
fn remote_socket(screen: &Screen) -> PathBuf {
    screen.path("askdeck/run/remote/askdeck.sock")
}

/// An app that stays, and may have no more than 1,024 files open.
#[track_caller]
fn with_few_files(screen: &Screen) -> Running {
    let app = APP;
    let script = "ulimit -n 1024 && exec \"$0\" --resident";
    let running = Run::program("sh", ["-c", script, app]).start(screen);
    until("the app to listen", || {
        (Run::command(["status"]).ends(screen).code == Some(0)).then_some(())
    });
    running
}

/// So many connections of one caller that are never used.
fn idle(socket: &Path, count: usize) -> Vec<UnixStream> {
    (0..count).map(|_| UnixStream::connect(socket).expect("the app listens")).collect()
}

/// What one is told who is not let in.
#[track_caller]
fn told(refused: &UnixStream) -> Value {
    refused.set_read_timeout(Some(Duration::from_secs(30))).expect("it is a socket");
    let mut lines = BufReader::new(refused).lines();
    let line = lines.next().expect("it is told why").expect("the app writes text");
    assert!(lines.next().is_none_or(|end| end.is_err()), "it is closed");
    serde_json::from_str(&line).expect("the app writes JSON")
}

#[test]
fn connection_limit_of_remote_callers_keeps_out_nobody_here() {
    const WHY: &str =
        "too many connections: one caller may have at most 96 open; close one and try again";
    let screen = Screen::start();
    let _app = with_few_files(&screen);
    let remote = remote_socket(&screen);
    let crowd = idle(&remote, 1_100);
    let refused =
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32002, "message": WHY } });
    assert_eq!(told(&crowd[1_099]), refused);

    let listed = Run::command(["list"]).ends(&screen);
    assert_eq!((listed.code, listed.stderr.as_str()), (Some(0), ""), "{listed:?}");
    let mut wire = Wire::to(&screen);
    let submitted = wire.call("submit", &json!({ "payload": question("Here?"), "ticket": "t" }));
    assert_eq!(submitted["ticket"], "t");

    // Our own command tells why, too.
    let from_elsewhere = || {
        let list = Run::command(["list"]);
        list.env("ASKDECK_SOCKET", remote.display().to_string()).ends(&screen)
    };
    from_elsewhere().says(4, "", &format!("askdeck: {WHY}\n"));
    drop(crowd);
    until("the way to be free again", || (from_elsewhere().code == Some(0)).then_some(()));
}

#[test]
fn connection_limit_of_one_caller_keeps_out_no_other() {
    let screen = Screen::start();
    let _app = with_few_files(&screen);
    let crowd = idle(&socket(&screen), 400);
    let why = "too many connections: one caller may have at most 288 open; close one and try again";
    assert_eq!(told(&crowd[399])["error"]["message"], why);
    Run::command(["list"]).ends(&screen).says(4, "", &format!("askdeck: {why}\n"));
    let other = Terminal::start(Run::command(["status"]), &screen, 80, 24);
    assert_eq!(other.ends().code, Some(0));
}

#[test]
fn deck_limit_refuses_more_questions() {
    let screen = Screen::start();
    let mut here = Wire::to_resident(&screen);
    let mut elsewhere = Wire::through(&remote_socket(&screen));
    let ask = |n: usize| json!({ "payload": question(&format!("{n}?")), "ticket": n.to_string() });
    for n in 0..500 {
        assert_eq!(elsewhere.call("submit", &ask(n))["ticket"], n.to_string());
    }
    for method in ["submit", "ask"] {
        elsewhere.send(method, &ask(500));
        let why = "too much is open: at most 500 questions of one caller may be open; withdraw some, or wait until they are answered";
        assert_eq!(elsewhere.next()["error"], json!({ "code": -32002, "message": why }));
    }
    // Another secret is not another caller.
    let mut same = Wire::through(&remote_socket(&screen));
    same.call("hello", &json!({ "protocol": 1, "owner": "somebody else" }));
    same.send("submit", &ask(501));
    assert_eq!(same.next()["error"]["code"], -32002);

    assert_eq!(here.call("submit", &ask(502))["ticket"], "502");
    elsewhere.call("withdraw", &json!({ "ticket": "7" }));
    assert_eq!(elsewhere.call("submit", &ask(500))["ticket"], "500");
}
