//! What the README and its neighbours tell people to type.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

use askdeck_desk::config::Config;
use serde_json::Value;

use crate::support::{Ended, Home, Run, Screen, Terminal, askdeck};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).expect("the document is there")
}

/// The first block of this language in which this stands.
#[track_caller]
fn block(document: &str, language: &str, with: &str) -> String {
    let fence = format!("```{language}\n");
    let mut blocks = document.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.contains(with)).expect("there is such a block").to_owned()
}

/// Where a shell finds the programs.
fn path() -> String {
    let programs = Path::new(askdeck()).parent().expect("a program has a folder");
    format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default())
}

/// A line as somebody types it who is in the repository and has this ticket.
fn typed(line: &str, ticket: &str) -> Run {
    let script = format!("cd '{ROOT}' && {line}");
    Run::program("sh", ["-c", &script]).env("PATH", path()).env("ticket", ticket)
}

/// With neither display nor terminal a question that can be asked ends with 3: only those are
/// missing.
#[test]
fn readme_questions_can_be_asked() {
    let readme = document("README.md");
    let asks = |line: &&str| {
        let others = ["list", "result", "history", "install", "$ticket"];
        line.starts_with("askdeck") && !others.iter().any(|name| line.contains(name))
    };
    let commands: Vec<_> = readme.lines().filter(asks).collect();
    assert!(commands.len() >= 6, "a way of calling it is missing: {commands:#?}");
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    for command in commands {
        let status = Command::new("sh")
            .args(["-c", command])
            .current_dir(ROOT)
            .env("PATH", path())
            .env("ASKDECK_HOME", home.path())
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env("TERM", "dumb")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("sh is there");
        assert_eq!(status.code(), Some(3), "{command}");
    }
}

#[test]
fn readme_ticket_is_redeemed() {
    let screen = Screen::start();
    let readme = document("README.md");
    let block = block(&readme, "sh", "--no-wait");
    let [asks, list, result, history] =
        block.lines().collect::<Vec<_>>().try_into().expect("four commands");
    let asked = typed(&format!("{asks} && echo \"$ticket\""), "").ends(&screen);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let ticket = asked.stdout.trim();
    let run = |line: &str| -> Ended { typed(line, ticket).ends(&screen) };

    let open = run(list);
    assert!(open.code == Some(0) && open.stdout.contains(ticket), "{open:?}");
    run(result).says(1, "", "askdeck: the question is still open; wait for it with --wait\n");
    run(history).is(0, "");

    let joins = readme.lines().find(|line| line.contains("--ui terminal \"$ticket\""));
    let joins = typed(joins.expect("a terminal can take part"), ticket);
    Terminal::start(joins, &screen, 80, 40).await_text("Checkout 2.4");

    run("askdeck withdraw \"$ticket\"").is(0, "");
    assert_eq!(run(result).code, Some(130), "any number of times");
    let past = run("askdeck history checkout");
    assert!(past.code == Some(0) && past.stdout.contains("Release agent"), "{past:?}");
}

#[test]
fn readme_settings_are_the_defaults() {
    let home = Home::new();
    let file = home.path("config.toml");
    fs::write(&file, block(&document("README.md"), "toml", "focus")).expect("the home is ours");
    let (config, unusable) = Config::read(Some(&file));
    assert!(unusable.is_none(), "{unusable:?}");
    assert_eq!(config, Config::default());
}

#[test]
fn readme_mcp_server_starts() {
    let block = block(&document("README.md"), "json", "mcpServers");
    let config: Value = serde_json::from_str(&block).expect("it is JSON");
    let server = &config["mcpServers"]["askdeck"];
    let (command, args) = (server["command"].as_str(), server["args"][0].as_str());
    let line = format!("{} {}", command.expect("a program"), args.expect("what it is to do"));
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    let ended = typed(&line, "").stdin(format!("{hello}\n")).ends(&Home::new());
    assert!(ended.stdout.contains(r#""serverInfo":"#), "{ended:?}");
}

/// As far as other programs' files can be read without them.
#[test]
fn readme_ssh_lines_are_valid() {
    let remote = document("docs/remote.md");
    let devcontainer = format!("{{{}}}", block(&remote, "json", "mounts"));
    serde_json::from_str::<Value>(&devcontainer).expect("it is JSON");

    let home = Home::new();
    let config = home.path("ssh_config");
    fs::write(&config, block(&remote, "text", "Host server")).expect("the home is ours");
    let file = config.display().to_string();
    let ssh = Run::program("ssh", ["-G", "-F", &file, "server"]).ends(&home);
    assert_eq!(ssh.code, Some(0), "{ssh:?}");
    assert!(ssh.stdout.contains("remoteforward /home/ana/.askdeck.sock"), "{ssh:?}");
}
