//! Agents on other machines: a real sshd on loopback, a real link, and the real window.

use std::{fs, path::PathBuf, process::Stdio};

use askdeck_core::{
    asking,
    dialog::{Caller, Dialog},
    protocol::Ask,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{
    Ended, Home, Kept, Run, Running, Screen, Server, Window, Wire, askdeck, signal, until,
};

const LINK_LOST: &str = "askdeck: lost the connection to the desk; the question stays open there, and this command waits until the connection is back\n";
const LEFT: &str =
    "The agent disconnected. Your answer will be saved and delivered when it asks again.";
const FORBIDDEN: &str = "remote callers may only ask in the window, and list, await and withdraw their own questions; do this at the desk";

fn in_words(agent: &str) -> Value {
    json!({ "agent": agent, "question": "In your words?", "type": "text" })
}

fn given(value: &str) -> Value {
    json!([{ "id": "question-0", "question": "In your words?", "value": value }])
}

/// A window that stays, with a question of its own machine.
#[track_caller]
fn desk(screen: &Screen) -> Window<'_> {
    let window = Run::ask(&in_words("Local")).open(screen);
    Run::command(["resident"]).ends(screen).is(0, "");
    window
}

/// The person turns to the question from elsewhere, behind that of their own machine.
#[track_caller]
fn turn_to_remote(window: &Window) {
    window.await_true("two in the list", "document.querySelectorAll('.inbox-row').length === 2");
    window.person.press("alt+Down");
    window.await_text(".dialog .agent", "Remote asks");
    window.await_armed();
}

/// The desk's socket for callers from elsewhere.
fn remote_socket(screen: &Screen) -> PathBuf {
    screen.path("askdeck/run/remote/askdeck.sock")
}

fn hostname() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux has it").trim().to_owned()
}

#[test]
fn ssh_question_shows_its_host() {
    let screen = Screen::start();
    let window = desk(&screen);
    let server = Server::start();
    let agent = format!(
        "ASKDECK_HOME={} ASKDECK_SOCKET={} {} --agent Remote -q Deploy? -o Now -o Later",
        server.home.path("askdeck").display(),
        server.socket().display(),
        askdeck(),
    );
    let mut ssh = server.ssh(&screen);
    let ssh = ssh.arg("127.0.0.1").arg(agent).stdout(Stdio::piped()).stderr(Stdio::null());
    let ssh = ssh.spawn().expect("setpriv is installed");
    turn_to_remote(&window);
    assert_eq!(window.text(".dialog .host"), format!("on {}", hostname()));
    let row = window.text("[aria-current='true'] .inbox-folder");
    assert!(row.ends_with(&format!(" · on {}", hostname())), "{row}");
    window.person.press("Return");
    let told = ssh.wait_with_output().expect("it ends");
    let answer = json!({ "outcome": "answered", "answers": [
        { "id": "question-0", "question": "Deploy?", "selected": ["Now"] },
    ]});
    assert_eq!(String::from_utf8_lossy(&told.stdout), format!("{answer}\n"));
    assert_eq!(told.status.code(), Some(0));
}

#[test]
fn dropped_ssh_link_loses_nothing() {
    let screen = Screen::start();
    let window = desk(&screen);
    let server = Server::start();
    let link = server.link(&screen);
    let asks = server.agent(Run::ask(&in_words("Remote"))).start(&server.home);
    turn_to_remote(&window);
    window.type_into(".current textarea", "half ");
    link.cut();
    window.await_text(".notice", LEFT);
    window.type_into(".current textarea", "a sentence");

    let _link = server.link(&screen);
    window.await_text(".notice", "");
    let typed = window.see("document.querySelector('.dialog textarea').value");
    assert_eq!(typed, "half a sentence");
    window.person.press("Return");
    let ended = asks.ends();
    let answer = json!({ "outcome": "answered", "answers": given("half a sentence") });
    ended.says(0, &format!("{answer}\n"), LINK_LOST);
}

#[test]
fn answer_given_without_a_link_arrives_with_the_next() {
    let screen = Screen::start();
    let window = desk(&screen);
    let server = Server::start();
    let link = server.link(&screen);
    let mut asks = server.agent(Run::ask(&in_words("Remote"))).start(&server.home);
    turn_to_remote(&window);
    link.cut();
    window.await_text(".notice", LEFT);
    window.type_into(".current textarea", "here it is");
    window.person.press("Return");
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Remote");
    until("it to be answered", || (kept.count(&ticket, "answered") == 1).then_some(()));
    assert!(!asks.is_over());

    let _link = server.link(&screen);
    let answer = json!({ "outcome": "answered", "answers": given("here it is") });
    asks.ends().says(0, &format!("{answer}\n"), LINK_LOST);
    server
        .agent(Run::command(["result", &ticket]))
        .ends(&server.home)
        .answers(&given("here it is"));
}

#[test]
fn silent_ssh_link_is_replaced() {
    let screen = Screen::start();
    let window = desk(&screen);
    let server = Server::start();
    let link = server.link(&screen);
    let asks = server.agent(Run::ask(&in_words("Remote"))).start(&server.home);
    turn_to_remote(&window);
    link.freeze();
    let _other = server.link(&screen);
    let kept = Kept::of(&screen);
    let ticket = kept.ticket("Remote");
    until("it to be asked again", || (kept.count(&ticket, "asked_again") == 1).then_some(()));
    window.type_into(".current textarea", "still here");
    window.person.press("Return");
    let answer = json!({ "outcome": "answered", "answers": given("still here") });
    asks.ends().says(0, &format!("{answer}\n"), LINK_LOST);
}

/// Asks in a container, as far as the kernel knows of them: a machine name of its own, and the folder of
/// the desk's socket mounted to be read only.
#[track_caller]
fn ask_in_container(container: &Home, screen: &Screen) -> Running {
    let script = "mount --bind $1 $2 && mount -o remount,bind,ro $2 && hostname box && exec $0";
    let (target, folder) = (container.path("desk"), screen.path("askdeck/run/remote"));
    fs::create_dir(&target).expect("the home is ours");
    let askdeck = askdeck();
    let mut run = Run::program("unshare", ["--mount", "--uts"]);
    if !rustix::process::getuid().is_root() {
        run = run.args(["--map-root-user"]);
    }
    run.args(["sh", "-c", script, askdeck])
        .args([&folder.display().to_string(), &target.display().to_string()])
        .env("ASKDECK_SOCKET", target.join("askdeck.sock").display().to_string())
        .stdin(in_words("Remote").to_string())
        .start(container)
}

#[test]
fn restarted_app_keeps_the_socket_of_a_container() {
    let screen = Screen::start();
    let quit = "askdeck: Askdeck was quit; the question stays open, and this command waits until Askdeck runs again\n";
    for (is_killed, told) in [(true, LINK_LOST), (false, quit)] {
        Run::command(["resident"]).ends(&screen).is(0, "");
        let container = Home::new();
        let asks = ask_in_container(&container, &screen);
        let kept = Kept::of(&screen);
        until("it to be asked", || {
            (Run::command(["status"]).ends(&screen).stdout.ends_with("; 1 open\n")).then_some(())
        });
        let ticket = kept.ticket("Remote");
        if is_killed {
            signal("KILL", screen.programs("askdeck-desktop")[0]);
        } else {
            Run::command(["stop"]).ends(&screen).is(0, "");
        }
        until("it to end", || screen.programs("askdeck-desktop").is_empty().then_some(()));

        let window = Run::command(["show"]).open(&screen);
        until("it to be asked again", || (kept.count(&ticket, "asked_again") == 1).then_some(()));
        assert_eq!(window.text(".dialog .host"), "on box");
        window.type_into(".current textarea", "after all");
        window.person.press("Return");
        let answer = json!({ "outcome": "answered", "answers": given("after all") });
        asks.ends().says(0, &format!("{answer}\n"), told);
        assert!(container.programs("askdeck-desktop").is_empty());
        window.person.await_no_app();
    }
}

#[test]
fn timeout_limits_waiting_for_a_link() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let server = Server::start();
    let link = server.link(&screen);
    let asks = Run::ask(&in_words("Remote")).args(["--timeout", "2s"]);
    let asks = server.agent(asks).start(&server.home);
    let ticket = Kept::of(&screen).ticket("Remote");
    link.cut();
    let gives_up = format!(
        "{LINK_LOST}askdeck: the connection to {} did not come back in time; once it has, get the answer with `askdeck result {ticket}`\n",
        server.socket().display()
    );
    asks.ends().says(4, "", &gives_up);
}

/// What is refused with these words.
#[track_caller]
fn refused(ended: &Ended, why: &str) {
    ended.says(2, "", &format!("askdeck: {why}\n"));
}

#[test]
fn remote_callers_see_and_withdraw_only_their_own() {
    let screen = Screen::start();
    let mut local = Wire::to_resident(&screen);
    let server = Server::start();
    let _link = server.link(&screen);
    let other = Home::new();
    let at = |home, args: &[&str]| {
        let run = args.iter().fold(Run::command([]), |run, arg| run.args([arg]));
        server.agent(run).ends(home)
    };
    let submit = |home| {
        let run = Run::ask(&in_words("Remote")).args(["--no-wait"]);
        server.agent(run).ends(home).stdout.trim().to_owned()
    };
    let tickets = |home| -> Value {
        let listed: Value =
            serde_json::from_str(&at(home, &["list", "--json"]).stdout).expect("JSON");
        listed.as_array().expect("a list").iter().map(|open| open["ticket"].clone()).collect()
    };
    let here = json!({ "payload": in_words("Remote"), "ticket": "here", "key": "same" });
    assert_eq!(local.call("submit", &here)["ticket"], "here");
    let mine = submit(&server.home);
    let theirs = submit(&other);
    assert_ne!(mine, theirs, "the same question of another machine is another question");
    let check = || {
        assert_eq!(tickets(&server.home), json!([mine]));
        assert_eq!(tickets(&other), json!([theirs]));
    };
    check();
    for ticket in ["here", &theirs] {
        let foreign = format!(
            "somebody else's question has the ticket `{ticket}`; `askdeck list` names yours"
        );
        refused(&at(&server.home, &["withdraw", ticket]), &foreign);
        refused(&at(&server.home, &["result", ticket]), &foreign);
    }
    let doctor = at(&server.home, &["doctor"]);
    assert_eq!(doctor.code, Some(0), "{doctor:?}");
    assert!(doctor.stdout.starts_with("desk            ok       WebKitGTK "), "{doctor:?}");
    let status = at(&server.home, &["status"]);
    status.is(0, "running resident, version 0.1.0; 1 open\n");
    for args in
        [&["history"][..], &["stats"], &["show"], &["show", "--history"], &["resident"], &["stop"]]
    {
        refused(&at(&server.home, args), FORBIDDEN);
    }

    // Neither by a key nor by a ticket does one get to a question of somebody else.
    let mut wire = Wire::through(&server.socket());
    let ask = json!({ "payload": in_words("Remote"), "ticket": "mine", "key": "same" });
    assert_eq!(wire.call("submit", &ask)["ticket"], "mine");
    wire.send("ask", &json!({ "payload": in_words("Remote"), "ticket": "here" }));
    assert_eq!(wire.next()["error"]["code"], -32001);
    wire.send("subscribe", &json!({}));
    assert_eq!(wire.next()["error"], json!({ "code": -32001, "message": FORBIDDEN }));

    // Whose they are outlives the app.
    drop(local);
    Run::command(["stop"]).ends(&screen).is(0, "");
    Run::command(["resident"]).ends(&screen).is(0, "");
    check();
    at(&server.home, &["withdraw", &mine]).is(0, "");
    assert_eq!(tickets(&server.home), json!([]));
    let all: Value =
        serde_json::from_str(&Run::command(["list", "--json"]).ends(&screen).stdout).expect("JSON");
    let left: Vec<_> = all.as_array().expect("a list").iter().map(|it| &it["ticket"]).collect();
    assert_eq!(left, ["here", &theirs, "mine"]);
}

/// Whatever is said to be the secret of an owner, and whatever key a local question has.
#[test]
fn remote_owner_never_reaches_a_local_question() {
    let screen = Screen::start();
    let mut local = Wire::to_resident(&screen);
    let caller = Caller { agent: "Local".into(), ..Caller::default() };
    let submit = |ticket: &str, key: Option<&str>| json!({ "payload": in_words("Local"), "ticket": ticket, "caller": caller, "key": key });
    assert_eq!(local.call("submit", &submit("made", None))["ticket"], "made");
    // What the key of that question is made from.
    let ask = Ask { payload: in_words("Local"), ..Ask::default() };
    let asked = asking::check(&ask, "made".into(), |_, _| caller.clone()).expect("a question");
    let Dialog { title, message, questions, form, dialect, .. } = asked.dialog;
    let Caller { agent, session, cwd, host, .. } = &caller;
    let made =
        json!([agent, session, cwd, host, title, message, questions, form, dialect]).to_string();
    let secrets = [made.as_str(), asked.key.as_str(), "secret", ""];

    let mut locals = vec!["made".to_owned()];
    for secret in secrets {
        let hash = format!("{:x}", Sha256::digest(secret));
        let given = format!("remote:{hash}:given:x");
        for key in [hash.clone(), format!("{hash} x"), format!("{hash}:x"), given] {
            let ticket = format!("local-{}", locals.len());
            local.call("submit", &submit(&ticket, Some(&key)));
            locals.push(ticket);
        }
    }
    let open = |wire: &mut Wire| -> Vec<String> {
        let open = wire.call("list", &json!({}))["open"].take();
        let open = open.as_array().expect("a list").iter();
        open.map(|open| open["ticket"].as_str().expect("a text").to_owned()).collect()
    };
    for (number, secret) in secrets.into_iter().enumerate() {
        let mut wire = Wire::through(&remote_socket(&screen));
        wire.call("hello", &json!({ "protocol": 1, "owner": secret }));
        assert_eq!(open(&mut wire), [""; 0], "{secret}");
        for ticket in &locals {
            for (method, params) in [
                ("result", json!({ "ticket": ticket, "wait": true })),
                ("withdraw", json!({ "ticket": ticket })),
                ("ask", json!({ "payload": in_words("Local"), "ticket": ticket })),
            ] {
                wire.send(method, &params);
                assert_eq!(wire.next()["error"]["code"], -32001, "{method} {ticket}: {secret}");
            }
        }
        let own = format!("own-{number}");
        wire.call("submit", &json!({ "payload": in_words("Local"), "key": "x", "ticket": own }));
        assert_eq!(open(&mut wire), [own], "{secret}");
    }
    let all = open(&mut local);
    assert_eq!(all[..locals.len()], locals);
    assert_eq!(all.len(), locals.len() + secrets.len());
}

#[test]
fn remote_callers_never_answer() {
    let screen = Screen::start();
    screen.configure("answers_over_socket = true");
    Run::command(["resident"]).ends(&screen).is(0, "");
    let mut wire = Wire::through(&remote_socket(&screen));
    let ask = json!({ "payload": in_words("Remote"), "ticket": "mine" });
    assert_eq!(wire.call("submit", &ask)["ticket"], "mine");
    for (method, params) in [
        ("answer", json!({ "ticket": "mine", "answers": [{ "value": "me" }] })),
        ("join", json!({ "ticket": "mine" })),
        ("ask", json!({ "payload": in_words("Remote"), "ui": "terminal" })),
    ] {
        wire.send(method, &params);
        assert_eq!(wire.next()["error"]["code"], -32001, "{method}");
    }
}

#[test]
fn forwarding_the_local_socket_is_still_remote() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    let server = Server::start();
    let _link = server.keep(server.forward(&screen, "askdeck/run/askdeck.sock"));
    refused(&server.agent(Run::command(["history"])).ends(&server.home), FORBIDDEN);
    Run::command(["history"]).ends(&screen).is(0, "");
}

#[test]
fn remote_caller_without_a_host_is_on_another_machine() {
    let screen = Screen::start();
    let window = desk(&screen);
    let mut wire = Wire::through(&remote_socket(&screen));
    wire.call("submit", &json!({ "payload": in_words("Remote") }));
    turn_to_remote(&window);
    assert_eq!(window.text(".dialog .host"), "on another machine");
}

#[test]
fn missing_link_or_app_is_reported() {
    let screen = Screen::start();
    let server = Server::start();
    let ask = || server.agent(Run::ask(&in_words("Remote"))).ends(&server.home);
    let socket = server.socket().display().to_string();
    let unlinked = format!(
        "askdeck: cannot reach {socket}: No such file or directory (os error 2); is the socket forwarded?\n"
    );
    ask().says(4, "", &unlinked);
    let _link = server.link(&screen);
    let unanswered = format!(
        "askdeck: nobody answers at {socket}; run `askdeck resident` on the machine that it is forwarded from\n"
    );
    ask().says(4, "", &unanswered);
    assert!(server.home.programs("askdeck-desktop").is_empty());
    assert!(screen.programs("askdeck-desktop").is_empty());
}
