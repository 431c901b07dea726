//! Real programs over the real socket: who is heard, what is refused, and that nobody holds up
//! anybody.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixStream,
    },
    path::Path,
};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};

use crate::support::{McpClient, Person, Run, Screen, Terminal, Wire, socket, until};

/// Another program in the person's place.
mod answers;
/// Whose question is whose.
mod claims;
/// A thousand callers, ten at once, thousands of questions.
mod crowd;
/// What `docs/protocol.md` says, word for word.
mod document;
/// What a subscriber hears, in whose words.
mod events;
/// How much a caller may take.
mod limits;
/// Many starts, one app; older and newer ones.
mod starts;
/// Asked now, answered later.
mod tickets;

fn question(text: &str) -> Value {
    json!({ "agent": "Tester", "question": text, "options": ["Now", "Later"] })
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

/// The app still asks and answers, whatever the caller of this test has done to it.
#[track_caller]
fn assert_goes_on(screen: &Screen) {
    let another = Terminal::start(Run::ask(&question("Still there?")), screen, 80, 24);
    let person = Person::at(screen);
    person.press_once("Return", || another.is_over().then_some(()));
    assert_eq!(another.ends().code, Some(0));
}

#[test]
fn socket_and_directory_are_private_even_if_they_were_not() {
    let home = Screen::start();
    let directory = home.path("askdeck/run");
    fs::create_dir_all(&directory).expect("the home is ours");
    set_mode(&directory, 0o777);
    Wire::to_resident(&home);
    assert_eq!((mode(&directory), mode(&socket(&home))), (0o700, 0o600));
}

/// With the file modes out of the way only the check of the user id can refuse.
#[test]
fn another_user_is_refused() {
    let home = Screen::start();
    Wire::to_resident(&home);
    for path in [home.root().to_owned(), home.path("askdeck"), home.path("askdeck/run")] {
        set_mode(&path, 0o755);
    }
    set_mode(&socket(&home), 0o666);
    let script = "const app = require('net').connect(process.argv[1]);\
        app.on('error', (error) => console.log(error.code)).on('close', () => console.log('closed'));\
        app.on('data', (data) => { console.log(data.includes('protocol')); app.end(); });\
        app.write('{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1}}\\n');";
    let path = socket(&home).display().to_string();
    Run::program("node", ["-e", script, &path]).ends(&home).is(0, "true\nclosed\n");
    // Nobody else can become another user.
    if user_id() == 0 {
        let other = ["--reuid=65534", "--clear-groups", "node", "-e", script, &path];
        let refused = Run::program("setpriv", other).ends(&home);
        assert!(
            ["closed\n", "EPIPE\nclosed\n", "ECONNRESET\nclosed\n"]
                .contains(&refused.stdout.as_str()),
            "{refused:?}"
        );
    }
}

/// A question must not go to whoever was quicker to put a socket there.
#[test]
fn socket_of_another_user_is_not_used() {
    let home = Screen::start();
    let directory = home.path("askdeck/run");
    let told = |why: &str| format!("askdeck: cannot use {}: {why}\n", directory.display());
    // Nobody else can become another user.
    if user_id() == 0 {
        fs::create_dir_all(&directory).expect("the home is ours");
        for path in [home.root().to_owned(), home.path("askdeck"), directory.clone()] {
            set_mode(&path, 0o777);
        }
        let script = "require('net').createServer((caller) => caller.on('data', (data) => \
            require('fs').appendFileSync(process.argv[1] + '.heard', data))).listen(process.argv[1])";
        let path = socket(&home).display().to_string();
        let planted = Run::program(
            "setpriv",
            ["--reuid=65534", "--clear-groups", "node", "-e", script, &path],
        );
        let _planted = planted.start(&home);
        until("it to listen", || socket(&home).exists().then_some(()));
        // The folder is still ours.
        Run::command(["list"]).ends(&home).is(0, "");
        assert!(!directory.join("askdeck.sock.heard").exists());
        std::os::unix::fs::chown(&directory, Some(65534), None).expect("root may");
        let foreign = told("it belongs to somebody else; set ASKDECK_HOME to a folder of your own");
        Run::ask(&question("Heard?")).ends(&home).says(4, "", &foreign);
        assert!(!directory.join("askdeck.sock.heard").exists());
        fs::remove_dir_all(&directory).expect("root may");
    }
    // Nor into a folder that only seems to be there.
    fs::create_dir(home.path("elsewhere")).expect("the home is ours");
    fs::create_dir_all(home.path("askdeck")).expect("the home is ours");
    symlink(home.path("elsewhere"), &directory).expect("the home is ours");
    let link = told("it is a symbolic link; remove it, or set ASKDECK_HOME to another folder");
    Run::ask(&question("Heard?")).ends(&home).says(4, "", &link);
}

/// Others may have been in the folder before it was private.
#[test]
fn planted_link_is_not_written_through() {
    let screen = Screen::without_arming();
    let (directory, precious) = (screen.path("askdeck/run"), screen.path("precious"));
    fs::create_dir_all(&directory).expect("the home is ours");
    fs::write(&precious, "precious").expect("the home is ours");
    let plant = |name: &str| symlink(&precious, directory.join(name)).expect("the home is ours");
    for name in ["askdeck.lock", "askdeck.app", "askdeck.log"] {
        plant(name);
        let told = format!(
            "askdeck: cannot use {}: `{name}` in it is a symbolic link; remove that\n",
            directory.display()
        );
        Run::ask(&question("Written?")).ends(&screen).says(4, "", &told);
        fs::remove_file(directory.join(name)).expect("the link is ours");
    }
    // Nor through another name of a file, and a pipe is not waited for.
    let link = |at: &Path| fs::hard_link(&precious, at).expect("the home is ours");
    let pipe =
        |at: &Path| mknodat(CWD, at, FileType::Fifo, Mode::RWXU, 0).expect("the home is ours");
    for name in ["askdeck.lock", "askdeck.app", "askdeck.log"] {
        for plant in [&link as &dyn Fn(&Path), &pipe] {
            plant(&directory.join(name));
            let told = format!(
                "askdeck: cannot use {}: `{name}` in it is not a file of yours alone; remove that\n",
                directory.display()
            );
            Run::ask(&question("Written?")).ends(&screen).says(4, "", &told);
            fs::remove_file(directory.join(name)).expect("it is ours");
        }
    }
    // The app puts its own socket there, and does without callers on other machines.
    plant("askdeck.sock");
    plant("remote");
    assert_goes_on(&screen);
    assert_eq!(fs::read_to_string(&precious).expect("it is there"), "precious");
}

fn user_id() -> u32 {
    std::os::unix::fs::MetadataExt::uid(&fs::metadata("/proc/self").expect("Linux has it"))
}

#[test]
fn no_tcp_port_is_open() {
    let screen = Screen::start();
    let _wire = Wire::to_resident(&screen);
    let _asks = Run::ask(&question("Any port?")).start(&screen);
    let _client = McpClient::start(&screen, []);
    Person::at(&screen);
    let ports: Vec<String> = ["tcp", "tcp6", "udp", "udp6"]
        .iter()
        .flat_map(|kind| fs::read_to_string(format!("/proc/net/{kind}")))
        .flat_map(|table| table.lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|line| Some(format!("socket:[{}]", line.split_whitespace().nth(9)?)))
        .collect();
    let names = ["askdeck", "askdeck-desktop", "WebKitWebProcess", "WebKitNetworkProcess"];
    let processes: Vec<_> = names.iter().flat_map(|name| screen.programs(name)).collect();
    // The command that waits and the server for MCP have one name.
    assert_eq!(screen.programs("askdeck").len(), 2);
    assert!(processes.len() >= 5, "{processes:?}");
    for process in processes {
        let files = fs::read_dir(format!("/proc/{process}/fd")).expect("it runs");
        for file in files.flatten().filter_map(|file| fs::read_link(file.path()).ok()) {
            assert!(!ports.contains(&file.display().to_string()), "{process} has {file:?}");
        }
    }
}

#[test]
fn oversized_message_is_refused() {
    let screen = Screen::without_arming();
    let mut wire = Wire::to_resident(&screen);
    let mut other = Wire::to(&screen);
    wire.write(&vec![b'x'; 1024 * 1024 + 64 * 1024 + 1]);
    let refused = wire.next();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &json!(-32600)));
    assert_eq!(
        refused["error"]["message"],
        "the message is too large: at most 1114112 bytes are allowed"
    );
    wire.await_closed();
    assert_eq!(other.call("list", &json!({})), json!({ "open": [] }));
    assert_goes_on(&screen);
}

#[test]
fn non_request_is_refused_and_the_next_is_served() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    for (message, code) in [
        ("{", -32700),
        ("\u{0}\u{ff}", -32700),
        (r#"{"jsonrpc":"2.0","id":"\ud800","method":"list"}"#, -32700),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ask","params":{"payload":{"question":"\udc00"}}}"#,
            -32700,
        ),
        ("[]", -32600),
        ("7", -32600),
        ("\"hello\"", -32600),
        ("null", -32600),
        ("{\"id\":1}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"list\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rm\"}", -32601),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"result\"}", -32602),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ask\",\"params\":{\"payload\":{}}}", -32602),
    ] {
        wire.write(format!("{message}\n").as_bytes());
        assert_eq!(wire.next()["error"]["code"], code, "{message}");
    }
    wire.write(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"list\"}\n");
    assert_eq!(wire.next(), json!({ "jsonrpc": "2.0", "id": "a", "result": { "open": [] } }));
}

#[test]
fn half_message_and_silent_peer_hold_up_nobody() {
    let screen = Screen::without_arming();
    let mut half = Wire::to_resident(&screen);
    half.write(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"meth");
    let _silent = Wire::to(&screen);
    assert_goes_on(&screen);
    half.write(b"od\":\"list\",\"params\":{}}\n");
    assert_eq!(half.next()["result"], json!({ "open": [] }));
}

/// It is told by the app's timer, and its message is larger than the socket takes at once.
#[test]
fn large_reply_waits_for_a_slow_reader() {
    let screen = Screen::without_arming();
    let mut other = Wire::to_resident(&screen);
    let mut slow = UnixStream::connect(socket(&screen)).expect("it listens");
    // Its id comes back with every ending.
    let asked = json!({
        "jsonrpc": "2.0", "id": "long ".repeat(140_000), "method": "elicitation/create",
        "params": { "message": "Which?", "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } } } },
    });
    let params = json!({ "payload": asked, "timeout_ms": 1000 });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "ask", "params": params });
    slow.write_all(format!("{request}\n").as_bytes()).expect("the app reads");
    until("it to time out", || {
        let history = other.call("history", &json!({}))["history"].take();
        (history[0]["outcome"]["outcome"] == "timed_out").then_some(())
    });
    let mut line = String::new();
    BufReader::new(slow).read_line(&mut line).expect("it is told");
    let told: Value = serde_json::from_str(&line).expect("JSON");
    assert!(line.len() > 700_000, "{}", line.len());
    assert_eq!(told["result"]["outcome"], "timed_out");
    assert_goes_on(&screen);
}

#[test]
fn subscriber_that_never_reads_is_cut_off() {
    let screen = Screen::without_arming();
    let mut asker = Wire::to_resident(&screen);
    let mut deaf = UnixStream::connect(socket(&screen)).expect("it listens");
    let subscribe = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscribe" });
    deaf.write_all(format!("{subscribe}\n").as_bytes()).expect("the app reads");
    // Each question makes some hundred kilobytes of news.
    let long = "long ".repeat(20_000);
    for number in 0..60 {
        let payload = question(&format!("{number} {long}"));
        let ticket = asker.call("submit", &json!({ "payload": payload }))["ticket"].take();
        let withdrawn = asker.call("withdraw", &json!({ "ticket": ticket }));
        assert_eq!(withdrawn, json!({ "withdrawn": true }));
    }
    until("the deaf one to be cut off", || deaf.write_all(b" ").is_err().then_some(()));
    assert_goes_on(&screen);
}
