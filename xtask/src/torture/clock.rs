//! The clock of the programs, which can be made to jump where libfaketime is installed.
//!
//! Only the time of day jumps. The clock that counts how long something took does not: no system
//! lets it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::Result;

pub(super) struct Clock {
    /// None where it is not installed.
    library: Option<PathBuf>,
    /// How far the clock is wrong.
    file: PathBuf,
}

impl Clock {
    pub(super) fn set(folder: &Path) -> Result<Self> {
        let clock = Self { library: library(), file: folder.join("clock") };
        clock.be_wrong_by(0)?;
        Ok(clock)
    }

    pub(super) fn can_jump(&self) -> bool {
        self.library.is_some()
    }

    pub(super) fn be_wrong_by(&self, seconds: i64) -> Result<()> {
        fs::write(&self.file, format!("{seconds:+}\n"))
            .map_err(|e| format!("cannot write {}: {e}", self.file.display()))
    }

    pub(super) fn dress(&self, command: &mut Command) {
        if let Some(library) = &self.library {
            command
                .env("LD_PRELOAD", library)
                .env("FAKETIME_TIMESTAMP_FILE", &self.file)
                .env("FAKETIME_CACHE_DURATION", "1")
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
    }
}

fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    let mut files = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    files.find(|file| file.is_file())
}
