//! A person at a screen: real X11 keys and clicks, and what they see of windows.

use std::time::{Duration, Instant};

use crate::{Host, Wire, press_at_most, until, until_settled};

pub struct Person<'a> {
    host: &'a dyn Host,
    pub window: String,
}

/// Askdeck's windows that are on the screen.
pub fn windows(host: &dyn Host) -> Vec<String> {
    let visible = ["search", "--onlyvisible", "--class", "^askdeck-desktop$"];
    let found = host.ask("xdotool", &visible).unwrap_or_default();
    found.lines().map(str::to_owned).collect()
}

impl<'a> Person<'a> {
    /// Waits until a window of Askdeck is on the screen.
    #[track_caller]
    pub fn at(host: &'a dyn Host) -> Self {
        Self::at_window(host, "")
    }

    /// The same, where there are several windows: for the one whose title begins so.
    #[track_caller]
    pub fn at_window(host: &'a dyn Host, title: &str) -> Self {
        until("Askdeck's window to be mapped", || {
            let mut people = windows(host).into_iter().map(|window| Self { host, window });
            people.find(|person| person.title().starts_with(title))
        })
    }

    /// The title, or nothing once the window is gone.
    pub fn title(&self) -> String {
        self.host.ask("xdotool", &["getwindowname", &self.window]).unwrap_or_default()
    }

    #[track_caller]
    pub fn await_title(&self, expected: &str) {
        until(format!("the title `{expected}`"), || (self.title() == expected).then_some(()));
    }

    #[track_caller]
    pub fn await_gone(&self) {
        until("the window to go", || self.title().is_empty().then_some(()));
    }

    /// Waits until no app runs here.
    #[track_caller]
    pub fn await_no_app(&self) {
        until("the app to end", || self.host.processes("askdeck-desktop").is_empty().then_some(()));
    }

    /// Presses and releases keys, by X11's names for them: `Return`, `ctrl+Tab`.
    #[track_caller]
    pub fn press(&self, keys: &str) {
        for key in keys.split(' ') {
            self.tool(&["key", key]);
        }
    }

    /// Waits until the window takes keys, presses these once, and waits for their effect.
    ///
    /// Only for a window without arming: nobody can see from outside when the delay is over.
    #[track_caller]
    pub fn press_once<T>(&self, keys: &str, effect: impl FnMut() -> Option<T>) -> T {
        self.press_at_most(1, keys, effect)
    }

    /// The same where the first press may come too early, for a reason that the test has to give.
    #[track_caller]
    pub fn press_at_most<T>(&self, most: u32, keys: &str, effect: impl FnMut() -> Option<T>) -> T {
        self.await_ready();
        press_at_most(most, format!("the effect of {keys}"), || self.press(keys), effect)
    }

    /// Waits until a window has the keyboard and shows a question: without arming, the next key
    /// counts.
    #[track_caller]
    pub fn await_ready(&self) {
        until_settled("a window of Askdeck to have the keyboard and show a question", || {
            let focused = self.host.ask("xdotool", &["getwindowfocus"]);
            focused.is_some_and(|window| windows(self.host).contains(&window))
                && shows_question(self.host)
        });
    }

    #[track_caller]
    pub fn hold(&self, key: &str) {
        self.tool(&["keydown", key]);
    }

    #[track_caller]
    pub fn release(&self, key: &str) {
        self.tool(&["keyup", key]);
    }

    /// Presses keys so fast that nobody could be faster.
    #[track_caller]
    pub fn press_at_once(&self, keys: &str) {
        let keys = ["key", "--delay", "0"].into_iter().chain(keys.split(' '));
        self.tool(&keys.collect::<Vec<_>>());
    }

    #[track_caller]
    pub fn type_text(&self, text: &str) {
        self.tool(&["type", text]);
    }

    /// Clicks a point of the window.
    #[track_caller]
    pub fn click(&self, x: i64, y: i64) {
        self.point(x, y);
        self.tool(&["click", "1"]);
    }

    /// Clicks a point of the screen.
    #[track_caller]
    pub fn click_screen(&self, x: i32, y: i32) {
        self.tool(&["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    }

    /// Moves the mouse to a point of the window.
    #[track_caller]
    pub fn point(&self, x: i64, y: i64) {
        self.tool(&["mousemove", "--window", &self.window, &x.to_string(), &y.to_string()]);
    }

    #[track_caller]
    pub fn mouse_down(&self) {
        self.tool(&["mousedown", "1"]);
    }

    #[track_caller]
    pub fn mouse_up(&self) {
        self.tool(&["mouseup", "1"]);
    }

    /// Moves the window, so that another one can be seen.
    #[track_caller]
    pub fn move_window(&self, x: i64, y: i64) {
        self.tool(&["windowmove", "--sync", &self.window, &x.to_string(), &y.to_string()]);
    }

    /// Where the window is, as the screen counts.
    #[track_caller]
    pub fn corner(&self) -> [i64; 2] {
        let [x, y, ..] = self.geometry();
        [x, y]
    }

    /// How large the window is.
    #[track_caller]
    pub fn size(&self) -> [i64; 2] {
        let [.., width, height] = self.geometry();
        [width, height]
    }

    /// Where the window is, and how large.
    #[track_caller]
    pub fn geometry(&self) -> [i64; 4] {
        let told = self.host.ask("xdotool", &["getwindowgeometry", "--shell", &self.window]);
        let told = told.expect("the window is there");
        ["X=", "Y=", "WIDTH=", "HEIGHT="].map(|name| {
            let value = told.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
            value.expect("xdotool tells where a window is")
        })
    }

    pub fn is_visible(&self) -> bool {
        windows(self.host).contains(&self.window)
    }

    /// Brings the window to the front, as a task list does. One that has just appeared without the
    /// keyboard takes none for a moment, though the window manager may think that it did.
    #[track_caller]
    pub fn activate(&self) {
        const AGAIN: Duration = Duration::from_millis(500);
        let mut last: Option<Instant> = None;
        until("the window to get the keyboard", || {
            if last.is_none_or(|last| last.elapsed() > AGAIN) {
                self.tool(&["windowactivate", &self.window]);
                last = Some(Instant::now());
            }
            self.is_focused().then_some(())
        });
    }

    /// Whether the X server sends keys to it.
    pub fn is_focused(&self) -> bool {
        self.host.ask("xdotool", &["getwindowfocus"]).as_ref() == Some(&self.window)
    }

    /// Whether the window manager has given it the keyboard.
    pub fn has_keyboard(&self) -> bool {
        self.host.ask("xdotool", &["getactivewindow"]).as_ref() == Some(&self.window)
    }

    /// Whether no other window covers it.
    pub fn is_in_front(&self) -> bool {
        let stack = self.host.ask("xprop", &["-root", "_NET_CLIENT_LIST_STACKING"]);
        let top = stack.as_deref().and_then(|stack| stack.rsplit("0x").next());
        top.and_then(|top| u64::from_str_radix(top, 16).ok()) == self.window.parse().ok()
    }

    /// Whether it asks for attention, as a task list shows by a blinking entry.
    pub fn is_urgent(&self) -> bool {
        let hints = self.host.ask("xprop", &["-id", &self.window, "WM_HINTS"]);
        hints.is_some_and(|hints| hints.contains("urgency hint bit is set"))
    }

    /// The process that the window belongs to.
    #[track_caller]
    pub fn app(&self) -> u32 {
        let pid = self.host.ask("xdotool", &["getwindowpid", &self.window]);
        pid.and_then(|pid| pid.parse().ok()).expect("the window tells its process")
    }

    #[track_caller]
    fn tool(&self, args: &[&str]) {
        assert!(self.host.ask("xdotool", args).is_some(), "xdotool failed: {args:?}");
    }
}

/// Whether a question is open that the person was shown, and the window shows what it should.
pub fn shows_question(host: &dyn Host) -> bool {
    /// What a test does next may be what makes the window ready.
    const PATIENCE: Duration = Duration::from_secs(2);
    let look = || {
        let mut app = Wire::connect(&host.socket())?;
        app.be_patient_for(PATIENCE)?;
        let open = app.call("list", "{}")?;
        let shown = ["shown", "caller_left"].map(|state| format!(r#""state":"{state}""#));
        let is_shown = shown.iter().any(|state| open.contains(state));
        Ok::<_, String>(is_shown && app.call("ready", "{}").is_ok())
    };
    look().unwrap_or(false)
}
