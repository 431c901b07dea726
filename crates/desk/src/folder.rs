//! The folder an agent works in, as people are told it.

use std::path::Path;

use askdeck_core::{dialog::Caller, text};
use serde::Serialize;

use crate::paths;

/// Short enough for one line, long enough to tell two apart.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Folder {
    pub short: String,
    pub full: String,
}

impl Folder {
    pub fn of(caller: &Caller) -> Option<Self> {
        let full = text::clean_line(caller.cwd.as_deref()?);
        let path = Path::new(&full);
        if caller.host.is_none() && paths::user_home().as_deref() == Some(path) {
            return Some(Self { short: "~".into(), full });
        }
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        let short = match parts.len() {
            0..=3 => full.clone(),
            length => format!("{}/{}", parts[length - 2], parts[length - 1]),
        };
        Some(Self { short, full })
    }
}
