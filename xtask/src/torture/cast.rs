//! Askdeck's programs as they run in one home.

use std::{fs, path::Path};

use crate::process::descendants;

pub(super) fn apps(home: &Path) -> Vec<u32> {
    running(home, "askdeck-desktop")
}

pub(super) fn commands(home: &Path) -> Vec<u32> {
    running(home, "askdeck")
}

/// The processes that draw.
pub(super) fn web_processes(home: &Path) -> Vec<u32> {
    let mut found: Vec<u32> = apps(home).into_iter().flat_map(descendants).collect();
    found.retain(|process| name(*process).starts_with("WebKitWebProces"));
    found
}

fn running(home: &Path, wanted: &str) -> Vec<u32> {
    let here = format!("ASKDECK_HOME={}\0", home.display());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .filter(|process| {
            let environment = || fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            name(*process) == wanted && String::from_utf8_lossy(&environment()).contains(&here)
        })
        .collect()
}

/// The kernel keeps fifteen letters of it.
fn name(process: u32) -> String {
    fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default().trim_end().to_owned()
}
