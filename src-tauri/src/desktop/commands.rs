//! What callers and the page can ask of the app.

#![expect(clippy::needless_pass_by_value, reason = "tauri hands a command its arguments by value")]

use std::{sync::mpsc::Receiver, thread};

use serde::Serialize;
use tauri::{AppHandle, Manager, State, ipc::Channel};
use tauri_plugin_opener::OpenerExt;

use super::{open_dialog::OpenDialog, sheet::Sheet, window};
use crate::{
    protocol::{Call, Hello, Reply, VERSION},
    server::Message,
    session::{Event, View},
};

/// Hands the callers' messages to the dialog. The first is waited for: mostly it is the question,
/// and the window must not be there before it.
pub(super) fn serve(app: &AppHandle, messages: Receiver<Message>) {
    if let Ok(message) = messages.recv() {
        handle(app, message);
    }
    let app = app.clone();
    thread::spawn(move || {
        for message in messages {
            handle(&app, message);
        }
    });
}

fn handle(app: &AppHandle, message: Message) {
    let open = app.state::<OpenDialog>();
    match message {
        Message::Call(Call::Hello { .. }, replier) => replier.reply(Reply::Hello(hello())),
        Message::Call(Call::Ask { dialog }, replier) => {
            if open.ask(*dialog, replier) && window::create(app).is_err() {
                app.exit(4);
            }
        }
        Message::Call(Call::Withdraw { dialog }, replier) => {
            let withdrawn = open.is_open(&dialog);
            if withdrawn {
                open.tell(app, Event::Withdrawn);
            }
            replier.reply(Reply::Withdrawn { withdrawn });
        }
        Message::Closed => open.caller_left(app),
    }
}

fn hello() -> Hello {
    Hello {
        protocol: VERSION,
        version: env!("CARGO_PKG_VERSION").into(),
        web_view: format!("WebKitGTK {}", tauri::webview_version().unwrap_or_default()),
        tray_host: window::has_tray_host(),
    }
}

#[derive(Serialize)]
pub(super) struct Opening {
    sheet: Sheet,
    view: View,
}

/// The page is loaded and wants to draw.
#[tauri::command]
pub(super) fn open(page: Channel<View>, dialog: State<OpenDialog>) -> Option<Opening> {
    let (dialog, view) = dialog.open(page)?;
    Some(Opening { sheet: Sheet::new(&dialog), view })
}

#[tauri::command]
pub(super) fn apply(app: AppHandle, event: Event, dialog: State<OpenDialog>) -> Option<View> {
    dialog.apply(&app, event)
}

/// The page knows how much room it needs: the window takes that size and appears.
#[tauri::command]
pub(super) fn fit(app: AppHandle, width: f64, height: f64) {
    window::show(&app, width, height);
}

/// Opens a link that the person clicked, and whose whole address they saw.
#[tauri::command]
pub(super) fn open_link(app: AppHandle, address: &str) {
    if address.starts_with("https://") || address.starts_with("http://") {
        // Without a browser nothing happens; the address can still be copied.
        let _no_browser = app.opener().open_url(address, None::<&str>);
    }
}
