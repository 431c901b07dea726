//! A program that speaks to the socket by itself.

use std::{
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver},
    thread,
};

use askdeck_testkit::{Host, Wire as Lines};
use serde_json::{Value, json};

use super::{Home, Run, until};

pub(crate) struct Wire {
    lines: Lines,
    messages: Receiver<Value>,
    last_id: u64,
}

impl Wire {
    /// To the app that runs here.
    #[track_caller]
    pub(crate) fn to(home: &Home) -> Self {
        Self::through(&socket(home))
    }

    /// Through this socket.
    #[track_caller]
    pub(crate) fn through(socket: &Path) -> Self {
        let lines = Lines::connect(socket).expect("the app listens");
        let mut reader = lines.share().expect("a socket can be shared");
        let (tell, messages) = mpsc::channel();
        // Whoever does not read is not written to for ever.
        thread::spawn(move || {
            while let Ok(Some(line)) = reader.hear() {
                let message = serde_json::from_str(&line).expect("the app writes JSON");
                if tell.send(message).is_err() {
                    break;
                }
            }
        });
        Self { lines, messages, last_id: 0 }
    }

    /// To an app that stays, started here if none runs.
    #[track_caller]
    pub(crate) fn to_resident(home: &Home) -> Self {
        Run::command(["resident"]).ends(home).is(0, "");
        Self::to(home)
    }

    /// Writes these bytes, as far as they are taken.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.lines.say(bytes).ok();
    }

    /// Makes a call without waiting for the reply.
    pub(crate) fn send(&mut self, method: &str, params: &Value) {
        self.last_id += 1;
        let id = self.last_id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(format!("{request}\n").as_bytes());
    }

    /// Makes a call and waits for what comes next, which must be the reply.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.send(method, params);
        let mut reply = self.next();
        assert_eq!(reply["id"], self.last_id, "{reply}");
        reply["result"].take()
    }

    /// The next message.
    #[track_caller]
    pub(crate) fn next(&self) -> Value {
        until("a message", || self.came())
    }

    /// The next message, if it is there already.
    pub(crate) fn came(&self) -> Option<Value> {
        self.messages.try_recv().ok()
    }

    /// Goes away, with whatever was asked left open.
    pub(crate) fn leave(self) {
        self.lines.leave();
    }

    /// Waits until the app has hung up.
    #[track_caller]
    pub(crate) fn await_closed(&self) {
        until("the connection to close", || {
            (self.messages.try_recv() == Err(mpsc::TryRecvError::Disconnected)).then_some(())
        });
    }
}

pub(crate) fn socket(home: &Home) -> PathBuf {
    Host::socket(home)
}
