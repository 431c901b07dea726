//! Messages to a caller. One that does not read holds up nobody.

use std::{
    ffi::c_int,
    io::{self, ErrorKind},
    net::Shutdown,
    os::{fd::AsFd, unix::net},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use rustix::ioctl::{Getter, Opcode, ioctl};
use serde::Serialize;
use tokio::{net::unix::OwnedWriteHalf, runtime::Handle};

use super::crowd::Admission;

/// A caller that leaves so many bytes unread is cut off.
const MOST_UNREAD: usize = 4 * 1024 * 1024;

pub(super) struct Outgoing {
    socket: OwnedWriteHalf,
    /// What the caller has not taken yet.
    unsent: Mutex<Vec<u8>>,
    /// The caller went without having read everything. The kernel says so once, to whichever side
    /// asks first.
    was_reset: AtomicBool,
    /// How many calls are not answered yet: those that may wait for the person, and all others.
    pub(super) waits: AtomicUsize,
    pub(super) calls: AtomicUsize,
    /// Sends it later, whichever thread it comes from.
    runtime: Handle,
    /// Its place is taken as long as its socket is open, also while it is still being written to.
    _admission: Admission,
}

impl Outgoing {
    pub(super) fn new(socket: OwnedWriteHalf, admission: Admission) -> Self {
        Self {
            socket,
            unsent: Mutex::default(),
            was_reset: AtomicBool::default(),
            waits: AtomicUsize::default(),
            calls: AtomicUsize::default(),
            runtime: Handle::current(),
            _admission: admission,
        }
    }

    /// Until this was waited for once, nothing could be written at once.
    pub(super) async fn until_writable(&self) {
        self.socket.writable().await.ok(); // One that is gone is noticed by the reading side.
    }

    /// Whether the caller was there to take it, or can still be hoped to.
    pub(super) fn send(self: &Arc<Self>, message: &impl Serialize) -> bool {
        let Ok(mut line) = serde_json::to_vec(message) else { return false };
        line.push(b'\n');
        let mut unsent = self.lock();
        let was_empty = unsent.is_empty();
        // Mostly it can be written at once, without a task.
        let sent = if was_empty { self.socket.try_write(&line) } else { Ok(0) };
        match sent {
            Ok(length) => drop(line.drain(..length)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => {
                self.note(&error);
                return false;
            }
        }
        // A message that has begun to go out must go out whole.
        if !was_empty && unsent.len() + line.len() > MOST_UNREAD {
            self.hang_up();
            return false;
        }
        unsent.extend(line);
        if was_empty && !unsent.is_empty() {
            self.runtime.spawn(Arc::clone(self).flush());
        }
        true
    }

    async fn flush(self: Arc<Self>) {
        while self.socket.writable().await.is_ok() {
            let mut unsent = self.lock();
            match self.socket.try_write(&unsent) {
                Ok(length) => drop(unsent.drain(..length)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => {
                    self.note(&error);
                    break;
                }
            }
            if unsent.is_empty() {
                break;
            }
        }
    }

    fn note(&self, error: &io::Error) {
        if error.kind() == ErrorKind::ConnectionReset {
            self.was_reset.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the caller has read everything: by now, or before it closed its end.
    pub(super) fn was_all_read(&self) -> bool {
        let is_sent = self.lock().is_empty();
        is_sent && !self.was_reset.load(Ordering::Relaxed) && unread(self.socket.as_ref()) == 0
    }

    /// The reading side then sees the caller as gone.
    fn hang_up(&self) {
        let same = self.socket.as_ref().as_fd().try_clone_to_owned().map(net::UnixStream::from);
        // It may be closed already.
        same.and_then(|socket| socket.shutdown(Shutdown::Both)).ok();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.unsent.lock().expect("nothing panics under this lock")
    }
}

/// How much of what was sent is not read yet, in bytes as the kernel counts them.
#[expect(unsafe_code, reason = "the kernel has no other interface")]
fn unread(socket: impl AsFd) -> c_int {
    /// `SIOCOUTQ`, where it has the usual number.
    const QUEUED: Opcode = 0x5411;
    // SAFETY: of a socket it writes one `int` and does nothing else.
    let unread = unsafe { ioctl(socket, Getter::<QUEUED, c_int>::new()) };
    // Elsewhere the kernel says only of a closed connection whether everything was read.
    unread.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use serde_json::{Value, json};
    use tokio::{
        io::{AsyncBufReadExt, BufReader},
        net::UnixStream,
        runtime::Builder,
    };

    use super::*;
    use askdeck_core::origin::Origin;

    fn admission() -> Admission {
        Admission::ask(false, Origin::Unknown).expect("there is room")
    }

    /// The app's timer and its main thread are none of the runtime's.
    #[test]
    fn slow_reader_gets_the_rest_later() {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        let (here, outgoing) = runtime.block_on(async {
            let (here, app) = UnixStream::pair().unwrap();
            let (_, socket) = app.into_split();
            socket.writable().await.unwrap();
            (here, Arc::new(Outgoing::new(socket, admission())))
        });
        let long = json!("long ".repeat(200_000));
        let message = long.clone();
        assert!(thread::spawn(move || outgoing.send(&message)).join().unwrap());
        let mut line = String::new();
        runtime.block_on(BufReader::new(here).read_line(&mut line)).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), long);
    }
}
