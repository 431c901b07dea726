//! The Python packages of the examples and of the tests, in an environment of their own below
//! `target/`.

use std::{fs, process::Command};

use crate::{Result, place, step};

const WANTED: [&str; 2] = ["examples/requirements.txt", "tests/requirements.txt"];
/// Without what they need, and for the Python that is here: most of them is never imported.
const ALONE: &str = "tests/formats/requirements.txt";

/// Makes the environment anew whenever what is wanted has changed.
pub(crate) fn ensure() -> Result<()> {
    const FOLDER: &str = "python";
    let wanted = WANTED.map(|path| place::root().join(path));
    let alone = place::root().join(ALONE);
    let mut text = String::new();
    for path in wanted.iter().chain([&alone]) {
        text += &fs::read_to_string(path)
            .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    }
    // Written there when everything else was.
    let installed = place::target()?.join(FOLDER).join("requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|found| found == text) {
        return Ok(());
    }
    let folder = place::fresh(FOLDER)?;
    step::run(
        "make a Python environment",
        Command::new("python3").args(["-m", "venv"]).arg(&folder),
    )?;
    let pip = || {
        let mut pip = Command::new(folder.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check"]);
        pip
    };
    let mut all = pip();
    for path in &wanted {
        all.arg("--requirement").arg(path);
    }
    step::run("install the packages of the examples and tests", &mut all)?;
    let mut few = pip();
    few.args(["--no-deps", "--ignore-requires-python", "--requirement"]).arg(&alone);
    step::run("install the packages of the formats", &mut few)?;
    fs::write(&installed, text).map_err(|e| format!("cannot write {}: {e}", installed.display()))
}
