//! A desktop of our own where nobody looks: X server, session bus and window manager.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use crate::{Host, Result, Running, Screen, within};

pub struct Desktop {
    /// What `DISPLAY` is on it.
    pub display: String,
    /// What `DBUS_SESSION_BUS_ADDRESS` is on it.
    pub bus: String,
    picture: PathBuf,
    /// In the order in which they must end.
    _parts: [Running; 3],
}

const START: Duration = Duration::from_secs(30);

impl Desktop {
    /// With its files in this folder.
    pub fn start(host: &dyn Host, folder: &Path) -> Result<Self> {
        Self::start_sized(host, folder, (1280, 800))
    }

    /// The same with a screen of this width and height.
    pub fn start_sized(
        host: &dyn Host,
        folder: &Path,
        (width, height): (u32, u32),
    ) -> Result<Self> {
        // The server chooses a free display number, keeps its picture in a file, which is far
        // cheaper to watch than asking the server for it, and does not start over when the last
        // client leaves.
        let mut server = host.bound("Xvfb".as_ref());
        server.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"]);
        server.arg(format!("{width}x{height}x24"));
        let (server, number) = announced("Xvfb", server.args(["-noreset", "-fbdir"]).arg(folder))?;
        let display = format!(":{number}");
        // Without a bus of its own the app would look for the developer's, or start one that stays.
        let (bus, address) = start_bus(host, &folder.join("bus"))?;
        let dress = |mut command: Command| {
            command.env("DISPLAY", &display).env("DBUS_SESSION_BUS_ADDRESS", &address);
            command
        };
        let openbox = dress(host.bound("openbox".as_ref()));
        let manager = start_manager(openbox, || dress(host.program("xprop".as_ref())))?;
        let picture = folder.join("Xvfb_screen0");
        Ok(Self { display, bus: address, picture, _parts: [manager, bus, server] })
    }

    /// What is to be seen on it.
    pub fn screen(&self) -> Result<Screen> {
        Screen::open(&self.picture)
    }
}

/// A session bus that listens at this socket, and its address.
pub fn start_bus(host: &dyn Host, socket: &Path) -> Result<(Running, String)> {
    let mut bus = host.bound("dbus-daemon".as_ref());
    bus.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]);
    announced("dbus-daemon", bus.arg(format!("--address=unix:path={}", socket.display())))
}

/// Starts openbox, and waits until it manages the windows, as `xprop` tells.
pub fn start_manager(mut openbox: Command, xprop: impl Fn() -> Command) -> Result<Running> {
    openbox.arg("--sm-disable").stdout(Stdio::null()).stderr(Stdio::null());
    let mut openbox = Running::start(&mut openbox)?;
    within(START, "openbox to manage the windows", || {
        if let Some(status) = openbox.ended()? {
            return Err(format!("openbox ended with {status} on the virtual display"));
        }
        let reply = xprop().args(["-root", "_NET_SUPPORTING_WM_CHECK"]).output();
        let reply = reply.map_err(|e| format!("cannot run xprop: {e}"))?;
        let there = String::from_utf8_lossy(&reply.stdout).contains("window id");
        Ok(there.then_some(()))
    })?;
    Ok(openbox)
}

/// Starts a program and reads the line with which it says that it is ready.
fn announced(name: &str, command: &mut Command) -> Result<(Running, String)> {
    let mut running = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::null()))?;
    let line = running.first_line(name)?;
    Ok((running, line))
}
