//! Running one command in sight of the developer.

use std::process::Command;

use crate::{Result, place};

/// Says what it does and does it; the command's own output goes to the terminal as it comes.
pub(crate) fn run(what: &str, command: &mut Command) -> Result<()> {
    eprintln!("==> {what}");
    let status = command
        .current_dir(place::root())
        .status()
        .map_err(|e| format!("cannot run {}: {e}", command.get_program().display()))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: failed with {status}")) }
}

pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args);
    command
}
