//! Calls the desk, and calls it again if it goes away before it has replied.

use std::{
    cell::Cell,
    io::{BufRead, BufReader},
    os::unix::net::UnixStream,
    process::Child,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

use askdeck_core::{
    outcome::Outcome,
    protocol::{self, Body, Call, Ended, Reply, Response, VERSION},
};

use super::{
    ClientError, FrontEndClient, Progress, Receipt, Start,
    app::{self, App},
    owner,
};
use crate::socket::Endpoint;

/// How long an app that was told to withdraw may take to say that it did.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// An app that is lost so often before it shows anything will not bring the question to the person.
const MOST_LOSSES: u32 = 3;

/// The number of a request: one for each kind, so that a response says which it is for.
#[derive(Clone, Copy)]
pub(super) enum RequestId {
    Shutdown,
    Hello,
    Call,
    Withdraw,
    Ready,
    KeepAlive,
    Received,
    Stay,
}

/// Calls the desk over one connection after the other. Every connection ends with one `Closed`.
pub(super) struct DeskClient {
    pub(super) endpoint: Endpoint,
    pub(super) events: Sender<Incoming>,
    pub(super) incoming: Receiver<Incoming>,
    /// Whether the last app here was there to stay, so that the next one has to.
    stays: Cell<bool>,
}

pub(super) enum Incoming {
    Response(Response),
    /// A response that this version cannot read.
    Unreadable(String),
    Interrupt,
    /// The caller no longer waits.
    HangUp,
    Closed,
    /// An app that was quit listens again.
    Back,
}

impl DeskClient {
    pub(super) fn of_user() -> Self {
        let (events, incoming) = mpsc::channel();
        Self { endpoint: Endpoint::of_user(), events, incoming, stays: Cell::new(false) }
    }

    /// Makes a call and waits for its reply. If the app goes away meanwhile, it is started or waited for,
    /// and called again. The connection stays as long as the receipt.
    pub(super) fn call_with_retry(
        &self,
        call: &Call,
        start: Start,
        tell: impl Fn(Progress),
    ) -> Result<(Reply, Receipt), ClientError> {
        let outlasts_link = self.outlasts_link(call);
        let mut losses = 0;
        let mut app = self.reach(start)?;
        loop {
            app.send(RequestId::Call, call.clone())?;
            if losses > 0 {
                app.send(RequestId::Ready, Call::Ready {})?;
            }
            let incoming = self.next(&mut app, RequestId::Call);
            // An app that works until it is lost does not count.
            if app.is_ready {
                losses = 0;
            }
            match incoming {
                Incoming::Response(Response { body: Body::Result(reply), .. }) => {
                    let receipt = Receipt::of(&reply, app);
                    return Ok((reply, receipt));
                }
                Incoming::Response(Response { body: Body::Error(error), .. })
                    if error.code == protocol::Error::QUITTING =>
                {
                    // The person has quit it, so it does not have to stay.
                    self.stays.set(false);
                    tell(Progress::Waits);
                    if !self.await_return(call.timeout(), start)? {
                        tell(Progress::TooLate);
                        return Ok((Reply::Ended(timed_out(call)), Receipt::of_nobody()));
                    }
                    app = if outlasts_link { self.reach_again(call)? } else { self.reach(start)? };
                }
                Incoming::Response(Response { body: Body::Error(error), .. }) => {
                    return Err(ClientError::of_app(error));
                }
                Incoming::Unreadable(response) => return Err(ClientError::Unexpected(response)),
                Incoming::Interrupt => return self.take_back(app, call),
                Incoming::HangUp => return Err(ClientError::Interrupted),
                Incoming::Closed if outlasts_link => {
                    tell(Progress::LinkLost);
                    app = self.reach_again(call)?;
                }
                // It crashed, or quit in the same moment. What was asked is kept: ask again.
                Incoming::Closed | Incoming::Back => {
                    losses += 1;
                    let error = app.lost(&self.endpoint);
                    if losses == MOST_LOSSES || error.is_final() {
                        return Err(error);
                    }
                    app = self.reach(start)?;
                }
            }
        }
    }

    /// Finds an app of this version, or starts it. An older one makes room for it.
    pub(super) fn reach(&self, mut start: Start) -> Result<App, ClientError> {
        let mut losses = 0;
        let mut next = None;
        loop {
            let mut app = next.take().map_or_else(|| self.connect(start), Ok)?;
            let owner = self.endpoint.is_foreign().then(|| owner::secret().to_owned());
            app.send(RequestId::Hello, Call::Hello { protocol: VERSION, desktop: false, owner })?;
            let hello = match self.next(&mut app, RequestId::Hello) {
                Incoming::Response(Response {
                    body: Body::Result(Reply::Hello(hello)), ..
                }) => hello,
                Incoming::Response(Response { body: Body::Error(error), .. }) => {
                    return Err(ClientError::of_app(error));
                }
                Incoming::Response(response) => {
                    return Err(ClientError::unexpected(&response));
                }
                Incoming::Unreadable(response) => return Err(ClientError::Unexpected(response)),
                Incoming::Interrupt | Incoming::HangUp => return Err(ClientError::Interrupted),
                Incoming::Closed | Incoming::Back => {
                    losses += 1;
                    let error = app.lost(&self.endpoint);
                    if losses == MOST_LOSSES || error.is_final() {
                        return Err(error);
                    }
                    continue;
                }
            };
            if hello.protocol > VERSION {
                return Err(ClientError::TooOld { app: hello.version });
            }
            // On another machine that is decided there.
            if hello.resident && !self.endpoint.is_foreign() {
                self.stays.set(true);
            }
            app.has_window = hello.has_window();
            if hello.protocol == VERSION && start == Start::Window && !app.has_window {
                if self.endpoint.is_foreign() {
                    return Err(ClientError::Unanswered { socket: self.endpoint.socket().into() });
                }
                losses += 1;
                if losses > MOST_LOSSES {
                    return Err(ClientError::Lost { last_words: String::new() });
                }
                self.leave(app)?;
                // The app that is started asks it to make way.
                next = Some(self.begin(app::start(&self.endpoint).map(started)?)?);
                continue;
            }
            if hello.protocol == VERSION {
                if self.stays.get() && app.has_window && !hello.resident {
                    app.send(RequestId::Stay, Call::Stay { at_login: None })?;
                }
                app.damaged = hello.damaged;
                return Ok(app);
            }
            if self.endpoint.is_foreign() {
                return Err(ClientError::AppTooOld { app: hello.version });
            }
            let replaced = if app.has_window { Start::Window } else { Start::Desk };
            start = if start == Start::Window { start } else { replaced };
            self.shut_down(app)?;
        }
    }

    pub(super) fn connect(&self, start: Start) -> Result<App, ClientError> {
        self.begin(match (self.endpoint.connect(), start) {
            (Ok(stream), _) => (stream, None),
            (Err(error), _) if self.endpoint.is_foreign() => {
                return Err(ClientError::NotForwarded {
                    socket: self.endpoint.socket().into(),
                    error,
                });
            }
            (Err(_), Start::Never) => return Err(ClientError::NotRunning),
            (Err(_), Start::Window) => app::start(&self.endpoint).map(started)?,
            (Err(_), Start::Desk) => app::start_windowless(&self.endpoint).map(started)?,
        })
    }

    /// Hears what comes over this connection.
    fn begin(&self, (stream, child): (UnixStream, Option<Child>)) -> Result<App, ClientError> {
        let reader = stream.try_clone().map_err(|error| app::lost_stream(&error))?;
        let events = self.events.clone();
        thread::spawn(move || read_responses(BufReader::new(reader), &events));
        Ok(App { stream, child, is_ready: false, has_window: false, damaged: None })
    }

    /// Hangs up; nothing comes over this connection any more.
    fn leave(&self, mut app: App) -> Result<(), ClientError> {
        app.hang_up();
        loop {
            match self.next(&mut app, RequestId::Shutdown) {
                Incoming::Closed => return Ok(()),
                Incoming::Interrupt | Incoming::HangUp => return Err(ClientError::Interrupted),
                _ => {}
            }
        }
    }

    /// Ends the app; it is gone when the connection closes.
    pub(super) fn shut_down(&self, mut app: App) -> Result<(), ClientError> {
        app.send(RequestId::Shutdown, Call::Shutdown { for_window: false })?;
        loop {
            match self.next(&mut app, RequestId::Shutdown) {
                Incoming::Closed => return Ok(()),
                Incoming::Response(Response { body: Body::Error(error), .. }) => {
                    return Err(ClientError::of_app(error));
                }
                _ => {}
            }
        }
    }

    /// The person has quit the app: waits until it is gone, and then until it is back. Whether that
    /// was in time. How much of it the person had used up was known to the app alone.
    fn await_return(&self, timeout: Option<Duration>, start: Start) -> Result<bool, ClientError> {
        let quit = Instant::now();
        loop {
            let patience =
                timeout.map_or(Duration::MAX, |time| time.saturating_sub(quit.elapsed()));
            match self.incoming.recv_timeout(patience) {
                // On another machine its return cannot be seen.
                Ok(Incoming::Closed) if self.endpoint.is_foreign() => return Ok(true),
                Ok(Incoming::Closed) => {
                    let (endpoint, events) = (self.endpoint.clone(), self.events.clone());
                    thread::spawn(move || {
                        // Without the kernel's help it is tried once, and then given up.
                        let is_wanted = |desk| start != Start::Window || is_window(desk);
                        endpoint.await_desk(is_wanted).ok();
                        events.send(Incoming::Back).ok();
                    });
                }
                Ok(Incoming::Back) => return Ok(true),
                Err(RecvTimeoutError::Timeout) => return Ok(false),
                Ok(Incoming::Interrupt | Incoming::HangUp) | Err(_) => {
                    return Err(ClientError::Interrupted);
                }
                Ok(_) => {}
            }
        }
    }

    /// Withdraws what was asked. The person may have answered at the same moment.
    fn take_back(&self, mut app: App, call: &Call) -> Result<(Reply, Receipt), ClientError> {
        if let Call::Ask(ask) = call {
            let ticket = ask.ticket.clone().unwrap_or_default();
            app.send(RequestId::Withdraw, Call::Withdraw { ticket })?;
            while let Ok(Incoming::Response(response)) = self.incoming.recv_timeout(PATIENCE) {
                if let Body::Result(reply @ Reply::Ended(_)) = response.body {
                    let receipt = Receipt::of(&reply, app);
                    return Ok((reply, receipt));
                }
            }
        }
        Err(ClientError::Interrupted)
    }

    /// What comes next, other than the reply to an earlier call.
    fn next(&self, app: &mut App, awaited: RequestId) -> Incoming {
        loop {
            match self.hear(app) {
                Ok(Incoming::Response(Response { id, body: Body::Result(_), .. }))
                    if id == RequestId::Ready as u64 =>
                {
                    app.is_ready = true;
                }
                // Without a number it is for the connection as a whole.
                Ok(Incoming::Response(response))
                    if response.id != awaited as u64 && !response.id.is_null() => {}
                Ok(incoming) => return incoming,
                Err(_) => return Incoming::Closed,
            }
        }
    }
}

fn started((stream, child): (UnixStream, Child)) -> (UnixStream, Option<Child>) {
    (stream, Some(child))
}

/// Whether the desk at the other end has a window, or another version, which is reported later.
fn is_window(desk: UnixStream) -> bool {
    FrontEndClient::over(desk).greet().map_or(true, |seat| seat.is_some_and(|seat| seat.has_window))
}

/// The person's time is over, and no app could say so.
fn timed_out(call: &Call) -> Ended {
    Ended {
        ticket: call.ticket().unwrap_or_default().into(),
        reused: false,
        written: String::new(),
        outcome: Outcome::TimedOut { partial: Vec::new() },
    }
}

fn read_responses(stream: impl BufRead, events: &Sender<Incoming>) {
    for line in stream.lines() {
        let Ok(line) = line else { break };
        let response = serde_json::from_str(&line)
            .map_or_else(|_| Incoming::Unreadable(line), Incoming::Response);
        events.send(response).ok(); // Nobody may wait any more.
    }
    events.send(Incoming::Closed).ok();
}
