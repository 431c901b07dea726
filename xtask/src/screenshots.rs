//! `cargo xtask screenshots`: the pictures in `docs/`, taken of the real window.

use std::{path::Path, process::Stdio};

use askdeck_testkit::{Host, Running};

use crate::{
    Result,
    demo::SAMPLE,
    desktop::Desktop,
    packages,
    person::{
        Press::{self, Key, Next, Text},
        press_all,
    },
    place, setup, step,
    window::Window,
};

struct Shot {
    /// The picture is `docs/NAME.png`.
    name: &'static str,
    presses: &'static [Press],
    theme: &'static str,
    locale: &'static str,
}

pub(crate) const DARK: &str = "Adwaita:dark";
pub(crate) const LIGHT: &str = "Adwaita";
pub(crate) const ENGLISH: &str = "en_US.UTF-8";
pub(crate) const PORTUGUESE: &str = "pt_BR.UTF-8";
pub(crate) const CHINESE: &str = "zh_CN.UTF-8";

const TO_MULTI: &[Press] = &[Key("1"), Next, Key("1"), Key("3")];
const TO_TEXT: &[Press] = &[Key("1"), Next, Key("1"), Next, Text("Checkout is faster.")];
const TO_REVIEW: &[Press] = &[
    Key("1"),
    Next,
    Key("1"),
    Key("3"),
    Next,
    Text("Checkout is faster, and says why a card was declined."),
    Next,
    Text("5"),
    Next,
    Key("1"),
    Next,
    Text("not-a-real-token"),
    Next,
    Key("1"),
    Next,
];

const SHOTS: &[Shot] = &[
    shot("preview-dark", &[], DARK, ENGLISH),
    shot("preview-light", &[], LIGHT, ENGLISH),
    shot("multi-dark", TO_MULTI, DARK, ENGLISH),
    shot("multi-light", TO_MULTI, LIGHT, ENGLISH),
    shot("text-dark", TO_TEXT, DARK, ENGLISH),
    shot("text-light", TO_TEXT, LIGHT, ENGLISH),
    shot("review-dark", TO_REVIEW, DARK, ENGLISH),
    shot("review-light", TO_REVIEW, LIGHT, ENGLISH),
    shot("multi-pt-br", TO_MULTI, DARK, PORTUGUESE),
    shot("multi-zh-cn", TO_MULTI, LIGHT, CHINESE),
];

pub(crate) fn run() -> Result<()> {
    setup::ensure(&[packages::BUILD, packages::DISPLAY, packages::SCREENSHOTS])?;
    step::run("build", &mut step::cargo(&["build"]))?;
    let program = place::target()?.join("debug/askdeck");
    for shot in SHOTS {
        eprintln!("==> docs/{}.png", shot.name);
        // Each has an app of its own, since an app keeps its theme and its language, and a screen
        // of its own, since the last app takes its time to say goodbye.
        let home = format!("screenshots/{}", shot.name);
        let desktop = Desktop::start(&place::askdeck_home(&home, place::NO_ARMING)?)?;
        shot.take(&desktop, &program).map_err(|e| format!("docs/{}.png: {e}", shot.name))?;
    }
    Ok(())
}

const fn shot(
    name: &'static str,
    presses: &'static [Press],
    theme: &'static str,
    locale: &'static str,
) -> Shot {
    Shot { name, presses, theme, locale }
}

impl Shot {
    fn take(&self, desktop: &Desktop, program: &Path) -> Result<()> {
        let mut command = desktop.bound(program);
        command
            .args(["ask", SAMPLE])
            .current_dir(place::root())
            .env("GTK_THEME", self.theme)
            .env("LANG", self.locale)
            .env("LC_ALL", self.locale)
            .env_remove("LANGUAGE")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let mut app = Running::start(&mut command)?;
        let window = Window::await_painted(desktop, &mut app)?;
        press_all(&window, self.presses)?;
        window.photograph(&place::root().join(format!("docs/{}.png", self.name)))?;
        app.interrupt();
        Ok(())
    }
}
