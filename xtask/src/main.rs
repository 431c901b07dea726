//! The developer's commands: `cargo xtask demo | test | bench | fuzz | torture | package | screenshots | icons`.
//!
//! It uses nothing but the standard library and the test kit, so that on a fresh machine it is there
//! in seconds and can install what everything else needs.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "telling the developer is its work")]

mod bench;
mod demo;
mod fuzz;
mod gallery;
mod icons;
mod package;
mod screenshots;
mod test;
mod torture;

mod desktop;
mod foreign;
mod hand;
mod packages;
mod person;
mod place;
mod python;
mod setup;
mod step;
mod stripes;
mod subjects;
mod suite;
mod window;

use std::{env, process::ExitCode};

use askdeck_testkit::Result;
use package::Profile;

const HELP: &str = "\
Askdeck's developer commands. Each first installs the system packages that are missing.

Usage: cargo xtask COMMAND

  demo             Build, then ask one question of every kind; answer it by key presses where
                   there is no display
  test [--strict]  Check, build and test everything, as CI does. Run each failed test once more by
                   itself, and name those that then pass in the last line: `flaky: NAME …`.
                   With --strict, fail for those, too
  test --quick     Run only the tests that need no display: units, dialects, arguments
  bench [--runs N] [--peer NAME=COMMAND]...
                   Measure start-up times beside zenity and a bare WebKitGTK window, then load and
                   memory (default: 10 runs). A peer is another dialog program: a shell command
                   that shows $TEXT as its question and $OPTION_1 to $OPTION_4 as its options
  fuzz [--minutes N]
                   Look for input that breaks a promise: ten million inputs or N minutes
                   (default: 20) for each target
  torture [--minutes N] [--seed N] [--rounds N]
                   Inject faults while agents ask and a person answers, and check the promises
                   (default: 3 minutes)
  package          Make the .deb, the .rpm and the command's tarball; with --debug, of the debug
                   build
  screenshots      Take the pictures in docs/ again
  screenshots --all [SUBJECT]
                   Take pictures of every kind of question in every size, or of one kind, and put
                   them on a page in target/gallery/
  icons            Draw the pictures in icons/ again from their SVG sources
  help             Print this text";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();

    let result = match args.as_slice() {
        ["demo"] => demo::run(),
        ["test"] => done(test::run(false)),
        ["test", "--strict"] => done(test::run(true)),
        ["test", "--quick"] => done(test::run_quick()),
        ["bench", options @ ..] => match bench_options(options) {
            Ok((runs, peers)) => done(bench::run(runs, &peers)),
            Err(problem) => return misused(&problem),
        },
        ["fuzz"] => done(fuzz::run(fuzz::MINUTES)),
        ["fuzz", "--minutes", minutes] => match minutes.parse() {
            Ok(minutes @ 1..) => done(fuzz::run(minutes)),
            _ => return misused(&format!("--minutes: `{minutes}` is not a number from 1")),
        },
        ["torture", options @ ..] => match torture::Options::read(options) {
            Ok(read) => torture::run(options, &read),
            Err(problem) => return misused(&problem),
        },
        ["package"] => done(package::run(Profile::Release)),
        ["package", "--debug"] => done(package::run(Profile::Debug)),
        ["screenshots"] => done(screenshots::run()),
        ["screenshots", "--all"] => done(gallery::run("")),
        ["screenshots", "--all", subject] => done(gallery::run(subject)),
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

/// How many runs, and the programs to compare with.
fn bench_options(mut options: &[&str]) -> Result<(usize, Vec<bench::Peer>)> {
    let (mut runs, mut peers) = (bench::RUNS, Vec::new());
    while let [name, value, rest @ ..] = options {
        match *name {
            "--runs" => {
                runs = value
                    .parse()
                    .ok()
                    .filter(|runs| *runs > 0)
                    .ok_or_else(|| format!("--runs: `{value}` is not a number from 1"))?;
            }
            "--peer" => peers.push(
                bench::Peer::read(value)
                    .ok_or_else(|| format!("--peer: `{value}` is not NAME=COMMAND"))?,
            ),
            _ => break,
        }
        options = rest;
    }
    if options.is_empty() {
        Ok((runs, peers))
    } else {
        Err(format!("bench: unknown option, or its value is missing: `{}`", options.join(" ")))
    }
}

fn done(result: Result<()>) -> Result<ExitCode> {
    result.map(|()| ExitCode::SUCCESS)
}

fn misused(problem: &str) -> ExitCode {
    eprintln!("xtask: {problem}\n\n{HELP}");
    ExitCode::from(2)
}
