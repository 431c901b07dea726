//! Where the desk listens. The first to bind is the desk; all others connect to it.

use std::{
    fs::{self, DirBuilder, File, Permissions, TryLockError},
    io::{self, ErrorKind},
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
        net::{UnixListener, UnixStream},
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::{fs::inotify::WatchFlags, io::Errno, net::sockopt::socket_peercred, process::getuid};
use thiserror::Error;

use crate::{
    files::{self, Unfit},
    paths,
    watch::Watch,
};

/// How long an app whose socket is gone may take to listen again.
const RETURN: Duration = Duration::from_secs(5);

/// The files beside the socket: the lock while a desk starts, the lock while it runs, and the log of its
/// start.
const ENDINGS: [&str; 3] = [LOCK, APP, LOG];
const LOCK: &str = "lock";
const APP: &str = "app";
const LOG: &str = "log";

/// Why a directory cannot be trusted, and what to do about it.
#[derive(Debug, Error)]
pub enum Untrusted {
    #[error("it belongs to somebody else; set ASKDECK_HOME to a folder of your own")]
    Foreign,
    #[error("it is a symbolic link; remove it, or set ASKDECK_HOME to another folder")]
    Link,
    #[error("`{0}` in it is a symbolic link; remove that")]
    LinkInside(String),
    #[error("`{0}` in it is not a file of yours alone; remove that")]
    Planted(String),
}

impl From<Untrusted> for io::Error {
    fn from(why: Untrusted) -> Self {
        Self::new(ErrorKind::PermissionDenied, why)
    }
}

/// Where a desk listens: a private directory with the socket in it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    socket: PathBuf,
    /// The socket is somebody else's to provide, such as one forwarded from another machine.
    is_foreign: bool,
}

/// What became of the attempt to listen.
pub enum Bind {
    Bound(InstanceLock),
    /// Another desk listens there.
    AlreadyRunning,
}

/// As long as it is held, no other desk can listen at the endpoint.
pub struct InstanceLock {
    pub listeners: Listeners,
    /// Locked. A socket can be removed by anybody; this outlasts it.
    _file: File,
}

pub struct Listeners {
    /// For programs of this user.
    pub own: UnixListener,
    /// For callers on other machines. Where it cannot be had, the rest still works.
    pub remote: Option<UnixListener>,
}

impl Listeners {
    pub fn try_clone(&self) -> io::Result<Self> {
        let remote = self.remote.as_ref().map(UnixListener::try_clone).transpose()?;
        Ok(Self { own: self.own.try_clone()?, remote })
    }
}

impl Endpoint {
    /// The endpoint of this user, or where `ASKDECK_SOCKET` points.
    pub fn of_user() -> Self {
        Self { socket: paths::socket(), is_foreign: paths::is_socket_given() }
    }

    /// The endpoint of this user on this machine, wherever `ASKDECK_SOCKET` points.
    pub fn on_this_machine() -> Self {
        Self { socket: paths::own_socket(), is_foreign: false }
    }

    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Whether the socket is somebody else's to provide, such as one forwarded from another machine.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    pub fn directory(&self) -> &Path {
        self.socket.parent().unwrap_or(Path::new("/"))
    }

    /// Where the app writes what goes wrong while it starts.
    pub fn log(&self) -> PathBuf {
        self.socket.with_extension(LOG)
    }

    pub fn begin_log(&self) -> io::Result<File> {
        let log = self.create(LOG)?;
        log.set_len(0)?;
        Ok(log)
    }

    pub fn connect(&self) -> io::Result<UnixStream> {
        let stream = UnixStream::connect(&self.socket)?;
        // Somebody else may have put one there, to hear what is asked and to answer it. At the end of
        // a forwarded one there may be any user.
        if !self.is_foreign() && socket_peercred(&stream)?.uid != getuid() {
            return Err(Untrusted::Foreign.into());
        }
        Ok(stream)
    }

    /// Listens, unless another app does. A socket that a dead one left behind is replaced.
    pub fn listen(&self) -> io::Result<Bind> {
        self.listen_at(|| if self.is_foreign() { None } else { self.remote().listen_alone().ok() })
    }

    /// The same without callers on other machines, who can only ask in a window.
    pub fn listen_own(&self) -> io::Result<Bind> {
        self.listen_at(|| None)
    }

    fn listen_at(&self, remote: impl FnOnce() -> Option<UnixListener>) -> io::Result<Bind> {
        let Some((_startup, file)) = self.lock_instance()? else {
            return Ok(Bind::AlreadyRunning);
        };
        let listeners = Listeners { own: bind(&self.socket)?, remote: remote() };
        Ok(Bind::Bound(InstanceLock { listeners, _file: file }))
    }

    /// The endpoint for callers on other machines. It has a directory of its own, so that this can be
    /// mounted into a container: a mounted file would be that of an app that has ended.
    #[must_use]
    pub fn remote(&self) -> Self {
        Self { socket: self.directory().join("remote/askdeck.sock"), ..*self }
    }

    fn listen_alone(&self) -> io::Result<UnixListener> {
        self.prepare()?;
        bind(&self.socket)
    }

    /// Locks out all other desks: the first file while this one starts, the second as long as it runs.
    /// Nothing if another one listens. One whose socket was removed is waited for: it will listen again.
    fn lock_instance(&self) -> io::Result<Option<(File, File)>> {
        self.prepare()?;
        let begun = Instant::now();
        loop {
            // Two that start at the same moment come here one after the other.
            let startup = self.lock_startup()?;
            if self.connect().is_ok() {
                return Ok(None);
            }
            let instance = self.create(APP)?;
            match instance.try_lock() {
                Ok(()) => return Ok(Some((startup, instance))),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if begun.elapsed() > RETURN => {
                    let problem = "Askdeck is running but does not listen";
                    return Err(io::Error::new(ErrorKind::TimedOut, problem));
                }
                Err(TryLockError::WouldBlock) => {}
            }
            drop(startup);
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// For the desk that has the instance lock: listens again, unless it does.
    pub fn listen_again(&self) -> io::Result<Option<UnixListener>> {
        self.prepare()?;
        let _startup = self.lock_startup()?;
        if self.connect().is_ok() { Ok(None) } else { bind(&self.socket).map(Some) }
    }

    /// Returns when the socket is not there any more, without looking all the time.
    pub fn await_removal(&self) -> Result<(), Errno> {
        let removal = WatchFlags::DELETE
            | WatchFlags::MOVED_FROM
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF;
        let watch = match Watch::begin(self.directory(), removal) {
            Err(Errno::NOENT) => return Ok(()),
            watch => watch?,
        };
        while self.socket.exists() {
            watch.wait()?;
        }
        Ok(())
    }

    /// Tells when a desk may have begun to listen.
    pub fn watch_for_desk(&self) -> Result<Watch, Errno> {
        Watch::begin(self.directory(), WatchFlags::CREATE | WatchFlags::ATTRIB)
    }

    /// Makes room for the next desk. Whoever connected too late starts it.
    pub fn leave(&self, lock: InstanceLock) -> io::Result<()> {
        let _startup = self.lock_startup()?;
        remove(&self.socket)?;
        if lock.listeners.remote.is_some() {
            remove(&self.remote().socket)?;
        }
        drop(lock);
        Ok(())
    }

    /// Makes the directory, and makes sure that it is nobody else's.
    pub fn prepare(&self) -> io::Result<()> {
        if self.is_foreign() {
            // It may be anybody's, such as /tmp.
            return Ok(());
        }
        let directory = self.directory();
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let found = fs::symlink_metadata(directory)?;
        if found.is_symlink() {
            return Err(Untrusted::Link.into());
        }
        if found.uid() != getuid().as_raw() {
            return Err(Untrusted::Foreign.into());
        }
        if found.mode() & 0o077 != 0 {
            fs::set_permissions(directory, Permissions::from_mode(0o700))?;
        }
        // Others may have been here before it was private.
        ENDINGS.iter().try_for_each(|ending| {
            let file = self.socket.with_extension(ending);
            files::check_own(&file).map_err(|error| planted(&file, error))
        })
    }

    fn lock_startup(&self) -> io::Result<File> {
        let file = self.create(LOCK)?;
        file.lock()?;
        Ok(file)
    }

    /// A file beside the socket. Never one that has another name, which could be any other file.
    fn create(&self, ending: &str) -> io::Result<File> {
        let file = self.socket.with_extension(ending);
        let mut options = File::options();
        files::open_own(&file, options.write(true).create(true))
            .map_err(|error| planted(&file, error))
    }
}

/// Names the file that somebody has put in the place of ours, if that is why.
fn planted(file: &Path, error: io::Error) -> io::Error {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if file.is_symlink() {
        Untrusted::LinkInside(name).into()
    } else if Unfit::is_why(&error) {
        Untrusted::Planted(name).into()
    } else {
        error
    }
}

fn bind(socket: &Path) -> io::Result<UnixListener> {
    remove(socket)?;
    let listener = UnixListener::bind(socket)?;
    fs::set_permissions(socket, Permissions::from_mode(0o600))?;
    Ok(listener)
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
