//! The few words of Askdeck's wire that the bench speaks; docs/protocol.md has them all.

use std::{
    io::{self, BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::Path,
};

use crate::Result;

pub(super) struct Wire {
    stream: BufReader<UnixStream>,
}

impl Wire {
    pub(super) fn connect(socket: &Path) -> Result<Self> {
        let stream = UnixStream::connect(socket)
            .map_err(|e| format!("cannot reach {}: {e}", socket.display()))?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Makes a call, waits for its reply, and fails if that is an error.
    pub(super) fn ask(&mut self, method: &str, params: &str) -> Result<String> {
        self.send(method, params)?;
        self.hear(method)
    }

    /// Makes a call whose reply is heard later.
    pub(super) fn send(&mut self, method: &str, params: &str) -> Result<()> {
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}{}"#, '\n');
        self.stream.get_mut().write_all(request.as_bytes()).map_err(|e| left(method, &e))
    }

    pub(super) fn hear(&mut self, method: &str) -> Result<String> {
        let mut reply = String::new();
        self.stream.read_line(&mut reply).map_err(|e| left(method, &e))?;
        if reply.contains(r#""result":"#) { Ok(reply) } else { Err(format!("`{method}`: {reply}")) }
    }
}

fn left(method: &str, error: &io::Error) -> String {
    format!("the app left during `{method}`: {error}")
}
