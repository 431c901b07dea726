//! What the person chose in the tray's menu.

use std::sync::Arc;

use tauri::{AppHandle, Manager};

use super::{
    desktop::Desktop,
    history_window,
    tray::{self, TrayChoice},
};

pub(super) fn take(app: &AppHandle, choice: TrayChoice) {
    let desktop = app.state::<Arc<Desktop>>();
    match choice {
        TrayChoice::ShowDeck => desktop.desk.show(None),
        TrayChoice::Show { ticket } => desktop.desk.show(Some(ticket)),
        TrayChoice::Quiet(quiet) => desktop.desk.set_quiet(quiet),
        TrayChoice::StartAtLogin(on) => {
            // The mark in the menu shows whether it worked.
            let _ = tray::set_start_at_login(on);
            desktop.draw_tray();
        }
        TrayChoice::History => drop(history_window::open(app)),
        TrayChoice::Quit => desktop.desk.quit(),
    }
}
