//! The command's end of the wire: finds the app or starts it, and asks through it.

use std::{
    io::{self, BufRead, BufReader, Read},
    os::unix::net::UnixStream,
    path::PathBuf,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Duration,
};

use signal_hook::{consts::SIGINT, low_level::pipe};
use thiserror::Error;

use crate::{
    protocol::{self, Ask, Body, Call, Ended, Hello, MAX_BYTES, Reply, Response, VERSION},
    socket::Place,
};

mod app;
mod link;
mod owner;
mod return_of_the_app;
mod seat;

pub use seat::{Heard, Seat};

use app::App;

/// How long an app that was told to withdraw may take to say that it did.
const PATIENCE: Duration = Duration::from_secs(2);
/// An app that is lost so often before it shows anything will not bring the question to the person.
const MOST_LOSSES: u32 = 3;

/// Which call a response is for.
const ENDED: u64 = 0;
const GREETED: u64 = 1;
const MADE: u64 = 2;
const WITHDRAWN: u64 = 3;
const READY: u64 = 4;
const ALIVE: u64 = 5;

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
    #[error("nobody answers at {}; run `askdeck resident` on the machine that it is forwarded from", .socket.display())]
    Unanswered { socket: PathBuf },
    #[error("the link to {} did not come back in time; once it has, `askdeck result {ticket}` gets the answer", .socket.display())]
    LinkLost { socket: PathBuf, ticket: String },
    #[error("cannot use {}: {error}; make it writable, or set ASKDECK_HOME to another directory", .directory.display())]
    NoPlace { directory: PathBuf, error: io::Error },
    #[error("could not start `{}`: {error}; install it beside this command, or put it on PATH", .program.display())]
    NotStarted { program: PathBuf, error: io::Error },
    #[error("an app runs, but its socket is gone and it does not listen again; end that app")]
    Deaf,
    #[error("the app ended without an answer{}", details(.last_words))]
    Lost { last_words: String },
    #[error("the app is Askdeck {app}, and this command is older; update the command")]
    TooOld { app: String },
    #[error("the app at the other end is Askdeck {app}, and this command is newer; update the app")]
    AppTooOld { app: String },
    #[error("interrupted")]
    Interrupted,
    #[error("{0}")]
    Refused(String),
    #[error("the app answered something unexpected: {0}; install both programs from one release")]
    Unexpected(String),
    #[error("the question has {0} bytes on the wire, but at most {MAX_BYTES} are allowed")]
    TooLarge(usize),
}

impl ClientError {
    /// Whether trying once more would not help.
    fn is_final(&self) -> bool {
        matches!(self, Self::NoDisplay | Self::Unanswered { .. })
    }
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
    /// The link to the machine of the app is lost; it waits until it is back.
    LinkLost,
}

/// Asks and waits for the outcome. An interrupt (Ctrl+C) takes the question back.
pub fn ask(ask: &Ask, tell: impl Fn(Progress)) -> Result<Ended, ClientError> {
    let line = Line::of_user();
    let interrupts = line.events.clone();
    // Without a handler Ctrl+C still ends the command.
    let _handled = on_interrupt(move || drop(interrupts.send(Incoming::Interrupt)));
    match line.outlast(&Call::Ask(Box::new(ask.clone())), Start::IfNeeded, tell) {
        Ok(Reply::Ended(ended)) => Ok(ended),
        Ok(reply) => Err(ClientError::Unexpected(format!("{reply:?}"))),
        Err(ClientError::Interrupted) => Ok(withdrawn(ask)),
        Err(error) => Err(error),
    }
}

/// From now on Ctrl+C does this, and does not end the command.
fn on_interrupt(act: impl Fn() + Send + 'static) -> io::Result<()> {
    let (mut came, waker) = UnixStream::pair()?;
    pipe::register(SIGINT, waker)?;
    thread::spawn(move || {
        while came.read_exact(&mut [0]).is_ok() {
            act();
        }
    });
    Ok(())
}

/// How the dialog of a ticket ended, as soon as it has.
pub fn await_result(ticket: &str, tell: impl Fn(Progress)) -> Result<Reply, ClientError> {
    let call = Call::Result { ticket: ticket.into(), wait: true };
    Line::of_user().outlast(&call, Start::IfNeeded, tell)
}

/// A call that waits in the background. Dropped, it hangs up: the question stays open, and the
/// person sees that the agent left.
pub struct Background {
    events: Sender<Incoming>,
}

impl Background {
    /// Makes the call, and tells its reply to `done`.
    pub fn call(
        call: Call,
        start: Start,
        done: impl FnOnce(Result<Reply, ClientError>) + Send + 'static,
    ) -> Self {
        let line = Line::of_user();
        let events = line.events.clone();
        thread::spawn(move || done(line.outlast(&call, start, |_| {})));
        Self { events }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // It may be over already.
        let _over = self.events.send(Incoming::HangUp);
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
pub fn call(call: &Call, start: Start) -> Result<Reply, ClientError> {
    Line::of_user().outlast(call, start, |_| {})
}

/// Asks the app what works on its side.
pub fn hello() -> Result<Hello, ClientError> {
    match call(&Call::Hello { protocol: VERSION, desktop: true, owner: None }, Start::IfNeeded)? {
        Reply::Hello(hello) => Ok(hello),
        reply => Err(ClientError::Unexpected(format!("{reply:?}"))),
    }
}

/// Ends the app, of whatever version, and returns when it is gone.
pub fn stop() -> Result<(), ClientError> {
    let line = Line::of_user();
    line.connect(Start::Never).and_then(|app| line.shut_down(app))
}

/// Where the app is, and what comes from there. Every connection ends with one `Closed`.
struct Line {
    place: Place,
    events: Sender<Incoming>,
    incoming: Receiver<Incoming>,
}

enum Incoming {
    Response(Response),
    /// A response that this version cannot read.
    Unreadable(String),
    Interrupt,
    /// Nobody here waits any more.
    HangUp,
    Closed,
    /// An app that was quit listens again.
    Back,
}

impl Line {
    fn of_user() -> Self {
        let (events, incoming) = mpsc::channel();
        Self { place: Place::of_user(), events, incoming }
    }

    /// Makes a call and waits for its reply, even if the app goes away and comes back meanwhile.
    fn outlast(
        &self,
        call: &Call,
        start: Start,
        tell: impl Fn(Progress),
    ) -> Result<Reply, ClientError> {
        let outlasts_link = self.outlasts_link(call);
        let mut losses = 0;
        let mut app = self.reach(start)?;
        loop {
            app.send(MADE, call.clone())?;
            if losses > 0 {
                app.send(READY, Call::Ready {})?;
            }
            match self.next(&mut app, MADE, &mut losses) {
                Incoming::Response(Response { body: Body::Result(reply), .. }) => return Ok(reply),
                Incoming::Response(Response { body: Body::Error(error), .. })
                    if error.code == protocol::Error::QUITTING =>
                {
                    tell(Progress::Waits);
                    self.await_return()?;
                    app = if outlasts_link { self.reach_again(call)? } else { self.reach(start)? };
                }
                Incoming::Response(Response { body: Body::Error(error), .. }) => {
                    return Err(ClientError::Refused(error.message));
                }
                Incoming::Unreadable(response) => return Err(ClientError::Unexpected(response)),
                Incoming::Interrupt => return self.take_back(&mut app, call),
                Incoming::HangUp => return Err(ClientError::Interrupted),
                Incoming::Closed if outlasts_link => {
                    tell(Progress::LinkLost);
                    app = self.reach_again(call)?;
                }
                // It crashed, or quit in the same moment. What was asked is kept: ask again.
                Incoming::Closed | Incoming::Back => {
                    losses += 1;
                    let error = app.lost(&self.place);
                    if losses == MOST_LOSSES || error.is_final() {
                        return Err(error);
                    }
                    app = self.reach(start)?;
                }
            }
        }
    }

    /// Finds an app of this version, or starts it. An older one makes room for it.
    fn reach(&self, mut start: Start) -> Result<App, ClientError> {
        let mut stays = false;
        let mut losses = 0;
        loop {
            let mut app = self.connect(start)?;
            let owner = self.place.is_foreign().then(|| owner::secret().to_owned());
            app.send(GREETED, Call::Hello { protocol: VERSION, desktop: false, owner })?;
            let hello = match self.next(&mut app, GREETED, &mut 0) {
                Incoming::Response(Response {
                    body: Body::Result(Reply::Hello(hello)), ..
                }) => hello,
                Incoming::Response(response) => {
                    return Err(ClientError::Unexpected(format!("{response:?}")));
                }
                Incoming::Unreadable(response) => return Err(ClientError::Unexpected(response)),
                Incoming::Interrupt | Incoming::HangUp => return Err(ClientError::Interrupted),
                Incoming::Closed | Incoming::Back => {
                    losses += 1;
                    let error = app.lost(&self.place);
                    if losses == MOST_LOSSES || error.is_final() {
                        return Err(error);
                    }
                    continue;
                }
            };
            if hello.protocol > VERSION {
                return Err(ClientError::TooOld { app: hello.version });
            }
            if hello.protocol == VERSION {
                if stays && !hello.resident {
                    app.send(ENDED, Call::Stay { at_login: None })?;
                }
                return Ok(app);
            }
            if self.place.is_foreign() {
                return Err(ClientError::AppTooOld { app: hello.version });
            }
            self.shut_down(app)?;
            stays |= hello.resident;
            start = Start::IfNeeded;
        }
    }

    fn connect(&self, start: Start) -> Result<App, ClientError> {
        let (stream, child) = match (self.place.connect(), start) {
            (Ok(stream), _) => (stream, None),
            (Err(error), _) if self.place.is_foreign() => {
                return Err(ClientError::NotForwarded {
                    socket: self.place.socket().into(),
                    error,
                });
            }
            (Err(_), Start::Never) => return Err(ClientError::NotRunning),
            (Err(_), Start::IfNeeded) => app::start(&self.place)?,
        };
        let reader = stream.try_clone().map_err(|error| app::lost_stream(&error))?;
        let events = self.events.clone();
        thread::spawn(move || read_responses(BufReader::new(reader), &events));
        Ok(App { stream, child })
    }

    /// Ends the app; it is gone when the connection closes.
    fn shut_down(&self, mut app: App) -> Result<(), ClientError> {
        app.send(ENDED, Call::Shutdown {})?;
        loop {
            match self.next(&mut app, ENDED, &mut 0) {
                Incoming::Closed => return Ok(()),
                Incoming::Response(Response { body: Body::Error(error), .. }) => {
                    return Err(ClientError::Refused(error.message));
                }
                _ => {}
            }
        }
    }

    /// The person has quit the app: waits until it is gone, and then until it is back.
    fn await_return(&self) -> Result<(), ClientError> {
        loop {
            match self.incoming.recv() {
                // From another machine nobody can see it come back.
                Ok(Incoming::Closed) if self.place.is_foreign() => return Ok(()),
                Ok(Incoming::Closed) => {
                    return_of_the_app::await_in_background(&self.place, self.events.clone());
                }
                Ok(Incoming::Back) => return Ok(()),
                Ok(Incoming::Interrupt | Incoming::HangUp) | Err(_) => {
                    return Err(ClientError::Interrupted);
                }
                Ok(_) => {}
            }
        }
    }

    /// Withdraws what was asked. The person may have answered at the same moment.
    fn take_back(&self, app: &mut App, call: &Call) -> Result<Reply, ClientError> {
        if let Call::Ask(ask) = call {
            let ticket = ask.ticket.clone().unwrap_or_default();
            app.send(WITHDRAWN, Call::Withdraw { ticket })?;
            while let Ok(Incoming::Response(response)) = self.incoming.recv_timeout(PATIENCE) {
                if let Body::Result(reply @ Reply::Ended(_)) = response.body {
                    return Ok(reply);
                }
            }
        }
        Err(ClientError::Interrupted)
    }

    /// What comes next, other than the reply to an earlier call.
    fn next(&self, app: &mut App, awaited: u64, losses: &mut u32) -> Incoming {
        loop {
            match self.hear(app) {
                // An app that works until it is lost does not count.
                Ok(Incoming::Response(Response { id, body: Body::Result(_), .. }))
                    if id == READY =>
                {
                    *losses = 0;
                }
                Ok(Incoming::Response(response)) if response.id != awaited => {}
                Ok(incoming) => return incoming,
                Err(_) => return Incoming::Closed,
            }
        }
    }
}

fn read_responses(stream: impl BufRead, events: &Sender<Incoming>) {
    for line in stream.lines() {
        let Ok(line) = line else { break };
        let response = serde_json::from_str(&line)
            .map_or_else(|_| Incoming::Unreadable(line), Incoming::Response);
        let _nobody_waits = events.send(response);
    }
    let _nobody_waits = events.send(Incoming::Closed);
}
