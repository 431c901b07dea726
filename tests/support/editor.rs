//! Another program's window that the person types into.

use std::{
    fs::{self, File},
    path::PathBuf,
    process::{Child, Stdio},
};

use askdeck_testkit::{Host, Running};

use super::{Screen, until};

pub(crate) struct Editor<'a> {
    screen: &'a Screen,
    window: String,
    /// `xev`, which writes down every key that it gets.
    _program: Running,
    keys: PathBuf,
}

impl<'a> Editor<'a> {
    /// Opens it over the whole screen, and waits until it has the keyboard.
    pub(crate) fn open(screen: &'a Screen) -> Self {
        let keys = screen.path("keys");
        let mut xev = screen.bound("xev".as_ref());
        xev.args(["-name", "Editor", "-geometry", "1270x770", "-event", "keyboard"])
            .stdout(File::create(&keys).expect("the home is ours"))
            .stderr(Stdio::null());
        let program = Running::start(&mut xev).expect("xev is installed");
        let window = until("the editor to have the keyboard", || {
            let window = screen.ask("xdotool", ["search", "--name", "^Editor$"])?;
            if screen.ask("xdotool", ["getactivewindow"]).as_ref() == Some(&window) {
                return Some(window);
            }
            // A window manager that has just started may miss that there is a window.
            screen.ask("xdotool", ["windowactivate", &window]);
            None
        });
        Self { screen, window, _program: program, keys }
    }

    /// Begins to type into whatever window has the keyboard.
    pub(crate) fn type_text(&self, text: &str) -> Typing {
        let mut tool = self.screen.command("xdotool");
        let typing = tool.args(["type", "--delay", "12", text]).spawn();
        Typing(typing.expect("xdotool is installed"))
    }

    /// Brings it to the front, as a task list does.
    #[track_caller]
    pub(crate) fn activate(&self) {
        let activated = self.screen.ask("xdotool", ["windowactivate", &self.window]);
        assert!(activated.is_some(), "the editor is gone");
    }

    pub(crate) fn has_keyboard(&self) -> bool {
        self.screen.ask("xdotool", ["getwindowfocus"]).as_ref() == Some(&self.window)
    }

    /// What has arrived here so far. A key that X11 repeats, as it does for one that a busy
    /// machine holds down too long, counts once.
    pub(crate) fn text(&self) -> String {
        let keys = fs::read_to_string(&self.keys).expect("xev writes text");
        let pressed = keys.split("\n\n").filter(|event| event.trim().starts_with("KeyPress"));
        let mut text: Vec<_> = pressed
            .filter_map(|event| event.split_once("XLookupString gives 1 bytes: ("))
            .filter_map(|(_, code)| u8::from_str_radix(code.get(..2)?, 16).ok())
            .map(char::from)
            .collect();
        text.dedup();
        text.into_iter().collect()
    }
}

/// Keys that are being pressed, each to its end: a key that stays down would repeat for ever.
pub(crate) struct Typing(Child);

impl Typing {
    /// Begins to type into whatever window has the keyboard, with Return at the end of each line. No
    /// pause is long enough to be one, even on a busy machine.
    pub(crate) fn begin(screen: &Screen, text: &str) -> Self {
        let keys = text.chars().map(|letter| match letter {
            '\n' => "Return".into(),
            ' ' => "space".into(),
            ',' => "comma".into(),
            letter => letter.to_string(),
        });
        let mut tool = screen.command("xdotool");
        let typing = tool.args(["key", "--delay", "30"]).args(keys).spawn();
        Self(typing.expect("xdotool is installed"))
    }

    #[track_caller]
    pub(crate) fn is_over(&mut self) -> bool {
        self.0.try_wait().expect("it is our child").is_some()
    }
}

impl Drop for Typing {
    fn drop(&mut self) {
        // Without a screen to type on it fails, which ends it as well.
        let _ = self.0.wait();
    }
}
