//! A person who answers by keyboard, and waits for each effect before the next key.

use std::time::{Duration, Instant};

use crate::{Result, screen::Picture, wait, window::Window};

#[derive(Clone, Copy)]
pub(crate) enum Press {
    /// A key, by X11's name for it.
    Key(&'static str),
    Text(&'static str),
    /// Enter, to the next step.
    Next,
}

pub(crate) fn press_all(window: &Window, presses: &[Press]) -> Result<()> {
    let mut awake = false;
    for &press in presses {
        match press {
            Press::Key(key) if awake => {
                window.press(key)?;
                window.settle()?;
            }
            Press::Key(key) => wake(window, key)?,
            Press::Text(text) => {
                window.type_text(text)?;
                window.settle()?;
            }
            Press::Next => {
                let before = window.title()?;
                window.press("Return")?;
                window.await_next_step(&before)?;
            }
        }
        awake = true;
    }
    Ok(())
}

/// A window that has just opened ignores keys until none came for a moment, so the first one is
/// pressed until it shows. It should be one that does the same when pressed twice.
fn wake(window: &Window, key: &str) -> Result<()> {
    const AGAIN: Duration = Duration::from_millis(500);
    let before: Picture = window.settle()?;
    let mut last: Option<Instant> = None;
    wait::until(&format!("the key {key} to work"), Duration::from_secs(10), || {
        if last.is_none_or(|last| last.elapsed() > AGAIN) {
            window.press(key)?;
            last = Some(Instant::now());
        }
        Ok((window.settle()? != before).then_some(()))
    })
}
