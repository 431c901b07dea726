//! How a new question gets the person's attention, politely.

use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};

use askdeck_core::{
    dialog::Dialog,
    text,
    words::{self, Words},
};
use askdeck_desk::{config::Config, desk::Notify, paths};
use tauri::WebviewWindow;

use super::{
    focus,
    notification::{Notice, Notifier},
    show, sound, x_server,
};

pub(super) struct Attention {
    config: Config,
    notifier: Notifier,
    words: &'static Words,
    /// The person asked to see the window, so it may come to the front.
    wanted: AtomicBool,
    /// The dialog that the notification on screen is about.
    notified: Mutex<Option<String>>,
}

impl Attention {
    /// `clicked` is called with the ticket of a notification that the person clicked.
    pub(super) fn new(config: Config, clicked: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self {
            config,
            notifier: Notifier::new(clicked),
            words: paths::language().words(),
            wanted: AtomicBool::new(false),
            notified: Mutex::default(),
        }
    }

    /// The person asks for the window: next time it comes to the front.
    pub(super) fn want(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// Shows the window: with the keyboard if the person asked for it or their hands rest, and
    /// otherwise in sight only. Whether they should be notified, since they may not look there.
    pub(super) fn show(&self, window: &WebviewWindow) -> tauri::Result<bool> {
        let wanted = self.wanted.swap(false, Ordering::Relaxed);
        let was_visible = window.is_visible()?;
        if was_visible && !wanted && window.is_focused()? {
            return Ok(false);
        }
        if self.config.sound && !was_visible {
            show::once_in_sight(window, sound::play)?;
        }
        if wanted || self.takes_keyboard() {
            show::in_front(window)?;
            Ok(false)
        } else {
            show::quietly(window)?;
            Ok(true)
        }
    }

    /// Whether a window that nobody asked for gets the keyboard now.
    pub(super) fn takes_keyboard(&self) -> bool {
        focus::takes_keyboard(self.config.focus, x_server::idle_for())
    }

    /// What to say about a dialog.
    pub(super) fn notice(&self, dialog: &Dialog, what: Notify) -> Notice {
        let say = |word| words::say(self.words, word, []);
        let name = dialog.caller.name();
        let about = || text::clean_line(dialog.in_words(self.words).about());
        let (title, body) = match what {
            Notify::Asked => (name.asks().say(self.words), about()),
            Notify::Reused => {
                (say("reused_title"), format!("{}: {}", name.say(self.words), about()))
            }
            Notify::SetAside => (say("set_aside_title"), say("set_aside_text")),
        };
        Notice::new(&dialog.id, &title, &body)
    }

    /// Shows a notification, in place of the one before.
    pub(super) fn notify(&self, notice: Notice) {
        let mut notified = self.notified();
        *notified = Some(notice.ticket.clone());
        self.notifier.show(notice);
    }

    /// Calls `then` once the person can see what they were told, and soon in any case.
    pub(super) fn once_told(&self, then: impl FnOnce() + Send + 'static) {
        self.notifier.once_shown(then);
    }

    /// The person is at the window.
    pub(super) fn got(&self) {
        self.take_away(|_| true);
    }

    /// The dialog has ended.
    pub(super) fn forget(&self, ticket: &str) {
        self.take_away(|notified| notified == ticket);
    }

    /// Takes the notification away if it is about such a dialog.
    fn take_away(&self, is_such: impl FnOnce(&str) -> bool) {
        let mut notified = self.notified();
        if notified.take_if(|notified| is_such(notified)).is_some() {
            self.notifier.clear();
        }
    }

    /// Locked as long as what is on screen changes: it must not be one thing, and this another.
    fn notified(&self) -> MutexGuard<'_, Option<String>> {
        self.notified.lock().expect("nothing panics under this lock")
    }
}
