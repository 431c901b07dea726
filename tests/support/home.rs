//! A place where programs run: folders of its own and nothing of the developer's environment.

use std::{
    env,
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

pub(crate) struct Home {
    folder: TempDir,
    env: Vec<(&'static str, String)>,
}

impl Home {
    /// Without a display.
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("askdeck-")
            .tempdir()
            .expect("a temporary folder can be made");
        let home = Self { env: Vec::new(), folder };
        let private = fs::Permissions::from_mode(0o700);
        for name in ["run", "work"] {
            fs::create_dir(home.path(name)).expect("the folder is new");
        }
        fs::set_permissions(home.path("run"), private).expect("the folder is ours");
        home.with("LANG", "C.UTF-8")
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// A program that runs here.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root())
            .env("ASKDECK_HOME", self.path("askdeck"))
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.path("work"));
        command
    }
}
