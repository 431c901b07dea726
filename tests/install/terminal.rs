//! Asked at a terminal, which `script` provides.

use std::{
    fs::File,
    io::Write,
    process::{Child, Stdio},
};

use super::*;
use crate::support::until;

struct Terminal<'a> {
    home: &'a Home,
    child: Child,
}

impl<'a> Terminal<'a> {
    /// Types a command, and waits until it asks.
    fn asks(home: &'a Home, command: &str) -> Self {
        let output = || File::create(home.path("screen")).expect("the home is ours");
        let child = home
            .command("script")
            .args(["--quiet", "--return", "--command"])
            .args([&format!("{} {command}", program()), "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(output())
            .stderr(Stdio::null())
            .spawn()
            .expect("util-linux is there");
        let terminal = Self { home, child };
        until("the question", || terminal.screen().ends_with("Write this? [y/N] ").then_some(()));
        terminal
    }

    fn screen(&self) -> String {
        read(self.home, "screen")
    }

    /// Types a line, and gives the exit code and all that was on the screen.
    fn answers(mut self, line: &str) -> (Option<i32>, String) {
        let mut keys = self.child.stdin.take().expect("it is piped");
        keys.write_all(line.as_bytes()).expect("script reads it");
        let status = until("the end", || self.child.try_wait().expect("it is our child"));
        let screen = self.screen();
        fs::remove_file(self.home.path("screen")).expect("the home is ours");
        (status.code(), screen)
    }
}

#[test]
fn a_yes_writes_it() {
    for (client, answer) in [("codex", "y\n"), ("gemini", "Yes\n")] {
        let home = Home::new();
        let before = files(&home);
        let (code, screen) = Terminal::asks(&home, &format!("install {client}")).answers(answer);
        assert_eq!(code, Some(0), "{screen}");
        assert!(screen.contains("+++ ") && screen.contains(&program()), "{screen}");
        assert!(screen.contains(" asks through Askdeck from its next start on"), "{screen}");
        assert_eq!(files(&home).len(), 1);
        let (code, screen) = Terminal::asks(&home, &format!("uninstall {client}")).answers(answer);
        assert_eq!(code, Some(0), "{screen}");
        assert_eq!(files(&home), before);
    }
}

#[test]
fn anything_else_does_not() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    let before = files(&home);
    for answer in ["n\n", "\n", "perhaps\n", "\u{4}"] {
        let (code, screen) = Terminal::asks(&home, "install codex").answers(answer);
        assert_eq!(code, Some(1), "{screen}");
        assert!(screen.contains("askdeck: nothing was changed"), "{screen}");
        assert_eq!(files(&home), before, "{answer:?}");
    }
}

#[test]
fn what_was_agreed_to_is_what_is_written() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    let terminal = Terminal::asks(&home, "install codex");
    write(&home, ".codex/config.toml", "model = \"y\"\n");
    let (code, screen) = terminal.answers("y\n");
    assert_eq!(code, Some(2), "{screen}");
    assert!(screen.contains("has been changed meanwhile, so nothing was written"), "{screen}");
    assert_eq!(files(&home).len(), 1);
    assert_eq!(read(&home, ".codex/config.toml"), "model = \"y\"\n");
}
