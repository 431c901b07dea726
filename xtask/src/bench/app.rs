//! The app that stays, as the bench runs it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use askdeck_testkit::{Host, Running, Wire, within};

use super::{PATIENCE, row};
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

    /// Asks something, and returns once its window has the keyboard and takes keys.
    pub(super) fn ask(&self, programs: &Path, desktop: &Desktop, args: &[&str]) -> Result<Running> {
        let mut ask = Command::new(programs.join("askdeck"));
        ask.arg("ask").args(args);
        ask.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let asked = Running::start(desktop.dress(&mut ask).env("ASKDECK_HOME", &self.home))?;
        within(PATIENCE, "its window to have the keyboard", || {
            let active = desktop.ask("xdotool", &["getactivewindow"]);
            Ok((active.is_some() && active == row::windows(desktop)).then_some(()))
        })?;
        Wire::connect(&self.socket())?.call("ready", "{}")?;
        Ok(asked)
    }

    pub(super) fn id(&mut self) -> u32 {
        self.running.id()
    }

    pub(super) fn socket(&self) -> PathBuf {
        socket(&self.home)
    }
}

/// Where the app of this home listens.
pub(super) fn socket(home: &Path) -> PathBuf {
    home.join("run/askdeck.sock")
}
