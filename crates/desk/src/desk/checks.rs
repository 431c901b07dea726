//! Checks answers against the schemas of callers, on a thread of its own.

use std::{sync::mpsc, thread};

use askdeck_core::session::Checks;

use super::{Desk, inbox::PostedBy};

/// Checks what the window does not wait for, such as what is typed in a terminal.
pub(super) struct Checker(mpsc::Sender<(String, Checks)>);

impl Checker {
    pub(super) fn start(desk: Desk) -> Self {
        let (sender, receiver) = mpsc::channel::<(String, Checks)>();
        thread::spawn(move || {
            for (ticket, checks) in receiver {
                let verdicts = checks.run();
                desk.post(PostedBy::Person, move |desk| {
                    desk.with(|deck, now| deck.checked(&ticket, verdicts, now));
                });
            }
        });
        Self(sender)
    }

    pub(super) fn take(&self, ticket: String, checks: Checks) {
        self.0.send((ticket, checks)).expect("it ends after the desk");
    }
}
