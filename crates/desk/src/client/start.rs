//! Starts a desk, and tells why one ended.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
};

use super::{ClientError, DeskConnection, NO_DISPLAY, desk_client::PATIENCE};
use crate::{files, paths, socket::Endpoint};

/// Why a connection closed.
pub(super) fn why_lost(mut app: DeskConnection, endpoint: &Endpoint) -> ClientError {
    if endpoint.is_foreign() {
        return ClientError::Unanswered { socket: endpoint.socket().into() };
    }
    let Some(mut child) = app.child.take() else {
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

/// Starts the app, and returns when it listens, or another that was started at the same time.
pub(super) fn app(endpoint: &Endpoint) -> Result<DeskConnection, ClientError> {
    if paths::display().is_none() {
        return Err(ClientError::NoDisplay);
    }
    start_program(endpoint, "askdeck-desktop", &["--serve"])
}

/// Starts a desk without a window in the same way.
pub(super) fn windowless(endpoint: &Endpoint) -> Result<DeskConnection, ClientError> {
    start_program(endpoint, "askdeck", &["serve", "--announce"])
}

fn start_program(
    endpoint: &Endpoint,
    name: &str,
    args: &[&str],
) -> Result<DeskConnection, ClientError> {
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
            Ok(stream) if listens => {
                let mut app = DeskConnection::over(stream);
                app.child = Some(child);
                return Ok(app);
            }
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
