//! `askdeck serve`: the desk of this user without a window, as long as somebody needs it.

use std::{future, io, time::Duration};

use askdeck_desk::{
    client::ClientError,
    config::Config,
    desk::{Desk, NoScreen, Setup},
    paths, reception,
    socket::{Bind, Endpoint, InstanceLock},
    store::Store,
};
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    time::sleep,
};

use super::{CliError, print, tell};

/// How long it waits for the first caller.
const UNVISITED: Duration = Duration::from_secs(10);

pub(super) fn run(announce: bool) -> Result<u8, CliError> {
    reception::prepare_process();
    let place = Endpoint::of_user();
    let listening = place.listen_own().map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => ClientError::Deaf,
        _ => ClientError::NoPlace { directory: place.directory().into(), error },
    })?;
    if announce {
        print("listening")?;
    }
    match listening {
        Bind::Bound(post) => serve(&place, post).map_err(CliError::NotServed)?,
        Bind::AlreadyRunning => {
            if !announce {
                tell("Askdeck is already running");
            }
        }
    }
    Ok(0)
}

fn serve(place: &Endpoint, post: InstanceLock) -> io::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let (store, notice) = Store::open(paths::store().as_deref());
    let (config, wrong) = Config::read(paths::config().as_deref());
    let (quit, mut quits) = mpsc::unbounded_channel();
    let exit = move || {
        let _told_before = quit.send(());
    };
    let setup = Setup::new(config, wrong, store, notice);
    let desk = Desk::start(setup, |_| Box::new(NoScreen(exit)));
    reception::open(place, post.listeners.try_clone()?, &desk, runtime.handle());
    runtime.block_on(async {
        let mut terminated = signal(SignalKind::terminate())?;
        let mut interrupted = signal(SignalKind::interrupt())?;
        let unvisited = async {
            sleep(UNVISITED).await;
            desk.go_if_unneeded();
            future::pending::<()>().await;
        };
        tokio::select! {
            _ = quits.recv() => {}
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
            () = unvisited => {}
        }
        io::Result::Ok(())
    })?;
    desk.take_no_more();
    // Callers see their connections close after that, with the process. A socket that stays behind is
    // replaced by the next desk.
    let _stays = place.leave(post);
    runtime.shutdown_background();
    Ok(())
}
