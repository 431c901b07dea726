//! A person at a screen: real X11 keys and clicks, and what they see of windows.

use super::{Screen, pressing_until, until};

pub(crate) struct Person<'a> {
    screen: &'a Screen,
    window: String,
}

impl<'a> Person<'a> {
    /// Waits until a window of Askdeck is on the screen.
    pub(crate) fn at(screen: &'a Screen) -> Self {
        Self::at_window(screen, "")
    }

    /// The same, where there are several windows: for the one whose title begins so.
    pub(crate) fn at_window(screen: &'a Screen, title: &str) -> Self {
        until("Askdeck's window to be mapped", || {
            let windows = ["search", "--onlyvisible", "--class", "askdeck-desktop"];
            let found = screen.ask("xdotool", windows)?;
            let mut people = found.lines().map(|window| Self { screen, window: window.into() });
            people.find(|person| person.title().starts_with(title))
        })
    }

    /// The title, or nothing once the window is gone.
    pub(crate) fn title(&self) -> String {
        self.screen.ask("xdotool", ["getwindowname", &self.window]).unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn await_title(&self, expected: &str) {
        until(format!("the title `{expected}`"), || (self.title() == expected).then_some(()));
    }

    #[track_caller]
    pub(crate) fn await_gone(&self) {
        until("the window to go", || self.title().is_empty().then_some(()));
    }

    /// Waits until no app runs here.
    #[track_caller]
    pub(crate) fn await_no_app(&self) {
        until("the app to end", || {
            self.screen.programs("askdeck-desktop").is_empty().then_some(())
        });
    }

    /// Presses and releases keys, by X11's names for them: `Return`, `ctrl+Tab`.
    #[track_caller]
    pub(crate) fn press(&self, keys: &str) {
        for key in keys.split(' ') {
            self.tool(["key", key]);
        }
    }

    /// Presses the keys until they have had their effect.
    #[track_caller]
    pub(crate) fn press_until<T>(&self, keys: &str, effect: impl FnMut() -> Option<T>) -> T {
        pressing_until(format!("{keys} to have an effect"), || self.press(keys), effect)
    }

    #[track_caller]
    pub(crate) fn hold(&self, key: &str) {
        self.tool(["keydown", key]);
    }

    #[track_caller]
    pub(crate) fn release(&self, key: &str) {
        self.tool(["keyup", key]);
    }

    /// Presses keys so fast that nobody could be faster.
    #[track_caller]
    pub(crate) fn press_at_once(&self, keys: &str) {
        let keys: Vec<_> = keys.split(' ').collect();
        let mut tool = self.screen.command("xdotool");
        let pressed = tool.args(["key", "--delay", "0"]).args(&keys).status();
        assert!(pressed.is_ok_and(|status| status.success()), "xdotool failed: {keys:?}");
    }

    #[track_caller]
    pub(crate) fn type_text(&self, text: &str) {
        self.tool(["type", text]);
    }

    /// Clicks a point of the window.
    #[track_caller]
    pub(crate) fn click(&self, x: i64, y: i64) {
        self.point(x, y);
        self.tool(["click", "1"]);
    }

    /// Clicks a point of the screen.
    #[track_caller]
    pub(crate) fn click_screen(&self, x: i32, y: i32) {
        self.tool(["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    }

    /// Moves the mouse to a point of the window.
    #[track_caller]
    pub(crate) fn point(&self, x: i64, y: i64) {
        let (x, y) = (x.to_string(), y.to_string());
        self.tool(["mousemove", "--window", &self.window, &x, &y]);
    }

    #[track_caller]
    pub(crate) fn mouse_down(&self) {
        self.tool(["mousedown", "1"]);
    }

    #[track_caller]
    pub(crate) fn mouse_up(&self) {
        self.tool(["mouseup", "1"]);
    }

    /// Moves the window, so that another one can be seen.
    #[track_caller]
    pub(crate) fn move_window(&self, x: i64, y: i64) {
        let (x, y) = (x.to_string(), y.to_string());
        self.tool(["windowmove", "--sync", &self.window, &x, &y]);
    }

    /// Where the window is, as the screen counts.
    #[track_caller]
    pub(crate) fn corner(&self) -> String {
        self.geometry(["X", "Y"])
    }

    /// How large the window is.
    #[track_caller]
    pub(crate) fn size(&self) -> String {
        self.geometry(["WIDTH", "HEIGHT"])
    }

    #[track_caller]
    fn geometry(&self, names: [&str; 2]) -> String {
        let told = self.screen.ask("xdotool", ["getwindowgeometry", "--shell", &self.window]);
        let told = told.expect("the window is there");
        told.lines().filter(|line| names.iter().any(|name| line.starts_with(name))).collect()
    }

    pub(crate) fn is_visible(&self) -> bool {
        let visible = ["search", "--onlyvisible", "--class", "askdeck-desktop"];
        let visible = self.screen.ask("xdotool", visible).unwrap_or_default();
        visible.lines().any(|window| window == self.window)
    }

    /// Brings the window to the front, as a task list does. One that has just appeared without the
    /// keyboard takes none for a moment, though the window manager may think that it did.
    #[track_caller]
    pub(crate) fn activate(&self) {
        pressing_until(
            "the window to get the keyboard",
            || self.tool(["windowactivate", &self.window]),
            || {
                let focused = self.screen.ask("xdotool", ["getwindowfocus"]);
                (focused.as_ref() == Some(&self.window)).then_some(())
            },
        );
    }

    pub(crate) fn has_keyboard(&self) -> bool {
        self.screen.ask("xdotool", ["getactivewindow"]).as_ref() == Some(&self.window)
    }

    /// Whether no other window covers it.
    pub(crate) fn is_in_front(&self) -> bool {
        let stack = self.screen.ask("xprop", ["-root", "_NET_CLIENT_LIST_STACKING"]);
        let top = stack.as_deref().and_then(|stack| stack.rsplit("0x").next());
        top.and_then(|top| u64::from_str_radix(top, 16).ok()) == self.window.parse().ok()
    }

    /// Whether it asks for attention, as a task list shows by a blinking entry.
    pub(crate) fn is_urgent(&self) -> bool {
        let hints = self.screen.ask("xprop", ["-id", &self.window, "WM_HINTS"]);
        hints.is_some_and(|hints| hints.contains("urgency hint bit is set"))
    }

    /// The process that the window belongs to.
    #[track_caller]
    pub(crate) fn app(&self) -> u32 {
        let pid = self.screen.ask("xdotool", ["getwindowpid", &self.window]);
        pid.and_then(|pid| pid.parse().ok()).expect("the window tells its process")
    }

    #[track_caller]
    fn tool<const N: usize>(&self, args: [&str; N]) {
        assert!(self.screen.ask("xdotool", args).is_some(), "xdotool failed: {args:?}");
    }
}
