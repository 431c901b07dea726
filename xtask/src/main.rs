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
  bench [--runs N] [--peer NAME=COMMAND]... [--beside NAME=FOLDER]...
                   Measure start-up times beside zenity and a bare WebKitGTK window, then load and
                   memory (default: 10 runs). A peer is another dialog program: a shell command
                   that shows $TEXT as its question and $OPTION_1 to $OPTION_4 as its options.
                   With --beside, also measure the programs of another build of Askdeck
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
            Ok(options) => done(bench::run(&options)),
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

fn bench_options(mut args: &[&str]) -> Result<bench::Options> {
    let mut options = bench::Options { runs: bench::RUNS, peers: Vec::new(), builds: Vec::new() };
    while let [name, value, rest @ ..] = args {
        let not = |what: &str| format!("{name}: `{value}` is not {what}");
        match *name {
            "--runs" => {
                let runs = value.parse().ok().filter(|runs| *runs > 0);
                options.runs = runs.ok_or_else(|| not("a number from 1"))?;
            }
            "--peer" => {
                let peer = bench::Peer::read(value);
                options.peers.push(peer.ok_or_else(|| not("NAME=COMMAND"))?);
            }
            "--beside" => {
                let build = bench::Build::read(value);
                options.builds.push(build.ok_or_else(|| not("NAME=FOLDER"))?);
            }
            _ => break,
        }
        args = rest;
    }
    if args.is_empty() {
        Ok(options)
    } else {
        Err(format!("bench: unknown option, or its value is missing: `{}`", args.join(" ")))
    }
}

fn done(result: Result<()>) -> Result<ExitCode> {
    result.map(|()| ExitCode::SUCCESS)
}

fn misused(problem: &str) -> ExitCode {
    eprintln!("xtask: {problem}\n\n{HELP}");
    ExitCode::from(2)
}
