//! Whether the app starts when the person logs in.

use tauri::{AppHandle, Wry, plugin::TauriPlugin};
use tauri_plugin_autostart::{Builder, Error, ManagerExt};

pub(super) fn plugin() -> TauriPlugin<Wry> {
    Builder::new().arg("--resident").build()
}

/// Only once the tray was created, as is its neighbour.
pub(in crate::desktop) fn starts_at_login(app: &AppHandle) -> bool {
    app.autolaunch().is_enabled().unwrap_or(false)
}

pub(in crate::desktop) fn set_start_at_login(app: &AppHandle, on: bool) -> Result<(), Error> {
    if on { app.autolaunch().enable() } else { app.autolaunch().disable() }
}
