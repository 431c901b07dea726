//! What can go wrong with keeping a dialog.

use std::io;

use askdeck_core::words::Words;
use rusqlite::{ErrorCode, ffi};
use thiserror::Error;

/// Each is told as one short clause and what to do about it, after words such as "not kept:".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
    #[error("the same question is waiting already")]
    Duplicate,
    #[error("there is no such dialog, or it has ended")]
    NotThere,
    #[error("the disk is full; make room on it")]
    Full,
    #[error("the data folder cannot be written to; make it writable")]
    ReadOnly,
    #[error("the data file is damaged; start Askdeck again, which saves what it can")]
    Damaged,
    #[error("another program has locked the data file; end that program")]
    Busy,
    #[error("the disk reports an error; have it checked")]
    Disk,
    #[error("there is a file where the data folder should be; move it away")]
    NoFolder,
    #[error("there is no data folder, because HOME is not set; set it, or ASKDECK_HOME")]
    Nowhere,
    #[error("the data file is from a newer Askdeck; update this one")]
    Newer,
    /// The desk is another process, and does not answer.
    #[error("Askdeck does not answer; quit it and start it again")]
    Silent,
    #[error("{0}")]
    Other(String),
}

impl StoreError {
    /// For the person, in their language. What they never meet, and what others say, has none.
    pub fn in_words(&self, words: &Words) -> String {
        let word = match self {
            Self::Full => "why_full",
            Self::ReadOnly => "why_read_only",
            Self::Damaged => "why_damaged",
            Self::Busy => "why_busy",
            Self::Disk => "why_disk",
            Self::NoFolder => "why_no_folder",
            Self::Nowhere => "why_nowhere",
            Self::Newer => "why_newer",
            Self::Silent => "why_silent",
            Self::Duplicate | Self::NotThere | Self::Other(_) => return self.to_string(),
        };
        words.get(word).cloned().unwrap_or_else(|| self.to_string())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(failure, message) = error else {
            return Self::Other(error.to_string());
        };
        match (failure.code, failure.extended_code) {
            (_, ffi::SQLITE_CONSTRAINT_UNIQUE) => Self::Duplicate,
            (ErrorCode::DiskFull, _) => Self::Full,
            (ErrorCode::ReadOnly | ErrorCode::PermissionDenied, _) => Self::ReadOnly,
            (ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase, _) => Self::Damaged,
            (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _) => Self::Busy,
            (ErrorCode::SystemIoFailure, _) => Self::Disk,
            _ => Self::Other(message.unwrap_or_else(|| failure.to_string())),
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Self::NoFolder,
            kind => Self::Other(kind.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askdeck_core::words::Language;

    #[test]
    fn people_and_programs_are_told_the_same() {
        use StoreError::{Busy, Damaged, Disk, Full, Newer, NoFolder, Nowhere, ReadOnly, Silent};
        for error in [Full, ReadOnly, Damaged, Busy, Disk, NoFolder, Nowhere, Newer, Silent] {
            assert_eq!(error.in_words(Language::ENGLISH.words()), error.to_string());
            assert_ne!(error.in_words(Language::of_locale("zh_CN").words()), error.to_string());
        }
    }
}
