//! A stand-in for the browser, which cannot run here: it writes down where it was sent.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use super::{Home, until};

pub(crate) struct Browser {
    visited: PathBuf,
    /// The `PATH` of programs that are to use it.
    pub(crate) path: String,
}

impl Browser {
    pub(crate) fn in_home(home: &Home) -> Self {
        let (folder, visited) = (home.path("work"), home.path("work/visited"));
        let browser = folder.join("xdg-open");
        let script = format!("#!/bin/sh\necho \"$1\" >>{}\n", visited.display());
        fs::write(&browser, script).expect("the home is ours");
        let runnable = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&browser, runnable).expect("the file is ours");
        let others = std::env::var("PATH").expect("there are programs");
        Self { visited, path: format!("{}:{others}", folder.display()) }
    }

    /// Where it has been sent so far, a line each.
    pub(crate) fn visited(&self) -> String {
        fs::read_to_string(&self.visited).unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn await_visit(&self) -> String {
        until("the browser to open", || Some(self.visited()).filter(|visited| !visited.is_empty()))
    }
}
