//! The window in which the person looks back: made when it is first wanted, hidden when it is
//! closed, and then without a page, which would take as much memory as the deck's.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use askdeck_core::words;
use askdeck_desk::paths;
use tauri::{AppHandle, Manager, WebviewWindow};
use webkit2gtk::WebViewExt;

use super::{desktop::Desktop, show, window};

pub(super) const LABEL: &str = "history";

#[derive(Default)]
pub(super) struct HistoryState {
    /// The person looks at it, or will once it is drawn.
    open: AtomicBool,
    /// The person asked for it, so it gets the keyboard.
    wanted: AtomicBool,
}

impl HistoryState {
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }
}

/// The person wants to look back. Whether there is a window now, or soon.
pub(super) fn open(app: &AppHandle) -> bool {
    app.state::<Arc<Desktop>>().history.wanted.store(true, Ordering::Relaxed);
    bring(app)
}

/// Brings the window to the person, with the keyboard only if a new question would get it. Whether
/// there is one now, or soon.
pub(super) fn bring(app: &AppHandle) -> bool {
    let desktop = app.state::<Arc<Desktop>>();
    let was_open = desktop.history.open.swap(true, Ordering::Relaxed);
    let opened = match app.get_webview_window(LABEL) {
        Some(window) if was_open => show(&window),
        Some(window) => window.with_webview(|webview| webview.inner().reload()),
        // Somebody else is making it: a double click starts two that ask for it.
        None if was_open => Ok(()),
        None => create(app),
    };
    // What another one has opened stays open.
    if opened.is_err() && !was_open {
        desktop.history.open.store(false, Ordering::Relaxed);
    }
    opened.is_ok()
}

pub(super) fn show(window: &WebviewWindow) -> tauri::Result<()> {
    let desktop = window.state::<Arc<Desktop>>();
    let wanted = desktop.history.wanted.swap(false, Ordering::Relaxed);
    if wanted || desktop.attention.takes_keyboard() {
        window.unminimize()?;
        window.show()?;
        window.set_focus()
    } else {
        show::quietly(window)
    }
}

pub(super) fn close(app: &AppHandle) {
    app.state::<Arc<Desktop>>().history.open.store(false, Ordering::Relaxed);
    let Some(window) = app.get_webview_window(LABEL) else { return };
    // A window that is gone needs neither.
    window.hide().ok();
    window.with_webview(|webview| webview.inner().terminate_web_process()).ok();
}

fn create(app: &AppHandle) -> tauri::Result<()> {
    let title = words::say(paths::language().words(), "past_title", []);
    let window = window::builder(app, LABEL, "history.html")
        .title(format!("{title} — Askdeck"))
        .inner_size(760.0, 680.0)
        .build()?;
    show::prepare(&window)?;
    let crashed = window.clone();
    window.with_webview(move |webview| {
        // A page that crashes takes nothing with it, and can be opened again. It is closed as the
        // person would: an app that was only there for it has to go.
        webview.inner().connect_web_process_terminated(move |_, _| {
            if crashed.state::<Arc<Desktop>>().history.is_open() {
                crashed.close().ok();
            }
        });
    })
}
