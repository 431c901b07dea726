//! Notifications of the desktop, for a person who does not see the window.
//!
//! Tauri's plugin can neither replace a notification nor tell that it was clicked on Linux.

use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::{Duration, Instant},
};

use gtk::{
    gio::{self, BusType, DBusConnection},
    glib::{self, MainContext},
};

mod daemon;
mod slot;

use daemon::Signal;
pub(super) use slot::Notice;
use slot::Slot;

/// How long an app that is about to end waits for a daemon.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Shows at most one notification. Nothing waits for it: without a daemon it does nothing.
pub(super) struct Notifier(Arc<State>);

struct State {
    clicked: Box<dyn Fn(String) + Send + Sync>,
    slot: Mutex<Slot>,
    bus: OnceLock<DBusConnection>,
}

impl Notifier {
    /// `clicked` is called with the ticket of the notification that the person clicked.
    pub(super) fn new(clicked: impl Fn(String) + Send + Sync + 'static) -> Self {
        let state =
            State { clicked: Box::new(clicked), slot: Mutex::default(), bus: OnceLock::new() };
        let notifier = Self(Arc::new(state));
        notifier.on_main_thread(State::connect);
        notifier
    }

    /// Shows one notification, in place of the one before: a burst never stacks.
    pub(super) fn show(&self, notice: Notice) {
        self.want(Some(notice));
    }

    /// Takes it away: nothing waits any more.
    pub(super) fn clear(&self) {
        self.want(None);
    }

    /// Calls `then` once all that was wanted is shown; a daemon that hangs is not waited for long.
    pub(super) fn once_shown(&self, then: impl FnOnce() + Send + 'static) {
        self.on_main_thread(|state| async move {
            let start = Instant::now();
            while !state.slot().is_settled() && start.elapsed() < PATIENCE {
                glib::timeout_future(LOOK_AGAIN).await;
            }
            then();
        });
    }

    fn want(&self, wanted: Option<Notice>) {
        self.0.slot().want(wanted);
        self.on_main_thread(State::settle);
    }

    fn on_main_thread<F: Future<Output = ()> + 'static>(
        &self,
        act: impl FnOnce(Arc<State>) -> F + Send + 'static,
    ) {
        let state = self.0.clone();
        MainContext::default().invoke(move || {
            MainContext::default().spawn_local(act(state));
        });
    }
}

impl State {
    async fn connect(self: Arc<Self>) {
        let Ok(bus) = gio::bus_get_future(BusType::Session).await else { return };
        // By default a bus that ends takes the program with it.
        bus.set_exit_on_close(false);
        let state = self.clone();
        daemon::listen(&bus, move |signal| state.heard(signal));
        if self.bus.set(bus).is_ok() {
            self.settle().await;
        }
    }

    /// Asks the daemon for what is wanted, one step after the other.
    async fn settle(self: Arc<Self>) {
        let Some(bus) = self.bus.get() else { return };
        while let Some(step) = self.next() {
            let shown = daemon::take(bus, step).await;
            self.slot().replied(shown);
        }
    }

    fn next(&self) -> Option<slot::Step> {
        self.slot().next()
    }

    fn heard(&self, signal: Signal) {
        match signal {
            Signal::Clicked(id) => {
                let ticket = self.slot().ticket(id);
                if let Some(ticket) = ticket {
                    (self.clicked)(ticket);
                }
            }
            Signal::Closed(id) => self.slot().closed(id),
            Signal::Replaced => self.slot().forget(),
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().expect("nothing panics under this lock")
    }
}
