//! The few words of Askdeck's wire that the bench speaks; docs/protocol.md has them all.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::Path,
};

use crate::Result;

pub(super) struct Wire {
    stream: UnixStream,
    replies: BufReader<UnixStream>,
}

impl Wire {
    pub(super) fn connect(socket: &Path) -> Result<Self> {
        let connect = || {
            let stream = UnixStream::connect(socket)?;
            let replies = BufReader::new(stream.try_clone()?);
            Ok(Self { stream, replies })
        };
        connect().map_err(|e: std::io::Error| format!("cannot reach {}: {e}", socket.display()))
    }

    /// Makes a call, waits for its reply, and fails if that is an error.
    pub(super) fn call(&mut self, method: &str, params: &str) -> Result<()> {
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}{}"#, '\n');
        let mut reply = String::new();
        self.stream
            .write_all(request.as_bytes())
            .and_then(|()| self.replies.read_line(&mut reply))
            .map_err(|e| format!("the app left during `{method}`: {e}"))?;
        if reply.contains(r#""result":"#) { Ok(()) } else { Err(format!("`{method}`: {reply}")) }
    }
}
