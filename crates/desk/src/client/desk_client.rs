//! Calls the desk, and calls it again if it goes away before it has replied.

use std::{
    cell::Cell,
    io::Read,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    time::{Duration, Instant},
};

use askdeck_core::{
    outcome::Outcome,
    protocol::{Call, Ended, Error, Reply, VERSION},
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

use super::{ClientError, DeskConnection, DeskMessage, Progress, Receipt, Start, owner, start};
use crate::socket::Endpoint;

/// How long an app that was told to withdraw may take to say that it did.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// An app that is lost so often before it shows anything will not bring the question to the person.
const MOST_LOSSES: u32 = 3;

/// Calls the desk over one connection after the other.
pub(super) struct DeskClient {
    pub(super) endpoint: Endpoint,
    /// A byte comes with every interrupt, and the end once the caller no longer waits.
    wake: UnixStream,
    /// Whether the last app here was there to stay, so that the next one has to.
    stays: Cell<bool>,
}

/// Why there is nothing more to wait for.
pub(super) enum Woken {
    Interrupt,
    /// The caller no longer waits.
    HangUp,
}

impl From<Woken> for ClientError {
    fn from(_: Woken) -> Self {
        Self::Interrupted
    }
}

impl DeskClient {
    /// What is written to the second interrupts the first; when it is closed, nobody waits any more.
    pub(super) fn of_user() -> Result<(Self, UnixStream), ClientError> {
        let (wake, waker) = UnixStream::pair()
            .map_err(|error| ClientError::Lost { last_words: error.to_string() })?;
        Ok((Self { endpoint: Endpoint::of_user(), wake, stays: Cell::new(false) }, waker))
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
            let called = app.send(call.clone())?;
            let ready = if losses > 0 { Some(app.send(Call::Ready {})?) } else { None };
            let heard = loop {
                match self.hear(&mut app) {
                    // An app that works until it is lost does not count.
                    Ok(DeskMessage::Reply { to, .. }) if Some(to) == ready => losses = 0,
                    Ok(heard) if !heard.is_about(called) => {}
                    heard => break heard,
                }
            };
            match heard {
                Err(Woken::Interrupt) => return self.take_back(app, call),
                Err(Woken::HangUp) => return Err(ClientError::Interrupted),
                Ok(DeskMessage::Refusal { error, .. }) if error.code == Error::QUITTING => {
                    // The person has quit it, so it does not have to stay.
                    self.stays.set(false);
                    tell(Progress::Waits);
                    if !self.await_return(app, call.timeout(), start)? {
                        tell(Progress::TooLate);
                        return Ok((Reply::Ended(timed_out(call)), Receipt::of_nobody()));
                    }
                    app = if outlasts_link { self.reach_again(call)? } else { self.reach(start)? };
                }
                Ok(DeskMessage::Closed) if outlasts_link => {
                    tell(Progress::LinkLost);
                    app = self.reach_again(call)?;
                }
                // It crashed, or quit in the same moment. What was asked is kept: ask again.
                Ok(DeskMessage::Closed) => {
                    self.count_loss(app, &mut losses)?;
                    app = self.reach(start)?;
                }
                Ok(heard) => {
                    let reply = heard.into_reply()?;
                    let receipt = Receipt::of(&reply, app);
                    return Ok((reply, receipt));
                }
            }
        }
    }

    /// The app is gone. Fails if it is not worth another try.
    fn count_loss(&self, app: DeskConnection, losses: &mut u32) -> Result<(), ClientError> {
        *losses += 1;
        let error = start::why_lost(app, &self.endpoint);
        if *losses == MOST_LOSSES || error.is_final() { Err(error) } else { Ok(()) }
    }

    /// Finds an app of this version, or starts it. An older one makes room for it.
    pub(super) fn reach(&self, mut start: Start) -> Result<DeskConnection, ClientError> {
        let mut losses = 0;
        let mut next = None;
        loop {
            let mut app = next.take().map_or_else(|| self.connect(start), Ok)?;
            let owner = self.endpoint.is_foreign().then(|| owner::secret().to_owned());
            let greeted = app.send(Call::Hello { protocol: VERSION, desktop: false, owner })?;
            let hello = match self.hear_of(&mut app, greeted)? {
                DeskMessage::Closed => {
                    self.count_loss(app, &mut losses)?;
                    continue;
                }
                heard => match heard.into_reply()? {
                    Reply::Hello(hello) => hello,
                    reply => return Err(ClientError::unexpected(&reply)),
                },
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
                drop(app);
                // The app that is started asks it to make way.
                next = Some(start::app(&self.endpoint)?);
                continue;
            }
            if hello.protocol == VERSION {
                if self.stays.get() && app.has_window && !hello.resident {
                    app.send(Call::Stay { at_login: None })?;
                }
                app.damaged = hello.damaged;
                return Ok(app);
            }
            if self.endpoint.is_foreign() {
                return Err(ClientError::AppTooOld { app: hello.version });
            }
            let replaced = if app.has_window { Start::Window } else { Start::Desk };
            start = if start == Start::Window { start } else { replaced };
            app.shut_down(false)?;
        }
    }

    pub(super) fn connect(&self, start: Start) -> Result<DeskConnection, ClientError> {
        match (self.endpoint.connect(), start) {
            (Ok(stream), _) => Ok(DeskConnection::over(stream)),
            (Err(error), _) if self.endpoint.is_foreign() => {
                Err(ClientError::NotForwarded { socket: self.endpoint.socket().into(), error })
            }
            (Err(_), Start::Never) => Err(ClientError::NotRunning),
            (Err(_), Start::Window) => start::app(&self.endpoint),
            (Err(_), Start::Desk) => start::windowless(&self.endpoint),
        }
    }

    /// The person has quit the app: waits until it is gone, and then until it is back. Whether that
    /// was in time. How much of it the person had used up was known to the app alone.
    fn await_return(
        &self,
        mut app: DeskConnection,
        timeout: Option<Duration>,
        start: Start,
    ) -> Result<bool, ClientError> {
        let quit = Instant::now();
        let left = || timeout.map(|time| time.saturating_sub(quit.elapsed()));
        loop {
            if !app.has_heard() && !self.wait_for(Some(app.as_fd()), left())? {
                return Ok(false);
            }
            if let Some(DeskMessage::Closed) = app.hear_one() {
                break;
            }
        }
        // On another machine its return cannot be seen.
        if self.endpoint.is_foreign() {
            return Ok(true);
        }
        // Without the kernel's help it is tried once, and then given up.
        let Ok(watch) = self.endpoint.watch_for_desk() else { return Ok(true) };
        let is_wanted = |desk| start != Start::Window || is_window(desk);
        while !self.endpoint.connect().is_ok_and(is_wanted) {
            if !self.wait_for(Some(watch.as_fd()), left())? {
                return Ok(false);
            }
            watch.forget();
        }
        Ok(true)
    }

    /// Withdraws what was asked. The person may have answered at the same moment.
    fn take_back(
        &self,
        mut app: DeskConnection,
        call: &Call,
    ) -> Result<(Reply, Receipt), ClientError> {
        if let Call::Ask(ask) = call {
            let ticket = ask.ticket.clone().unwrap_or_default();
            app.send(Call::Withdraw { ticket })?;
            while app.has_heard() || self.wait_for(Some(app.as_fd()), Some(PATIENCE))? {
                match app.hear_one() {
                    Some(DeskMessage::Reply { reply: reply @ Reply::Ended(_), .. }) => {
                        let receipt = Receipt::of(&reply, app);
                        return Ok((reply, receipt));
                    }
                    Some(DeskMessage::Closed) => break,
                    _ => {}
                }
            }
        }
        Err(ClientError::Interrupted)
    }

    /// What becomes of a call.
    fn hear_of(&self, app: &mut DeskConnection, call: u64) -> Result<DeskMessage, Woken> {
        loop {
            let heard = self.hear(app)?;
            if heard.is_about(call) {
                return Ok(heard);
            }
        }
    }

    /// Waits until something can be read, or for so long. Whether it can be.
    pub(super) fn wait_for(
        &self,
        file: Option<BorrowedFd>,
        patience: Option<Duration>,
    ) -> Result<bool, Woken> {
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let mut files = vec![PollFd::new(&self.wake, PollFlags::IN)];
        files.extend(file.map(|file| PollFd::from_borrowed_fd(file, PollFlags::IN)));
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let left = left.and_then(|left| Timespec::try_from(left).ok());
            match poll(&mut files, left.as_ref()) {
                Err(Errno::INTR) => {}
                Ok(0) => return Ok(false),
                // What cannot be polled tells why when it is read.
                Err(_) => return Ok(true),
                Ok(_) if files.get(1).is_some_and(|file| !file.revents().is_empty()) => {
                    return Ok(true);
                }
                Ok(_) => return Err(self.woken()),
            }
        }
    }

    fn woken(&self) -> Woken {
        match (&self.wake).read(&mut [0]) {
            Ok(1) => Woken::Interrupt,
            _ => Woken::HangUp,
        }
    }
}

/// Whether the desk at the other end has a window, or another version, which is reported later.
fn is_window(desk: UnixStream) -> bool {
    let greeted = DeskConnection::over(desk).greet();
    greeted.map_or(true, |desk| desk.is_some_and(|desk| desk.has_window))
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
