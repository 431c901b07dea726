//! Askdeck's window as a person in front of a virtual screen sees it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    Result,
    desktop::Desktop,
    process::Running,
    screen::{Area, Picture},
    wait,
};

pub(crate) struct Window<'a> {
    desktop: &'a Desktop,
    id: String,
}

/// The debug build's first start on a busy machine takes a while.
const APPEAR: Duration = Duration::from_secs(45);
const REACT: Duration = Duration::from_secs(20);

impl<'a> Window<'a> {
    /// Waits until the window of `app` is there and painted.
    pub(crate) fn await_painted(desktop: &'a Desktop, app: &mut Running) -> Result<Self> {
        let id = wait::until("Askdeck's window", APPEAR, || {
            if let Some(status) = app.ended()? {
                return Err(format!("askdeck ended with {status} and showed no window"));
            }
            // By its class: where the app's locale is not installed, xdotool cannot read the title.
            let class = ["search", "--onlyvisible", "--class", "^askdeck-desktop$"];
            let found = desktop.ask("xdotool", &class)?;
            Ok(found.and_then(|ids| ids.lines().last().map(str::to_owned)))
        })?;
        let window = Self { desktop, id };
        // A mapped window is still empty. Text brings dozens of shades.
        wait::until("the window to be painted", APPEAR, || {
            let colours = desktop.screen.picture()?.colours(window.area()?);
            Ok((colours > 24).then_some(()))
        })?;
        desktop.demand("xdotool", &["windowactivate", &window.id])?;
        window.settle()?;
        Ok(window)
    }

    /// As the X server has it, to be compared with an earlier one.
    pub(crate) fn title(&self) -> Result<String> {
        self.desktop.demand("xprop", &["-id", &self.id, "-notype", "_NET_WM_NAME"])
    }

    /// Presses a key, by X11's name for it.
    pub(crate) fn press(&self, key: &str) -> Result<()> {
        self.desktop.demand("xdotool", &["key", key]).map(drop)
    }

    pub(crate) fn type_text(&self, text: &str) -> Result<()> {
        self.desktop.demand("xdotool", &["type", "--delay", "10", text]).map(drop)
    }

    /// Waits until `press` has had an effect on the title, which tells the step.
    pub(crate) fn await_next_step(&self, before: &str) -> Result<()> {
        wait::until(&format!("the step after “{before}”"), REACT, || {
            Ok((self.title()? != before).then_some(()))
        })?;
        self.settle().map(drop)
    }

    /// Waits until nothing moves any more, and returns what is seen then.
    pub(crate) fn settle(&self) -> Result<Picture> {
        /// Longer than two frames, and shorter than the caret's blinking.
        const STILL: Duration = Duration::from_millis(150);
        let mut last = self.desktop.screen.picture()?;
        let mut since = Instant::now();
        wait::until("the window to stand still", REACT, || {
            let now = self.desktop.screen.picture()?;
            if now != last {
                last = now;
                since = Instant::now();
            }
            Ok((since.elapsed() > STILL).then(|| last.clone()))
        })
    }

    pub(crate) fn photograph(&self, file: &Path) -> Result<()> {
        self.desktop.photograph(&self.id, file)
    }

    fn area(&self) -> Result<Area> {
        let reply = self.desktop.demand("xdotool", &["getwindowgeometry", "--shell", &self.id])?;
        area(&reply).ok_or_else(|| format!("cannot read the window's place from `{reply}`"))
    }
}

fn area(reply: &str) -> Option<Area> {
    let field = |name: &str| {
        let value = reply.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        // A window may begin beyond the left or upper edge.
        Some(usize::try_from(value.parse::<i64>().ok()?.max(0)).unwrap_or(0))
    };
    Some(Area { x: field("X")?, y: field("Y")?, width: field("WIDTH")?, height: field("HEIGHT")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_place_of_a_window() {
        let reply = "WINDOW=2097159\nX=-4\nY=82\nWIDTH=640\nHEIGHT=520\nSCREEN=0\n";
        assert_eq!(area(reply), Some(Area { x: 0, y: 82, width: 640, height: 520 }));
        assert_eq!(area("WINDOW=2097159\n"), None);
    }
}
