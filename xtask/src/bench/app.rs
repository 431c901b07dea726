//! The app that stays, as the bench runs it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use askdeck_testkit::{Running, Wire, within};

use super::PATIENCE;
use crate::{Result, desktop::Desktop};

pub(super) struct App {
    running: Running,
    home: PathBuf,
}

impl App {
    /// Starts it, and returns when its window is ready for a question.
    pub(super) fn start(programs: &Path, desktop: &Desktop, home: &Path) -> Result<Self> {
        let mut app = Command::new(programs.join("askdeck-desktop"));
        app.arg("--resident").stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running::start(desktop.dress(&mut app).env("ASKDECK_HOME", home))?;
        let mut app = Self { running, home: home.to_path_buf() };
        within(PATIENCE, "the resident app to listen", || {
            if let Some(status) = app.running.ended()? {
                return Err(format!("the app ended with {status}"));
            }
            Ok(Wire::connect(&app.socket()).ok())
        })?
        .call("ready", "{}")?;
        Ok(app)
    }

    pub(super) fn id(&mut self) -> u32 {
        self.running.id()
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    pub(super) fn socket(&self) -> PathBuf {
        socket(&self.home)
    }
}

/// Where the app of this home listens.
pub(super) fn socket(home: &Path) -> PathBuf {
    home.join("run/askdeck.sock")
}
