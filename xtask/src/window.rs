//! Askdeck's window as a person in front of a virtual screen sees it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use askdeck_testkit::{Area, Person, Picture, Running, windows, within};

use crate::{Result, desktop::Desktop};

pub(crate) struct Window<'a> {
    desktop: &'a Desktop,
    pub(crate) person: Person<'a>,
}

/// The debug build's first start on a busy machine takes a while.
const APPEAR: Duration = Duration::from_secs(45);
const REACT: Duration = Duration::from_secs(20);

impl<'a> Window<'a> {
    /// Waits until the window of `app` is there and painted.
    pub(crate) fn await_painted(desktop: &'a Desktop, app: &mut Running) -> Result<Self> {
        within(APPEAR, "Askdeck's window", || {
            if let Some(status) = app.ended()? {
                return Err(format!("askdeck ended with {status} and showed no window"));
            }
            Ok((!windows(desktop).is_empty()).then_some(()))
        })?;
        Self::paint(desktop)
    }

    /// Waits until a window is there that no caller waits for, and painted.
    pub(crate) fn await_any(desktop: &'a Desktop) -> Result<Self> {
        within(APPEAR, "Askdeck's window", || Ok((!windows(desktop).is_empty()).then_some(())))?;
        Self::paint(desktop)
    }

    fn paint(desktop: &'a Desktop) -> Result<Self> {
        let window = Self { desktop, person: Person::at(desktop) };
        // A mapped window is still empty. Text brings dozens of shades.
        within(APPEAR, "the window to be painted", || {
            let colours = desktop.screen.picture()?.colours(area(window.person.geometry()));
            Ok((colours > 24).then_some(()))
        })?;
        window.person.activate();
        window.settle()?;
        Ok(window)
    }

    /// As the X server has it, to be compared with an earlier one: where the app's locale is not
    /// installed, xdotool cannot read it.
    pub(crate) fn title(&self) -> Result<String> {
        self.desktop.demand("xprop", &["-id", &self.person.window, "-notype", "_NET_WM_NAME"])
    }

    /// Waits until `press` has had an effect on the title, which tells the step.
    pub(crate) fn await_next_step(&self, before: &str) -> Result<()> {
        within(REACT, format!("the step after “{before}”"), || {
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
        within(REACT, "the window to stand still", || {
            let now = self.desktop.screen.picture()?;
            if now != last {
                last = now;
                since = Instant::now();
            }
            Ok((since.elapsed() > STILL).then(|| last.clone()))
        })
    }

    pub(crate) fn resize(&self, width: u32, height: u32) -> Result<()> {
        let (width, height) = (width.to_string(), height.to_string());
        // Where it fits, however large it becomes.
        self.desktop.demand("xdotool", &["windowmove", &self.person.window, "20", "20"])?;
        let size = ["windowsize", "--sync", &self.person.window, &width, &height];
        self.desktop.demand("xdotool", &size)?;
        self.settle().map(drop)
    }

    pub(crate) fn photograph(&self, file: &Path) -> Result<()> {
        self.desktop.photograph(&self.person.window, file)
    }
}

/// A window may begin beyond the left or upper edge.
fn area(geometry: [i64; 4]) -> Area {
    let [x, y, width, height] = geometry.map(|n| usize::try_from(n).unwrap_or(0));
    Area { x, y, width, height }
}
