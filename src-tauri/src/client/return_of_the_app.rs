//! Waits for an app that was quit to be started again, without asking all the time.

use std::{mem::MaybeUninit, sync::mpsc::Sender, thread};

use rustix::{
    fs::inotify::{self, CreateFlags, Reader, WatchFlags},
    io::Errno,
};

use super::Incoming;
use crate::socket::Place;

pub(super) fn await_in_background(place: &Place, events: Sender<Incoming>) {
    let place = place.clone();
    thread::spawn(move || {
        // Without the kernel's help it is tried once, and then given up.
        let _unwatched = await_app(&place);
        let _nobody_waits = events.send(Incoming::Back);
    });
}

fn await_app(place: &Place) -> Result<(), Errno> {
    let watch = inotify::init(CreateFlags::CLOEXEC)?;
    inotify::add_watch(&watch, place.directory(), WatchFlags::CREATE | WatchFlags::ATTRIB)?;
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut changes = Reader::new(&watch, &mut buffer);
    // Watched first and tried then: it may be back already.
    while place.connect().is_err() {
        changes.next()?;
    }
    Ok(())
}
