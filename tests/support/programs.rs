//! Where the two programs lie.

use std::{env, path::Path, process::Command, sync::LazyLock};

/// The app. Asked with a payload it becomes the command, so [`askdeck`] has to be there.
pub(crate) const APP: &str = env!("CARGO_BIN_EXE_askdeck-desktop");

/// The command. Cargo builds for these tests only what is in their own package, so the other is built
/// here, unless `cargo xtask test` has done so and names it.
pub(crate) fn askdeck() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| {
        if let Ok(path) = env::var("ASKDECK_COMMAND") {
            return path;
        }
        let folder = Path::new(APP).parent().expect("a program has a folder");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "askdeck"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(built.is_ok_and(|status| status.success()), "the command cannot be built");
        folder.join("askdeck").to_str().expect("cargo's folders have plain names").to_owned()
    });
    &PATH
}
