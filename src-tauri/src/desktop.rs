//! The app: the only folder that uses tauri.
//!
//! It shows what it is asked to show and hands every event to the
//! [`Session`](crate::session::Session); it decides nothing.

use std::{
    fmt::Display,
    process::ExitCode,
    sync::mpsc::{self, Sender},
    thread,
};

use tauri::{Manager, RunEvent, WindowEvent};

use crate::{
    client::{self, ClientError},
    server::Message,
};

mod commands;
mod markdown;
mod open_dialog;
mod renderer;
mod sheet;
mod ticker;
mod window;

use open_dialog::OpenDialog;

/// Serves what `listen` delivers, until the dialog that it brings has ended.
///
/// Must be called before the program starts any thread of its own.
#[expect(
    clippy::exit,
    reason = "tauri's macro contains one for the day that its own files are broken"
)]
pub fn run(listen: impl FnOnce(Sender<Message>) + Send + 'static) -> ExitCode {
    renderer::choose();
    let (deliver, messages) = mpsc::channel();
    thread::spawn(move || listen(deliver));
    // Tauri would panic here, and the caller could not tell why.
    if gtk::init().is_err() {
        return fail(&ClientError::NoDisplay, client::NO_DISPLAY);
    }
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_opener::init())
        .invoke_handler(tauri::generate_handler![
            commands::open,
            commands::apply,
            commands::fit,
            commands::open_link
        ])
        .manage(OpenDialog::default())
        .setup(move |app| {
            ticker::start(app.handle().clone());
            commands::serve(app.handle(), messages);
            Ok(())
        })
        .build(tauri::generate_context!());
    let app = match app {
        Ok(app) => app,
        Err(error) => return fail(&error, 4),
    };
    let code = app.run_return(|app, event| {
        if let RunEvent::WindowEvent { event: WindowEvent::CloseRequested { api, .. }, .. } = event
        {
            // Closing is not answering: the session decides what it means.
            api.prevent_close();
            app.state::<OpenDialog>().close_button(app);
        }
    });
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

#[expect(clippy::print_stderr, reason = "the command passes it on when the app fails to start")]
fn fail(error: &impl Display, code: u8) -> ExitCode {
    eprintln!("askdeck-desktop: {error}");
    ExitCode::from(code)
}
