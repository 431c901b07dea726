//! The command line of an agent, in a terminal of its own.

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use super::{Screen, until};

pub(crate) struct Tmux<'a> {
    screen: &'a Screen,
}

impl<'a> Tmux<'a> {
    /// Starts a program in it; `tmux` has its environment.
    #[track_caller]
    pub(crate) fn start(
        screen: &'a Screen,
        mut tmux: Command,
        program: &Path,
        args: &[&str],
    ) -> Self {
        let terminal = Self { screen };
        tmux.env("TERM", "xterm-256color").arg("-S").arg(terminal.socket());
        tmux.args(["new-session", "-d", "-x", "120", "-y", "50"]).arg(program).args(args);
        assert!(tmux.status().expect("tmux is installed").success());
        terminal
    }

    /// Waits until this can be read in it.
    #[track_caller]
    pub(crate) fn await_text(&self, text: &str) {
        until(format!("`{text}` in the terminal"), || self.text().contains(text).then_some(()));
    }

    /// Waits until Claude Code's own prompt about this command takes keys: the command is on the screen
    /// before.
    #[track_caller]
    pub(crate) fn await_prompt(&self, command: &str) {
        until(format!("Claude Code's own prompt about `{command}`"), || {
            let text = self.text();
            let (_, prompt) = text.split_once("Bash command")?;
            (prompt.contains(command) && prompt.contains("❯ 1. Yes")).then_some(())
        });
    }

    /// Presses a key in it.
    pub(crate) fn press(&self, key: &str) {
        self.run(&["send-keys", key]);
    }

    /// All that can be read in it.
    pub(crate) fn text(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    fn run(&self, args: &[&str]) -> String {
        let output = self.screen.command("tmux").arg("-S").arg(self.socket()).args(args).output();
        String::from_utf8_lossy(&output.expect("tmux is installed").stdout).into_owned()
    }

    fn socket(&self) -> PathBuf {
        self.screen.path("run/tmux")
    }
}

impl Drop for Tmux<'_> {
    #[expect(clippy::print_stderr, reason = "it is seen if the test fails")]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the terminal of the agent:\n{}", self.text());
        }
        let agent = self.run(&["display-message", "-p", "#{pane_pid}"]);
        self.run(&["kill-server"]);
        // Some agents outlive their terminal. What they have started is in their group.
        if let Ok(agent) = agent.trim().parse::<u32>() {
            let group = format!("-{agent}");
            let _gone = Command::new("kill").args(["-KILL", "--", &group]).output();
        }
    }
}
