//! The dialog on screen: its session, who waits for it, and the page that draws it.

use std::{
    sync::{Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use tauri::{AppHandle, ipc::Channel};

use super::{ticker::Ticker, window};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    protocol::Reply,
    server::Replier,
    session::{Event, Phase, Session, Settings, View},
};

/// How long the last state stays in sight when the person brought it about.
const FAREWELL: Duration = Duration::from_millis(700);
/// How long it says that time is up, to whom it may be news.
const TIME_IS_UP: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct OpenDialog {
    shown: Mutex<Option<Shown>>,
    pub(super) ticker: Ticker,
}

struct Shown {
    session: Session,
    /// `None` once the caller has its outcome.
    waiting: Option<Replier>,
    page: Option<Channel<View>>,
    /// What the window's title says.
    title: String,
}

impl Shown {
    /// The new view; the outcome, if this was the end, with who waits for it; and the new title.
    fn apply(&mut self, event: Event) -> (View, Option<(Replier, Outcome)>, Option<String>) {
        let view = self.session.apply(event, Instant::now());
        let outcome = self.session.outcome().cloned();
        let ended = outcome.and_then(|outcome| Some((self.waiting.take()?, outcome)));
        let title = window::title(self.session.dialog(), &view);
        let changed = title != self.title;
        self.title.clone_from(&title);
        (view, ended, changed.then_some(title))
    }
}

impl OpenDialog {
    /// Takes the dialog, or refuses it if there is one already.
    pub(super) fn ask(&self, dialog: Dialog, replier: Replier) -> bool {
        let mut shown = self.lock();
        if shown.is_some() {
            replier.refuse("a dialog is open already");
            return false;
        }
        let session = Session::new(dialog, Settings::default(), Instant::now());
        *shown = Some(Shown { session, waiting: Some(replier), page: None, title: String::new() });
        true
    }

    /// Binds the page that draws from now on.
    pub(super) fn open(&self, page: Channel<View>) -> Option<(Dialog, View)> {
        let mut shown = self.lock();
        let shown = shown.as_mut()?;
        shown.page = Some(page);
        Some((shown.session.dialog().clone(), shown.session.view(Instant::now())))
    }

    pub(super) fn is_open(&self, id: &str) -> bool {
        let is_it = |shown: &Shown| shown.waiting.is_some() && shown.session.dialog().id == id;
        self.lock().as_ref().is_some_and(is_it)
    }

    /// Applies an event of the page, which draws what is returned.
    pub(super) fn apply(&self, app: &AppHandle, event: Event) -> Option<View> {
        let (view, ended, title) = self.lock().as_mut()?.apply(event);
        // Not under the lock: the window may wait for the main thread, and that one for the lock.
        if let Some((waiting, outcome)) = ended {
            waiting.reply(Reply::Outcome(outcome));
            end(app, view.phase);
        }
        if let Some(title) = title {
            window::set_title(app, &title);
        }
        self.ticker.wake();
        Some(view)
    }

    /// Applies an event that did not come from the page, and tells the page.
    pub(super) fn tell(&self, app: &AppHandle, event: Event) {
        let view = self.apply(app, event);
        let page = self.lock().as_ref().and_then(|shown| shown.page.clone());
        if let (Some(page), Some(view)) = (page, view) {
            // A page that is being reloaded opens the dialog anew.
            let _reloading = page.send(view);
        }
    }

    pub(super) fn close_button(&self, app: &AppHandle) {
        if self.lock().is_some() {
            self.tell(app, Event::CloseButton);
        } else {
            app.exit(0);
        }
    }

    /// The caller is gone: without a dialog there is nothing left to do.
    pub(super) fn caller_left(&self, app: &AppHandle) {
        let waits = self.lock().as_ref().is_some_and(|shown| shown.waiting.is_some());
        if waits {
            self.tell(app, Event::CallerLeft);
        } else if self.lock().is_none() {
            app.exit(0);
        }
    }

    pub(super) fn next_tick(&self) -> Option<Instant> {
        self.lock().as_ref()?.session.next_tick(Instant::now())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Shown>> {
        self.shown.lock().expect("a session that panicked has ended the program")
    }
}

/// Ends the app, after a moment if there is something to see.
fn end(app: &AppHandle, phase: Phase) {
    if phase == Phase::Over {
        return app.exit(0);
    }
    let app = app.clone();
    thread::spawn(move || {
        thread::sleep(if phase == Phase::TimedOut { TIME_IS_UP } else { FAREWELL });
        app.exit(0);
    });
}
