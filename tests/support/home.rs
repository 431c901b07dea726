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

use super::run::try_signal;

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
        // A screen that has just come up counts as one whose person is busy.
        home.configure("focus = \"always\"");
        home.with("LANG", "C.UTF-8")
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// Sets what the person has set.
    pub(crate) fn configure(&self, config: &str) {
        let folder = self.path("askdeck/config");
        fs::create_dir_all(&folder).expect("the folder is ours");
        fs::write(folder.join("config.toml"), config).expect("the folder is ours");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Ends every program that still runs here, the commands before the apps that they would
    /// start again.
    pub(crate) fn end_programs(&self) {
        for name in ["askdeck", "askdeck-desktop"] {
            for process in self.programs(name) {
                try_signal("KILL", process);
            }
        }
    }

    /// The processes of this name that run here.
    pub(crate) fn programs(&self, name: &str) -> Vec<u32> {
        let here = format!("ASKDECK_HOME={}\0", self.path("askdeck").display());
        let processes = fs::read_dir("/proc").expect("Linux has it").flatten();
        let is_here = |process: &u32| {
            let read = |file: &str| fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
            let comm = read("comm");
            // The kernel keeps fifteen letters of a name.
            comm.trim_ascii() == &name.as_bytes()[..name.len().min(15)]
                && String::from_utf8_lossy(&read("environ")).contains(&here)
        };
        processes
            .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
            .filter(is_here)
            .collect()
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
