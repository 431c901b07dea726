//! `cargo xtask test`: everything that must hold before a change goes in.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use askdeck_testkit::process::on_path;

use crate::{
    Result, bench, foreign,
    package::{self, Profile},
    packages, place, python, setup, step, suite,
};

/// Where there are no files, no network and no clock: the core compiles there.
const WITHOUT_SYSTEM: &str = "wasm32-unknown-unknown";

/// All but the bench's floor, which has no tests and is built when it is measured.
pub(crate) const BUILT: [&str; 3] = ["--workspace", "--exclude", bench::FLOOR];

/// If `strict`, a test that passed only by itself fails the run.
pub(crate) fn run(strict: bool) -> Result<()> {
    let scripts = ui_tests()?;
    setup::ensure(&[
        packages::BUILD,
        packages::DISPLAY,
        packages::FUZZ,
        packages::PACKAGE,
        packages::TEST,
    ])?;
    // Debian has them apart, others in one package, which must not be mixed.
    for (program, package) in [("node", packages::NODE), ("npm", packages::NPM)] {
        if !on_path(program) {
            setup::ensure(&[package])?;
        }
    }
    foreign::ensure()?;
    setup::ensure_component("rustfmt", "fmt")?;
    setup::ensure_component("clippy", "clippy")?;
    setup::ensure_target(WITHOUT_SYSTEM)?;
    python::ensure()?;

    let steps = steps(scripts, &place::target()?);
    let mut times = Vec::new();
    let result = steps
        .into_iter()
        .try_for_each(|(what, mut command)| {
            timed(&mut times, what, || step::run(what, &mut command))
        })
        .and_then(|()| timed(&mut times, "tests", tests));
    for (what, time) in &times {
        eprintln!("{:>5} s  {what}", time.as_secs());
    }
    eprintln!("{:>5} s  in all", times.iter().map(|(_, time)| *time).sum::<Duration>().as_secs());
    match suite::told(&result?) {
        Some(flaky) if strict => Err(flaky),
        flaky => {
            flaky.inspect(|flaky| println!("{flaky}"));
            Ok(())
        }
    }
}

/// What runs in under a minute once it is compiled, without a display: units, dialects, protocol.
pub(crate) fn run_quick() -> Result<()> {
    setup::ensure(&[packages::BUILD])?;
    step::run("build", &mut Profile::Debug.build())?;
    let test = |args: &[&str]| step::cargo(&[&["test"], &BUILT[..], args].concat());
    step::run("units and dialects", &mut test(&["--lib", "--test", "dialects"]))?;
    let mut formats = test(&["--test", "askdeck", "--", "dialect_properties::"]);
    formats.args(["any_bytes::", "cli::", "arguments::"]);
    formats.env(suite::COMMAND, place::target()?.join("debug/askdeck"));
    step::run("any bytes and arguments", &mut formats)
}

/// The quickest to fail come first. No step changes compiler flags or the target folder: each
/// takes over what the others have compiled.
fn steps(scripts: Vec<PathBuf>, target: &Path) -> Vec<(&'static str, Command)> {
    let mut steps = vec![("formatting", step::cargo(&["fmt", "--all", "--check"]))];
    if !scripts.is_empty() {
        let mut node = Command::new("node");
        // Named one by one, since what node takes a folder to mean changed between versions.
        node.arg("--test").args(scripts);
        steps.push(("tests of the page", node));
    }
    let mut types = Command::new("node");
    types.arg(foreign::tsc(target)).args(["--project", "tests/types"]);
    steps.push(("types of the page", types));
    let mut doc = step::cargo(&["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    let mut fuzz = step::cargo(&["check", "--locked", "--manifest-path", "fuzz/Cargo.toml"]);
    // Not a member of the workspace, so it would have a folder of its own.
    fuzz.arg("--target-dir").arg(target);
    steps.extend([
        ("lints", step::cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
        ("documentation", doc),
        ("fuzz targets", fuzz),
        (
            "the core without a system",
            step::cargo(&["check", "--package", "askdeck-core", "--target", WITHOUT_SYSTEM]),
        ),
        ("the command alone", package::command_alone(Profile::Debug)),
        ("both programs and their tests", Profile::Debug.build()),
        ("packages", step::cargo(&["xtask", "package", "--debug"])),
    ]);
    steps
}

/// Those that passed only by themselves.
fn tests() -> Result<Vec<String>> {
    suite::run(place::root(), &BUILT, &mut io::stdout().lock())
}

fn timed<T>(
    times: &mut Vec<(&'static str, Duration)>,
    what: &'static str,
    run: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let start = Instant::now();
    let result = run();
    times.push((what, start.elapsed()));
    result
}

fn ui_tests() -> Result<Vec<PathBuf>> {
    let folder = place::root().join("ui");
    let entries =
        fs::read_dir(&folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut scripts: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".test.js"))
        .collect();
    scripts.sort();
    Ok(scripts)
}
