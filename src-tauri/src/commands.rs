//! What the page can ask of the app.

#![expect(clippy::needless_pass_by_value, reason = "tauri hands a command its arguments by value")]

use std::sync::Arc;

use askdeck_core::session::{Event, View};
use tauri::{AppHandle, Manager, State, async_runtime::spawn_blocking, ipc::Channel};

use super::{desk::Desk, page::PageMessage, window};

type DeskState<'a> = State<'a, Arc<Desk>>;

/// The page is loaded and wants to draw.
#[tauri::command(async)]
pub(super) fn bind(page: Channel<PageMessage>, desk: DeskState) {
    desk.bind(page);
}

#[tauri::command]
pub(super) async fn apply(ticket: String, event: Event, app: AppHandle) -> Option<View> {
    let desk = Arc::clone(&app.state::<Arc<Desk>>());
    match desk.apply(&ticket, event) {
        Ok(view) => view,
        Err(checks) => {
            // Callers are served on this thread.
            let checked = spawn_blocking(move || desk.check(&ticket, checks)).await;
            checked.ok().flatten()
        }
    }
}

/// The page knows how much room it needs: the window takes that size and appears.
#[tauri::command]
pub(super) fn fit(width: f64, height: f64, desk: DeskState) {
    desk.show_window(width, height);
}

/// Makes room beside the dialog. Whether there was any.
#[tauri::command]
pub(super) fn widen(app: AppHandle, by: f64) -> bool {
    window::widen(&app, by)
}

/// The page has drawn the open dialogs, and can draw them again.
#[tauri::command(async)]
pub(super) fn listed(desk: DeskState) {
    desk.listed();
}

/// The page shows nothing any more.
#[tauri::command(async)]
pub(super) fn wiped(desk: DeskState) {
    desk.wiped();
}

/// The person chose a dialog of the list.
#[tauri::command(async)]
pub(super) fn jump(ticket: &str, desk: DeskState) {
    desk.show(Some(ticket));
}

/// Whether the person wants to hear nothing from this dialog's caller for an hour.
#[tauri::command(async)]
pub(super) fn mute(ticket: &str, muted: bool, desk: DeskState) {
    desk.with(|deck, now| if muted { deck.mute(ticket, now) } else { deck.unmute(ticket, now) });
}

/// Opens a link that the person clicked, and whose whole address they saw.
#[tauri::command(async)]
pub(super) fn open_link(address: &str) {
    if address.starts_with("https://") || address.starts_with("http://") {
        // Without a browser nothing happens; the address can still be copied.
        let _no_browser = open::that_detached(address);
    }
}
