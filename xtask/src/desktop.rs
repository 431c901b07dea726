//! A desktop of our own where nobody looks, for programs of one home.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, id},
};

use askdeck_testkit::{self as kit, Host, Screen};

use crate::{Result, place};

pub(crate) struct Desktop {
    pub(crate) screen: Screen,
    parts: kit::Desktop,
    folder: PathBuf,
    home: Home,
}

/// What `ASKDECK_HOME` is, where there is no desktop yet.
struct Home(PathBuf);

impl Host for Home {
    fn program(&self, program: &OsStr) -> Command {
        let mut command = Command::new(program);
        command.env("ASKDECK_HOME", &self.0);
        command
    }

    fn askdeck_home(&self) -> PathBuf {
        self.0.clone()
    }
}

impl Host for Desktop {
    fn program(&self, program: &OsStr) -> Command {
        let mut command = self.home.program(program);
        self.dress(&mut command);
        command
    }

    fn askdeck_home(&self) -> PathBuf {
        self.home.askdeck_home()
    }
}

impl Desktop {
    pub(crate) fn start(home: &Path) -> Result<Self> {
        Self::start_sized(home, (1280, 800))
    }

    /// With a screen of this width and height.
    pub(crate) fn start_sized(home: &Path, size: (u32, u32)) -> Result<Self> {
        let folder = place::fresh(&format!("display/{}", id()))?;
        let home = Home(home.to_owned());
        let parts = kit::Desktop::start_sized(&home, &folder, size)?;
        Ok(Self { screen: parts.screen()?, parts, folder, home })
    }

    /// Makes `command` run on this desktop and nowhere else.
    pub(crate) fn dress<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("DISPLAY", &self.parts.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.parts.bus)
            .env("GDK_BACKEND", "x11")
            .env_remove("WAYLAND_DISPLAY")
    }

    /// Runs a small program, which must succeed.
    pub(crate) fn demand(&self, program: &str, args: &[&str]) -> Result<String> {
        self.ask(program, args).ok_or_else(|| format!("`{program} {}` failed", args.join(" ")))
    }

    /// Takes the picture of a window, or of everything if that is `root`.
    pub(crate) fn photograph(&self, window: &str, file: &Path) -> Result<()> {
        let name = file.to_str().ok_or("the picture's path is not UTF-8")?;
        self.demand("import", &["-silent", "-window", window, "-strip", name]).map(drop)
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        // It is below target/: what cannot be removed now does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
