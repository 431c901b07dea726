//! `cargo xtask torture`: the real programs, a person and agents by script, and every mishap that we
//! could think of in between, at random.
//!
//! It checks the promises, not that nothing crashes: every answer that was given is delivered or can
//! be redeemed, once; none is invented; a draft lacks at most its last second; callers end with a
//! documented exit code. A seed fixes who asks what, and which fault comes when; how the machine
//! interleaves it is its own.

use std::{
    env,
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use crate::{Result, packages, place, setup, step};

mod agent;
mod chance;
mod clock;
mod draft;
mod fault;
mod ledger;
mod person;
mod plan;
mod report;
mod round;
mod stage;
mod tally;
mod trial;
mod troubles;

use chance::Chance;
use report::Case;
use tally::Tally;

/// How long it goes on beginning new rounds, unless their number is given.
const MINUTES: u64 = 3;
/// Set in the process that has mounts of its own.
const INSIDE: &str = "ASKDECK_TORTURE_INSIDE";

#[derive(Default)]
pub(crate) struct Options {
    seed: Option<u64>,
    rounds: Option<u64>,
    minutes: Option<u64>,
}

impl Options {
    pub(crate) fn read(args: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        for pair in args.chunks(2) {
            let [name, value] = pair else {
                return Err(format!("{}: the number is missing", pair[0]));
            };
            let option = match *name {
                "--seed" => &mut options.seed,
                "--rounds" => &mut options.rounds,
                "--minutes" => &mut options.minutes,
                name => return Err(format!("torture: unknown option `{name}`")),
            };
            let number = value.parse().map_err(|_| format!("{name}: `{value}` is not a number"))?;
            *option = Some(number);
        }
        Ok(options)
    }
}

pub(crate) fn run(args: &[&str], options: &Options) -> Result<ExitCode> {
    if env::var_os(INSIDE).is_none() {
        setup::ensure(&[packages::BUILD, packages::DISPLAY, packages::TEST, packages::TORTURE])?;
        step::run("build", &mut step::cargo(&["build"]))?;
        if let Some(ended) = inside(args)? {
            return Ok(ended);
        }
    }
    let seed = options.seed.unwrap_or_else(unchosen_seed);
    let limit = Duration::from_secs(60 * options.minutes.unwrap_or(MINUTES));
    let least = if options.minutes.is_some() { 0 } else { plan::rounds_of_two_decks() };
    let begun = Instant::now();
    let (mut tally, mut cases) = (Tally::default(), Vec::new());
    let mut rounds = 0;
    let goes_on = |rounds| match options.rounds {
        Some(wanted) => rounds < wanted,
        None => rounds < least || begun.elapsed() < limit,
    };
    while goes_on(rounds) {
        let seed = seed + rounds;
        let played = round::play(seed).unwrap_or_else(|problem| Tally {
            breaks: vec![format!("the round could not begin: {problem}")],
            ..Tally::default()
        });
        let (faults, breaks) = (played.faults.values().sum::<u32>(), played.breaks.clone());
        eprintln!("==> seed {seed}: {faults} faults, {} broken", breaks.len());
        if !breaks.is_empty() {
            let log = place::target()?.join(format!("torture/{seed}/log")).display().to_string();
            cases.push(Case { seed, breaks, log });
        }
        tally.add(played);
        rounds += 1;
    }
    report::print(&tally, &cases, seed, rounds);
    Ok(if cases.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The first of the rounds that begin with a whole deck.
fn unchosen_seed() -> u64 {
    let decks = fault::ALL.len() as u64;
    Chance::seed() % (1_000_000 / decks) * decks
}

/// Runs this program again where mounts are its own and go with it. Nothing where that is not
/// allowed.
fn inside(args: &[&str]) -> Result<Option<ExitCode>> {
    let ways: [&[&str]; 2] = [&["--mount"], &["--mount", "--map-root-user"]];
    let allowed = |way: &&&[&str]| {
        let mut trial = Command::new("unshare");
        trial.args(**way).arg("true").stdout(Stdio::null()).stderr(Stdio::null());
        trial.status().is_ok_and(|status| status.success())
    };
    let Some(way) = ways.iter().find(allowed) else { return Ok(None) };
    let program = env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let status = Command::new("unshare")
        .args(*way)
        .arg(program)
        .arg("torture")
        .args(args)
        .env(INSIDE, "1")
        .status()
        .map_err(|e| format!("cannot run unshare: {e}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(Some(ExitCode::from(code)))
}
