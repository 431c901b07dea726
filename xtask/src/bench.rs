//! `cargo xtask bench`: how soon the command and the window are there, beside zenity.
//!
//! All measurements take turns within one run, so that a busy moment of the machine meets all of
//! them alike.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    Result,
    desktop::Desktop,
    packages, place,
    process::{Running, descendants, is_running},
    setup, step, stripes, wait,
};

pub(crate) const RUNS: usize = 10;

const OPTIONS: usize = 4;
const POLL: Duration = Duration::from_millis(2);
const PATIENCE: Duration = Duration::from_secs(30);

/// A row of the table: something that is started and timed, again and again.
struct Row {
    name: &'static str,
    command: Command,
    until: Until,
    times: Vec<Duration>,
    /// The longest mean time between two looks at the screen.
    looks: Duration,
}

enum Until {
    Ended,
    Painted,
    /// The question is there; timed from the key that answers it to the end of the program.
    Answered,
}

pub(crate) fn run(runs: usize) -> Result<()> {
    setup::ensure(&[packages::BUILD, packages::DISPLAY, packages::BENCH])?;
    step::run(
        "release build",
        &mut step::cargo(&["build", "--release", "--package", "askdeck-desktop"]),
    )?;

    let programs = place::target()?.join("release");
    let home = |name| place::askdeck_home(name, "arming_ms = 0\n");
    let homes = Homes { alone: home("bench/alone")?, resident: home("bench/resident")? };
    let desktop = Desktop::start()?;
    let _resident = homes.start_resident(&programs, &desktop)?;
    let mut rows = rows(&programs, &homes, &desktop);

    eprintln!("==> {runs} rounds of {} measurements, after one to warm up", rows.len());
    for round in 0..=runs {
        for row in &mut rows {
            let time = row.measure(&desktop).map_err(|e| format!("{}: {e}", row.name))?;
            if round > 0 {
                row.times.push(time);
            }
        }
    }
    print!("{}{}", surroundings(&rows), table(&mut rows));
    Ok(())
}

/// Where Askdeck keeps its files: for an app that is started for each question, and for one that
/// stays.
struct Homes {
    alone: PathBuf,
    resident: PathBuf,
}

impl Homes {
    /// Starts the app that stays.
    fn start_resident(&self, programs: &Path, desktop: &Desktop) -> Result<Running> {
        let mut app = Command::new(programs.join("askdeck-desktop"));
        app.arg("--resident").stdout(Stdio::null()).stderr(Stdio::null());
        let app = Running::start(desktop.dress(&mut app).env("ASKDECK_HOME", &self.resident))?;
        let mut status = Command::new(programs.join("askdeck"));
        status.arg("status").stdout(Stdio::null()).stderr(Stdio::null());
        desktop.dress(&mut status).env("ASKDECK_HOME", &self.resident);
        wait::until("the resident app to listen", PATIENCE, || {
            let status = status.status().map_err(|e| e.to_string())?;
            Ok(status.success().then_some(()))
        })?;
        Ok(app)
    }
}

fn rows(programs: &Path, homes: &Homes, desktop: &Desktop) -> Vec<Row> {
    let (askdeck, app) = (programs.join("askdeck"), programs.join("askdeck-desktop"));
    let options: Vec<String> = (1..=OPTIONS).map(|n| format!("{} {n}", stripes::TEXT)).collect();

    let ask = || {
        let mut ask = Command::new(&askdeck);
        ask.args(["ask", "--dialect", "askdeck", &payload(&options)]);
        ask
    };
    let mut zenity = Command::new("zenity");
    zenity.args(["--list", "--title", "Bench", "--width", "560", "--height", "520"]);
    zenity.args(["--text", stripes::TEXT, "--column", "Option"]).args(&options);
    let version = |program: &PathBuf| {
        let mut command = Command::new(program);
        command.arg("--version");
        command
    };

    [
        ("askdeck --version (goal: < 5 ms)", version(&askdeck), &homes.alone, Until::Ended),
        ("askdeck-desktop --version", version(&app), &homes.alone, Until::Ended),
        ("ask, app not running, to painted", ask(), &homes.alone, Until::Painted),
        ("ask, app resident, to painted", ask(), &homes.resident, Until::Painted),
        ("answer key to exit, app resident", ask(), &homes.resident, Until::Answered),
        ("zenity --list, to painted", zenity, &homes.alone, Until::Painted),
    ]
    .into_iter()
    .map(|(name, mut command, home, until)| {
        desktop.dress(&mut command).env("ASKDECK_HOME", home);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Row { name, command, until, times: Vec::new(), looks: Duration::ZERO }
    })
    .collect()
}

fn payload(options: &[String]) -> String {
    let options: Vec<String> = options.iter().map(|label| format!("\"{label}\"")).collect();
    format!(
        r#"{{"title":"Bench","questions":[{{"header":"Bench","question":"{}","type":"single","options":[{}]}}]}}"#,
        stripes::TEXT,
        options.join(",")
    )
}

impl Row {
    fn measure(&mut self, desktop: &Desktop) -> Result<Duration> {
        let start = Instant::now();
        let mut program = Running::start(&mut self.command)?;
        match self.until {
            Until::Ended => {
                let status = program.child().wait().map_err(|e| e.to_string())?;
                let time = start.elapsed();
                if status.success() { Ok(time) } else { Err(format!("ended with {status}")) }
            }
            Until::Painted => {
                let (time, looks) = painted(desktop, &mut program, start)?;
                self.looks = self.looks.max(time / looks);
                close(desktop, program)?;
                Ok(time)
            }
            Until::Answered => {
                painted(desktop, &mut program, start)?;
                let before = desktop.screen.picture()?;
                desktop.demand("xdotool", &["key", "1"])?;
                wait::until("the choice to show", PATIENCE, || {
                    Ok((desktop.screen.picture()? != before).then_some(()))
                })?;
                let pressed = Instant::now();
                desktop.demand("xdotool", &["key", "Return"])?;
                let status = program.child().wait().map_err(|e| e.to_string())?;
                let time = pressed.elapsed();
                await_gone(desktop)?;
                if status.success() { Ok(time) } else { Err(format!("ended with {status}")) }
            }
        }
    }
}

/// Watches the screen until the question and all its options are there; also tells how often it
/// looked.
fn painted(desktop: &Desktop, program: &mut Running, start: Instant) -> Result<(Duration, u32)> {
    let mut looks = 0;
    loop {
        looks += 1;
        let lines = stripes::lines(&desktop.screen.picture()?);
        let time = start.elapsed();
        if lines > OPTIONS {
            return Ok((time, looks));
        }
        if let Some(status) = program.ended()? {
            return Err(format!("ended with {status} before its question was painted"));
        }
        if time > PATIENCE {
            return Err(format!("{lines} of {} lines painted in {time:.0?}", OPTIONS + 1));
        }
        thread::sleep(POLL);
    }
}

/// Ends it and waits for all that it started, so that the next measurement has the machine alone.
fn close(desktop: &Desktop, mut program: Running) -> Result<()> {
    let family = descendants(program.id());
    program.interrupt();
    wait::until("its processes to end", PATIENCE, || {
        Ok((!family.iter().any(|&id| is_running(id))).then_some(()))
    })?;
    await_gone(desktop)
}

/// A window that still says good-bye would be there for the next question sooner than a hidden one.
fn await_gone(desktop: &Desktop) -> Result<()> {
    wait::until("its window to close", PATIENCE, || {
        let windows = desktop.ask("xdotool", &["search", "--onlyvisible", "--class", "askdeck"])?;
        let gone = windows.is_none() && stripes::lines(&desktop.screen.picture()?) == 0;
        Ok(gone.then_some(()))
    })
}

/// What the numbers depend on.
fn surroundings(rows: &[Row]) -> String {
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

fn table(rows: &mut [Row]) -> String {
    for row in rows.iter_mut() {
        row.times.sort();
    }
    let zenity = rows.last().map_or(Duration::ZERO, |row| rank(&row.times, 50));
    let mut table = format!("{:<36}{:>12}{:>12}{:>12}\n", "", "median", "p90", "to zenity");
    for row in rows.iter() {
        let (median, p90) = (rank(&row.times, 50), rank(&row.times, 90));
        let ratio = match row.until {
            Until::Painted | Until::Answered => {
                format!("{:.2}×", median.as_secs_f64() / zenity.as_secs_f64())
            }
            Until::Ended => String::new(),
        };
        let _ = writeln!(
            table,
            "{:<36}{:>9.1} ms{:>9.1} ms{ratio:>12}",
            row.name,
            milliseconds(median),
            milliseconds(p90),
        );
    }
    table
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The smallest of the sorted times that `percent` of them do not exceed.
fn rank(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_by_position() {
        let times: Vec<Duration> = (1..=10).map(Duration::from_millis).collect();
        assert_eq!(rank(&times, 50), Duration::from_millis(5));
        assert_eq!(rank(&times, 90), Duration::from_millis(9));
        assert_eq!(rank(&times[..1], 90), Duration::from_millis(1));
    }
}
