//! A connection to a desk.
//!
//! It has no thread of its own, so that whoever waits for it can wait for the keyboard or a signal at
//! the same time: poll its file descriptor, then call `hear`.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read, Write},
    net::Shutdown,
    ops::ControlFlow::{self, Break, Continue},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    process::Child,
    thread,
    time::Duration,
};

use askdeck_core::protocol::{
    Body, Call, Error, JsonRpc, MAX_BYTES, News, Reply, Request, Response, VERSION,
};
use serde::Deserialize;

use super::{ClientError, start};
use crate::socket::Endpoint;

/// A desk that has just been started may take a while before it answers a front end.
const PATIENCE: Duration = Duration::from_secs(5);

/// In place of the number of a call: the desk refuses the connection as a whole.
const CONNECTION: u64 = 0;

pub struct DeskConnection {
    stream: UnixStream,
    /// The beginning of a message whose end has not come.
    unread: Vec<u8>,
    /// What has come, and was not looked at.
    heard: VecDeque<DeskMessage>,
    last_id: u64,
    /// The desk, if this process started it.
    pub(super) child: Option<Child>,
    /// As the desk has said.
    pub has_window: bool,
    /// Where its file is that was found to be damaged.
    pub(super) damaged: Option<String>,
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
    /// This version does not know what it is.
    Unreadable(String),
    /// The connection is closed.
    Closed,
}

impl DeskMessage {
    /// Whether it is what became of a call.
    pub(super) fn is_about(&self, call: u64) -> bool {
        match self {
            Self::Reply { to, .. } | Self::Refusal { to, .. } => *to == call || *to == CONNECTION,
            Self::Unreadable(_) | Self::Closed => true,
            Self::News(_) => false,
        }
    }

    /// The reply, or why there is none.
    pub(super) fn into_reply(self) -> Result<Reply, ClientError> {
        match self {
            Self::Reply { reply, .. } => Ok(reply),
            Self::Refusal { error, .. } => Err(ClientError::of_app(error)),
            Self::Unreadable(message) => Err(ClientError::Unexpected(message)),
            Self::News(_) | Self::Closed => Err(ClientError::unexpected(&self)),
        }
    }
}

impl DeskConnection {
    pub fn over(stream: UnixStream) -> Self {
        Self {
            stream,
            unread: Vec::new(),
            heard: VecDeque::new(),
            last_id: CONNECTION,
            child: None,
            has_window: false,
            damaged: None,
        }
    }

    /// Connects a front end to the desk that runs, if one does.
    pub fn find(endpoint: &Endpoint) -> Result<Option<Self>, ClientError> {
        endpoint.connect().map_or(Ok(None), |stream| Self::over(stream).greet())
    }

    /// Starts a desk without a window, and connects a front end to it. Nothing if that is gone at once.
    pub fn start(endpoint: &Endpoint) -> Result<Option<Self>, ClientError> {
        start::windowless(endpoint)?.greet()
    }

    /// Nothing if the desk is gone.
    pub(super) fn greet(mut self) -> Result<Option<Self>, ClientError> {
        // A desk that hangs must not hold up the keyboard for ever.
        let limited = self.stream.set_write_timeout(Some(PATIENCE));
        if limited.and_then(|()| self.stream.set_read_timeout(Some(PATIENCE))).is_err() {
            return Ok(None);
        }
        let greeted = self.send(Call::Hello { protocol: VERSION, desktop: false, owner: None })?;
        match self.await_reply(greeted)? {
            Some(Reply::Hello(hello)) if hello.protocol > VERSION => {
                Err(ClientError::TooOld { app: hello.version })
            }
            Some(Reply::Hello(hello)) if hello.protocol < VERSION => {
                Err(ClientError::AppTooOld { app: hello.version })
            }
            Some(Reply::Hello(hello)) => {
                self.has_window = hello.has_window();
                Ok(Some(self))
            }
            Some(reply) => Err(ClientError::unexpected(&reply)),
            // It has just ended.
            None => Ok(None),
        }
    }

    /// Makes a call, and returns the number that its reply will have.
    pub fn send(&mut self, call: Call) -> Result<u64, ClientError> {
        self.last_id += 1;
        let request = Request { jsonrpc: JsonRpc::V2, id: self.last_id.into(), call };
        let mut line = serde_json::to_vec(&request)
            .map_err(|error| ClientError::Unexpected(error.to_string()))?;
        line.push(b'\n');
        if line.len() > MAX_BYTES {
            return Err(ClientError::TooLarge(line.len()));
        }
        if self.stream.write_all(&line).is_err() {
            // Half a message may be on its way: nothing can follow it. The reading side notices.
            self.hang_up();
        }
        Ok(self.last_id)
    }

    /// Waits for the reply to a call. Nothing if the desk is gone.
    pub fn await_reply(&mut self, awaited: u64) -> Result<Option<Reply>, ClientError> {
        self.await_first(|heard| match heard {
            DeskMessage::Closed => Break(Ok(None)),
            // A front end leaves alone what it does not know.
            DeskMessage::Unreadable(_) => Continue(heard),
            heard if heard.is_about(awaited) => Break(heard.into_reply().map(Some)),
            other => Continue(other),
        })
    }

    /// Waits for the first that `wanted` takes. What else has come is heard afterwards.
    pub fn await_first<T>(
        &mut self,
        wanted: impl Fn(DeskMessage) -> ControlFlow<T, DeskMessage>,
    ) -> T {
        let mut meanwhile = VecDeque::new();
        loop {
            match self.hear_one().map(&wanted) {
                Some(Continue(other)) => meanwhile.push_back(other),
                Some(Break(found)) => {
                    meanwhile.append(&mut self.heard);
                    self.heard = meanwhile;
                    return found;
                }
                None => {}
            }
        }
    }

    /// Ends the desk, and returns when it is gone.
    pub(super) fn shut_down(mut self, for_window: bool) -> Result<(), ClientError> {
        self.send(Call::Shutdown { for_window })?;
        self.await_first(|heard| match heard {
            DeskMessage::Closed => Break(Ok(())),
            DeskMessage::Refusal { error, .. } => Break(Err(ClientError::of_app(error))),
            other => Continue(other),
        })
    }

    /// Whether `hear` has something without waiting.
    pub fn has_heard(&self) -> bool {
        !self.heard.is_empty()
    }

    /// What has come; waits a moment if nothing has.
    pub fn hear(&mut self) -> Vec<DeskMessage> {
        self.hear_one().into_iter().chain(self.heard.drain(..)).collect()
    }

    /// The first that has come. Nothing if that is not whole yet.
    pub(super) fn hear_one(&mut self) -> Option<DeskMessage> {
        if self.heard.is_empty() {
            self.read();
        }
        self.heard.pop_front()
    }

    fn read(&mut self) {
        let mut buffer = [0; 16 * 1024];
        let came = match self.stream.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return,
            Ok(0) | Err(_) => return self.heard.push_back(DeskMessage::Closed),
            Ok(length) => &buffer[..length],
        };
        self.unread.extend_from_slice(came);
        // Most of a large message comes without its end.
        if came.contains(&b'\n') {
            while let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                self.heard.push_back(message(&line));
            }
        }
    }

    pub(super) fn hang_up(&self) {
        self.stream.shutdown(Shutdown::Both).ok();
    }
}

impl AsFd for DeskConnection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl Drop for DeskConnection {
    fn drop(&mut self) {
        self.hang_up();
        if let Some(mut child) = self.child.take() {
            // It may outlive this process, or end long before it.
            thread::spawn(move || child.wait());
        }
    }
}

fn message(line: &[u8]) -> DeskMessage {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Message {
        Response(Response),
        News(News),
    }
    let unreadable = || DeskMessage::Unreadable(String::from_utf8_lossy(line).trim_end().into());
    match serde_json::from_slice(line) {
        Ok(Message::News(news)) => DeskMessage::News(news),
        Ok(Message::Response(Response { id, body, .. })) => {
            let to = if id.is_null() { Some(CONNECTION) } else { id.as_u64() };
            match (to, body) {
                (Some(to), Body::Result(reply)) => DeskMessage::Reply { to, reply },
                (Some(to), Body::Error(error)) => DeskMessage::Refusal { to, error },
                (None, _) => unreadable(),
            }
        }
        Err(_) => unreadable(),
    }
}
