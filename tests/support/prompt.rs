//! A command that asks yes or no at a terminal, which `script` provides.

use std::{
    fs::{self, File},
    io::Write,
    process::{Child, Stdio},
};

use super::{Home, programs::askdeck, until};

pub(crate) struct Prompt<'a> {
    home: &'a Home,
    child: Child,
}

impl<'a> Prompt<'a> {
    /// Types a command, and waits until it asks this.
    #[track_caller]
    pub(crate) fn asks(home: &'a Home, command: &str, question: &str) -> Self {
        let output = || File::create(home.path("screen")).expect("the home is ours");
        let child = home
            .command("script")
            .args(["--quiet", "--return", "--command"])
            .args([&format!("{} {command}", askdeck()), "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(output())
            .stderr(Stdio::null())
            .spawn()
            .expect("util-linux is there");
        let prompt = Self { home, child };
        let asked = format!("{question} [y/N] ");
        until("the question", || prompt.screen().ends_with(&asked).then_some(()));
        prompt
    }

    fn screen(&self) -> String {
        fs::read_to_string(self.home.path("screen")).expect("the home is ours")
    }

    /// Types a line, and gives the exit code and all that was on the screen.
    #[track_caller]
    pub(crate) fn answers(mut self, line: &str) -> (Option<i32>, String) {
        let mut keys = self.child.stdin.take().expect("it is piped");
        keys.write_all(line.as_bytes()).expect("script reads it");
        let status = until("the end", || self.child.try_wait().expect("it is our child"));
        let screen = self.screen();
        fs::remove_file(self.home.path("screen")).expect("the home is ours");
        (status.code(), screen)
    }
}
