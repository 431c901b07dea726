//! A desktop for one test alone: X server, session bus and window manager.

use std::{ffi::OsStr, ops::Deref, path::PathBuf, process::Command};

use askdeck_testkit::{Desktop, Host, windows};

use super::{
    Home,
    pixels::{self, Watch},
};

pub(crate) struct Screen {
    desktop: Desktop,
    pub(crate) bus: String,
    home: Home,
}

impl Screen {
    pub(crate) fn start() -> Self {
        Self::in_home(Home::new())
    }

    /// Where a window takes keys as soon as it shows a question. For tests that press keys without a
    /// WebDriver, which alone can see when the arming delay is over.
    pub(crate) fn without_arming() -> Self {
        Self::in_home(Home::new().without_arming())
    }

    /// With a variable that programs on it see, such as `LANG`.
    pub(crate) fn with(name: &'static str, value: &str) -> Self {
        Self::in_home(Home::new().with(name, value))
    }

    fn in_home(home: Home) -> Self {
        let desktop = Desktop::start(&home, &home.path("run")).unwrap_or_else(|e| panic!("{e}"));
        let bus = desktop.bus.clone();
        let home = home.with("DISPLAY", &desktop.display).with("DBUS_SESSION_BUS_ADDRESS", &bus);
        Self { desktop, bus, home }
    }

    /// Whether there is a bar on it; see [`Watch`].
    pub(crate) fn has_bar(&self) -> bool {
        pixels::has_bar(&self.desktop.screen().expect("Xvfb keeps its picture"))
    }

    /// Watches it for bars from now on.
    pub(crate) fn watch(&self) -> Watch {
        Watch::of(self.desktop.screen().expect("Xvfb keeps its picture"))
    }

    /// Whether a window of Askdeck is to be seen.
    pub(crate) fn has_window(&self) -> bool {
        !windows(self).is_empty()
    }

    /// The output of a small program about this screen; `None` if it fails.
    pub(crate) fn ask<const N: usize>(&self, program: &str, args: [&str; N]) -> Option<String> {
        Host::ask(self, program, &args)
    }
}

impl Host for Screen {
    fn program(&self, program: &OsStr) -> Command {
        self.home.program(program)
    }

    fn askdeck_home(&self) -> PathBuf {
        self.home.askdeck_home()
    }
}

impl Deref for Screen {
    type Target = Home;

    fn deref(&self) -> &Home {
        &self.home
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A command that still waits would start its app again, on whatever screen is there then.
        self.home.end_programs();
    }
}
