//! Where the app listens. Whoever gets there first is the app; all others find it.

use std::{
    fs::{self, DirBuilder, File, Permissions, TryLockError},
    io::{self, ErrorKind},
    mem::MaybeUninit,
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
        net::{UnixListener, UnixStream},
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    fs::inotify::{self, CreateFlags, Reader, WatchFlags},
    io::Errno,
};

use crate::paths;

/// How long an app whose socket is gone may take to listen again.
const RETURN: Duration = Duration::from_secs(5);

/// A place for one app: a private directory with the socket in it.
#[derive(Debug, Clone)]
pub struct Place {
    socket: PathBuf,
}

/// What became of the attempt to listen.
pub enum Listening {
    Here(Post),
    /// Another app listens there already.
    Elsewhere,
}

/// The right to be the one app of a place, as long as this lives.
pub struct Post {
    pub listener: UnixListener,
    /// Locked. A socket can be removed by anybody; this outlasts it.
    _alone: File,
}

/// The same right, before it is used.
struct Claim {
    _turn: File,
    alone: File,
}

impl Place {
    /// The place of this user, or where `ASKDECK_SOCKET` points.
    pub fn of_user() -> Self {
        Self { socket: paths::socket() }
    }

    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Whether the socket is somebody else's to provide, such as one forwarded from another machine.
    pub fn is_foreign(&self) -> bool {
        paths::is_socket_given()
    }

    pub fn directory(&self) -> &Path {
        self.socket.parent().unwrap_or(Path::new("/"))
    }

    /// Where the app writes what goes wrong while it starts.
    pub fn log(&self) -> PathBuf {
        self.socket.with_extension("log")
    }

    pub fn connect(&self) -> io::Result<UnixStream> {
        UnixStream::connect(&self.socket)
    }

    /// Listens, unless another app does. A socket that a dead one left behind is replaced.
    pub fn listen(&self) -> io::Result<Listening> {
        let Some(Claim { _turn, alone }) = self.claim()? else {
            return Ok(Listening::Elsewhere);
        };
        Ok(Listening::Here(Post { listener: self.bind()?, _alone: alone }))
    }

    /// Does something that no app may start in the middle of. Nothing if one listens already.
    pub fn without_app<T>(&self, act: impl FnOnce() -> T) -> io::Result<Option<T>> {
        Ok(self.claim()?.map(|_claim| act()))
    }

    /// Makes sure that no app is here, and that none comes as long as the claim lives. Nothing if one
    /// listens. One whose socket was removed is waited for: it will listen again.
    fn claim(&self) -> io::Result<Option<Claim>> {
        self.prepare()?;
        let begun = Instant::now();
        loop {
            // Two that start at the same moment come here one after the other.
            let turn = self.take_turn()?;
            if self.connect().is_ok() {
                return Ok(None);
            }
            let alone = File::create(self.socket.with_extension("app"))?;
            match alone.try_lock() {
                Ok(()) => return Ok(Some(Claim { _turn: turn, alone })),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if begun.elapsed() > RETURN => {
                    let problem = "an app runs there, but does not listen";
                    return Err(io::Error::new(ErrorKind::TimedOut, problem));
                }
                Err(TryLockError::WouldBlock) => {}
            }
            drop(turn);
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// For an app that has the post: listens again, unless it does.
    pub fn listen_again(&self) -> io::Result<Option<UnixListener>> {
        self.prepare()?;
        let _turn = self.take_turn()?;
        if self.connect().is_ok() { Ok(None) } else { self.bind().map(Some) }
    }

    fn bind(&self) -> io::Result<UnixListener> {
        remove(&self.socket)?;
        let listener = UnixListener::bind(&self.socket)?;
        fs::set_permissions(&self.socket, Permissions::from_mode(0o600))?;
        Ok(listener)
    }

    /// Returns when the socket is not there any more, without looking all the time.
    pub fn await_removal(&self) -> Result<(), Errno> {
        let watch = inotify::init(CreateFlags::CLOEXEC)?;
        let removal = WatchFlags::DELETE
            | WatchFlags::MOVED_FROM
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF;
        match inotify::add_watch(&watch, self.directory(), removal) {
            Err(Errno::NOENT) => return Ok(()),
            watched => watched?,
        };
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut changes = Reader::new(&watch, &mut buffer);
        // Watched first and looked then: it may be gone already.
        while self.socket.exists() {
            changes.next()?;
        }
        Ok(())
    }

    /// Makes room for the next app. Whoever connected too late starts it.
    pub fn leave(&self, post: Post) -> io::Result<()> {
        let _turn = self.take_turn()?;
        remove(&self.socket)?;
        drop(post);
        Ok(())
    }

    /// Makes the directory, and makes sure that it is nobody else's.
    pub fn prepare(&self) -> io::Result<()> {
        let directory = self.directory();
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let found = fs::symlink_metadata(directory)?;
        if !found.is_dir() || found.uid() != rustix::process::getuid().as_raw() {
            let problem = format!("{} belongs to somebody else", directory.display());
            return Err(io::Error::new(ErrorKind::PermissionDenied, problem));
        }
        if found.mode() & 0o077 != 0 {
            fs::set_permissions(directory, Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    fn take_turn(&self) -> io::Result<File> {
        let file = File::create(self.socket.with_extension("lock"))?;
        file.lock()?;
        Ok(file)
    }
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
