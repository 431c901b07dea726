//! Where it plays: a home for Askdeck, and a desktop whose every part can be taken away and put back.

use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio, id},
    sync::{Mutex, MutexGuard},
    time::Duration,
};

use askdeck_testkit::{
    Host, Running,
    process::{self, descendants, signal},
    start_bus, start_manager, within,
};

use super::clock::Clock;
use crate::{Result, place};

pub(super) struct Stage {
    programs: PathBuf,
    folder: PathBuf,
    home: PathBuf,
    display: String,
    pub(super) clock: Clock,
    /// Whether what is kept lies on a small disk of its own.
    pub(super) has_disk: bool,
    parts: Mutex<Parts>,
}

/// In the order in which they must end.
#[derive(Default)]
struct Parts {
    tray_host: Option<Running>,
    notifier: Option<Running>,
    manager: Option<Running>,
    bus: Option<Running>,
    server: Option<Running>,
}

const START: Duration = Duration::from_secs(20);
/// What a tray host is called on the bus.
const TRAY_HOST: &str = "org.kde.StatusNotifierWatcher";
/// Enough for every question of a round, and little enough to be full at once.
const DISK: &str = "size=24m";

impl Stage {
    pub(super) fn set(seed: u64) -> Result<Self> {
        let config = "answers_over_socket = true\n";
        let name = format!("torture/{seed}");
        let folder = place::fresh(&name)?;
        let home = place::askdeck_home(&format!("{name}/home"), config)?;
        let data = home.join("data");
        let run = folder.join("run");
        fs::create_dir(&data)
            .and_then(|()| fs::create_dir(&run))
            .and_then(|()| fs::set_permissions(&run, fs::Permissions::from_mode(0o700)))
            .map_err(|e| format!("cannot make folders in {}: {e}", folder.display()))?;
        let has_disk = mount(&["-t", "tmpfs", "-o", DISK, "none"], &data);
        // Servers that choose a number by themselves take low ones, and would take this one while it
        // is free.
        let display = format!(":{}", 1000 + id() % 50_000);
        let parts = Parts::default();
        let clock = Clock::set(&folder)?;
        let programs = place::target()?.join("debug");
        let stage =
            Self { programs, folder, home, display, clock, has_disk, parts: Mutex::new(parts) };
        stage.start_bus()?;
        stage.start_server()?;
        stage.start_notifier()?;
        Ok(stage)
    }

    /// One of Askdeck's programs, in this home and on this desktop.
    pub(super) fn askdeck(&self, program: &str) -> Command {
        let mut command = self.tool(&self.programs.join(program));
        self.clock.dress(&mut command);
        command.env("ASKDECK_HOME", &self.home).stdin(Stdio::null());
        command
    }

    /// Any other program on this desktop.
    pub(super) fn tool(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", self.bus_address())
            .env("GDK_BACKEND", "x11")
            .env("LANG", "C.UTF-8")
            .env("HOME", &self.folder)
            .env("XDG_RUNTIME_DIR", self.folder.join("run"))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("LC_ALL")
            .stdin(Stdio::null());
        command
    }

    /// What `xdotool` says; nothing if it fails, or the X server does not answer.
    pub(super) fn xdotool(&self, args: &[&str]) -> Option<String> {
        self.ask("xdotool", args)
    }

    pub(super) fn apps(&self) -> Vec<u32> {
        self.processes("askdeck-desktop")
    }

    pub(super) fn commands(&self) -> Vec<u32> {
        self.processes("askdeck")
    }

    /// The processes that draw.
    pub(super) fn web_processes(&self) -> Vec<u32> {
        let mut found: Vec<u32> = self.apps().into_iter().flat_map(descendants).collect();
        found.retain(|id| process::name(*id).starts_with("WebKitWebProces"));
        found
    }

    pub(super) fn kill_apps(&self) {
        for app in self.apps() {
            signal("KILL", app);
        }
    }

    pub(super) fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    pub(super) fn set_read_only(&self, read_only: bool) -> bool {
        mount(&["-o", if read_only { "remount,ro" } else { "remount,rw" }], &self.data())
    }

    /// Ends the X server, and with it all that it shows.
    pub(super) fn stop_server(&self) {
        let mut parts = self.parts();
        parts.server = None;
        parts.manager = None;
    }

    pub(super) fn start_server(&self) -> Result<()> {
        let mut server = self.bound("Xvfb".as_ref());
        server.args([&self.display, "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        server.arg("-noreset").stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = Running::start(&mut server)?;
        self.start_manager()?;
        if let Some(status) = server.ended()? {
            return Err(format!("another X server has the display {}: {status}", self.display));
        }
        self.parts().server = Some(server);
        Ok(())
    }

    pub(super) fn stop_bus(&self) {
        self.parts().bus = None;
    }

    pub(super) fn start_bus(&self) -> Result<()> {
        // What a killed one left behind would stand in the way.
        let _ = fs::remove_file(self.folder.join("bus"));
        let (bus, _) = start_bus(self, &self.folder.join("bus"))?;
        self.parts().bus = Some(bus);
        Ok(())
    }

    pub(super) fn stop_notifier(&self) {
        self.parts().notifier = None;
    }

    pub(super) fn start_notifier(&self) -> Result<()> {
        let mut dunst = self.tool(Path::new("dunst"));
        dunst.stdout(Stdio::null()).stderr(Stdio::null());
        self.parts().notifier = Some(Running::start(&mut dunst)?);
        Ok(())
    }

    pub(super) fn stop_tray_host(&self) {
        self.parts().tray_host = None;
    }

    /// One that takes every icon, and shows none.
    pub(super) fn start_tray_host(&self) -> Result<()> {
        // One that has lost its bus has ended, or is about to.
        self.stop_tray_host();
        let host = self.run_tray_host("echo")?;
        self.parts().tray_host = Some(host);
        Ok(())
    }

    /// In one of the manners of dbus-test-tool. It has its name when this returns.
    pub(super) fn run_tray_host(&self, manner: &str) -> Result<Running> {
        let mut host = self.tool(Path::new("dbus-test-tool"));
        host.args([manner, &format!("--name={TRAY_HOST}")]);
        let host = Running::start(host.stdout(Stdio::null()).stderr(Stdio::null()))?;
        within(START, "the tray host to have its name", || {
            let mut question = self.tool(Path::new("dbus-send"));
            question
                .args(["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"])
                .arg("org.freedesktop.DBus.NameHasOwner")
                .arg(format!("string:{TRAY_HOST}"));
            let reply = question.output().map_err(|e| format!("cannot start dbus-send: {e}"))?;
            let there = String::from_utf8_lossy(&reply.stdout).contains("boolean true");
            Ok(there.then_some(()))
        })?;
        Ok(host)
    }

    pub(super) fn bus(&self) -> Option<u32> {
        self.parts().bus.as_ref().map(Running::id)
    }

    pub(super) fn notifier(&self) -> Option<u32> {
        self.parts().notifier.as_ref().map(Running::id)
    }

    pub(super) fn tray_host(&self) -> Option<u32> {
        self.parts().tray_host.as_ref().map(Running::id)
    }

    fn start_manager(&self) -> Result<()> {
        within(START, "the X server to listen", || {
            Ok(self.xdotool(&["getdisplaygeometry"]).map(drop))
        })?;
        let openbox = self.tool(Path::new("openbox"));
        let openbox = start_manager(openbox, || self.tool(Path::new("xprop")))?;
        self.parts().manager = Some(openbox);
        Ok(())
    }

    fn bus_address(&self) -> String {
        format!("unix:path={}", self.folder.join("bus").display())
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().expect("nothing panics under this lock")
    }
}

impl Host for Stage {
    fn program(&self, program: &OsStr) -> Command {
        self.tool(Path::new(program))
    }

    fn askdeck_home(&self) -> PathBuf {
        self.home.clone()
    }

    /// An X server that does not answer must not hold up the round.
    fn ask(&self, program: &str, args: &[&str]) -> Option<String> {
        let mut tool = self.tool(Path::new("timeout"));
        let output = tool.args(["3", program]).args(args).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        output.status.success().then_some(text)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let mut parts = self.parts();
        parts.tray_host = None;
        parts.notifier = None;
        parts.manager = None;
        parts.bus = None;
        parts.server = None;
        if self.has_disk {
            let _ = Command::new("umount").arg("--lazy").arg(self.data()).status();
        }
    }
}

fn mount(args: &[&str], folder: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(args).arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    mount.status().is_ok_and(|status| status.success())
}
