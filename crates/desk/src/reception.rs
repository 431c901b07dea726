//! Accepts callers, and listens again when the socket was removed, as programs do that tidy up
//! temporary files: without it nobody could find the desk.

use std::{io, os::unix::net::UnixListener, sync::Arc, thread};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, setsid};
use tokio::runtime::Handle;

use crate::{
    desk::Desk,
    server::{self, Door},
    socket::{Endpoint, Listeners},
};

/// Prepares this process to be the desk.
pub fn prepare_process() {
    raise_file_limit();
    // Apart from the terminal and the agent that started it, so that it does not end with them.
    setsid().ok(); // It fails if a shell has started this as the leader of a group.
}

/// Every caller that waits holds a file, and the usual limit of 1,024 would be too few callers.
/// Not more than needed: what the desk starts inherits the limit.
fn raise_file_limit() {
    const ENOUGH: u64 = 16 * 1024;
    let limit = getrlimit(Resource::Nofile);
    let current = limit.maximum.map_or(ENOUGH, |most| most.min(ENOUGH));
    if limit.current.is_some_and(|now| now < current) {
        // Should it fail, there is room for fewer callers.
        setrlimit(Resource::Nofile, Rlimit { current: Some(current), ..limit }).ok();
    }
}

/// Serves all who come, in the background.
pub fn open(endpoint: &Endpoint, listeners: Listeners, desk: &Desk, runtime: &Handle) {
    open_door(endpoint.clone(), listeners.own, Door::Own, desk, runtime);
    if let Some(remote) = listeners.remote {
        open_door(endpoint.remote(), remote, Door::Remote, desk, runtime);
    }
}

fn open_door(
    endpoint: Endpoint,
    listener: UnixListener,
    door: Door,
    desk: &Desk,
    runtime: &Handle,
) {
    accept(listener, door, desk, runtime);
    let (desk, runtime) = (desk.clone(), runtime.clone());
    thread::spawn(move || {
        while endpoint.await_removal().is_ok() && !desk.is_quitting() {
            match endpoint.listen_again() {
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
