//! Installs what the system lacks, and says nothing when it lacks nothing.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use askdeck_testkit::process::on_path;

use crate::{
    Result,
    packages::{Package, Sign},
    step,
};

/// Sees to it that the packages of all `lists` are there.
pub(crate) fn ensure(lists: &[&[Package]]) -> Result<()> {
    let wanted: Vec<&Package> = lists.iter().copied().flatten().collect();
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    if on_path("apt-get") && on_path("dpkg-query") { with_apt(&wanted) } else { by_hand(&wanted) }
}

/// Sees to it that a part of the Rust toolchain is there; rustup's minimal profile leaves some out.
pub(crate) fn ensure_component(component: &str, subcommand: &str) -> Result<()> {
    if runs(&mut step::cargo(&[subcommand, "--version"])) {
        return Ok(());
    }
    if !on_path("rustup") {
        return Err(format!("`cargo {subcommand}` is missing; install {component} for your Rust"));
    }
    step::run(
        &format!("install {component}"),
        Command::new("rustup").args(["component", "add", component]),
    )
}

/// Sees to it that Rust's standard library for another target is there.
pub(crate) fn ensure_target(target: &str) -> Result<()> {
    let told =
        Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    let folder = told.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_owned());
    if folder.is_ok_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    if !on_path("rustup") {
        return Err(format!(
            "the standard library for {target} is missing; install it for your Rust"
        ));
    }
    step::run(
        &format!("install the standard library for {target}"),
        Command::new("rustup").args(["target", "add", target]),
    )
}

/// The compiler that the fuzzer needs.
pub(crate) fn ensure_nightly() -> Result<()> {
    if runs(Command::new("cargo").args(["+nightly", "--version"])) {
        return Ok(());
    }
    step::run(
        "install a nightly Rust",
        Command::new("rustup").args(["toolchain", "install", "nightly", "--profile", "minimal"]),
    )
}

/// A command of others, installed by its package's name.
pub(crate) fn ensure_command(package: &str) -> Result<()> {
    if on_path(package) {
        return Ok(());
    }
    step::run(&format!("install {package}"), &mut step::cargo(&["install", "--locked", package]))
}

fn runs(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn with_apt(wanted: &[&Package]) -> Result<()> {
    let missing: Vec<&str> =
        wanted.iter().map(|package| package.debian).filter(|name| !installed(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    let prefix: &[&str] = if is_root() {
        &[]
    } else if on_path("sudo") {
        &["sudo"]
    } else {
        return Err(format!(
            "packages are missing, and this is neither root nor is there sudo; as root, run:\n  \
             apt-get install --no-install-recommends {names}"
        ));
    };

    eprintln!("==> install {names}");
    let apt = |args: &[&str]| {
        let words =
            [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"], args];
        let words = words.concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        // Its progress is for people; our standard output is for the answer.
        command.stdout(std::io::stderr()).status().is_ok_and(|status| status.success())
    };
    // An update that failed in part may still do; the installation will tell.
    if !apt(&["update"]) {
        eprintln!("xtask: apt-get update failed; trying with the package lists as they are");
    }
    let mut args = vec!["install", "--yes", "--no-install-recommends"];
    args.extend(&missing);
    if apt(&args) {
        Ok(())
    } else {
        Err(format!("apt-get could not install {names}; see its messages above"))
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| output.stdout == b"installed")
}

/// On other distributions we only look and name the packages.
fn by_hand(wanted: &[&Package]) -> Result<()> {
    let missing: Vec<&&Package> = wanted.iter().filter(|package| !found(&package.sign)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names =
        |name: fn(&Package) -> &str| missing.iter().map(|p| name(p)).collect::<Vec<_>>().join(" ");
    let advice = format!(
        "this is not Debian or Ubuntu, so install these with your own package manager:\n  \
         Debian's names: {}\n  Fedora: sudo dnf install {}\n  Arch:   sudo pacman -S --needed {}",
        names(|p| p.debian),
        names(|p| p.fedora),
        names(|p| p.arch),
    );
    if missing.iter().any(|package| matches!(package.sign, Sign::Library(_))) {
        return Err(advice);
    }
    // A program may go by another name here; whoever needs it will say if it is truly absent.
    eprintln!("xtask: {advice}");
    Ok(())
}

fn found(sign: &Sign) -> bool {
    match sign {
        Sign::Program(name) => on_path(name),
        Sign::Library(name) => Command::new("pkg-config")
            .args(["--exists", name])
            .status()
            .is_ok_and(|status| status.success()),
        Sign::Nothing => true,
    }
}
