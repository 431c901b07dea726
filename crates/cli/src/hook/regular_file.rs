//! Opens a file whose name an agent gave: one that never blocks.

use std::{fs::File, io, os::unix::fs::OpenOptionsExt, path::Path};

use rustix::fs::OFlags;

/// Only regular files: others have no end, or wait for a writer.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(nonblocking).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::Unsupported.into()) }
}

#[cfg(test)]
mod tests {
    use rustix::fs::{FileType, Mode};

    use super::*;

    #[test]
    fn what_is_no_file_is_not_opened() {
        for path in ["/dev/zero", "/dev"] {
            assert!(open(Path::new(path)).is_err(), "{path}");
        }
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert!(open(&fifo).is_err());
    }
}
