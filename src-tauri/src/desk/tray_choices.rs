//! What the person chose in the tray's menu.

use std::sync::Arc;

use tauri::{AppHandle, Manager};

use super::Desk;
use crate::{
    history_window,
    tray::{self, TrayChoice},
};

pub(super) fn take(app: &AppHandle, choice: TrayChoice) {
    let desk = app.state::<Arc<Desk>>();
    match choice {
        // With nothing to answer, what was answered.
        TrayChoice::ShowDeck => drop(desk.show(None) || history_window::open(app)),
        TrayChoice::Show { ticket } => drop(desk.show(Some(&ticket))),
        TrayChoice::Quiet(quiet) => desk.set_quiet(quiet),
        TrayChoice::StartAtLogin(on) => {
            // The mark in the menu shows whether it worked.
            let _unchanged = tray::set_start_at_login(on);
            desk.draw_tray();
        }
        TrayChoice::History => drop(history_window::open(app)),
        TrayChoice::Quit => desk.quit(),
    }
}
