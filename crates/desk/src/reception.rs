//! Lets callers in to the desk, and listens again whenever somebody has removed its socket, as those
//! do who tidy up temporary files: nobody could find the desk without it.

use std::{io, os::unix::net::UnixListener, sync::Arc, thread};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, setsid};
use tokio::runtime::Handle;

use crate::{
    desk::Desk,
    server::{self, Door},
    socket::{Listeners, Place},
};

/// Makes a process of its own of the one that is to be the desk.
pub fn prepare_process() {
    raise_file_limit();
    // Apart from the terminal and the agent that started it, so that it does not end with them. One
    // that was started by hand leads its own already.
    let _leads_already = setsid();
}

/// Every caller that waits holds a file, and the usual limit of 1,024 would be too few callers.
/// Not more than needed: what the desk starts inherits the limit.
fn raise_file_limit() {
    const ENOUGH: u64 = 16 * 1024;
    let limit = getrlimit(Resource::Nofile);
    let current = limit.maximum.map_or(ENOUGH, |most| most.min(ENOUGH));
    if limit.current.is_some_and(|now| now < current) {
        // With fewer files there are fewer callers.
        let _as_it_was = setrlimit(Resource::Nofile, Rlimit { current: Some(current), ..limit });
    }
}

/// Serves all who come, in the background.
pub fn open(place: &Place, listeners: Listeners, desk: &Desk, runtime: &Handle) {
    open_door(place.clone(), listeners.own, Door::Own, desk, runtime);
    if let Some(remote) = listeners.remote {
        open_door(place.remote(), remote, Door::Remote, desk, runtime);
    }
}

fn open_door(place: Place, listener: UnixListener, door: Door, desk: &Desk, runtime: &Handle) {
    accept(listener, door, desk, runtime);
    let (desk, runtime) = (desk.clone(), runtime.clone());
    thread::spawn(move || {
        while place.await_removal().is_ok() && !desk.is_quitting() {
            match place.listen_again() {
                Ok(Some(listener)) => accept(listener, door, &desk, &runtime),
                Ok(None) => {}
                Err(_) => return,
            }
        }
    });
}

fn accept(listener: UnixListener, door: Door, desk: &Desk, runtime: &Handle) {
    let desk = Arc::new(desk.clone());
    runtime.spawn(async move {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::UnixListener::from_std(listener)?;
        server::serve(listener, door, desk).await;
        io::Result::Ok(())
    });
}
