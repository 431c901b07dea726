//! Answers are checked against the schemas of callers where nobody waits: never under the lock.

use std::{
    sync::{Arc, mpsc},
    thread,
    time::Instant,
};

use askdeck_core::session::{Checks, View};
use tauri::{AppHandle, Manager};

use super::Desk;

/// The thread for what the page does not wait for, such as what is typed in a terminal.
pub(super) struct Checker(mpsc::Sender<(String, Checks)>);

impl Checker {
    pub(super) fn start(app: AppHandle) -> Self {
        let (sender, receiver) = mpsc::channel::<(String, Checks)>();
        thread::spawn(move || {
            for (ticket, checks) in receiver {
                let verdicts = checks.run();
                let desk = app.state::<Arc<Desk>>();
                desk.with(|deck, now| deck.checked(&ticket, verdicts, now));
            }
        });
        Self(sender)
    }

    pub(super) fn take(&self, ticket: String, checks: Checks) {
        // It ends with the app.
        let _ending = self.0.send((ticket, checks));
    }
}

impl Desk {
    /// Checks what an event of the page has brought, and returns what the page draws then. The page
    /// waits for it before it sends the next event, so that keys keep their order.
    pub(crate) fn check(&self, ticket: &str, checks: Checks) -> Option<View> {
        let verdicts = checks.run();
        let mut state = self.lock();
        let (view, effects) = state.deck.take_verdicts(ticket, verdicts, Instant::now());
        self.carry_out(&mut state, effects);
        self.retitle_if_staged(&mut state, ticket, view.as_ref());
        view
    }
}
