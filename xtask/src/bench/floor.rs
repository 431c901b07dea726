//! The floor: what a bare WebKitGTK window takes, with the renderer settings of the app. It is
//! started, shown and weighed as the app is; see `xtask/floor`.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use askdeck_testkit::Running;

use super::{
    FLOOR,
    row::{self, OPTIONS},
    weight::{self, Weight},
};
use crate::{Result, desktop::Desktop, stripes};

/// One that stays, hidden and loaded.
pub(super) struct Floor(Running);

impl Floor {
    /// Starts it, and returns when its page is loaded.
    pub(super) fn start(programs: &Path, desktop: &Desktop) -> Result<Self> {
        let mut floor = Command::new(program(programs));
        floor.arg("--resident").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running::start(desktop.dress(&mut floor))?;
        running.first_line(FLOOR)?;
        Ok(Self(running))
    }

    /// Hands it the text, which it shows.
    pub(super) fn show(&mut self) -> Result<()> {
        self.say(&text())
    }

    pub(super) fn hide(&mut self, desktop: &Desktop) -> Result<()> {
        self.say("")?;
        row::await_closed(desktop)
    }

    pub(super) fn running(&mut self) -> &mut Running {
        &mut self.0
    }

    fn say(&mut self, line: &str) -> Result<()> {
        let input = self.0.child().stdin.as_mut().ok_or("its input is piped")?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(|e| format!("{FLOOR}: {e}"))
    }
}

/// What it weighs while it is hidden, after it has been shown so many times.
///
/// Memory that two programs share counts in part for each of them: the app must not run meanwhile.
pub(super) fn weigh(programs: &Path, desktop: &Desktop, times: usize) -> Result<Weight> {
    let mut floor = Floor::start(programs, desktop)?;
    for _ in 0..times {
        row::shown(&mut floor, desktop)?;
    }
    weight::of(floor.0.id())
}

pub(super) fn program(programs: &Path) -> PathBuf {
    programs.join(FLOOR)
}

/// As many lines as the app's question has with its options.
pub(super) fn text() -> String {
    [stripes::TEXT; OPTIONS + 1].join("\t")
}
