//! A Wayland desktop for one test alone: sway without a screen, a session bus, and a person with
//! real keys and a real mouse.

use std::{
    collections::VecDeque,
    fs,
    ops::Deref,
    os::unix::fs::{PermissionsExt, chown},
    process::{Child, Stdio},
};

use askdeck_testkit::{Host, Running, start_bus};
use serde_json::Value;

use super::{Accessible, Home, Notifications, Role, mouse::Mouse, until};

pub(crate) struct Compositor {
    _mouse: Mouse,
    /// In the order in which they must end.
    parts: VecDeque<Running>,
    bus: String,
    home: Home,
}

/// sway refuses to be root, so under root it is nobody.
const NOBODY: u32 = 65_534;

/// A window of another program, with a box to type in.
const EDITOR: &str = r#"<interface><object class="GtkWindow" id="editor"><property name="title">Editor</property>
<child><object class="GtkEntry" id="text"><property name="visible">1</property></object></child></object></interface>"#;

impl Compositor {
    pub(crate) fn start() -> Self {
        Self::with("")
    }

    /// Where the window takes keys and clicks as soon as it shows a question.
    pub(crate) fn without_arming() -> Self {
        Self::in_home(Home::new().without_arming(), "")
    }

    /// With one more line in sway's configuration.
    pub(crate) fn with(line: &str) -> Self {
        Self::in_home(Home::new(), line)
    }

    fn in_home(home: Home, line: &str) -> Self {
        let folder = home.path("sway");
        fs::create_dir(&folder).expect("the home is ours");
        fs::set_permissions(home.root(), fs::Permissions::from_mode(0o711)).expect("it is ours");
        let config = folder.join("config");
        let lines = format!("xwayland disable\noutput * resolution 1280x800\n{line}\n");
        fs::write(&config, lines).expect("it is ours");
        let mut sway = home.command("setpriv");
        sway.args(["--pdeathsig", "KILL"]);
        if rustix::process::getuid().is_root() {
            chown(&folder, Some(NOBODY), Some(NOBODY)).expect("root may");
            let nobody = NOBODY.to_string();
            sway.args(["--reuid", &nobody, "--regid", &nobody, "--clear-groups"]);
        }
        let (socket, display) = (folder.join("socket"), folder.join("wayland-1"));
        sway.arg("sway")
            .arg("--config")
            .arg(&config)
            .env("XDG_RUNTIME_DIR", &folder)
            .env("SWAYSOCK", &socket)
            .env("WLR_BACKENDS", "headless")
            .env("WLR_LIBINPUT_NO_DEVICES", "1")
            .env("WLR_RENDERER", "pixman")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let sway = Running::start(&mut sway).expect("sway is installed");
        until("sway to listen", || (socket.exists() && display.exists()).then_some(()));
        let started = start_bus(&home, &home.path("run/bus"));
        let (bus, address) = started.expect("dbus-daemon is installed");
        let home = home
            .with("DBUS_SESSION_BUS_ADDRESS", &address)
            .with("SWAYSOCK", socket.display().to_string())
            .with("WAYLAND_DISPLAY", display.display().to_string());
        // It only waits. Without a keyboard that stays, windows learn of one by its first key, too late.
        let mut keyboard = home.bound("wtype".as_ref());
        let keyboard =
            Running::start(keyboard.args(["-s", "4000000"])).expect("wtype is installed");
        let mouse = Mouse::plug_in(&display);
        let compositor =
            Self { home, bus: address, parts: [keyboard, bus, sway].into(), _mouse: mouse };
        until("sway to have a keyboard and a mouse", || {
            let seats = compositor.ask("get_seats");
            (seats[0]["capabilities"] == 3).then_some(())
        });
        compositor
    }

    /// What it tells about the window of Askdeck, once that is there.
    #[track_caller]
    pub(crate) fn await_window(&self) -> Value {
        until("Askdeck's window", || self.window())
    }

    pub(crate) fn window(&self) -> Option<Value> {
        find(&self.ask("get_tree"), &|node| node["app_id"] == "askdeck-desktop").cloned()
    }

    pub(crate) fn notifications(&self) -> Notifications<'_> {
        Notifications::of_session(self, &self.bus)
    }

    /// Opens another program's window, and waits until what is typed arrives in its box.
    #[track_caller]
    pub(crate) fn open_editor(&mut self) -> Accessible {
        let file = self.path("editor.ui");
        fs::write(&file, EDITOR).expect("the home is ours");
        let mut editor = self.bound("gtk-builder-tool".as_ref());
        editor.arg("preview").arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let editor = Running::start(&mut editor).expect("gtk-builder-tool is installed");
        self.parts.push_front(editor);
        let text = until("the editor", || self.accessible().all(Role::Text).pop());
        until("a first key", || {
            self.press("a");
            (!text.text().is_empty()).then_some(())
        });
        text
    }

    /// What a screen reader finds.
    pub(crate) fn accessible(&self) -> Accessible {
        Accessible::of_session(&self.bus)
    }

    /// Presses and releases a key, by the name that X11 and Wayland have for it.
    #[track_caller]
    pub(crate) fn press(&self, key: &str) {
        self.run("wtype", &["-k", key]);
    }

    /// Types without a pause, digits and letters and Enter, until the process is ended.
    #[track_caller]
    pub(crate) fn type_on(&self) -> Child {
        let mut typing = self.bound("wtype".as_ref());
        typing.args(["-d", "20"]);
        for _ in 0..1_000 {
            typing.args(["1a2b3c4d5", "-k", "Return"]);
        }
        typing.spawn().expect("wtype is installed")
    }

    /// Clicks the middle of what a screen reader found in the window.
    #[track_caller]
    pub(crate) fn click(&self, what: &Accessible) {
        let window = self.await_window();
        let offset = |axis: &str| {
            let at = |rect: &str| window[rect][axis].as_i64().expect("sway tells places");
            at("rect") + at("window_rect")
        };
        let (x, y) = what.middle_in_window().expect("it has a place");
        let (x, y) = (offset("x") + i64::from(x), offset("y") + i64::from(y));
        self.run("swaymsg", &["seat", "-", "cursor", "set", &x.to_string(), &y.to_string()]);
        self.run("swaymsg", &["seat", "-", "cursor", "press", "button1"]);
        self.run("swaymsg", &["seat", "-", "cursor", "release", "button1"]);
    }

    /// How many colours are on the screen: a window that is not painted has hardly any.
    pub(crate) fn colours(&self) -> usize {
        let picture = self.run("grim", &["-t", "ppm", "-"]);
        let pixels: std::collections::HashSet<_> = picture.chunks_exact(3).collect();
        pixels.len()
    }

    fn ask(&self, what: &str) -> Value {
        let told = self.run("swaymsg", &["--raw", "--type", what]);
        serde_json::from_slice(&told).expect("sway tells JSON")
    }

    #[track_caller]
    fn run(&self, program: &str, args: &[&str]) -> Vec<u8> {
        let output = self.command(program).args(args).output().expect("the program is installed");
        assert!(output.status.success(), "{program} {args:?}: {output:?}");
        output.stdout
    }
}

fn find<'a>(node: &'a Value, is_it: &dyn Fn(&Value) -> bool) -> Option<&'a Value> {
    if is_it(node) {
        return Some(node);
    }
    let below = ["nodes", "floating_nodes"].into_iter().filter_map(|name| node[name].as_array());
    below.flatten().find_map(|node| find(node, is_it))
}

impl Deref for Compositor {
    type Target = Home;

    fn deref(&self) -> &Home {
        &self.home
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        // A command that still waits would start its app again, on whatever screen is there then.
        self.home.end_programs();
    }
}
