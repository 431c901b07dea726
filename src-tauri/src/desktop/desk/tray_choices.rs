//! What the person chose in the tray's menu.

use std::sync::Arc;

use tauri::{AppHandle, Manager};

use super::Desk;
use crate::desktop::{
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
        TrayChoice::StartAtLogin(on) => start_at_login(app, on),
        TrayChoice::History => drop(history_window::open(app)),
        TrayChoice::Quit => desk.quit(),
    }
}

/// The mark in the menu shows whether it worked.
pub(super) fn start_at_login(app: &AppHandle, on: bool) {
    let handle = app.clone();
    let _ending = app.run_on_main_thread(move || {
        let _unchanged = tray::set_start_at_login(&handle, on);
        let desk = handle.state::<Arc<Desk>>();
        desk.draw_tray(&desk.lock());
    });
}
