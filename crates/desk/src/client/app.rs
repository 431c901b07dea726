//! The app, as this process reaches it: one connection, and the process if it was started here.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
};

use askdeck_core::protocol::Call;

use super::{
    ClientError, NO_DISPLAY,
    desk_client::{PATIENCE, RequestId},
    request,
};
use crate::{files, paths, socket::Endpoint};

pub(super) struct App {
    pub(super) stream: UnixStream,
    /// Set if this process started it.
    pub(super) child: Option<Child>,
    /// Its window has shown what it should.
    pub(super) is_ready: bool,
    /// As it has said.
    pub(super) has_window: bool,
    /// Where its file is that was found to be damaged.
    pub(super) damaged: Option<String>,
}

impl App {
    pub(super) fn send(&mut self, id: RequestId, call: Call) -> Result<(), ClientError> {
        let line = request::line(id as u64, call)?;
        self.stream.write_all(&line).ok(); // The reading side notices if the app is gone.
        Ok(())
    }

    /// Why the connection closed.
    pub(super) fn lost(&mut self, endpoint: &Endpoint) -> ClientError {
        if endpoint.is_foreign() {
            return ClientError::Unanswered { socket: endpoint.socket().into() };
        }
        let Some(mut child) = self.child.take() else {
            return ClientError::Lost { last_words: String::new() };
        };
        // With its socket closed it is about to end, but may not have ended yet.
        let (tell, ended) = mpsc::channel();
        thread::spawn(move || tell.send(child.wait().ok().and_then(|status| status.code())));
        match ended.recv_timeout(PATIENCE) {
            Ok(Some(code)) if code == i32::from(NO_DISPLAY) => ClientError::NoDisplay,
            _ => ClientError::Lost { last_words: last_words(&endpoint.log()) },
        }
    }

    /// The reading side has the same connection, and sees that it is closed.
    pub(super) fn hang_up(&self) {
        self.stream.shutdown(Shutdown::Both).ok();
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.hang_up();
        if let Some(mut child) = self.child.take() {
            // It may outlive this process, or end long before it.
            thread::spawn(move || child.wait());
        }
    }
}

pub(super) fn lost_stream(error: &io::Error) -> ClientError {
    ClientError::Lost { last_words: error.to_string() }
}

/// Starts the app, and returns when it listens, or another that was started at the same time.
pub(super) fn start(endpoint: &Endpoint) -> Result<(UnixStream, Child), ClientError> {
    if paths::display().is_none() {
        return Err(ClientError::NoDisplay);
    }
    start_program(endpoint, "askdeck-desktop", &["--serve"])
}

/// Starts a desk without a window in the same way.
pub(super) fn start_windowless(endpoint: &Endpoint) -> Result<(UnixStream, Child), ClientError> {
    start_program(endpoint, "askdeck", &["serve", "--announce"])
}

fn start_program(
    endpoint: &Endpoint,
    name: &str,
    args: &[&str],
) -> Result<(UnixStream, Child), ClientError> {
    let no_place =
        |error| ClientError::NoPlace { directory: endpoint.directory().to_owned(), error };
    endpoint.prepare().map_err(no_place)?;
    loop {
        let log = endpoint.begin_log().map_err(no_place)?;
        let program = paths::beside(name);
        let mut command = Command::new(&program);
        if !endpoint.is_foreign() {
            command.env_remove("ASKDECK_SOCKET");
        }
        let mut child = command
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| ClientError::NotStarted { program, error })?;
        let stdout = child.stdout.take().expect("stdout is piped");
        // It writes one line once somebody listens.
        let mut line = String::new();
        let listens = BufReader::new(stdout).read_line(&mut line).is_ok_and(|length| length > 0);
        match endpoint.connect() {
            Ok(stream) if listens => return Ok((stream, child)),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(no_place(error));
            }
            _ => {}
        }
        match child.wait().ok().and_then(|status| status.code()) {
            // Another one listened, and was done before it could be reached.
            Some(0) if listens => {}
            Some(code) if code == i32::from(NO_DISPLAY) => return Err(ClientError::NoDisplay),
            _ => return Err(ClientError::Lost { last_words: last_words(&endpoint.log()) }),
        }
    }
}

/// GTK and WebKit write a lot to stderr; only the end of it matters, and only if the app fails.
fn last_words(log: &Path) -> String {
    const KEPT: u64 = 4096;
    let read = || {
        let mut log = files::open_own(log, File::options().read(true))?;
        let length = log.metadata()?.len();
        log.seek(SeekFrom::Start(length.saturating_sub(KEPT)))?;
        let mut text = Vec::new();
        log.take(KEPT).read_to_end(&mut text)?;
        io::Result::Ok(text)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}
