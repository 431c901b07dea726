//! Tells the deck the time when it wants to know, and sleeps otherwise.

use std::{
    sync::{Arc, Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

use super::desk::Desk;

/// Wakes the ticker, because the time that the deck waits for may have changed.
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

pub(super) fn start(desk: Arc<Desk>) {
    thread::spawn(move || {
        loop {
            if desk.ticker.wait(desk.next_tick()) {
                desk.tick();
            }
        }
    });
}
