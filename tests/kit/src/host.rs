use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

use crate::process;

/// Where programs run: their environment, their screen, and the folder that Askdeck has there.
pub trait Host: Sync {
    /// A command that runs here.
    fn program(&self, program: &OsStr) -> Command;

    /// What `ASKDECK_HOME` is here.
    fn askdeck_home(&self) -> PathBuf;

    /// A command that the kernel ends when this program is killed before it can clean up.
    fn bound(&self, program: &Path) -> Command {
        if !process::on_path("setpriv") {
            return self.program(program.as_os_str());
        }
        let mut command = self.program("setpriv".as_ref());
        command.args(["--pdeathsig", "TERM"]).arg(program);
        command
    }

    /// The output of a small program; `None` if it fails.
    fn ask(&self, program: &str, args: &[&str]) -> Option<String> {
        let mut command = self.program(program.as_ref());
        let output = command.args(args).output();
        let output = output.unwrap_or_else(|e| panic!("cannot run {program}: {e}"));
        let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        output.status.success().then_some(said)
    }

    /// Where the app listens.
    fn socket(&self) -> PathBuf {
        self.askdeck_home().join("run/askdeck.sock")
    }

    /// The processes of this name that run here.
    fn processes(&self, name: &str) -> Vec<u32> {
        let here = format!("ASKDECK_HOME={}\0", self.askdeck_home().display());
        // The kernel keeps fifteen letters of a name.
        let name = &name[..name.len().min(15)];
        let is_here = |id: &u32| {
            let environment = || process::read(*id, "environ");
            process::name(*id) == name && environment().contains(&here)
        };
        process::all().filter(is_here).collect()
    }

    /// Kills Askdeck's programs, the commands before the apps that they would start again; and the
    /// server that Codex leaves behind.
    fn end_programs(&self) {
        for name in ["askdeck", "askdeck-desktop", "codex"] {
            for process in self.processes(name) {
                process::signal("KILL", process);
            }
        }
    }
}
