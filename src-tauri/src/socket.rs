//! Where the app listens. Whoever gets there first is the app; all others find it.

use std::{
    fs::{self, DirBuilder, File, Permissions},
    io::{self, ErrorKind},
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
        net::{UnixListener, UnixStream},
    },
    path::{Path, PathBuf},
};

use rustix::{net::sockopt::socket_peercred, process::getuid};

use crate::paths;

/// A place for one app: a private directory with the socket in it.
#[derive(Debug, Clone)]
pub struct Place {
    socket: PathBuf,
}

/// What became of the attempt to listen.
pub enum Listening {
    Here(Listeners),
    /// Another app listens there already.
    Elsewhere,
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
        let stream = UnixStream::connect(&self.socket)?;
        // Somebody else may have put one there, to hear what is asked and to answer it. At the end of
        // a forwarded one there may be any user.
        if !self.is_foreign() && socket_peercred(&stream)?.uid != getuid() {
            return Err(Self::not_ours());
        }
        Ok(stream)
    }

    /// Listens, unless another app does. A socket that a dead one left behind is replaced.
    pub fn listen(&self) -> io::Result<Listening> {
        self.prepare()?;
        // Two that start at the same moment come here one after the other.
        let _turn = self.take_turn()?;
        if self.connect().is_ok() {
            return Ok(Listening::Elsewhere);
        }
        let own = bind(&self.socket)?;
        let remote = if self.is_foreign() { None } else { self.remote().listen_alone().ok() };
        Ok(Listening::Here(Listeners { own, remote }))
    }

    /// The place for callers on other machines. It has a directory of its own, so that this can be
    /// mounted into a container: a mounted file would be that of an app that has ended.
    fn remote(&self) -> Self {
        Self { socket: self.directory().join("remote/askdeck.sock") }
    }

    fn listen_alone(&self) -> io::Result<UnixListener> {
        self.prepare()?;
        bind(&self.socket)
    }

    /// Does something that no app may start in the middle of. Nothing if one listens already.
    pub fn without_app<T>(&self, act: impl FnOnce() -> T) -> io::Result<Option<T>> {
        self.prepare()?;
        let _turn = self.take_turn()?;
        Ok(if self.connect().is_ok() { None } else { Some(act()) })
    }

    /// Makes room for the next app. Whoever connected too late starts it.
    pub fn leave(&self, listeners: Listeners) -> io::Result<()> {
        let _turn = self.take_turn()?;
        remove(&self.socket)?;
        if listeners.remote.is_some() {
            remove(&self.remote().socket)?;
        }
        drop(listeners);
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
        if !found.is_dir() || found.uid() != getuid().as_raw() {
            return Err(Self::not_ours());
        }
        if found.mode() & 0o077 != 0 {
            fs::set_permissions(directory, Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    fn not_ours() -> io::Error {
        io::Error::new(ErrorKind::PermissionDenied, "it belongs to somebody else")
    }

    fn take_turn(&self) -> io::Result<File> {
        let file = File::create(self.socket.with_extension("lock"))?;
        file.lock()?;
        Ok(file)
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
