//! Waiting for a file or a folder to change, without looking all the time.

use std::{
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::Path,
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::inotify::{self, CreateFlags, Reader, WatchFlags},
    io::{Errno, retry_on_intr},
};

/// Begun before one looks, so that no change is missed in between.
pub struct Watch {
    file: OwnedFd,
}

impl Watch {
    pub fn begin(path: &Path, changes: WatchFlags) -> Result<Self, Errno> {
        let file = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        inotify::add_watch(&file, path, changes)?;
        Ok(Self { file })
    }

    /// Returns when something has changed since it began, or since the last time.
    pub fn wait(&self) -> Result<(), Errno> {
        retry_on_intr(|| poll(&mut [PollFd::new(&self.file, PollFlags::IN)], None))?;
        self.forget();
        Ok(())
    }

    /// The changes until now were noticed.
    pub fn forget(&self) {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut changes = Reader::new(&self.file, &mut buffer);
        while changes.next().is_ok() {}
    }
}

impl AsFd for Watch {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}
