//! Who asks, as far as this process can tell.

use std::{env, fs};

use askdeck_core::{asking, dialect::Dialect, dialog::Caller, payload::Payload};
use askdeck_desk::paths;

pub(super) fn of(payload: &Payload, dialect: &Dialect, named: Option<String>) -> Caller {
    let here = here();
    Caller {
        agent: named.or_else(|| asking::agent(payload, dialect)).unwrap_or(here.agent),
        session: payload.session.clone(),
        cwd: payload.cwd.clone().or(here.cwd),
        ..here
    }
}

/// Who started this process, if nothing else tells who asks.
pub(super) fn here() -> Caller {
    let pid = std::os::unix::process::parent_id();
    let program = paths::program_of(pid);
    let cwd = env::current_dir().ok().map(|path| path.to_string_lossy().into_owned());
    Caller {
        agent: program.clone().unwrap_or_else(|| format!("process {pid}")),
        session: None,
        cwd,
        host: paths::is_socket_given().then(host).flatten(),
        pid: Some(pid),
        program,
        ..Caller::default()
    }
}

/// The name of this machine, for a person at another one.
fn host() -> Option<String> {
    fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned())
}
