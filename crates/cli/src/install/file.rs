//! The files of others: read whole, and replaced whole or not at all.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::fs::{MetadataExt, fchown},
    path::{Path, PathBuf},
    process,
};

use askdeck_desk::files::{self, Unfit};

use super::InstallError;

/// Claude Code keeps all that it knows of every project in one file.
pub const LARGEST: u64 = 64 * 1024 * 1024;

/// What the file says; `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, InstallError> {
    said(path, files::read(path, LARGEST))
}

/// What its backup says. What a link in its place leads to was never in the file.
pub(super) fn read_backup(path: &Path) -> Result<Option<String>, InstallError> {
    let backup = backup(path);
    said(&backup, files::read_unlinked(&backup, LARGEST))
}

fn said(path: &Path, read: io::Result<String>) -> Result<Option<String>, InstallError> {
    match read {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(InstallError::Broken { path: path.into(), why: "it is not UTF-8".into() })
        }
        Err(error) if Unfit::is_why(&error) => {
            Err(InstallError::Broken { path: path.into(), why: error.to_string() })
        }
        Err(error) => Err(InstallError::Unreadable { path: path.into(), error }),
    }
}

/// Where a copy of the file lies, as it was before Askdeck came.
pub(super) fn backup(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".before-askdeck");
    path.with_file_name(name)
}

/// Puts the text in the file's place at once, and lasting.
pub(super) fn write(path: &Path, text: &str) -> Result<(), InstallError> {
    put(path, &target(path), text, path, File::sync_all)
}

/// Writes what the file said into its backup. That need not outlast a loss of power: all of it is
/// in the file, too.
pub(super) fn keep(path: &Path, text: &str) -> Result<(), InstallError> {
    let backup = backup(path);
    // In the place of a link, not where it leads.
    put(&backup, &backup, text, path, |_| Ok(()))
}

/// What is written belongs to whom `like` belongs, and they may do with it what they may with that.
fn put(
    path: &Path,
    target: &Path,
    text: &str,
    like: &Path,
    finish: impl Fn(&File) -> io::Result<()>,
) -> Result<(), InstallError> {
    let unwritable = |error| InstallError::Unwritable { path: path.into(), error };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    fs::create_dir_all(folder.unwrap_or(Path::new("."))).map_err(unwritable)?;
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".askdeck-{}", process::id()));
    let beside = target.with_file_name(name);
    let written = write_new(&beside, text, fs::metadata(like).ok().as_ref())
        .and_then(|file| finish(&file))
        .and_then(|()| fs::rename(&beside, target));
    written.map_err(|error| {
        let _absent = fs::remove_file(&beside);
        unwritable(error)
    })
}

pub(super) fn remove(path: &Path) -> Result<(), InstallError> {
    remove_at(path, &target(path))
}

pub(super) fn remove_backup(path: &Path) -> Result<(), InstallError> {
    let backup = backup(path);
    remove_at(&backup, &backup)
}

fn remove_at(path: &Path, target: &Path) -> Result<(), InstallError> {
    match fs::remove_file(target) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(InstallError::Unwritable { path: path.into(), error })
        }
        _ => Ok(()),
    }
}

fn write_new(path: &Path, text: &str, like: Option<&Metadata>) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Some(like) = like {
        dress(&file, like)?;
    }
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Before anything is in it, so that nobody reads what they may not.
fn dress(file: &File, like: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
        fchown(file, Some(like.uid()), Some(like.gid()))?;
    }
    file.set_permissions(like.permissions())
}

/// What a link points to, so that it stays a link.
fn target(path: &Path) -> PathBuf {
    let pointed = || Some(path.parent()?.join(fs::read_link(path).ok()?));
    fs::canonicalize(path).ok().or_else(pointed).unwrap_or_else(|| path.to_owned())
}
