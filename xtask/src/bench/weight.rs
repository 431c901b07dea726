//! What the app and the processes that it started take while nothing happens.

use std::{
    collections::{BTreeSet, HashMap},
    fs::{self, DirEntry},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use askdeck_testkit::process::{self, descendants};

use crate::Result;

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
    /// Processes of others that had WebKit loaded: part of its memory counted for them.
    pub(super) sharers: BTreeSet<u32>,
}

pub(super) fn of(app: u32) -> Result<Weight> {
    thread::sleep(SETTLING);
    let family = family(app);
    let Unrest { wake_ups, percent } = unrest(&family, WATCH)?;
    let kilobytes: Option<u32> = family.iter().map(|&id| kilobytes(id)).sum();
    let kilobytes = kilobytes.ok_or("a process of the app ended while it was weighed")?;
    if kilobytes == 0 {
        return Err("an app that weighs nothing cannot be".into());
    }
    let sharers = sharers(&family);
    Ok(Weight { megabytes: f64::from(kilobytes) / 1024.0, wake_ups, percent, sharers })
}

/// The app and all processes that it started.
pub(super) fn family(app: u32) -> Vec<u32> {
    [vec![app], descendants(app)].concat()
}

/// What the processes do in so long a time.
pub(super) fn unrest(family: &[u32], watch: Duration) -> Result<Unrest> {
    let start = Instant::now();
    let before = activity(family);
    if before.is_empty() {
        return Err("there is no process to watch".into());
    }
    thread::sleep(watch);
    let seconds = start.elapsed().as_secs_f64();
    // A thread that has ended meanwhile is not counted, nor is one that was there before another
    // had its number.
    let since = activity(family).into_iter().map(|(thread, now)| {
        let before = before.get(&thread).copied().unwrap_or_default();
        (now.wake_ups.saturating_sub(before.wake_ups), now.ticks.saturating_sub(before.ticks))
    });
    let (wake_ups, ticks) = since.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    // The kernel counts time in hundredths of a second.
    Ok(Unrest { wake_ups: f64::from(wake_ups) / seconds, percent: f64::from(ticks) / seconds })
}

pub(super) struct Unrest {
    /// How often a second any of the threads had to run.
    pub(super) wake_ups: f64,
    /// Of one core.
    pub(super) percent: f64,
}

/// What a thread has done since it began.
#[derive(Clone, Copy, Default)]
struct Activity {
    /// One that has run and waits again has been switched away from once.
    wake_ups: u32,
    ticks: u32,
}

/// By thread, of all these processes.
fn activity(family: &[u32]) -> HashMap<PathBuf, Activity> {
    let threads = family.iter().filter_map(|id| fs::read_dir(format!("/proc/{id}/task")).ok());
    let activity = |thread: DirEntry| {
        let read = |name| fs::read_to_string(thread.path().join(name)).ok();
        let wake_ups = field(&read("status")?, "voluntary_ctxt_switches:")?;
        let ticks = ticks(&read("stat")?)?;
        Some((thread.path(), Activity { wake_ups, ticks }))
    };
    threads.flatten().flatten().filter_map(activity).collect()
}

fn kilobytes(id: u32) -> Option<u32> {
    field(&fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?, "Pss:")
}

fn sharers(family: &[u32]) -> BTreeSet<u32> {
    let has_webkit = |id: &u32| {
        fs::read_to_string(format!("/proc/{id}/maps"))
            .is_ok_and(|maps| maps.contains("/libwebkit2gtk-4.1.so"))
    };
    process::all().filter(|id| !family.contains(id)).filter(has_webkit).collect()
}

/// The time that a thread has had, of its own and in the kernel.
fn ticks(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().skip(11).take(2).map(|time| time.parse::<u32>().ok()).sum()
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
        assert!(!activity(&[here]).is_empty());
    }

    #[test]
    fn reads_the_times_of_a_program_with_an_odd_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 12 30 0 0 20 0 1 0 100";
        assert_eq!(ticks(stat), Some(42));
    }

    #[test]
    fn reads_a_field_by_its_whole_name() {
        let status = "nonvoluntary_ctxt_switches:\t7\nvoluntary_ctxt_switches:\t42\n";
        assert_eq!(field(status, "voluntary_ctxt_switches:"), Some(42));
    }
}
