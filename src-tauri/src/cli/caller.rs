//! Who asks, as far as this process can tell.

use std::{env, fs};

use crate::{asking, dialect::Dialect, dialog::Caller, payload::Payload};

pub(super) fn of(payload: &Payload, dialect: &Dialect, named: Option<String>) -> Caller {
    let pid = std::os::unix::process::parent_id();
    let program =
        fs::read_to_string(format!("/proc/{pid}/comm")).ok().map(|name| name.trim().to_owned());
    let agent = named
        .or_else(|| asking::agent(payload, dialect))
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
