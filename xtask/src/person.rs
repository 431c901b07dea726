//! A person who answers by keyboard, and waits for each effect before the next key.

use crate::{Result, window::Window};

#[derive(Clone, Copy)]
pub(crate) enum Press {
    /// A key, by X11's name for it.
    Key(&'static str),
    Text(&'static str),
    /// Enter, to the next step.
    Next,
}

pub(crate) fn press_all(window: &Window, presses: &[Press]) -> Result<()> {
    window.person.await_ready();
    for &press in presses {
        match press {
            Press::Key(key) => {
                window.person.press(key);
                window.settle()?;
            }
            Press::Text(text) => {
                window.person.type_text(text);
                window.settle()?;
            }
            Press::Next => {
                let before = window.title()?;
                window.person.press("Return");
                window.await_next_step(&before)?;
            }
        }
    }
    Ok(())
}
