//! Another machine: a real sshd on loopback, a home without a display, and links from a desk to it.

use std::{
    fs,
    net::TcpStream,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use askdeck_testkit::{Host, Running};

use super::{Home, Run, Screen, driver::free_port, signal, until};

pub(crate) struct Server {
    _sshd: Running,
    port: u16,
    pub(crate) home: Home,
}

impl Server {
    pub(crate) fn start() -> Self {
        let home = Home::new();
        for key in ["host", "person"] {
            let made = home
                .command("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(home.path(key))
                .status();
            assert!(made.is_ok_and(|made| made.success()), "ssh-keygen is installed");
        }
        let port = free_port();
        let config = format!(
            "ListenAddress 127.0.0.1:{port}\n\
             HostKey {0}/host\n\
             AuthorizedKeysFile {0}/person.pub\n\
             PasswordAuthentication no\n\
             PermitRootLogin yes\n\
             StrictModes no\n\
             StreamLocalBindUnlink yes\n\
             PidFile none\n",
            home.root().display()
        );
        fs::write(home.path("sshd_config"), config).expect("the home is ours");
        if rustix::process::getuid().is_root() {
            // It does not start as root without it; elsewhere the service makes it.
            fs::create_dir_all("/run/sshd").expect("root may");
        }
        let program =
            ["/usr/sbin/sshd", "/usr/bin/sshd"].into_iter().find(|it| Path::new(it).exists());
        // It starts itself anew for every link, and so must know its whole path.
        let mut sshd = home.bound(program.expect("sshd is installed").as_ref());
        sshd.args(["-D", "-f"]).arg(home.path("sshd_config"));
        let sshd = Running::start(sshd.stdin(Stdio::null()).stderr(Stdio::null()));
        let sshd = sshd.expect("setpriv is installed");
        until("sshd to listen", || TcpStream::connect(("127.0.0.1", port)).ok());
        Self { home, port, _sshd: sshd }
    }

    /// Where the desk's socket comes out.
    pub(crate) fn socket(&self) -> PathBuf {
        self.home.path("run/desk.sock")
    }

    /// Something that an agent runs here.
    pub(crate) fn agent(&self, run: Run) -> Run {
        run.env("ASKDECK_SOCKET", self.socket().display().to_string())
    }

    /// `ssh` from a desk to here, which forwards the desk's socket for callers from elsewhere.
    pub(crate) fn ssh(&self, desk: &Screen) -> Command {
        self.forward(desk, "askdeck/run/remote/askdeck.sock")
    }

    /// The same with another of its sockets.
    pub(crate) fn forward(&self, desk: &Screen, socket: &str) -> Command {
        let forwarded = format!("{}:{}", self.socket().display(), desk.path(socket).display());
        let mut ssh = desk.bound("ssh".as_ref());
        ssh.args(["-F", "none", "-R", &forwarded, "-p", &self.port.to_string(), "-i"])
            .arg(self.home.path("person"))
            .args(["-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes"])
            .args(["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]);
        ssh
    }

    /// A link that stays until it is cut.
    #[track_caller]
    pub(crate) fn link(&self, desk: &Screen) -> Link {
        self.keep(self.ssh(desk))
    }

    /// The same, from `ssh` that forwards something.
    #[track_caller]
    pub(crate) fn keep(&self, mut ssh: Command) -> Link {
        ssh.args(["-N", "127.0.0.1"]).stdin(Stdio::null()).stderr(Stdio::null());
        let ssh = Running::start(&mut ssh).expect("setpriv is installed");
        until("the link to be there", || UnixStream::connect(self.socket()).ok());
        Link { ssh }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.home.end_programs();
    }
}

pub(crate) struct Link {
    ssh: Running,
}

impl Link {
    /// From one moment to the next nothing passes any more, though nobody says that it is over.
    pub(crate) fn freeze(&self) {
        signal("STOP", self.ssh.id());
    }

    pub(crate) fn cut(self) {
        drop(self);
    }
}
