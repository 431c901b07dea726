//! `cargo xtask package`: both programs as .deb and .rpm, and the command alone as a tarball.

mod contents;
mod deb;
mod made;
mod rpm;
mod tarball;

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Result, packages, place, setup, step, test};
use contents::Item;
use made::Made;

/// What is built, and where it goes.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Release,
    /// Quicker by minutes: what the tests install.
    Debug,
}

/// What is said of it in a list of packages.
const SUMMARY: &str = "A window for questions from AI agents";
const DETAILS: [&str; 5] = [
    "An agent hands over its questions; a window, or a terminal where there is",
    "no display, shows them as tabs of options with a box for other answers; the",
    "answer goes back on standard output or over a local socket, in the shape",
    "that this agent expects. Left running in the tray, it is one deck for all",
    "the agents on the desk.",
];
const LICENCE: &str = "MIT OR Apache-2.0";

pub(crate) fn run(profile: Profile) -> Result<()> {
    setup::ensure(&[packages::BUILD, packages::PACKAGE])?;
    let target = static_target();
    step::run("build both programs", &mut profile.build())?;
    step::run("build the command alone", &mut command_alone(profile))?;

    let folder = profile.folder()?.join("packages");
    empty(&folder)?;
    let work = folder.join("work");
    let programs = stripped(profile, &target, &work.join("programs"))?;
    let made = Made::make(profile, &programs, &work.join("made"))?;
    let packages = [
        deb::build(profile, &contents::debian(&programs, &made), &made, &work.join("deb"))?,
        rpm::build(profile, &contents::fedora(&programs, &made), &made, &work.join("rpm"))?,
        tarball::build(&programs, &made, &work.join("tarball"))?,
    ];
    for package in packages {
        let place = folder.join(package.file_name().unwrap_or_default());
        fs::rename(&package, &place)
            .map_err(|e| format!("cannot write {}: {e}", place.display()))?;
        println!("{}", place.display());
    }
    fs::remove_dir_all(&work).map_err(|e| format!("cannot remove {}: {e}", work.display()))
}

/// Copies of the programs, the static command in a folder of its own. A release has nothing to
/// strip; what the tests install shrinks to a third, and is packed as much sooner.
fn stripped(profile: Profile, target: &str, folder: &Path) -> Result<PathBuf> {
    let built = place::target()?;
    let item = |from: PathBuf, to: &str| Item { from, to: to.to_owned(), mode: 0o755 };
    let items = [
        item(built.join(profile.name()).join("askdeck"), "askdeck"),
        item(built.join(profile.name()).join("askdeck-desktop"), "askdeck-desktop"),
        item(built.join(target).join(profile.name()).join("askdeck"), "static/askdeck"),
    ];
    lay_out(&items, folder)?;
    said(Command::new("strip").args(items.map(|item| folder.join(item.to))))?;
    Ok(folder.to_owned())
}

/// Builds the command so that it runs on any Linux, with no library of the system.
pub(crate) fn command_alone(profile: Profile) -> Command {
    let target = static_target();
    let mut cargo = profile.cargo(&["build", "--package", "askdeck", "--target", &target]);
    let flags = target.to_uppercase().replace('-', "_");
    // Of the target alone: what runs during the build must not be static.
    cargo.env(format!("CARGO_TARGET_{flags}_RUSTFLAGS"), "-C target-feature=+crt-static");
    cargo
}

/// Rust's name for this machine. Named, what is built for it has a folder of its own.
fn static_target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Debug => "debug",
        }
    }

    /// Where cargo puts the programs, and this the packages.
    fn folder(self) -> Result<PathBuf> {
        Ok(place::target()?.join(self.name()))
    }

    /// Builds both programs. For the tests, with everything that is tested, in one go: another
    /// selection of packages would choose other features, and compile GTK and Tauri once more.
    pub(crate) fn build(self) -> Command {
        match self {
            Self::Release => self.cargo(&["build"]),
            Self::Debug => step::cargo(&[&["build", "--all-targets"], &test::BUILT[..]].concat()),
        }
    }

    /// Cargo's subcommand for this profile; what follows may be arguments of the program it runs.
    fn cargo(self, args: &[&str]) -> Command {
        let (subcommand, rest) = args.split_at(1);
        let mut command = step::cargo(subcommand);
        if let Self::Release = self {
            command.arg("--release");
        }
        command.args(rest);
        command
    }
}

/// Copies everything to its place below an empty `root`.
fn lay_out(contents: &[Item], root: &Path) -> Result<()> {
    empty(root)?;
    for item in contents {
        let to = root.join(&item.to);
        make_folders(root, to.parent().expect("it is below the root"))?;
        fs::copy(&item.from, &to)
            .and_then(|_| fs::set_permissions(&to, Permissions::from_mode(item.mode)))
            .map_err(|e| format!("cannot copy {} to {}: {e}", item.from.display(), to.display()))?;
    }
    Ok(())
}

/// The folders from `root` down to `folder`, whatever this user's umask.
fn make_folders(root: &Path, folder: &Path) -> Result<()> {
    let mut path = root.to_owned();
    for part in folder.strip_prefix(root).expect("it is below the root").components() {
        path.push(part);
        if !path.is_dir() {
            fs::create_dir(&path)
                .and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o755)))
                .map_err(|e| format!("cannot make {}: {e}", path.display()))?;
        }
    }
    Ok(())
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .map_err(|e| format!("cannot empty {}: {e}", folder.display()))?;
    }
    fs::create_dir_all(folder)
        .and_then(|()| fs::set_permissions(folder, Permissions::from_mode(0o755)))
        .map_err(|e| format!("cannot make {}: {e}", folder.display()))
}

/// What a program says on its standard output; it must succeed.
fn said(command: &mut Command) -> Result<String> {
    let name = command.get_program().display().to_string();
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run {name}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{name} failed with {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{name} did not write UTF-8"))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
