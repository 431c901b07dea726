//! The app: the desk's window, notifications and tray, and the only crate that knows Tauri.
//!
//! It shows what the [`Desk`] puts on the stage and hands every event to it; it decides nothing.

use std::{
    fmt::Display,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use askdeck_desk::{
    client::{self, ClientError},
    config::Config,
    desk::{Desk, Setup},
    paths, reception,
    socket::{Endpoint, InstanceLock},
    store::Store,
};
use tauri::{Manager, RunEvent, WindowEvent};

pub mod arguments;
mod attention;
mod canvas;
mod commands;
mod crashes;
mod desktop;
mod focus;
mod highlight;
mod history_commands;
mod history_entry;
mod history_window;
pub mod markdown;
mod notification;
mod page;
mod renderer;
pub mod sheet;
mod show;
mod sound;
mod tray;
mod tray_choices;
#[cfg(test)]
mod types;
mod warm_up;
mod window;
mod x_server;

use desktop::{Desktop, OnDesktop};

/// Serves all callers, until the deck is empty; if `resident`, until it is told to end.
///
/// Must be called before the program starts any thread of its own.
pub fn run(place: &Endpoint, post: InstanceLock, resident: bool) -> ExitCode {
    renderer::choose();
    // Tauri would panic here, and the caller could not tell why.
    if gtk::init().is_err() {
        return fail(&ClientError::NoDisplay, client::NO_DISPLAY);
    }
    let (store, notice) = Store::open(paths::store().as_deref());
    let (config, wrong) = Config::read(paths::config().as_deref());
    let served = match post.listeners.try_clone() {
        Ok(listeners) => listeners,
        Err(error) => return fail(&error, 4),
    };
    let guarded = place.clone();
    let app = tauri::Builder::default()
        .invoke_handler(tauri::generate_handler![
            commands::bind,
            commands::apply,
            commands::fit,
            commands::highlight,
            commands::widen,
            commands::listed,
            commands::wiped,
            commands::jump,
            commands::mute,
            commands::open_link,
            history_commands::words,
            history_commands::drawn,
            history_commands::search,
            history_commands::overview,
            history_commands::delete,
            history_commands::copy,
            history_commands::close
        ])
        .setup(move |app| {
            let setup = Setup::new(config.clone(), wrong, store, notice);
            let desk = Desk::start(setup, |desk| {
                let desktop = Desktop::new(app.handle().clone(), desk.clone(), config);
                let desktop = Arc::new(desktop);
                app.manage(Arc::clone(&desktop));
                Box::new(OnDesktop(desktop))
            });
            window::create(app.handle())?;
            if resident {
                desk.stay();
            }
            reception::open(&guarded, served, &desk, &reception::start_callers_runtime()?);
            Ok(())
        })
        .build(context());
    let app = match app {
        Ok(app) => app,
        Err(error) => return fail(&error, 4),
    };
    let post = Mutex::new(Some(post));
    let place = place.clone();
    let code = app.run_return(move |app, event| match event {
        RunEvent::WindowEvent { label, event: WindowEvent::CloseRequested { api, .. }, .. }
            if label == window::LABEL =>
        {
            // Closing is not answering.
            api.prevent_close();
            app.state::<Arc<Desktop>>().desk.close();
        }
        RunEvent::WindowEvent { label, event: WindowEvent::CloseRequested { api, .. }, .. }
            if label == history_window::LABEL =>
        {
            api.prevent_close();
            history_window::close(app);
            app.state::<Arc<Desktop>>().desk.history_closed();
        }
        RunEvent::WindowEvent { label, event: WindowEvent::Focused(true), .. }
            if label == window::LABEL =>
        {
            app.state::<Arc<Desktop>>().attention.got();
        }
        // That no window is left is no reason to end.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::Exit => {
            app.state::<Arc<Desktop>>().desk.take_no_more();
            let post = post.lock().expect("nothing panics under this lock").take();
            // A socket that stays behind is replaced by the next app.
            let _ = post.map(|post| place.leave(post));
        }
        _ => {}
    });
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// What `tauri.conf.json` says, and the page.
#[expect(
    clippy::exit,
    reason = "tauri's macro contains one for the day that its own files are broken"
)]
fn context<R: tauri::Runtime>() -> tauri::Context<R> {
    tauri::generate_context!()
}

#[expect(clippy::print_stderr, reason = "the command passes it on when the app fails to start")]
fn fail(error: &impl Display, code: u8) -> ExitCode {
    eprintln!("askdeck-desktop: {error}");
    ExitCode::from(code)
}
