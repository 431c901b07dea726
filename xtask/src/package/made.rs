//! What the programs tell about themselves: version, man pages and completions.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{Profile, empty, said, write};
use crate::{Result, step};

pub(super) struct Made {
    pub(super) version: String,
    /// One for each program and each subcommand, compressed.
    pub(super) pages: Vec<PathBuf>,
    pub(super) bash: PathBuf,
    pub(super) fish: PathBuf,
    pub(super) zsh: PathBuf,
}

impl Made {
    /// Everything new in `folder`.
    pub(super) fn make(profile: Profile, programs: &Path, folder: &Path) -> Result<Self> {
        empty(folder)?;
        let askdeck = programs.join("askdeck");
        let version = said(Command::new(&askdeck).arg("--version"))?;
        let version = version.trim().strip_prefix("askdeck ").ok_or("askdeck has no version")?;
        let completions = |shell: &str| {
            let path = folder.join(shell);
            let script = said(Command::new(&askdeck).args(["completions", shell]))?;
            write(&path, &script)?;
            Ok::<_, String>(path)
        };
        Ok(Self {
            version: version.to_owned(),
            pages: pages(profile, &folder.join("man"))?,
            bash: completions("bash")?,
            fish: completions("fish")?,
            zsh: completions("zsh")?,
        })
    }
}

fn pages(profile: Profile, folder: &Path) -> Result<Vec<PathBuf>> {
    empty(folder)?;
    let mut write = match profile {
        Profile::Release => profile.cargo(&["run", "--package", "askdeck-man", "--"]),
        // It was built with the programs.
        Profile::Debug => Command::new(profile.folder()?.join("askdeck-man")),
    };
    step::run("write the man pages", write.arg(folder))?;
    let files = || {
        let entries =
            fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        Ok::<_, String>(files)
    };
    // Without its name and time, so that the same page gives the same file.
    said(Command::new("gzip").args(["--best", "--no-name"]).args(files()?))?;
    files()
}
