//! Looks for bytes that break what must hold for all of them (`fuzz/src/lib.rs`).

use std::{fs, path::Path, process::Command};

use crate::{Result, packages, place, setup, step};

/// Each target, and where its first inputs lie. Payloads are in the tests' cases already.
const TARGETS: [(&str, &str); 5] = [
    ("answering", "fuzz/seeds/answering"),
    ("dialects", "tests/dialects"),
    ("hook", "fuzz/seeds/hook"),
    ("markdown", "fuzz/seeds/markdown"),
    ("wire", "fuzz/seeds/wire"),
];

pub(crate) const MINUTES: u32 = 20;
const RUNS: u32 = 10_000_000;

/// Runs each target for ten million inputs, or for so many minutes.
pub(crate) fn run(minutes: u32) -> Result<()> {
    setup::ensure(&[packages::BUILD, packages::FUZZ])?;
    setup::ensure_nightly()?;
    setup::ensure_command("cargo-fuzz")?;
    let target = place::target()?;
    for (name, seeds) in TARGETS {
        let corpus = target.join("fuzz-corpus").join(name);
        fs::create_dir_all(&corpus)
            .map_err(|e| format!("cannot make {}: {e}", corpus.display()))?;
        step::run(&format!("fuzz {name}"), &mut fuzzer(name, &target, &corpus, seeds, minutes))?;
    }
    Ok(())
}

fn fuzzer(name: &str, target: &Path, corpus: &Path, seeds: &str, minutes: u32) -> Command {
    let mut command = Command::new("cargo");
    // There is hardly anything unsafe in it, and it tries three times as many without.
    command.args(["+nightly", "fuzz", "run", "--sanitizer", "none", "--target-dir"]);
    command.arg(target.join("fuzz")).arg(name).arg(corpus).arg(place::root().join(seeds));
    command.arg("--").arg(format!("-runs={RUNS}"));
    command.arg(format!("-max_total_time={}", minutes * 60));
    // Longer ones say nothing new; the limit itself has tests of its own.
    command.args(["-max_len=8192", "-timeout=10", "-print_final_stats=1", "-verbosity=0"]);
    command
}
