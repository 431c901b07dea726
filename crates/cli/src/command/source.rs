//! Where a payload comes from: the argument itself, a file, or standard input.

use std::{
    fs::File,
    io::{self, Read},
};

use askdeck_core::payload::MAX_BYTES;
use askdeck_desk::files;

use super::CliError;

pub(super) fn read(payload: Option<&str>) -> Result<Vec<u8>, CliError> {
    match payload {
        None if !files::is_stdin_given() => Err(CliError::NoPayload),
        None | Some("-") => read_some(io::stdin().lock(), "standard input"),
        Some(text) if text.trim_start().starts_with(['{', '[']) => Ok(text.as_bytes().to_vec()),
        Some(name) => match File::open(name) {
            Ok(file) => read_some(file, name),
            Err(error) => Err(CliError::Unreadable { name: name.into(), error }),
        },
    }
}

/// Reads a byte more than allowed at most: enough to know that it is too much.
fn read_some(from: impl Read, name: &str) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    match from.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(CliError::Unreadable { name: name.into(), error }),
    }
}
