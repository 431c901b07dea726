//! The few words of Askdeck's wire that are spoken here; docs/protocol.md has them all.

use std::{
    io::{BufRead, BufReader, ErrorKind, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    path::Path,
    time::Duration,
};

use crate::Result;

pub struct Wire {
    stream: BufReader<UnixStream>,
    /// What has come of a line that is not whole yet.
    begun: Vec<u8>,
}

impl Wire {
    pub fn connect(socket: &Path) -> Result<Self> {
        let stream = UnixStream::connect(socket)
            .map_err(|e| format!("cannot reach {}: {e}", socket.display()))?;
        Ok(Self { stream: BufReader::new(stream), begun: Vec::new() })
    }

    /// The same connection once more, for another thread to read from.
    pub fn share(&self) -> Result<Self> {
        let stream = self.stream.get_ref().try_clone();
        let stream = stream.map_err(|e| format!("cannot share a connection: {e}"))?;
        Ok(Self { stream: BufReader::new(stream), begun: Vec::new() })
    }

    /// Ends the connection, also for those who share it.
    pub fn leave(self) {
        // One that has ended already is what is wanted.
        let _ = self.stream.get_ref().shutdown(Shutdown::Both);
    }

    /// Gives the app only so long for each line, and each line only so long to be taken.
    pub fn be_patient_for(&self, patience: Duration) -> Result<()> {
        let stream = self.stream.get_ref();
        stream
            .set_read_timeout(Some(patience))
            .and_then(|()| stream.set_write_timeout(Some(patience)))
            .map_err(|e| format!("cannot limit the waiting: {e}"))
    }

    /// Makes a call, waits for its reply, and fails if that is an error. What is told meanwhile goes
    /// unheard.
    pub fn call(&mut self, method: &str, params: &str) -> Result<String> {
        self.send(method, params)?;
        self.reply(method)
    }

    /// Makes a call whose reply is waited for later.
    pub fn send(&mut self, method: &str, params: &str) -> Result<()> {
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}{}"#, '\n');
        self.say(request.as_bytes())
    }

    /// The reply to what was called.
    pub fn reply(&mut self, method: &str) -> Result<String> {
        loop {
            let line = self.hear()?.ok_or_else(|| format!("no reply to `{method}`"))?;
            if line.starts_with(r#"{"jsonrpc":"2.0","method":"#) {
                continue;
            }
            return if line.contains(r#""result":"#) {
                Ok(line)
            } else {
                Err(format!("`{method}`: {line}"))
            };
        }
    }

    /// Sends these bytes, be they a message or not.
    pub fn say(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.get_mut().write_all(bytes).map_err(|e| format!("the app does not listen: {e}"))
    }

    /// The next line, or nothing if none came in time.
    pub fn hear(&mut self) -> Result<Option<String>> {
        match self.stream.read_until(b'\n', &mut self.begun) {
            Ok(0) => Err("the app left".into()),
            Ok(_) => {
                let line = String::from_utf8_lossy(&self.begun).trim_end().to_owned();
                self.begun.clear();
                Ok(Some(line))
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Ok(None),
            Err(e) => Err(format!("the app left: {e}")),
        }
    }
}
