//! Tells the session the time when it wants to know, and sleeps otherwise.

use std::{
    sync::{Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

use tauri::{AppHandle, Manager};

use super::open_dialog::OpenDialog;
use crate::session::Event;

/// Wakes the ticker, because the time that the session waits for may have changed.
#[derive(Default)]
pub(super) struct Ticker {
    changed: Mutex<bool>,
    wake: Condvar,
}

impl Ticker {
    pub(super) fn wake(&self) {
        *self.changed.lock().expect("nothing panics under this lock") = true;
        self.wake.notify_one();
    }

    fn wait(&self, until: Option<Instant>) -> bool {
        let changed = self.changed.lock().expect("nothing panics under this lock");
        let patience =
            until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        let (mut changed, waited) = self
            .wake
            .wait_timeout_while(changed, patience, |changed| !*changed)
            .expect("nothing panics under this lock");
        *changed = false;
        waited.timed_out()
    }
}

pub(super) fn start(app: AppHandle) {
    thread::spawn(move || {
        let open = app.state::<OpenDialog>();
        loop {
            if open.ticker.wait(open.next_tick()) {
                open.tell(&app, Event::Tick);
            }
        }
    });
}
