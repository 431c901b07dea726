//! What the app and the processes that it started take while nothing happens.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use crate::{Result, process::descendants};

/// How long it may tidy up after the last thing that happened.
const SETTLING: Duration = Duration::from_secs(30);
/// How long it is watched.
const WATCH: Duration = Duration::from_secs(20);

pub(super) struct Weight {
    /// Of memory, where what is shared with others counts in part (PSS).
    pub(super) megabytes: f64,
    /// How often a second any of its threads had to run.
    pub(super) wake_ups: f64,
    /// Of one core.
    pub(super) percent: f64,
}

pub(super) fn of(app: u32) -> Result<Weight> {
    thread::sleep(SETTLING);
    let family: Vec<u32> = [vec![app], descendants(app)].concat();
    let sum = |measure: fn(u32) -> Option<u32>| {
        let all: Option<u32> = family.iter().map(|&id| measure(id)).sum();
        all.ok_or("a process of the app ended while it was weighed")
    };
    let start = Instant::now();
    let (woken, worked) = (sum(wake_ups)?, sum(ticks)?);
    thread::sleep(WATCH);
    let seconds = start.elapsed().as_secs_f64();
    Ok(Weight {
        megabytes: f64::from(sum(kilobytes)?) / 1024.0,
        wake_ups: f64::from(sum(wake_ups)? - woken) / seconds,
        // The kernel counts in hundredths of a second.
        percent: f64::from(sum(ticks)? - worked) / seconds,
    })
}

fn kilobytes(id: u32) -> Option<u32> {
    field(&fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?, "Pss:")
}

/// A thread that has run and waits again has been switched away from once.
fn wake_ups(id: u32) -> Option<u32> {
    let threads = fs::read_dir(format!("/proc/{id}/task")).ok()?.flatten();
    let switches = threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok())
        .filter_map(|status| field(&status, "voluntary_ctxt_switches:"));
    Some(switches.sum())
}

fn ticks(id: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let times =
        fields.split_whitespace().skip(11).take(2).filter_map(|time| time.parse::<u32>().ok());
    Some(times.sum())
}

fn field(text: &str, name: &str) -> Option<u32> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weighs_a_process() {
        let here = std::process::id();
        assert!(kilobytes(here).unwrap() > 100);
        assert!(wake_ups(here).is_some());
        assert!(ticks(here).is_some());
    }

    #[test]
    fn reads_a_field_by_its_whole_name() {
        let status = "nonvoluntary_ctxt_switches:\t7\nvoluntary_ctxt_switches:\t42\n";
        assert_eq!(field(status, "voluntary_ctxt_switches:"), Some(42));
    }
}
