//! Connects agents: adds Askdeck to a client's own configuration, and removes it again.
//!
//! Editing a text is pure: text in, text out. [`ConfigFile`] turns that into a [`Change`], which the
//! user can look at before it is made.

use std::{io, ops::Range, path::PathBuf};

use thiserror::Error;

mod change;
mod client;
mod codex_trust;
mod config_file;
mod file;
mod format;
mod hooks;
mod json;
mod lines;
mod paragraph;
mod script;
mod toml;

pub use change::Change;
pub use client::Client;
pub use config_file::ConfigFile;
pub use file::LARGEST;

#[derive(Debug, Error)]
pub enum InstallError {
    #[error("HOME is not set, so the configuration of {0} cannot be found; set HOME and try again")]
    NoHome(&'static str),
    #[error("cannot find the path of this program; start it by its full path and try again")]
    NoProgram,
    #[error("`{}` was not changed: {why}; fix it and try again", .path.display())]
    Broken { path: PathBuf, why: String },
    #[error("cannot read `{}`: {error}; make it readable and try again", .path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("`{}` changed in the meantime, so nothing was written; try again", .0.display())]
    Changed(PathBuf),
    #[error("cannot write `{}`: {error}; make its folder writable and try again", .path.display())]
    Unwritable { path: PathBuf, error: io::Error },
}

/// How long a person may take, where a client wants to know: a day.
const PATIENCE_SECONDS: u64 = 86_400;

/// What stands in a range of a text, and what takes its place.
type Edit = (Range<usize>, String);

fn splice(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut spliced = String::with_capacity(text.len());
    let mut at = 0;
    for (range, replacement) in edits {
        spliced.push_str(&text[at..range.start]);
        spliced.push_str(&replacement);
        at = range.end;
    }
    spliced + &text[at..]
}
