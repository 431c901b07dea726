//! The command's end of the wire: finds the app or starts it, and asks through it.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, ErrorKind, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Duration,
};

use thiserror::Error;

use crate::{
    paths,
    protocol::{
        self, Ask, Body, Call, Ended, Hello, JsonRpc, MAX_BYTES, Reply, Request, Response, VERSION,
    },
    socket::Place,
};

mod return_of_the_app;

/// How long an app that was told to withdraw may take to say that it did.
const PATIENCE: Duration = Duration::from_secs(2);
/// An app that is lost so often with the same question will not bring it to the person.
const MOST_LOSSES: u32 = 3;

/// The exit code with which the app says that it cannot reach a display.
pub const NO_DISPLAY: u8 = 3;

#[derive(Debug, Error)]
pub enum ClientError {
    #[error(
        "there is no display to show the question on; set DISPLAY or WAYLAND_DISPLAY, or run this in a desktop session"
    )]
    NoDisplay,
    #[error("Askdeck is not running; start it with `askdeck resident`")]
    NotRunning,
    #[error("cannot reach {}: {error}; is the socket forwarded?", .socket.display())]
    NotForwarded { socket: PathBuf, error: io::Error },
    #[error("cannot use {}: {error}; make it writable, or set ASKDECK_HOME to another directory", .directory.display())]
    NoPlace { directory: PathBuf, error: io::Error },
    #[error("could not start `{}`: {error}; install it beside this command, or put it on PATH", .program.display())]
    NotStarted { program: PathBuf, error: io::Error },
    #[error("the app ended without an answer{}", details(.last_words))]
    Lost { last_words: String },
    #[error("{0}")]
    Refused(String),
    #[error("the app answered something unexpected: {0}; install both programs from one release")]
    Unexpected(String),
    #[error("the question has {0} bytes on the wire, but at most {MAX_BYTES} are allowed")]
    TooLarge(usize),
}

fn details(last_words: &str) -> String {
    match last_words.trim() {
        "" => String::new(),
        text => format!("; its last words:\n{text}"),
    }
}

/// How the waiting for an answer went on, for whoever watches stderr.
#[derive(Clone, Copy)]
pub enum Progress {
    /// The app was quit with the question open; it waits until it is started again.
    Waits,
}

/// Asks and waits for the outcome. An interrupt (Ctrl+C) takes the question back.
pub fn ask(ask: &Ask, tell: impl Fn(Progress)) -> Result<Ended, ClientError> {
    let (events, incoming) = mpsc::channel();
    let interrupts = events.clone();
    // Only the first handler of a process is taken; without one Ctrl+C still ends the command.
    let _handled = ctrlc::set_handler(move || drop(interrupts.send(Incoming::Interrupt)));
    let place = Place::of_user();
    let mut losses = 0;
    loop {
        let mut app = App::reach(&place, Start::IfNeeded, &events)?;
        app.send(2, Call::Ask(Box::new(ask.clone())))?;
        match next(&incoming, 2) {
            Incoming::Interrupt => return Ok(app.take_back(ask, &incoming)),
            Incoming::Response(Response { body: Body::Result(Reply::Ended(ended)), .. }) => {
                return Ok(ended);
            }
            Incoming::Response(Response { body: Body::Error(error), .. })
                if error.code == protocol::Error::QUITTING =>
            {
                tell(Progress::Waits);
                drop(app);
                return_of_the_app::await_in_background(&place, events.clone());
                loop {
                    match incoming.recv() {
                        Ok(Incoming::Interrupt) | Err(_) => return Ok(withdrawn(ask)),
                        Ok(Incoming::Back) => break,
                        Ok(_) => {}
                    }
                }
            }
            Incoming::Response(response) => return Err(unexpected(response)),
            // It crashed, or quit in the same moment. What was asked is kept: ask again.
            Incoming::Closed | Incoming::Back => {
                losses += 1;
                let error = app.lost(&place);
                if losses == MOST_LOSSES || matches!(error, ClientError::NoDisplay) {
                    return Err(error);
                }
            }
        }
    }
}

/// The question is taken back by a command that cannot tell the app.
fn withdrawn(ask: &Ask) -> Ended {
    Ended {
        ticket: ask.ticket.clone().unwrap_or_default(),
        reused: false,
        written: String::new(),
        outcome: crate::outcome::Outcome::Withdrawn,
    }
}

/// Whether a call is worth starting the app for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    IfNeeded,
    Never,
}

/// Makes one call and waits for its reply.
pub fn call(call: Call, start: Start) -> Result<Reply, ClientError> {
    let (events, incoming) = mpsc::channel();
    let place = Place::of_user();
    let mut app = App::reach(&place, start, &events)?;
    app.send(2, call)?;
    match next(&incoming, 2) {
        Incoming::Response(Response { body: Body::Result(reply), .. }) => Ok(reply),
        Incoming::Response(response) => Err(unexpected(response)),
        Incoming::Closed | Incoming::Interrupt | Incoming::Back => Err(app.lost(&place)),
    }
}

/// Asks the app what works on its side.
pub fn hello() -> Result<Hello, ClientError> {
    match call(Call::Hello { protocol: VERSION }, Start::IfNeeded)? {
        Reply::Hello(hello) => Ok(hello),
        reply => Err(ClientError::Unexpected(format!("{reply:?}"))),
    }
}

/// Starts the app so that it stays, and returns when it listens.
pub fn start_resident(at_login: Option<bool>) -> Result<(), ClientError> {
    call(Call::Stay { at_login }, Start::IfNeeded).map(drop)
}

fn unexpected(response: Response) -> ClientError {
    match response.body {
        Body::Error(error) => ClientError::Refused(error.message),
        Body::Result(reply) => ClientError::Unexpected(format!("{reply:?}")),
    }
}

pub(crate) enum Incoming {
    Response(Response),
    Interrupt,
    Closed,
    /// An app that was quit listens again.
    Back,
}

/// What comes next, other than the reply to an earlier call.
fn next(incoming: &Receiver<Incoming>, id: u64) -> Incoming {
    loop {
        match incoming.recv() {
            Ok(Incoming::Response(response)) if response.id != id => {}
            Ok(incoming) => return incoming,
            Err(_) => return Incoming::Closed,
        }
    }
}

/// The app, as this process reaches it.
struct App {
    stream: UnixStream,
    /// Set if this process started it.
    child: Option<Child>,
}

impl App {
    fn reach(place: &Place, start: Start, events: &Sender<Incoming>) -> Result<Self, ClientError> {
        let (stream, child) = match (place.connect(), start) {
            (Ok(stream), _) => (stream, None),
            (Err(error), _) if place.is_foreign() => {
                return Err(ClientError::NotForwarded { socket: place.socket().into(), error });
            }
            (Err(_), Start::Never) => return Err(ClientError::NotRunning),
            (Err(_), Start::IfNeeded) => start_app(place)?,
        };
        let reader = stream.try_clone().map_err(|error| lost_stream(&error))?;
        let events = events.clone();
        thread::spawn(move || read_responses(BufReader::new(reader), &events));
        Ok(Self { stream, child })
    }

    fn send(&mut self, id: u64, call: Call) -> Result<(), ClientError> {
        let request = Request { jsonrpc: JsonRpc::V2, id: id.into(), call };
        let mut line = serde_json::to_vec(&request)
            .map_err(|error| ClientError::Unexpected(error.to_string()))?;
        line.push(b'\n');
        if line.len() > MAX_BYTES {
            return Err(ClientError::TooLarge(line.len()));
        }
        // An app that is gone is noticed by the reading side.
        let _gone = self.stream.write_all(&line);
        Ok(())
    }

    fn take_back(&mut self, ask: &Ask, incoming: &Receiver<Incoming>) -> Ended {
        let ticket = ask.ticket.clone().unwrap_or_default();
        if self.send(3, Call::Withdraw { ticket }).is_ok() {
            // The person may have answered at the same moment.
            while let Ok(Incoming::Response(response)) = incoming.recv_timeout(PATIENCE) {
                if let Body::Result(Reply::Ended(ended)) = response.body {
                    return ended;
                }
            }
        }
        withdrawn(ask)
    }

    fn lost(&mut self, place: &Place) -> ClientError {
        let Some(mut child) = self.child.take() else {
            return ClientError::Lost { last_words: String::new() };
        };
        // With its socket closed it is about to end, but may not have ended yet.
        let (tell, ended) = mpsc::channel();
        thread::spawn(move || tell.send(child.wait().ok().and_then(|status| status.code())));
        match ended.recv_timeout(PATIENCE) {
            Ok(Some(code)) if code == i32::from(NO_DISPLAY) => ClientError::NoDisplay,
            _ => ClientError::Lost { last_words: last_words(&place.log()) },
        }
    }
}

fn lost_stream(error: &io::Error) -> ClientError {
    ClientError::Lost { last_words: error.to_string() }
}

/// Starts the app and returns when it listens, or another that was started meanwhile.
fn start_app(place: &Place) -> Result<(UnixStream, Option<Child>), ClientError> {
    if paths::display().is_none() {
        return Err(ClientError::NoDisplay);
    }
    let no_place = |error| ClientError::NoPlace { directory: place.directory().to_owned(), error };
    place.prepare().map_err(no_place)?;
    let log = File::create(place.log()).map_err(no_place)?;
    let program = program();
    let mut child = Command::new(&program)
        .arg("--serve")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .map_err(|error| ClientError::NotStarted { program, error })?;
    let stdout = child.stdout.take().expect("stdout is piped");
    // It writes one line once somebody listens.
    let mut line = String::new();
    let listens = BufReader::new(stdout).read_line(&mut line).is_ok_and(|length| length > 0);
    let mut app = match (listens, place.connect()) {
        (true, Ok(stream)) => return Ok((stream, Some(child))),
        (_, Err(error)) if error.kind() == ErrorKind::PermissionDenied => {
            return Err(no_place(error));
        }
        _ => child,
    };
    let code = app.wait().ok().and_then(|status| status.code());
    Err(if code == Some(i32::from(NO_DISPLAY)) {
        ClientError::NoDisplay
    } else {
        ClientError::Lost { last_words: last_words(&place.log()) }
    })
}

fn read_responses(stream: impl BufRead, events: &Sender<Incoming>) {
    for line in stream.lines() {
        let Ok(line) = line else { break };
        // Notifications are not for this command.
        if let Ok(response) = serde_json::from_str(&line) {
            let _nobody_waits = events.send(Incoming::Response(response));
        }
    }
    let _nobody_waits = events.send(Incoming::Closed);
}

/// GTK and WebKit write a lot to stderr; only the end of it matters, and only if the app fails.
fn last_words(log: &Path) -> String {
    const KEPT: usize = 4096;
    let text = fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&text[text.len().saturating_sub(KEPT)..]).into_owned()
}

/// The app beside this command, or the one on PATH.
fn program() -> PathBuf {
    let name = "askdeck-desktop";
    let beside = std::env::current_exe().ok().map(|exe| exe.with_file_name(name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}
