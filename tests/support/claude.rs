//! The real Claude Code, connected to us, with a scripted model and no account.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
};

use serde_json::{Value, json};

use super::{Home, Model, Run, Screen, Tmux, foreign, until_started};

pub(crate) struct Claude;

impl Claude {
    /// Begins a conversation in this permission mode, in a terminal of its own.
    #[track_caller]
    pub(crate) fn start<'a>(screen: &'a Screen, model: &Model, mode: &str) -> Tmux<'a> {
        Self::begin(screen, model, mode, screen.command("tmux"))
    }

    /// The same where no window can be shown.
    #[track_caller]
    pub(crate) fn start_without_display<'a>(screen: &'a Screen, model: &Model) -> Tmux<'a> {
        let mut tmux = screen.command("tmux");
        tmux.env_remove("DISPLAY");
        Self::begin(screen, model, "default", tmux)
    }

    #[track_caller]
    fn begin<'a>(screen: &'a Screen, model: &Model, mode: &str, mut tmux: Command) -> Tmux<'a> {
        settle(screen);
        tmux.envs(environment(model));
        Tmux::start(screen, tmux, &foreign::claude(), &["--permission-mode", mode, "Go"])
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

fn environment(model: &Model) -> [(&'static str, String); 5] {
    [
        ("ANTHROPIC_BASE_URL", model.url().into()),
        ("ANTHROPIC_API_KEY", "none".into()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
        ("DISABLE_AUTOUPDATER", "1".into()),
        // It refuses some modes to root, except where nothing can be broken.
        ("IS_SANDBOX", "1".into()),
    ]
}
