//! What the page can ask of the app.

#![expect(clippy::needless_pass_by_value, reason = "tauri hands a command its arguments by value")]

use std::sync::Arc;

use askdeck_core::session::{Event, View};
use tauri::{AppHandle, Manager, State, ipc::Channel};

use super::{
    desktop::Desktop,
    highlight::{self, Block, Coloured},
    page::PageMessage,
    window,
};

type DesktopState<'a> = State<'a, Arc<Desktop>>;

/// The page is loaded and wants to draw.
#[tauri::command(async)]
pub(super) fn bind(page: Channel<PageMessage>, desktop: DesktopState) {
    desktop.canvas().bind(page);
    desktop.desk.redraw();
}

#[tauri::command]
pub(super) async fn apply(ticket: String, event: Event, app: AppHandle) -> Option<View> {
    let desktop = Arc::clone(&app.state::<Arc<Desktop>>());
    let view = desktop.desk.apply(ticket.clone(), event).await;
    if let Some(view) = &view {
        desktop.retitle(&ticket, view);
    }
    view
}

/// The page knows how much room it needs: the window takes that size and appears.
#[tauri::command]
pub(super) fn fit(width: f64, height: f64, desktop: DesktopState) {
    desktop.show_window(width, height);
}

/// What the page should colour in a block of code. Asked once the code is painted, and done apart.
#[tauri::command]
pub(super) async fn highlight(language: String, lines: Vec<String>, diff: bool) -> Coloured {
    highlight::colour(Block { language, lines, is_diff: diff }).await
}

/// Makes room beside the dialog. Whether there was any.
#[tauri::command]
pub(super) fn widen(app: AppHandle, by: f64) -> bool {
    window::widen(&app, by)
}

/// The page has drawn the open dialogs, and can draw them again.
#[tauri::command(async)]
pub(super) fn listed(desktop: DesktopState) {
    if desktop.canvas().listed() {
        desktop.desk.list_again();
    }
}

/// The page shows nothing any more.
#[tauri::command(async)]
pub(super) fn wiped(desktop: DesktopState) {
    desktop.desk.wiped();
}

/// The person chose a dialog of the list.
#[tauri::command(async)]
pub(super) fn jump(ticket: String, desktop: DesktopState) {
    desktop.desk.show(Some(ticket));
}

/// Whether the person wants to hear nothing from this dialog's caller for an hour.
#[tauri::command(async)]
pub(super) fn mute(ticket: String, muted: bool, desktop: DesktopState) {
    desktop.desk.mute(ticket, muted);
}

/// Opens a link that the person clicked, and whose whole address they saw.
#[tauri::command(async)]
pub(super) fn open_link(address: &str) {
    if address.starts_with("https://") || address.starts_with("http://") {
        // Without a browser nothing happens; the address can still be copied.
        let _ = open::that_detached(address);
    }
}
