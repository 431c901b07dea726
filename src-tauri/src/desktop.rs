//! The app: the only folder that uses tauri.
//!
//! It shows what the [`Deck`] puts on the stage and hands every event to it; it
//! decides nothing.

use std::{
    fmt::Display,
    os::unix::net::UnixListener,
    process::ExitCode,
    sync::{Arc, Mutex},
    thread,
};

use tauri::{Manager, RunEvent, WindowEvent};

use crate::{
    client::{self, ClientError},
    config::Config,
    deck::Deck,
    paths,
    server::{self, Door},
    socket::{Place, Post},
    store::Store,
};

mod attention;
mod commands;
mod crashes;
mod desk;
mod focus;
mod history_commands;
mod history_window;
pub mod markdown;
mod notification;
mod page;
mod past;
mod rehearsal;
mod renderer;
mod retention;
pub mod sheet;
mod show;
mod sound;
mod ticker;
mod tray;
mod warnings;
mod window;
mod x_server;

use desk::{Desk, DeskService};
use warnings::Warnings;

/// Serves whoever connects, until the deck is empty; if `resident`, until it is told to end.
///
/// Must be called before the program starts any thread of its own.
#[expect(
    clippy::exit,
    reason = "tauri's macro contains one for the day that its own files are broken"
)]
pub fn run(place: &Place, post: Post, resident: bool) -> ExitCode {
    renderer::choose();
    // Tauri would panic here, and the caller could not tell why.
    if gtk::init().is_err() {
        return fail(&ClientError::NoDisplay, client::NO_DISPLAY);
    }
    let (store, notice) = Store::open(paths::store().as_deref());
    let (config, wrong) = Config::read(paths::config().as_deref());
    let warnings = Warnings::new(wrong, notice);
    let kept_for = config.history();
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
            let desk = Arc::new(Desk::new(app.handle().clone(), config, store, warnings));
            app.manage(Arc::clone(&desk));
            window::create(app.handle())?;
            if resident {
                desk.stay();
            }
            ticker::start(Arc::clone(&desk));
            if let Some(kept_for) = kept_for {
                retention::start(Arc::clone(&desk), kept_for);
            }
            let service = Arc::new(DeskService(desk));
            serve(guarded.clone(), served.own, Door::Own, &service);
            if let Some(remote) = served.remote {
                serve(guarded.remote(), remote, Door::Remote, &service);
            }
            Ok(())
        })
        .build(tauri::generate_context!());
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
            // Closing is not answering: the session decides what it means.
            api.prevent_close();
            app.state::<Arc<Desk>>().with(Deck::close);
        }
        RunEvent::WindowEvent { label, event: WindowEvent::CloseRequested { api, .. }, .. }
            if label == history_window::LABEL =>
        {
            api.prevent_close();
            history_window::close(app);
            app.state::<Arc<Desk>>().history_closed();
        }
        RunEvent::WindowEvent { label, event: WindowEvent::Focused(true), .. }
            if label == window::LABEL =>
        {
            app.state::<Arc<Desk>>().attention.got();
        }
        // That no window is left is no reason to end.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::Exit => {
            app.state::<Arc<Desk>>().take_no_more();
            let post = post.lock().expect("nothing panics under this lock").take();
            // A socket that stays behind is replaced by the next app.
            let _stays = post.map(|post| place.leave(post));
        }
        _ => {}
    });
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// Serves all who come by this door, and listens again whenever somebody has removed its socket, as
/// those do who tidy up temporary files: nobody could find the app without it.
fn serve(place: Place, listener: UnixListener, door: Door, service: &Arc<DeskService>) {
    accept(listener, door, service);
    let service = Arc::clone(service);
    thread::spawn(move || {
        while place.await_removal().is_ok() && !service.0.is_quitting() {
            match place.listen_again() {
                Ok(Some(listener)) => accept(listener, door, &service),
                Ok(None) => {}
                Err(_) => return,
            }
        }
    });
}

fn accept(listener: UnixListener, door: Door, service: &Arc<DeskService>) {
    let service = Arc::clone(service);
    tauri::async_runtime::spawn(async move {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::UnixListener::from_std(listener)?;
        server::serve(listener, door, service).await;
        std::io::Result::Ok(())
    });
}

#[expect(clippy::print_stderr, reason = "the command passes it on when the app fails to start")]
fn fail(error: &impl Display, code: u8) -> ExitCode {
    eprintln!("askdeck-desktop: {error}");
    ExitCode::from(code)
}
