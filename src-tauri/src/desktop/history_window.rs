//! The window in which the person looks back: made when it is wanted, gone when it is closed.

use tauri::{AppHandle, Manager, WebviewWindow};
use webkit2gtk::WebViewExt;

use super::window;
use crate::{paths, words};

pub(super) const LABEL: &str = "history";

/// Brings the window to the person. Whether there is one now.
pub(super) fn open(app: &AppHandle) -> bool {
    match app.get_webview_window(LABEL) {
        Some(window) => show(&window).is_ok(),
        None => create(app).is_ok(),
    }
}

pub(super) fn is_open(app: &AppHandle) -> bool {
    app.get_webview_window(LABEL).is_some()
}

pub(super) fn show(window: &WebviewWindow) -> tauri::Result<()> {
    window.unminimize()?;
    window.show()?;
    window.set_focus()
}

fn create(app: &AppHandle) -> tauri::Result<()> {
    let title = words::say(&paths::language().words(), "past_title", []);
    let window = window::builder(app, LABEL, "history.html")
        .title(format!("{title} — Askdeck"))
        .inner_size(760.0, 680.0)
        .build()?;
    let this = window.clone();
    window.with_webview(move |webview| {
        webview.inner().connect_web_process_terminated(move |_, _| {
            // Nothing is lost with it; the person can open it again.
            let _gone = this.destroy();
        });
    })
}
