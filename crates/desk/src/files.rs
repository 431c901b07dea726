//! Files that the person or another program may have put there. Only regular ones are opened: a
//! pipe would be waited for without end, and a device read without end.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt},
    path::Path,
};

use rustix::{fs::OFlags, process::getuid};
use thiserror::Error;

/// Why a file is not used.
#[derive(Debug, Error)]
pub enum Unfit {
    #[error("it is not a regular file")]
    NotRegular,
    #[error("it is larger than {0} bytes")]
    TooLarge(u64),
    #[error("it is a symbolic link")]
    Link,
    #[error("it belongs to somebody else, or has another name")]
    NotOwn,
}

impl Unfit {
    pub fn is_why(error: &io::Error) -> bool {
        matches!(error.get_ref(), Some(why) if why.is::<Self>())
    }
}

impl From<Unfit> for io::Error {
    fn from(why: Unfit) -> Self {
        Self::new(io::ErrorKind::InvalidInput, why)
    }
}

/// Opens a regular file, also through a link.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Looked at first, because opening alone does something to some devices.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(Unfit::NotRegular.into());
    }
    checked(path, options, OFlags::NONBLOCK)
}

/// Opens a regular file that is this user's alone: not through a link, and without another name.
pub fn open_own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check_own(path)?;
    let file = checked(path, options, OFlags::NONBLOCK | OFlags::NOFOLLOW)?;
    if is_own(&file.metadata()?) { Ok(file) } else { Err(Unfit::NotOwn.into()) }
}

/// Fails if something is there that [`open_own`] would not open.
pub fn check_own(path: &Path) -> io::Result<()> {
    check_unlinked(path)?;
    match fs::symlink_metadata(path) {
        Ok(found) if !is_own(&found) => Err(Unfit::NotOwn.into()),
        _ => Ok(()),
    }
}

fn check_unlinked(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(Unfit::Link.into()),
        Ok(found) if !found.is_file() => Err(Unfit::NotRegular.into()),
        _ => Ok(()),
    }
}

/// The text of a regular file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    text(open(path, OpenOptions::new().read(true))?, most)
}

/// The same, but not through a link.
pub fn read_unlinked(path: &Path, most: u64) -> io::Result<String> {
    check_unlinked(path)?;
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    text(checked(path, OpenOptions::new().read(true), flags)?, most)
}

fn text(file: File, most: u64) -> io::Result<String> {
    let mut text = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut text)?;
    if text.len() as u64 > most {
        return Err(Unfit::TooLarge(most).into());
    }
    String::from_utf8(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn checked(path: &Path, options: &mut OpenOptions, flags: OFlags) -> io::Result<File> {
    let file = options.custom_flags(flags.bits().cast_signed()).open(path)?;
    // Something else may have taken its place since.
    if file.metadata()?.is_file() { Ok(file) } else { Err(Unfit::NotRegular.into()) }
}

/// Whether two paths lead to the same file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let file = |path| fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    file(one).is_some_and(|found| file(other) == Some(found))
}

fn is_own(found: &fs::Metadata) -> bool {
    found.uid() == getuid().as_raw() && found.nlink() == 1
}

/// Whether standard input can hold a payload: a terminal does not, nor what a menu gives to the
/// programs that it starts.
pub fn is_stdin_given() -> bool {
    fs::metadata("/dev/stdin").is_ok_and(|input| !input.file_type().is_char_device())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    fn why<T: std::fmt::Debug>(done: io::Result<T>) -> String {
        let error = done.unwrap_err();
        assert!(Unfit::is_why(&error), "{error}");
        error.to_string()
    }

    #[test]
    fn only_regular_files_are_opened_and_never_too_large_ones() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink("/dev/zero", at("endless")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();

        assert_eq!(read(&at("file"), 4).unwrap(), "text");
        assert_eq!(read(&at("link"), 4).unwrap(), "text");
        assert_eq!(why(read(&at("file"), 3)), "it is larger than 3 bytes");
        for name in ["endless", "pipe", ""] {
            assert_eq!(why(read(&at(name), 4)), "it is not a regular file", "{name}");
        }
        assert_eq!(read(&at("none"), 4).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_of_our_own_has_no_other_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("other"), "kept").unwrap();
        symlink(at("other"), at("link")).unwrap();
        fs::hard_link(at("other"), at("hard")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let own = |name: &str| open_own(&at(name), OpenOptions::new().write(true).create(true));
        assert_eq!(why(own("link")), "it is a symbolic link");
        assert_eq!(why(own("hard")), "it belongs to somebody else, or has another name");
        assert_eq!(why(own("pipe")), "it is not a regular file");
        assert_eq!(why(read_unlinked(&at("link"), 9)), "it is a symbolic link");
        assert_eq!(why(read_unlinked(&at("pipe"), 9)), "it is not a regular file");
        own("new").unwrap();
        own("new").unwrap();
        assert_eq!(read_unlinked(&at("new"), 0).unwrap(), "");
        assert_eq!(fs::read(at("other")).unwrap(), b"kept");
    }
}
