//! The client of the desk: finds the app or starts it, and asks through it.

use std::{fmt::Debug, io, os::unix::net::UnixStream, path::PathBuf, sync::mpsc, thread};

use askdeck_core::{
    history::{Deleted, Selection},
    protocol::{self, Ask, Call, Ended, Hello, MAX_BYTES, Reply, VERSION},
};
use signal_hook::{consts::SIGINT, low_level::pipe};
use thiserror::Error;

use crate::socket::{Endpoint, Untrusted};

mod connection;
mod desk_client;
mod link;
mod owner;
mod receipt;
mod start;

pub use connection::{DeskConnection, DeskMessage};
pub use receipt::Receipt;

use desk_client::{DeskClient, PATIENCE};

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
    #[error("the connection to {} did not come back in time; once it has, get the answer with `askdeck result {ticket}`", .socket.display())]
    LinkLost { socket: PathBuf, ticket: String },
    #[error("cannot use {}: {error}{}", .directory.display(), advice(.error))]
    NoPlace { directory: PathBuf, error: io::Error },
    #[error("cannot start `{}`: {error}; install it beside this command, or put it on PATH", .program.display())]
    NotStarted { program: PathBuf, error: io::Error },
    #[error("Askdeck is running but its socket is gone; kill `askdeck-desktop` and try again")]
    Deaf,
    #[error("the app ended without an answer; {}", details(.last_words))]
    Lost { last_words: String },
    #[error("this command is older than the running app ({app}); update it")]
    TooOld { app: String },
    #[error("the app at the other end ({app}) is older than this command; update the app")]
    AppTooOld { app: String },
    #[error("interrupted")]
    Interrupted,
    #[error("{0}")]
    Refused(String),
    /// The app has no room for it now.
    #[error("{0}")]
    Full(String),
    #[error("the app answered something unexpected: {0}; install both programs from one release")]
    Unexpected(String),
    #[error(
        "the question is too large: {0} bytes as a message, but at most {MAX_BYTES} are allowed; ask less at once, or shorten the longest texts"
    )]
    TooLarge(usize),
}

impl ClientError {
    /// The app answered, but not what it was asked.
    pub fn unexpected(reply: &impl Debug) -> Self {
        Self::Unexpected(format!("{reply:?}"))
    }

    /// Why the app did not do what it was asked.
    pub fn of_app(error: protocol::Error) -> Self {
        match error.code {
            protocol::Error::TOO_MANY => Self::Full(error.message),
            protocol::Error::NO_WINDOW => Self::NoDisplay,
            _ => Self::Refused(error.message),
        }
    }

    /// The exit code of a program that fails because of this.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoDisplay => NO_DISPLAY,
            Self::Refused(_) => 2,
            Self::Interrupted => 130,
            _ => 4,
        }
    }

    /// Whether trying once more would not help.
    fn is_final(&self) -> bool {
        matches!(self, Self::NoDisplay | Self::Unanswered { .. })
    }
}

/// What to do about it. An [`Untrusted`] says so itself.
fn advice(error: &io::Error) -> &'static str {
    match error.get_ref() {
        Some(why) if why.is::<Untrusted>() => "",
        _ => "; make it writable, or set ASKDECK_HOME to another folder",
    }
}

fn details(last_words: &str) -> String {
    match last_words.trim() {
        "" => "try again".into(),
        text => format!("its last words:\n{text}"),
    }
}

/// What happens while a caller waits, to be reported on stderr.
#[derive(Clone, Copy)]
pub enum Progress {
    /// The app was quit with the question open; it waits until it is started again.
    Waits,
    /// The link to the machine of the app is lost; it waits until it is back.
    LinkLost,
    /// The app was quit and did not come back in the time that the person had.
    TooLate,
}

/// Which desk a call needs, and whether it is worth starting one for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// One with a window, for which one without makes way.
    Window,
    /// Any. The one that is started has no window.
    Desk,
    Never,
}

/// Asks and waits for the outcome. An interrupt (Ctrl+C) takes the question back; it ends with
/// [`ClientError::Interrupted`] if no app has said that it did.
pub fn ask(ask: &Ask, tell: impl Fn(Progress)) -> Result<(Ended, Receipt), ClientError> {
    let (desk, waker) = DeskClient::of_user()?;
    // Without a handler Ctrl+C still ends the command.
    waker.try_clone().and_then(|waker| pipe::register(SIGINT, waker)).ok();
    let call = Call::Ask(Box::new(ask.clone())).acknowledged();
    match desk.call_with_retry(&call, Start::Window, tell)? {
        (Reply::Ended(ended), receipt) => Ok((ended, receipt)),
        (reply, _) => Err(ClientError::unexpected(&reply)),
    }
}

/// How the dialog of a ticket ended, if it has; or as soon as it has, for which it needs a window.
pub fn result(
    ticket: &str,
    wait: bool,
    tell: impl Fn(Progress),
) -> Result<(Reply, Receipt), ClientError> {
    let (desk, _waker) = DeskClient::of_user()?;
    let call = Call::Result { ticket: ticket.into(), wait, ack: true };
    desk.call_with_retry(&call, if wait { Start::Window } else { Start::Desk }, tell)
}

/// Makes one call and waits for its reply.
pub fn call(call: &Call, start: Start) -> Result<Reply, ClientError> {
    let (desk, _waker) = DeskClient::of_user()?;
    desk.call_with_retry(call, start, |_| {}).map(|(reply, _)| reply)
}

/// Takes a question back, for which no window is needed. Whether it was open.
pub fn withdraw(ticket: &str) -> Result<bool, ClientError> {
    match call(&Call::Withdraw { ticket: ticket.into() }, Start::Desk)? {
        Reply::Withdrawn { withdrawn } => Ok(withdrawn),
        reply => Err(ClientError::unexpected(&reply)),
    }
}

/// The same for someone who wants to go and waits only for a moment. Whether a desk has replied.
pub fn withdraw_soon(ticket: &str) -> bool {
    let (tell, told) = mpsc::channel();
    let call = Call::Withdraw { ticket: ticket.into() };
    let _waiting = Background::call(call, Start::Desk, move |reply| {
        tell.send(reply.is_ok()).ok(); // It may be too late.
    });
    told.recv_timeout(PATIENCE).unwrap_or(false)
}

/// Deletes past dialogs for good; as a preview, only tells what that would come to.
pub fn delete(which: &Selection, preview: bool) -> Result<Deleted, ClientError> {
    match call(&Call::Delete { which: which.clone(), preview }, Start::Desk)? {
        Reply::Deleted(deleted) => Ok(deleted),
        reply => Err(ClientError::unexpected(&reply)),
    }
}

/// Asks the app what works on its side.
pub fn hello() -> Result<Hello, ClientError> {
    match call(&Call::Hello { protocol: VERSION, desktop: true, owner: None }, Start::Window)? {
        Reply::Hello(hello) => Ok(hello),
        reply => Err(ClientError::unexpected(&reply)),
    }
}

/// Ends the app, of whatever version, and returns when it is gone.
pub fn stop() -> Result<(), ClientError> {
    let (desk, _waker) = DeskClient::of_user()?;
    desk.connect(Start::Never)?.shut_down(false)
}

/// For an app that finds another desk at its endpoint: ends that if it has no window, and returns
/// whether it did. Its open questions stay, and its terminals wait for the app.
pub fn take_over(endpoint: &Endpoint) -> Result<bool, ClientError> {
    match DeskConnection::find(endpoint)? {
        Some(desk) if desk.has_window => Ok(false),
        Some(desk) => desk.shut_down(true).map(|()| true),
        // It has just gone by itself.
        None => Ok(true),
    }
}

/// A call that waits in the background. Dropped, it hangs up: the question stays open, and the
/// person sees that the agent left.
pub struct Background {
    _waker: Option<UnixStream>,
}

impl Background {
    /// Makes the call, and tells its reply to `done`, which acknowledges it.
    pub fn call(
        call: Call,
        start: Start,
        done: impl FnOnce(Result<(Reply, Receipt), ClientError>) + Send + 'static,
    ) -> Self {
        let (desk, waker) = match DeskClient::of_user() {
            Ok((desk, waker)) => (Ok(desk), Some(waker)),
            Err(error) => (Err(error), None),
        };
        let call = call.acknowledged();
        thread::spawn(move || {
            done(desk.and_then(|desk| desk.call_with_retry(&call, start, |_| {})));
        });
        Self { _waker: waker }
    }
}
