//! Asking the person at the terminal before something is done.

use std::io::{self, BufRead, IsTerminal, Write};

/// The person knows what would be done and does not want it.
pub(super) const DECLINED: u8 = 1;

/// Whether there is a terminal to ask on.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Only a yes is a yes.
pub(super) fn is_agreed(question: &str) -> bool {
    show(&format!("{question} [y/N] "));
    let mut answer = String::new();
    // Who cannot be heard has not agreed.
    let _unheard = io::stdin().lock().read_line(&mut answer);
    ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

pub(super) fn show(text: &str) {
    let mut stderr = io::stderr().lock();
    // With stderr gone there is nobody to show it to.
    let _gone = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
