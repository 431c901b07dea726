//! A place where programs run: folders of its own and nothing of the developer's environment.

use std::{
    env,
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use askdeck_testkit::Host;
use tempfile::TempDir;

pub(crate) struct Home {
    folder: TempDir,
    env: Vec<(&'static str, String)>,
    /// Stands before whatever the person has set.
    config: &'static str,
}

/// A screen that has just come up counts as one whose person is busy.
const FOCUS: &str = "focus = \"always\"";

impl Home {
    /// Without a display.
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("askdeck-")
            .tempdir()
            .expect("a temporary folder can be made");
        let home = Self { env: Vec::new(), folder, config: "" };
        let private = fs::Permissions::from_mode(0o700);
        for name in ["run", "work"] {
            fs::create_dir(home.path(name)).expect("the folder is new");
        }
        fs::set_permissions(home.path("run"), private).expect("the folder is ours");
        home.configure(FOCUS);
        home.with("LANG", "C.UTF-8")
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// Where windows take keys as soon as they show a question.
    pub(crate) fn without_arming(mut self) -> Self {
        self.config = "arming_ms = 0\n";
        self.configure(FOCUS);
        self
    }

    /// Sets what the person has set.
    pub(crate) fn configure(&self, config: &str) {
        let folder = self.path("askdeck/config");
        fs::create_dir_all(&folder).expect("the folder is ours");
        let config = format!("{}{config}", self.config);
        fs::write(folder.join("config.toml"), config).expect("the folder is ours");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The processes of this name that run here.
    pub(crate) fn programs(&self, name: &str) -> Vec<u32> {
        self.processes(name)
    }

    /// A program that runs here.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        self.program(program.as_ref())
    }
}

impl Host for Home {
    fn program(&self, program: &OsStr) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root())
            .env("ASKDECK_HOME", self.askdeck_home())
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.path("work"));
        command
    }

    fn askdeck_home(&self) -> PathBuf {
        self.path("askdeck")
    }
}
