//! A desktop for one test alone: X server, session bus and window manager.

use std::{
    io::{BufRead, BufReader},
    ops::Deref,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use super::{
    Home,
    pixels::{self, Watch},
    run::try_signal,
    until,
};

pub(crate) struct Screen {
    home: Home,
    pub(crate) bus: String,
    /// In the order in which they started.
    parts: Vec<Child>,
}

impl Screen {
    pub(crate) fn start() -> Self {
        Self::in_home(Home::new())
    }

    /// With a variable that programs on it see, such as `LANG`.
    pub(crate) fn with(name: &'static str, value: &str) -> Self {
        Self::in_home(Home::new().with(name, value))
    }

    fn in_home(home: Home) -> Self {
        let (server, number) =
            announced(bound(&home, "Xvfb").arg("-fbdir").arg(home.path("run")).args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x800x24",
                "-nolisten",
                "tcp",
                // Otherwise it starts anew whenever its last window is closed.
                "-noreset",
            ]));
        let home = home.with("DISPLAY", format!(":{number}"));
        let (bus, address) = start_bus(&home);
        let home = home.with("DBUS_SESSION_BUS_ADDRESS", &address);
        let manager = bound(&home, "openbox")
            .arg("--sm-disable")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("openbox is installed");
        let screen = Self { home, bus: address, parts: vec![server, bus, manager] };
        until("openbox to manage the windows", || {
            let said = screen.ask("xprop", ["-root", "_NET_SUPPORTING_WM_CHECK"])?;
            said.contains("window id").then_some(())
        });
        screen
    }

    /// Whether there is a bar on it; see [`Watch`].
    pub(crate) fn has_bar(&self) -> bool {
        pixels::has_bar(&self.picture())
    }

    /// Watches it for bars from now on.
    pub(crate) fn watch(&self) -> Watch {
        Watch::of(self.picture())
    }

    fn picture(&self) -> PathBuf {
        self.home.path("run/Xvfb_screen0")
    }

    /// What a small program says about this screen; `None` if it fails.
    pub(crate) fn ask<const N: usize>(&self, program: &str, args: [&str; N]) -> Option<String> {
        let output = self.command(program).args(args).output().expect("the program is installed");
        let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        output.status.success().then_some(said)
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
        end(&mut self.parts);
    }
}

/// A program that ends with this one, however this one ends.
pub(super) fn bound(home: &Home, program: &str) -> Command {
    let mut command = home.command("setpriv");
    command.args(["--pdeathsig", "KILL", program]);
    command
}

/// A session bus, and its address.
pub(super) fn start_bus(home: &Home) -> (Child, String) {
    let socket = format!("--address=unix:path={}", home.path("run/bus").display());
    announced(bound(home, "dbus-daemon").args([
        "--session",
        "--nofork",
        "--nopidfile",
        "--print-address=1",
        &socket,
    ]))
}

/// Ends the parts of a desktop, those that started last first.
pub(super) fn end(parts: &mut Vec<Child>) {
    for mut part in parts.drain(..).rev() {
        // Asked to, it removes its lock files. One that has ended already is what is wanted.
        try_signal("TERM", part.id());
        let _ended = part.wait();
    }
}

/// Starts a program and reads the line with which it says that it is ready.
fn announced(command: &mut Command) -> (Child, String) {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the parts of a desktop are installed");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("stdout is piped"))
        .read_line(&mut line)
        .expect("what it says is text");
    assert!(!line.trim().is_empty(), "{command:?} did not start");
    (child, line.trim().to_owned())
}
