//! Who asks, as far as this process can tell.

use std::{
    env, fs, process,
    time::{SystemTime, UNIX_EPOCH},
};

use crate::{dialect::Dialect, dialog::Caller, payload::Payload};

pub(super) fn of(payload: &Payload, dialect: &Dialect, named: Option<String>) -> Caller {
    let pid = std::os::unix::process::parent_id();
    let program =
        fs::read_to_string(format!("/proc/{pid}/comm")).ok().map(|name| name.trim().to_owned());
    let agent = named
        .or_else(|| payload.agent.clone())
        .or_else(|| dialect.agent.map(str::to_owned))
        .or_else(|| program.clone())
        .unwrap_or_else(|| format!("process {pid}"));
    let here = || env::current_dir().ok().map(|path| path.to_string_lossy().into_owned());
    Caller {
        agent,
        session: payload.session.clone(),
        cwd: payload.cwd.clone().or_else(here),
        host: None,
        pid: Some(pid),
        program,
    }
}

/// A name for a new dialog: no two processes make one in the same nanosecond under the same pid.
pub(super) fn new_id() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}-{:x}", since.as_nanos(), process::id())
}
