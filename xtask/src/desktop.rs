//! A desktop of our own where nobody looks: X server, window manager and session bus.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio, id},
    time::Duration,
};

use crate::{
    Result, place,
    process::{Running, bound},
    screen::Screen,
    wait,
};

pub(crate) struct Desktop {
    pub(crate) screen: Screen,
    display: String,
    bus: String,
    /// In the order in which they started, the X server first.
    parts: Vec<Running>,
    folder: PathBuf,
}

const SIZE: &str = "1280x800x24";
const START: Duration = Duration::from_secs(20);

impl Desktop {
    pub(crate) fn start() -> Result<Self> {
        let folder = place::fresh(&format!("display/{}", id()))?;
        // The server chooses a free display number, keeps its picture in a file, which is far
        // cheaper to watch than asking the server for it, and does not start over when the last
        // client leaves.
        let mut server = Running::start(
            bound("Xvfb")
                .args([
                    "-displayfd",
                    "1",
                    "-screen",
                    "0",
                    SIZE,
                    "-nolisten",
                    "tcp",
                    "-noreset",
                    "-fbdir",
                ])
                .arg(&folder)
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        )?;
        let display = format!(":{}", server.first_line("Xvfb")?);
        let screen = Screen::open(&folder.join("Xvfb_screen0"))?;

        // Without a bus of its own the app would look for the developer's, or start one that stays.
        let mut bus = Running::start(
            bound("dbus-daemon")
                .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
                .env("DISPLAY", &display)
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        )?;
        let address = bus.first_line("dbus-daemon")?;

        let mut desktop = Self { screen, display, bus: address, parts: vec![server, bus], folder };
        let mut openbox = bound("openbox");
        desktop.dress(openbox.arg("--sm-disable").stdout(Stdio::null()).stderr(Stdio::null()));
        let mut openbox = Running::start(&mut openbox)?;
        wait::until("openbox to manage the windows", START, || {
            if let Some(status) = openbox.ended()? {
                return Err(format!("openbox ended with {status} on the virtual display"));
            }
            let reply = desktop.ask("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"])?;
            Ok(reply.is_some_and(|reply| reply.contains("window id")).then_some(()))
        })?;
        desktop.parts.push(openbox);
        Ok(desktop)
    }

    /// Makes `command` run on this desktop and nowhere else.
    pub(crate) fn dress<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("GDK_BACKEND", "x11")
            .env_remove("WAYLAND_DISPLAY")
    }

    /// What a small program says about this desktop; `None` if it ends with a failure.
    pub(crate) fn ask(&self, program: &str, args: &[&str]) -> Result<Option<String>> {
        let output = self
            .dress(&mut Command::new(program))
            .args(args)
            .output()
            .map_err(|e| format!("cannot run {program}: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        Ok(output.status.success().then_some(text))
    }

    /// The same for a program that must succeed.
    pub(crate) fn demand(&self, program: &str, args: &[&str]) -> Result<String> {
        self.ask(program, args)?.ok_or_else(|| format!("`{program} {}` failed", args.join(" ")))
    }

    /// Takes the picture of a window, or of everything if that is `root`.
    pub(crate) fn photograph(&self, window: &str, file: &Path) -> Result<()> {
        let name = file.to_str().ok_or("the picture's path is not UTF-8")?;
        self.demand("import", &["-silent", "-window", window, "-strip", name]).map(drop)
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        while let Some(mut part) = self.parts.pop() {
            part.stop();
        }
        // It is below target/: what cannot be removed now does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
