//! Where things lie.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::Result;

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository")
}

/// Cargo's output folder, wherever the developer has put it: this program was built into it.
pub(crate) fn target() -> Result<PathBuf> {
    let program = env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let folder = program.ancestors().nth(2).ok_or("this program is not in a target folder")?;
    Ok(folder.to_path_buf())
}

/// A folder below `target/`, empty.
pub(crate) fn fresh(name: &str) -> Result<PathBuf> {
    let folder = target()?.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .map_err(|e| format!("cannot empty {}: {e}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    Ok(folder)
}

/// A window takes keys as soon as it shows a question: for presses that no WebDriver times.
pub(crate) const NO_ARMING: &str = "arming_ms = 0\n";

/// A new home for Askdeck in such a folder. Whoever looks at its window there waits for it, so it
/// may take the keyboard at once.
pub(crate) fn askdeck_home(name: &str, more_config: &str) -> Result<PathBuf> {
    let home = fresh(name)?;
    let folder = home.join("config");
    fs::create_dir(&folder)
        .and_then(|()| {
            let config = format!("focus = \"always\"\n{more_config}");
            fs::write(folder.join("config.toml"), config)
        })
        .map_err(|e| format!("cannot write to {}: {e}", folder.display()))?;
    Ok(home)
}
