//! The developer's commands: `cargo xtask demo | test | bench | package | screenshots | icons`.
//!
//! It uses nothing but the standard library, so that on a fresh machine it is there in seconds and
//! can install what everything else needs.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "telling the developer is its work")]

mod bench;
mod demo;
mod icons;
mod package;
mod screenshots;
mod test;

mod desktop;
mod foreign;
mod packages;
mod person;
mod place;
mod process;
mod python;
mod screen;
mod setup;
mod step;
mod stripes;
mod wait;
mod window;

use std::{env, process::ExitCode};

use package::Profile;

/// What went wrong, told once, by `main`.
type Result<T> = std::result::Result<T, String>;

const HELP: &str = "\
Askdeck's developer commands. Each installs what the system lacks before it begins.

Usage: cargo xtask COMMAND

  demo             build, then ask one question of every kind; answers itself where there is no display
  test             check, build and test everything; what CI runs
  bench [--runs N] measure times beside those of zenity, then load and weight (default: 10 runs)
  package          make the .deb, the .rpm and the command's tarball; --debug: of the debug build
  screenshots      take the pictures in docs/ again
  icons            draw the pictures in icons/ again from their SVG sources
  help             print this text";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();

    let result = match args.as_slice() {
        ["demo"] => demo::run(),
        ["test"] => done(test::run()),
        ["bench"] => done(bench::run(bench::RUNS)),
        ["bench", "--runs", runs] => match runs.parse() {
            Ok(runs @ 1..) => done(bench::run(runs)),
            _ => return misused(&format!("--runs: `{runs}` is not a number from 1")),
        },
        ["package"] => done(package::run(Profile::Release)),
        ["package", "--debug"] => done(package::run(Profile::Debug)),
        ["screenshots"] => done(screenshots::run()),
        ["icons"] => done(icons::run()),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => return misused(&format!("unknown command `{}`", args.join(" "))),
    };

    result.unwrap_or_else(|problem| {
        eprintln!("xtask: {problem}");
        ExitCode::FAILURE
    })
}

fn done(result: Result<()>) -> Result<ExitCode> {
    result.map(|()| ExitCode::SUCCESS)
}

fn misused(problem: &str) -> ExitCode {
    eprintln!("xtask: {problem}\n\n{HELP}");
    ExitCode::from(2)
}
