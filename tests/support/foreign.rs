//! Programs of others that the tests run against: installed below `target/` by `cargo xtask test`.

use std::path::{Path, PathBuf};

use super::programs::APP;

fn folder() -> &'static Path {
    let target = Path::new(APP).ancestors().nth(2);
    target.expect("a program is two folders below target/")
}

#[track_caller]
fn found(path: &str) -> PathBuf {
    let path = folder().join(path);
    assert!(path.exists(), "no {}; `cargo xtask test` installs it", path.display());
    path
}

/// Python with the packages of the examples, and the official `mcp`.
pub(crate) fn python() -> PathBuf {
    found("python/bin/python")
}

/// The Node that the Inspector, Gemini CLI and Qwen Code need, which is newer than what most systems have.
pub(crate) fn node() -> PathBuf {
    found("foreign/bin/node")
}

/// The official Inspector, as a script for [`node`].
pub(crate) fn inspector() -> PathBuf {
    found("foreign/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js")
}

/// The schemas of the Tasks extension in its official package, which comes with the Inspector.
pub(crate) fn task_schemas() -> PathBuf {
    found("foreign/node_modules/@modelcontextprotocol/ext-tasks/dist/core/v2/index.js")
}

/// axe-core, as a script for a page.
pub(crate) fn axe() -> PathBuf {
    found("axe/node_modules/axe-core/axe.min.js")
}

/// Claude Code's command line.
pub(crate) fn claude() -> PathBuf {
    found("foreign/bin/claude")
}

/// Codex's command line.
pub(crate) fn codex() -> PathBuf {
    found("foreign/bin/codex")
}

/// `OpenCode`'s command line.
pub(crate) fn opencode() -> PathBuf {
    found("foreign/bin/opencode")
}

/// Gemini's command line, as a script for [`node`].
pub(crate) fn gemini() -> PathBuf {
    found("foreign/node_modules/@google/gemini-cli/bundle/gemini.js")
}

/// Qwen Code's command line, as a script for [`node`].
pub(crate) fn qwen() -> PathBuf {
    found("foreign/node_modules/@qwen-code/qwen-code/cli.js")
}

/// What `cargo xtask package` made of the programs that are tested.
#[track_caller]
pub(crate) fn package(ending: &str) -> PathBuf {
    let folder = found("debug/packages");
    let mut files = folder.read_dir().expect("it is a folder").flatten().map(|entry| entry.path());
    let package = files.find(|path| path.to_string_lossy().ends_with(ending));
    package.unwrap_or_else(|| panic!("no package in {}", folder.display()))
}
