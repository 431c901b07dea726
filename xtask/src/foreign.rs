//! Programs of others that the tests run ours with, in fixed versions, from the registry of Node.
//!
//! They lie below `target/`: nothing of the system changes, and `cargo clean` removes them.

use std::{
    env::consts::ARCH,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Result, place, step};

/// Programs for Node: the official MCP Inspector, Gemini CLI, and Qwen Code.
const NODE: [&str; 3] = [
    "@modelcontextprotocol/inspector@2.12.0",
    "@google/gemini-cli@0.61.0",
    "@qwen-code/qwen-code@0.24.4",
];

/// Programs that come as a package for each processor: package, version, and where it has them.
const PROGRAMS: [(&str, &str, &str); 4] = [
    // Newer than what most systems have; the programs for Node need it.
    ("node-linux", "22.23.3", "bin/node"),
    ("@anthropic-ai/claude-code-linux", "2.1.326", "claude"),
    // Its processors are versions of one package.
    (
        "codex-linux",
        "npm:@openai/codex@0.169.0-linux-{arch}",
        "vendor/{machine}-unknown-linux-musl/bin/codex",
    ),
    ("opencode-linux", "1.18.34", "bin/opencode"),
];

/// Folders of `tests/` with a lock file, each for one below `target/` of the same name: axe-core, which
/// finds pages that not everybody can use, TypeScript, which finds those that misread the app, and
/// packages whose formats are ours to read and write.
const LOCKED: [&str; 3] = ["axe", "formats", "types"];

/// Sees to it that all of them are there.
pub(crate) fn ensure() -> Result<()> {
    LOCKED.into_iter().try_for_each(ensure_locked)?;
    let folder = place::target()?.join("foreign");
    let programs = PROGRAMS
        .map(|(package, version, _)| for_processor(&format!("{package}-{{arch}}@{version}")));
    let wanted = format!("{NODE:?} {programs:?}");
    let list = folder.join("installed");
    if fs::read_to_string(&list).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let folder = place::fresh("foreign")?;
    step::run(
        &format!("install {} {}", NODE.join(" "), programs.join(" ")),
        Command::new("npm")
            .args(["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"])
            // It only says which Node they need, and that is among them.
            .arg("--engine-strict=false")
            .arg("--prefix")
            .arg(&folder)
            .args(NODE)
            .args(&programs),
    )?;
    link_programs(&folder)
        .and_then(|()| fs::write(&list, wanted))
        .map_err(|e| format!("cannot write to {}: {e}", folder.display()))
}

/// What judges our own code is exactly what the lock file knows.
fn ensure_locked(name: &str) -> Result<()> {
    let source = place::root().join("tests").join(name);
    let problem = |e| format!("cannot copy {}: {e}", source.display());
    let lock = fs::read_to_string(source.join("package-lock.json")).map_err(problem)?;
    let list = place::target()?.join(name).join("installed");
    if fs::read_to_string(&list).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let folder = place::fresh(name)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(source.join(file), folder.join(file)).map_err(problem)?;
    }
    step::run(
        &format!("install what tests/{name} names"),
        Command::new("npm")
            .args(["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
            .arg(&folder),
    )?;
    fs::write(&list, lock).map_err(problem)
}

/// The compiler of TypeScript, as a script for Node.
pub(crate) fn tsc(target: &Path) -> PathBuf {
    target.join("types/node_modules/typescript/bin/tsc")
}

/// Puts each program under its plain name into `bin`.
fn link_programs(folder: &Path) -> std::io::Result<()> {
    fs::create_dir(folder.join("bin"))?;
    for (package, _, program) in PROGRAMS {
        let program = for_processor(&format!("{package}-{{arch}}/{program}"));
        let name = program.rsplit('/').next().unwrap_or_default();
        symlink(Path::new("../node_modules").join(&program), folder.join("bin").join(name))?;
    }
    Ok(())
}

fn for_processor(text: &str) -> String {
    text.replace("{arch}", arch()).replace("{machine}", ARCH)
}

/// As Node calls it.
fn arch() -> &'static str {
    match ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    }
}
