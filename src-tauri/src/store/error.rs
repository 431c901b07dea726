//! What can go wrong with keeping a dialog.

use std::io;

use rusqlite::{ErrorCode, ffi};
use thiserror::Error;

/// Each is told as one short clause, after words such as "not kept:".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
    #[error("the same question is waiting already")]
    Duplicate,
    #[error("there is no such dialog, or it has ended")]
    NotThere,
    #[error("the disk is full")]
    Full,
    #[error("nothing may be written there")]
    ReadOnly,
    #[error("the file is damaged")]
    Damaged,
    #[error("another program keeps the file to itself")]
    Busy,
    #[error("the disk does not answer")]
    Disk,
    #[error("something else stands where its folder belongs")]
    NoFolder,
    #[error("a newer Askdeck wrote the file")]
    Newer,
    #[error("{0}")]
    Other(String),
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
