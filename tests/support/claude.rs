//! The real Claude Code, connected to us, with a scripted model and no account.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
};

use serde_json::{Value, json};

use super::{Home, Model, Run, Screen, foreign, until, until_started};

/// Claude Code in a terminal of its own.
pub(crate) struct Claude<'a> {
    screen: &'a Screen,
}

impl<'a> Claude<'a> {
    /// Begins a conversation in this permission mode.
    #[track_caller]
    pub(crate) fn start(screen: &'a Screen, model: &Model, mode: &str) -> Self {
        Self::begin(screen, model, mode, screen.command("tmux"))
    }

    /// The same where no window can be shown.
    #[track_caller]
    pub(crate) fn start_without_display(screen: &'a Screen, model: &Model) -> Self {
        let mut tmux = screen.command("tmux");
        tmux.env_remove("DISPLAY");
        Self::begin(screen, model, "default", tmux)
    }

    #[track_caller]
    fn begin(screen: &'a Screen, model: &Model, mode: &str, mut tmux: Command) -> Self {
        let claude = Self { screen };
        settle(screen);
        for (name, value) in environment(model) {
            tmux.env(name, value);
        }
        tmux.arg("-S").arg(claude.socket()).args(["new-session", "-d", "-x", "120", "-y", "50"]);
        tmux.arg(foreign::claude()).args(["--permission-mode", mode, "Go"]);
        assert!(tmux.status().expect("tmux is installed").success());
        claude
    }

    /// Claude Code as the Agent SDK runs it: a message on standard input, events on standard output.
    #[track_caller]
    pub(crate) fn print(home: &Home, model: &Model, mode: &str) -> Run {
        settle(home);
        let run = Run::program(foreign::claude(), PRINTING).args(["--permission-mode", mode]);
        let run = run.stdin(format!("{}\n", first_message()));
        environment(model).into_iter().fold(run, |run, (name, value)| run.env(name, value))
    }

    /// Claude Code in the hands of a program that decides about its tools, without our hooks.
    #[track_caller]
    pub(crate) fn hosted(home: &Home, model: &Model) -> Hosted {
        onboard(home);
        let mut claude = home
            .command(foreign::claude())
            .args(PRINTING)
            .envs(environment(model))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Claude Code runs");
        let output = BufReader::new(claude.stdout.take().expect("stdout is piped"));
        let (tell, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let line = serde_json::from_str(&line).expect("Claude Code writes JSON");
                let _ = tell.send(line);
            }
        });
        let mut hosted = Hosted { claude, lines };
        hosted.send(&first_message());
        hosted
    }

    /// Waits until this can be read in the terminal.
    #[track_caller]
    pub(crate) fn await_text(&self, text: &str) {
        until(format!("`{text}` in the terminal of Claude Code"), || {
            self.tmux(&["capture-pane", "-p"]).contains(text).then_some(())
        });
    }

    /// Waits until its own prompt about this command takes keys: the command is on the screen before.
    #[track_caller]
    pub(crate) fn await_prompt(&self, command: &str) {
        until(format!("Claude Code's own prompt about `{command}`"), || {
            let screen = self.tmux(&["capture-pane", "-p"]);
            let (_, prompt) = screen.split_once("Bash command")?;
            (prompt.contains(command) && prompt.contains("❯ 1. Yes")).then_some(())
        });
    }

    /// Presses a key in the terminal.
    pub(crate) fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    fn tmux(&self, args: &[&str]) -> String {
        let output = self.screen.command("tmux").arg("-S").arg(self.socket()).args(args).output();
        String::from_utf8_lossy(&output.expect("tmux is installed").stdout).into_owned()
    }

    fn socket(&self) -> PathBuf {
        self.screen.path("run/tmux")
    }
}

impl Drop for Claude<'_> {
    #[expect(clippy::print_stderr, reason = "it is seen if the test fails")]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the terminal of Claude Code:\n{}", self.tmux(&["capture-pane", "-p"]));
        }
        self.tmux(&["kill-server"]);
    }
}

/// Claude Code in the hands of its host.
pub(crate) struct Hosted {
    claude: Child,
    lines: Receiver<Value>,
}

impl Hosted {
    /// Waits until Claude Code wants to use a tool: the request to decide about it.
    #[track_caller]
    pub(crate) fn request(&mut self) -> Value {
        until_started("Claude Code to ask its host", || {
            self.lines.try_iter().find(|line| line["request"]["subtype"] == "can_use_tool")
        })
    }

    /// Decides about it.
    #[track_caller]
    pub(crate) fn decide(&mut self, request: &Value, decision: &Value) {
        self.send(&json!({ "type": "control_response", "response": {
            "subtype": "success",
            "request_id": request["request_id"],
            "response": decision,
        }}));
    }

    #[track_caller]
    fn send(&mut self, message: &Value) {
        let input = self.claude.stdin.as_mut().expect("stdin is piped");
        writeln!(input, "{message}").expect("Claude Code reads it");
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        let _ = self.claude.kill();
        let _ = self.claude.wait();
    }
}

const PRINTING: [&str; 5] = [
    "--print",
    "--verbose",
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--permission-prompt-tool=stdio",
];

fn first_message() -> Value {
    json!({ "type": "user", "message": { "role": "user", "content": "Go" } })
}

/// Answers what Claude Code would ask a newcomer, and connects it as people do.
#[track_caller]
fn settle(home: &Home) {
    onboard(home);
    let ended = Run::command(["install", "claude-code", "--yes"]).ends(home);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

#[track_caller]
fn onboard(home: &Home) {
    let folder = home.path("work").display().to_string();
    let state = json!({
        "hasCompletedOnboarding": true,
        "theme": "dark",
        "customApiKeyResponses": { "approved": ["none"], "rejected": [] },
        "projects": { folder: { "hasTrustDialogAccepted": true } },
    });
    fs::write(home.path(".claude.json"), state.to_string()).expect("the home is ours");
}

fn environment(model: &Model) -> [(&'static str, String); 6] {
    [
        ("ANTHROPIC_BASE_URL", model.url().into()),
        ("ANTHROPIC_API_KEY", "none".into()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
        ("DISABLE_AUTOUPDATER", "1".into()),
        // It refuses some modes to root, except where nothing can be broken.
        ("IS_SANDBOX", "1".into()),
        ("TERM", "xterm-256color".into()),
    ]
}
