//! What was measured, as a table.

use std::{fmt::Write, fs, process::Command, thread, time::Duration};

use super::{
    Weight,
    load::{self, Crowd},
    row::{OPTIONS, Row, Times, possible},
    weight::Unrest,
};
use crate::Result;

/// The row that the others are compared with.
pub(super) const ZENITY: &str = "zenity --list";

/// The row of an app that stays and has nothing else to do.
pub(super) const RESIDENT: &str = "app resident";

/// The row of an app that is started by the question.
pub(super) const COLD: &str = "app not running";

/// The rows of a bare window: one that stays, and one that is started.
pub(super) const FLOOR_RESIDENT: &str = "floor: resident";
pub(super) const FLOOR_COLD: &str = "floor: not running";

/// The row of one that stays and has much to do.
pub(super) fn crowded() -> String {
    format!("{RESIDENT}, {} past, {} pending", load::USED, load::PENDING)
}

/// How many times as long that one may take to paint a question.
const CROWDED_AT_MOST: f64 = 1.25;

/// How many times the floor's time the app may take when it stays and when it is started, and how
/// many times the floor's memory.
const RESIDENT_AT_MOST: f64 = 1.5;
const COLD_AT_MOST: f64 = 1.3;
const HEAVIER_AT_MOST: f64 = 1.15;

/// How wide the names of the rows are.
const NAMES: usize = 52;

/// What the numbers depend on.
pub(super) fn surroundings(rows: &[Row]) -> String {
    let first = |text: String| text.split_whitespace().next().unwrap_or("unknown").to_owned();
    let webkit = Command::new("pkg-config")
        .args(["--modversion", "webkit2gtk-4.1"])
        .output()
        .map(|output| first(String::from_utf8_lossy(&output.stdout).into_owned()))
        .unwrap_or_default();
    let gpu = fs::read_dir("/dev/dri").is_ok_and(|mut nodes| {
        nodes.any(|node| {
            node.is_ok_and(|node| node.file_name().to_string_lossy().starts_with("renderD"))
        })
    });
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let load = fs::read_to_string("/proc/loadavg").map(first).unwrap_or_default();
    let looks = rows.iter().map(|row| row.looks).max().unwrap_or_default();
    format!(
        "WebKitGTK {webkit} · GPU render node: {} · {cores} cores · load {load}\n\
         painted: the question and its {OPTIONS} options, seen in the pixels of a virtual X11 \
         screen,\nlooked at every {:.1} ms or sooner\n\n",
        if gpu { "yes" } else { "no" },
        milliseconds(looks),
    )
}

pub(super) fn times(rows: &[Row]) -> String {
    let mut zenity = None;
    let mut lines = Vec::new();
    for row in rows {
        let mut line = |to: &str, time: fn(&Times) -> Option<Duration>| {
            let times = row.sorted(time);
            if !times.is_empty() {
                let (median, p90) = (rank(&times, 50), rank(&times, 90));
                if row.name == ZENITY {
                    zenity = Some(median);
                }
                lines.push((format!("{}{to}", row.name), median, p90));
            }
        };
        line("", Times::ended);
        line(", ask to painted", Times::painted);
        line(", answer to exit", Times::exit);
    }
    let mut table = format!("{:<NAMES$}{:>12}{:>12}{:>16}\n", "", "median", "p90", "to zenity");
    for (name, median, p90) in lines {
        let ratio = |time: Duration| match zenity {
            Some(zenity) => format!("{:.2}", time.as_secs_f64() / zenity.as_secs_f64()),
            None => String::new(),
        };
        let _ = writeln!(
            table,
            "{name:<NAMES$}{:>9.1} ms{:>9.1} ms{:>16}",
            milliseconds(median),
            milliseconds(p90),
            format!("{} / {}", ratio(median), ratio(p90)),
        );
    }
    let crowding = format!("{} pending to none, {RESIDENT}", load::PENDING);
    table
        + "\n"
        + &compared(rows, &crowding, [&crowded(), RESIDENT], CROWDED_AT_MOST)
        + &compared(rows, &to_floor(RESIDENT), [RESIDENT, FLOOR_RESIDENT], RESIDENT_AT_MOST)
        + &compared(rows, &to_floor(COLD), [COLD, FLOOR_COLD], COLD_AT_MOST)
}

/// What a row of another build is called.
pub(super) fn of_build(build: &str, row: &str) -> String {
    format!("{build}: {row}")
}

/// How many times as long this build takes to paint as another one, row by row.
pub(super) fn beside(rows: &[Row], build: &str) -> String {
    let compare = |row: &Row| {
        let other = of_build(build, &row.name);
        compared(rows, &format!("{} to {build}", row.name), [&row.name, &other], 1.0)
    };
    rows.iter().map(compare).collect()
}

fn to_floor(name: &str) -> String {
    format!("{name} to its floor")
}

/// How many times as long the first of two rows takes to paint as the second, in the same run.
fn compared(rows: &[Row], what: &str, [row, base]: [&str; 2], wanted: f64) -> String {
    let painted = |name: &str, percent| {
        let times = rows.iter().find(|row| row.name == name)?.sorted(Times::painted);
        (!times.is_empty()).then(|| rank(&times, percent).as_secs_f64())
    };
    let ratio = |percent| Some(painted(row, percent)? / painted(base, percent)?);
    let (Some(median), Some(p90)) = (ratio(50), ratio(90)) else { return String::new() };
    format!("{what}, ask to painted: {median:.2} (median), {p90:.2} (p90); wanted: {wanted:.2}\n")
}

/// How many times as much the app weighs as the floor, unless others took a part of only one.
pub(super) fn heavier(app: &Weight, floor: &Weight) -> String {
    let ratio = if app.sharers == floor.sharers {
        format!("{:.2}", app.megabytes / floor.megabytes)
    } else {
        "not comparable, since another program with WebKit came or went".into()
    };
    format!("\n{}, idle, memory: {ratio}; wanted: {HEAVIER_AT_MOST:.2}\n", to_floor(RESIDENT))
}

pub(super) fn weights(weights: &[(&str, Weight)]) -> String {
    let mut table =
        format!("\n{:<NAMES$}{:>12}{:>12}{:>16}\n", "", "memory", "wake-ups", "of a core");
    for (name, weight) in weights {
        let _ = writeln!(
            table,
            "{name:<NAMES$}{:>9.0} MB{:>10.1}/s{:>14.2} %",
            weight.megabytes, weight.wake_ups, weight.percent,
        );
    }
    table
}

/// The most that the app did while a dialog was open, and what it did half of the times.
pub(super) fn rests(rests: &[Unrest]) -> String {
    let ranks = |of: fn(&Unrest) -> f64| {
        let mut all: Vec<f64> = rests.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        (all[(all.len() - 1) / 2], all[all.len() - 1])
    };
    let (wake_ups, percent) = (ranks(|rest| rest.wake_ups), ranks(|rest| rest.percent));
    let mut table = String::new();
    for (name, wake_ups, percent) in
        [("median", wake_ups.0, percent.0), ("most", wake_ups.1, percent.1)]
    {
        let name = format!("{RESIDENT}, a dialog open, {name} of {}", rests.len());
        let _ = writeln!(table, "{name:<NAMES$}{:>12}{wake_ups:>10.1}/s{percent:>14.2} %", "");
    }
    table
}

/// Fails if one of them cannot be.
pub(super) fn loads(asks: f64, crowd: &Crowd, shown: Duration) -> Result<String> {
    // Each of them goes to another process and back.
    const LEAST: Duration = Duration::from_micros(5);
    possible("a question taken", Duration::from_secs_f64(1.0 / asks), LEAST)?;
    possible("all callers taken", crowd.asked, LEAST * load::CROWD)?;
    possible("all callers told", crowd.told, LEAST * load::CROWD)?;
    possible("all dialogs painted", shown, LEAST * load::SHOWN)?;
    Ok(format!(
        "\nquestions taken and kept, from 8 clients: {asks:.0} a second\n\
         {} callers wait at once: {:.0} ms until all are taken, {:.0} ms until all are told\n\
         {} dialogs painted one after another: {:.1} ms each\n",
        load::CROWD,
        milliseconds(crowd.asked),
        milliseconds(crowd.told),
        load::SHOWN,
        milliseconds(shown / load::SHOWN),
    ))
}

impl Row {
    fn sorted(&self, time: fn(&Times) -> Option<Duration>) -> Vec<Duration> {
        let mut times: Vec<Duration> = self.times.iter().filter_map(time).collect();
        times.sort();
        times
    }
}

impl Times {
    fn ended(&self) -> Option<Duration> {
        match *self {
            Self::Ended(time) => Some(time),
            _ => None,
        }
    }

    fn painted(&self) -> Option<Duration> {
        match *self {
            Self::Painted(painted) | Self::Answered { painted, .. } => Some(painted),
            Self::Ended(_) => None,
        }
    }

    fn exit(&self) -> Option<Duration> {
        match *self {
            Self::Answered { exit, .. } => Some(exit),
            _ => None,
        }
    }
}

pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The smallest of the sorted times that `percent` of them do not exceed.
pub(super) fn rank(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]
}

#[cfg(test)]
mod tests {
    use super::{super::row::Way, *};

    fn row(name: &str, milliseconds: [u64; 2]) -> Row {
        let mut row = Row::new(name, Way::Ends(Command::new("true")));
        row.times = milliseconds.map(|time| Times::Painted(Duration::from_millis(time))).into();
        row
    }

    #[test]
    fn app_is_compared_with_its_floor() {
        let rows = [row(RESIDENT, [30, 60]), row(FLOOR_RESIDENT, [20, 30])];
        let table = times(&rows);
        let ratio = "app resident to its floor, ask to painted: 1.50 (median), 2.00 (p90); \
                     wanted: 1.50\n";
        assert!(table.ends_with(ratio), "{table}");
    }

    #[test]
    fn builds_are_compared_row_by_row() {
        let rows = [row(RESIDENT, [30, 60]), row(&of_build("old", RESIDENT), [20, 30])];
        let ratio =
            "app resident to old, ask to painted: 1.50 (median), 2.00 (p90); wanted: 1.00\n";
        assert_eq!(beside(&rows, "old"), ratio);
    }

    #[test]
    fn memory_is_compared_only_if_the_same_programs_share_it() {
        let weight = |megabytes, sharers: &[u32]| Weight {
            megabytes,
            wake_ups: 0.0,
            percent: 0.0,
            sharers: sharers.iter().copied().collect(),
        };
        let alone = heavier(&weight(150.0, &[]), &weight(120.0, &[]));
        assert!(alone.contains("memory: 1.25; wanted: 1.15"), "{alone}");
        let shared = heavier(&weight(90.0, &[7]), &weight(120.0, &[]));
        assert!(shared.contains("not comparable"), "{shared}");
    }

    #[test]
    fn ranks_by_position() {
        let times: Vec<Duration> = (1..=10).map(Duration::from_millis).collect();
        assert_eq!(rank(&times, 50), Duration::from_millis(5));
        assert_eq!(rank(&times, 90), Duration::from_millis(9));
        assert_eq!(rank(&times[..1], 90), Duration::from_millis(1));
    }
}
