//! The client of a front end, which takes part in a dialog of a running desk.
//!
//! It has no thread of its own, so that a front end can wait for it and for the keyboard at once: poll
//! its file descriptor, then call `hear`.

use std::{
    io::{ErrorKind, Read, Write},
    net::Shutdown,
    ops::ControlFlow::{self, Break, Continue},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    thread,
    time::Duration,
};

use askdeck_core::protocol::{Body, Call, Error, News, Reply, Response, VERSION};
use serde::Deserialize;

use super::{ClientError, app, request};
use crate::socket::Endpoint;

/// An app that has just been started may take a while before it answers.
const PATIENCE: Duration = Duration::from_secs(5);

/// In place of the number of a call: the app refuses the connection as a whole.
const CONNECTION: u64 = 0;

pub struct FrontEndClient {
    stream: UnixStream,
    /// The beginning of a message whose end has not come.
    unread: Vec<u8>,
    /// What came while something else was waited for.
    heard: Vec<DeskMessage>,
    last_id: u64,
    /// As the desk has said.
    pub has_window: bool,
}

/// What the desk sends.
#[derive(Debug)]
pub enum DeskMessage {
    News(News),
    Reply {
        to: u64,
        reply: Reply,
    },
    Refusal {
        to: u64,
        error: Error,
    },
    /// The connection is closed.
    Closed,
}

impl FrontEndClient {
    /// Connects to the desk that runs, if one does.
    pub fn find(endpoint: &Endpoint) -> Result<Option<Self>, ClientError> {
        endpoint.connect().map_or(Ok(None), Self::at)
    }

    /// Starts a desk without a window, and connects to it. Nothing if that is gone at once.
    pub fn start(endpoint: &Endpoint) -> Result<Option<Self>, ClientError> {
        let (stream, mut desk) = app::start_windowless(endpoint)?;
        // It may outlive this process, or end long before it.
        thread::spawn(move || desk.wait());
        Self::at(stream)
    }

    fn at(stream: UnixStream) -> Result<Option<Self>, ClientError> {
        // A desk that hangs must not hold up the keyboard for ever.
        let limited = stream.set_write_timeout(Some(PATIENCE));
        if limited.and_then(|()| stream.set_read_timeout(Some(PATIENCE))).is_err() {
            return Ok(None);
        }
        Self::over(stream).greet()
    }

    /// Nothing if the desk is gone.
    pub(super) fn greet(mut self) -> Result<Option<Self>, ClientError> {
        let greeted = self.send(Call::Hello { protocol: VERSION, desktop: false, owner: None })?;
        match self.await_reply(greeted)? {
            Some(Reply::Hello(hello)) if hello.protocol > VERSION => {
                Err(ClientError::TooOld { app: hello.version })
            }
            Some(Reply::Hello(hello)) if hello.protocol < VERSION => {
                Err(ClientError::AppTooOld { app: hello.version })
            }
            Some(Reply::Hello(hello)) => Ok(Some(Self { has_window: hello.has_window(), ..self })),
            Some(reply) => Err(ClientError::unexpected(&reply)),
            // It has just ended.
            None => Ok(None),
        }
    }

    pub fn over(stream: UnixStream) -> Self {
        Self { stream, unread: Vec::new(), heard: Vec::new(), last_id: 0, has_window: false }
    }

    /// Makes a call, and returns the number that its reply will have.
    pub fn send(&mut self, call: Call) -> Result<u64, ClientError> {
        self.last_id += 1;
        let line = request::line(self.last_id, call)?;
        if self.stream.write_all(&line).is_err() {
            // Half a message may be on its way: nothing can follow it. The reading side notices.
            self.stream.shutdown(Shutdown::Both).ok();
        }
        Ok(self.last_id)
    }

    /// Waits for the reply to a call. Nothing if the app is gone.
    pub fn await_reply(&mut self, awaited: u64) -> Result<Option<Reply>, ClientError> {
        self.await_first(|heard| match heard {
            DeskMessage::Reply { to, reply } if to == awaited => Break(Ok(Some(reply))),
            DeskMessage::Refusal { to, error } if to == awaited || to == CONNECTION => {
                Break(Err(ClientError::of_app(error)))
            }
            DeskMessage::Closed => Break(Ok(None)),
            other => Continue(other),
        })
    }

    /// Waits for the first that `wanted` takes. What else has come is heard afterwards.
    pub fn await_first<T>(
        &mut self,
        wanted: impl Fn(DeskMessage) -> ControlFlow<T, DeskMessage>,
    ) -> T {
        let mut meanwhile = Vec::new();
        loop {
            let mut heard = self.hear().into_iter();
            while let Some(next) = heard.next() {
                match wanted(next) {
                    Continue(other) => meanwhile.push(other),
                    Break(found) => {
                        meanwhile.extend(heard);
                        self.heard = meanwhile;
                        return found;
                    }
                }
            }
        }
    }

    /// Ends the desk, and returns when it is gone.
    pub(super) fn shut_down(mut self, for_window: bool) -> Result<(), ClientError> {
        self.send(Call::Shutdown { for_window })?;
        self.await_first(|heard| match heard {
            DeskMessage::Closed => Break(()),
            other => Continue(other),
        });
        Ok(())
    }

    /// Whether `hear` has something without waiting.
    pub fn has_heard(&self) -> bool {
        !self.heard.is_empty()
    }

    /// What has come; waits a moment if nothing has.
    pub fn hear(&mut self) -> Vec<DeskMessage> {
        if self.has_heard() {
            return std::mem::take(&mut self.heard);
        }
        let mut buffer = [0; 16 * 1024];
        match self.stream.read(&mut buffer) {
            Ok(0) => return vec![DeskMessage::Closed],
            Ok(length) => self.unread.extend_from_slice(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => return Vec::new(),
            Err(_) => return vec![DeskMessage::Closed],
        }
        let mut heard = Vec::new();
        while let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.unread.drain(..=end).collect();
            heard.extend(read(&line));
        }
        heard
    }
}

impl AsFd for FrontEndClient {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// A message, unless it is of a kind that this version does not know.
fn read(line: &[u8]) -> Option<DeskMessage> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Message {
        Response(Response),
        News(News),
    }
    match serde_json::from_slice(line).ok()? {
        Message::News(news) => Some(DeskMessage::News(news)),
        Message::Response(Response { id, body, .. }) => {
            let to = if id.is_null() { CONNECTION } else { id.as_u64()? };
            Some(match body {
                Body::Result(reply) => DeskMessage::Reply { to, reply },
                Body::Error(error) => DeskMessage::Refusal { to, error },
            })
        }
    }
}
