//! Signals as something that can be waited for beside keys.

use std::{
    io::{self, Read},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH},
    flag, low_level,
};

/// Those that end the program, or stop it, after the terminal was given back.
const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGTERM, SIGTSTP];

pub(super) struct Signals {
    came: [(i32, Arc<AtomicBool>); 4],
    wake: UnixStream,
}

impl Signals {
    pub(super) fn catch() -> io::Result<Self> {
        let (wake, waker) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let came = ENDING.map(|signal| (signal, Arc::new(AtomicBool::new(false))));
        for (signal, flag) in &came {
            flag::register(*signal, Arc::clone(flag))?;
            low_level::pipe::register(*signal, waker.try_clone()?)?;
        }
        low_level::pipe::register(SIGWINCH, waker)?;
        Ok(Self { came, wake })
    }

    /// Stops the program, as the signal would have done, until it is continued.
    pub(super) fn stop() {
        // What cannot be stopped goes on.
        let _ = low_level::emulate_default_handler(SIGTSTP);
    }

    /// The signal that came, unless it was only the size of the terminal that changed.
    pub(super) fn take(&mut self) -> Option<i32> {
        // There may be more signals than that, but their flags tell.
        let _ = self.wake.read(&mut [0; 64]);
        let mut came = self.came.iter().filter(|(_, came)| came.swap(false, Ordering::Relaxed));
        came.next().map(|(signal, _)| *signal)
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
