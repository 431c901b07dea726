//! The Python packages of the examples, in an environment of their own below `target/`.

use std::{fs, process::Command};

use crate::{Result, place, step};

/// Makes the environment anew whenever `examples/requirements.txt` has changed.
pub(crate) fn ensure() -> Result<()> {
    const FOLDER: &str = "python";
    let wanted = place::root().join("examples/requirements.txt");
    let text = fs::read(&wanted).map_err(|e| format!("cannot read {}: {e}", wanted.display()))?;
    // Copied there when everything else was.
    let installed = place::target()?.join(FOLDER).join("requirements.txt");
    if fs::read(&installed).is_ok_and(|found| found == text) {
        return Ok(());
    }
    let folder = place::fresh(FOLDER)?;
    step::run(
        "make a Python environment for the examples",
        Command::new("python3").args(["-m", "venv"]).arg(&folder),
    )?;
    step::run(
        "install the packages that they use",
        Command::new(folder.join("bin/pip"))
            .args(["install", "--quiet", "--disable-pip-version-check", "--requirement"])
            .arg(&wanted),
    )?;
    fs::write(&installed, text).map_err(|e| format!("cannot write {}: {e}", installed.display()))
}
