//! The command's end of the wire: starts the app and asks through it.

use std::{
    env, io,
    io::{BufRead, BufReader, Read},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Duration,
};

use thiserror::Error;

use crate::{
    dialog::Dialog,
    outcome::Outcome,
    paths,
    protocol::{Body, Call, Hello, JsonRpc, Reply, Request, Response, VERSION},
    server::write_line,
};

/// How long an app that was told to withdraw may take to say that it did.
const PATIENCE: Duration = Duration::from_secs(2);

/// The exit code with which the app says that it cannot reach a display.
pub const NO_DISPLAY: u8 = 3;

#[derive(Debug, Error)]
pub enum ClientError {
    #[error(
        "there is no display to show the question on; set DISPLAY or WAYLAND_DISPLAY, or run this in a desktop session"
    )]
    NoDisplay,
    #[error("could not start `{}`: {error}; install it beside this command, or put it on PATH", .program.display())]
    NotStarted { program: PathBuf, error: io::Error },
    #[error("the app ended without an answer{}", details(.stderr))]
    Lost { stderr: String },
    #[error("the app answered something unexpected: {0}")]
    Unexpected(String),
}

fn details(stderr: &str) -> String {
    match stderr.trim() {
        "" => String::new(),
        text => format!("; its last words:\n{text}"),
    }
}

/// Shows the dialog and waits for its outcome. An interrupt (Ctrl+C) takes the dialog back.
pub fn ask(dialog: Dialog) -> Result<Outcome, ClientError> {
    let (events, incoming) = mpsc::channel();
    let interrupts = events.clone();
    // Only the first handler of a process is taken; without one Ctrl+C still ends the command.
    let _handled = ctrlc::set_handler(move || drop(interrupts.send(Incoming::Interrupt)));
    let id = dialog.id.clone();
    let mut app = App::start(events, incoming)?;
    app.send(1, Call::Ask { dialog: Box::new(dialog) });
    match app.next()? {
        Incoming::Interrupt => {
            app.send(2, Call::Withdraw { dialog: id });
            // The person may have answered at the same moment.
            Ok(app.wait_for_end().unwrap_or(Outcome::Withdrawn))
        }
        Incoming::Response(Response { body: Body::Result(Reply::Outcome(outcome)), .. }) => {
            Ok(outcome)
        }
        Incoming::Response(response) => Err(unexpected(&response)),
        Incoming::Closed => Err(app.lost()),
    }
}

/// Asks the app what works on its side.
pub fn hello() -> Result<Hello, ClientError> {
    let (events, incoming) = mpsc::channel();
    let mut app = App::start(events, incoming)?;
    app.send(1, Call::Hello { protocol: VERSION });
    match app.next()? {
        Incoming::Response(Response { body: Body::Result(Reply::Hello(hello)), .. }) => Ok(hello),
        Incoming::Response(response) => Err(unexpected(&response)),
        Incoming::Closed | Incoming::Interrupt => Err(app.lost()),
    }
}

fn unexpected(response: &Response) -> ClientError {
    ClientError::Unexpected(match &response.body {
        Body::Error(error) => error.message.clone(),
        Body::Result(reply) => format!("{reply:?}"),
    })
}

enum Incoming {
    Response(Response),
    Interrupt,
    Closed,
}

struct App {
    child: Child,
    stdin: ChildStdin,
    stderr: Receiver<String>,
    incoming: Receiver<Incoming>,
}

impl App {
    fn start(events: Sender<Incoming>, incoming: Receiver<Incoming>) -> Result<Self, ClientError> {
        if paths::display().is_none() {
            return Err(ClientError::NoDisplay);
        }
        let program = program();
        let mut child = Command::new(&program)
            .arg("--stdio")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // In a group of its own, so that Ctrl+C reaches the command alone, which tells the app.
            .process_group(0)
            .spawn()
            .map_err(|error| ClientError::NotStarted { program, error })?;
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        thread::spawn(move || read_responses(BufReader::new(stdout), &events));
        let (told, last_words) = mpsc::channel();
        thread::spawn(move || told.send(read_tail(stderr)));
        Ok(Self { child, stdin, stderr: last_words, incoming })
    }

    fn send(&mut self, id: u64, call: Call) {
        // An app that is gone is noticed on its stdout.
        let _gone = write_line(&mut self.stdin, &Request { jsonrpc: JsonRpc::V2, id, call });
    }

    fn next(&mut self) -> Result<Incoming, ClientError> {
        self.incoming.recv().map_err(|_| self.lost())
    }

    /// Waits until the app has closed its window, but not for ever. Returns how the dialog ended.
    fn wait_for_end(&self) -> Option<Outcome> {
        let mut ended = None;
        while let Ok(Incoming::Response(response)) = self.incoming.recv_timeout(PATIENCE) {
            if let Body::Result(Reply::Outcome(outcome)) = response.body {
                ended = Some(outcome);
            }
        }
        ended
    }

    fn lost(&mut self) -> ClientError {
        let (stderr, status) = match self.stderr.recv_timeout(PATIENCE) {
            // With both its outputs closed it is about to end, but may not have ended yet.
            Ok(stderr) => (stderr, self.child.wait().ok()),
            Err(_) => (String::new(), self.child.try_wait().ok().flatten()),
        };
        match status.and_then(|status| status.code()) {
            Some(code) if code == i32::from(NO_DISPLAY) => ClientError::NoDisplay,
            _ => ClientError::Lost { stderr },
        }
    }
}

fn read_responses(stdout: impl BufRead, events: &Sender<Incoming>) {
    for line in stdout.lines() {
        let Ok(response) =
            line.map_err(serde_json::Error::io).and_then(|line| serde_json::from_str(&line))
        else {
            break;
        };
        let _nobody_waits = events.send(Incoming::Response(response));
    }
    let _nobody_waits = events.send(Incoming::Closed);
}

/// GTK and WebKit write a lot to stderr; only the end of it matters, and only if the app fails.
fn read_tail(mut stderr: impl Read) -> String {
    const KEPT: usize = 4096;
    let mut tail = Vec::new();
    let mut buffer = [0; KEPT];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        tail.extend_from_slice(&buffer[..length]);
        tail.drain(..tail.len().saturating_sub(KEPT));
    }
    String::from_utf8_lossy(&tail).into_owned()
}

/// The app beside this command, or the one on PATH.
fn program() -> PathBuf {
    let name = "askdeck-desktop";
    let beside = env::current_exe().ok().map(|exe| exe.with_file_name(name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}
