//! `cargo xtask bench`: how soon the command and the window are there, beside zenity and a bare
//! WebKitGTK window, and what the app bears and weighs.
//!
//! All times are taken in turns within one run, so that a busy moment of the machine meets all of
//! them alike.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use crate::{Result, desktop::Desktop, packages, place, setup, step, stripes};

mod app;
mod floor;
mod layouts;
mod load;
mod rest;
mod row;
mod siege;
mod table;
mod weight;

use app::App;
use floor::Floor;
use row::{OPTIONS, Row, Way};
use weight::Weight;

pub(crate) const RUNS: usize = 10;

/// The package of the floor, and its program.
pub(crate) const FLOOR: &str = "askdeck-floor";

const PATIENCE: Duration = Duration::from_secs(30);

/// What the developer wants to be measured.
pub(crate) struct Options {
    pub(crate) runs: usize,
    pub(crate) peers: Vec<Peer>,
    pub(crate) builds: Vec<Build>,
}

/// Another build of Askdeck to be measured beside this one.
pub(crate) struct Build {
    name: String,
    /// The folder with both programs.
    programs: PathBuf,
}

impl Build {
    /// `NAME=FOLDER`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (name, folder) = named(text)?;
        Some(Self { name, programs: folder.into() })
    }
}

/// Another dialog program to be measured, as the developer names it.
pub(crate) struct Peer {
    name: String,
    /// For a shell, with the texts to show in its environment.
    command: String,
}

impl Peer {
    /// `NAME=COMMAND`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (name, command) = named(text)?;
        Some(Self { name, command: command.into() })
    }
}

/// `NAME=VALUE`, neither of them empty.
fn named(text: &str) -> Option<(String, &str)> {
    let (name, value) = text.split_once('=')?;
    let given = !name.trim().is_empty() && !value.trim().is_empty();
    given.then(|| (name.trim().into(), value))
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let runs = options.runs;
    setup::ensure(&[packages::BUILD, packages::DISPLAY, packages::BENCH])?;
    // In one go, so that the floor is built with the libraries of the app.
    let packages = ["askdeck", "askdeck-desktop", FLOOR];
    let mut build = step::cargo(&["build", "--release"]);
    build.args(packages.map(|package| format!("--package={package}")));
    step::run("release build", &mut build)?;

    let programs = place::target()?.join("release");
    let homes = Homes::make()?;
    let desktop = Desktop::start(&homes.alone)?;
    let asks = {
        let app = App::start(&programs, &desktop, &homes.crowded)?;
        load::asks_a_second(&app.socket())?
    };
    for (past, home) in &homes.full {
        eprintln!("==> {past} questions past and {} pending", load::PENDING);
        load::fill(&App::start(&programs, &desktop, home)?.socket(), *past, load::PENDING)?;
    }

    eprintln!("==> weighing the floor");
    // The app has shown as much when it is weighed.
    let floor = floor::weigh(&programs, &desktop, 1 + runs + rest::OPENINGS)?;

    let mut app = App::start(&programs, &desktop, &homes.resident)?;
    // Apart from the one that is weighed.
    let reader = App::start(&programs, &desktop, &homes.reader)?;
    let used = App::start(&programs, &desktop, &homes.used)?;
    eprintln!(
        "==> {} questions past and {} pending, to an app that stays",
        load::USED,
        load::PENDING
    );
    load::fill(&used.socket(), load::USED, 0)?;
    let pending = load::hold(&used.socket())?;
    let others = options.builds.iter().map(|build| {
        let home = Homes::home(&format!("beside/{}", build.name))?;
        App::start(&build.programs, &desktop, &home)
    });
    let others = others.collect::<Result<Vec<_>>>()?;
    load::rest();
    let mut rows = rows(&programs, &homes, &desktop, &options.peers)?;
    for build in &options.builds {
        rows.extend(rows_beside(build, &desktop)?);
    }
    eprintln!("==> {runs} rounds of {} measurements, after one to warm up", rows.len());
    for round in 0..=runs {
        for row in &mut rows {
            let times = row.measure(&programs, &desktop)?;
            if round > 0 {
                row.times.push(times);
            }
        }
    }
    drop((pending, used, others));
    let builds = options.builds.iter().map(|build| build.name.as_str());
    let builds: String = builds.map(|build| table::beside(&rows, build)).collect();
    print!("{}{}{builds}", table::surroundings(&rows), table::times(&rows));
    // What shares memory with the app must not run while that is weighed.
    drop(rows);
    print!("{}", layouts::scrolling(&reader, &programs, &desktop)?);
    drop(reader);

    eprintln!("==> {} dialogs that nobody touches", rest::OPENINGS);
    let rests = rest::with_dialogs(&mut app, &desktop)?;
    eprintln!("==> weighing the app");
    let idle = weight::of(app.id())?;
    let open = weigh_with_a_dialog(&mut app, &programs, &desktop)?;
    let crowd = load::crowd(&app.socket())?;
    let shown = load::one_by_one(&app.socket())?;
    let after = weight::of(app.id())?;
    let heavier = table::heavier(&idle, &floor);
    print!(
        "{}{}{heavier}{}",
        table::weights(&[
            ("app resident, idle", idle),
            ("app resident, a dialog open", open),
            ("app resident, 1,000 dialogs later", after),
            (table::FLOOR_RESIDENT, floor),
        ]),
        table::rests(&rests),
        table::loads(asks, &crowd, shown)?
    );
    load::rest();
    print!("{}", siege::line(&app, &programs, &desktop)?);
    Ok(())
}

/// Where Askdeck keeps its files: for an app that is started for each question, for one that stays,
/// and for those that have to bear much.
struct Homes {
    alone: PathBuf,
    resident: PathBuf,
    reader: PathBuf,
    empty: PathBuf,
    /// By how many questions are past.
    full: Vec<(u32, PathBuf)>,
    /// For one that stays.
    used: PathBuf,
    crowded: PathBuf,
}

impl Homes {
    fn make() -> Result<Self> {
        let home = Self::home;
        let full = |past: u32| Ok((past, home(&format!("past-{past}"))?));
        Ok(Self {
            alone: home("alone")?,
            resident: home("resident")?,
            reader: home("reader")?,
            empty: home("empty")?,
            full: load::PAST.into_iter().map(full).collect::<Result<_>>()?,
            used: home("used")?,
            crowded: home("crowded")?,
        })
    }

    fn home(name: &str) -> Result<PathBuf> {
        let config = "arming_ms = 0\nreuse_minutes = 0\nanswers_over_socket = true\n";
        place::askdeck_home(&format!("bench/{name}"), config)
    }
}

fn rows(programs: &Path, homes: &Homes, desktop: &Desktop, peers: &[Peer]) -> Result<Vec<Row>> {
    let options = options();
    let command = |program: &Path, args: &[&str]| command_in(&homes.alone, desktop, program, args);
    let asks = |name: &str, home, afresh| ask_row(name, programs, home, desktop, afresh);
    let floor = command(&floor::program(programs), &[&floor::text()]);
    let mut zenity = command(Path::new("zenity"), &["--list", "--title", "Bench"]);
    zenity.args(["--width", "560", "--height", "520"]);
    zenity.args(["--text", stripes::TEXT, "--column", "Option"]).args(&options);

    let version = |program: &str| Way::Ends(command(&programs.join(program), &["--version"]));
    let mut rows = vec![
        Row::new("askdeck --version", version("askdeck")),
        Row::new("askdeck-desktop --version", version("askdeck-desktop")),
        asks(table::COLD, &homes.alone, false),
        Row::new(table::FLOOR_COLD, Way::Paints(floor)),
        asks(table::RESIDENT, &homes.resident, false),
        Row::new(table::FLOOR_RESIDENT, Way::Shows(Floor::start(programs, desktop)?)),
        asks("app just started", &homes.empty, true),
    ];
    rows.extend(layout_rows("", layouts::payloads(), programs, &homes.reader, desktop));
    rows.extend(
        homes.full.iter().map(|(past, home)| {
            asks(&format!("{past} past, {} pending", load::PENDING), home, true)
        }),
    );
    rows.push(asks(&table::crowded(), &homes.used, false));
    rows.push(Row::new(table::ZENITY, Way::Paints(zenity)));
    rows.extend(peers.iter().map(|peer| {
        let mut shell = command(Path::new("sh"), &["-c", &peer.command]);
        shell.env("TEXT", stripes::TEXT);
        for (option, n) in options.iter().zip(1..) {
            shell.env(format!("OPTION_{n}"), option);
        }
        Row::new(&peer.name, Way::Paints(shell))
    }));
    Ok(rows)
}

/// The rows of this build's app that another one is compared by. Its resident app runs already.
fn rows_beside(build: &Build, desktop: &Desktop) -> Result<Vec<Row>> {
    let home = |kind: &str| Homes::home(&format!("beside/{}{kind}", build.name));
    let (stays, alone) = (home("")?, home(" alone")?);
    let name = |row: &str| table::of_build(&build.name, row);
    let mut rows = vec![
        ask_row(&name(table::COLD), &build.programs, &alone, desktop, false),
        ask_row(&name(table::RESIDENT), &build.programs, &stays, desktop, false),
    ];
    rows.extend(layout_rows(
        &name(""),
        vec![layouts::permission()],
        &build.programs,
        &stays,
        desktop,
    ));
    Ok(rows)
}

fn ask_row(name: &str, programs: &Path, home: &Path, desktop: &Desktop, afresh: bool) -> Row {
    let args = ["ask", "--dialect", "askdeck", &payload(&options())];
    let command = command_in(home, desktop, &programs.join("askdeck"), &args);
    Row::new(name, Way::Answers { command, home: home.to_owned(), afresh })
}

/// One for each payload, asked of the app of this home.
fn layout_rows(
    prefix: &str,
    payloads: Vec<(&str, String)>,
    programs: &Path,
    home: &Path,
    desktop: &Desktop,
) -> Vec<Row> {
    let row = |(name, payload): (&str, String)| {
        let args = ["ask", "--dialect", "askdeck", &payload];
        let ask = command_in(home, desktop, &programs.join("askdeck"), &args);
        Row::new(format!("{prefix}{}, {name}", table::RESIDENT), Way::Paints(ask))
    };
    payloads.into_iter().map(row).collect()
}

fn command_in(home: &Path, desktop: &Desktop, program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    desktop.dress(command.args(args)).env("ASKDECK_HOME", home);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn options() -> Vec<String> {
    (1..=OPTIONS).map(|n| format!("{} {n}", stripes::TEXT)).collect()
}

fn payload(options: &[String]) -> String {
    let options: Vec<String> = options.iter().map(|label| format!("\"{label}\"")).collect();
    format!(
        r#"{{"title":"Bench","questions":[{{"header":"Bench","question":"{}","type":"single","options":[{}]}}]}}"#,
        stripes::TEXT,
        options.join(",")
    )
}

/// What the app weighs while a dialog is open that nobody touches.
fn weigh_with_a_dialog(app: &mut App, programs: &Path, desktop: &Desktop) -> Result<Weight> {
    let _open = app.ask(programs, desktop, &["-q", "Which?", "-o", "This", "-o", "That"])?;
    weight::of(app.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, expected: Option<(&str, &str)>) {
        let peer = Peer::read(text);
        let read = peer.as_ref().map(|peer| (peer.name.as_str(), peer.command.as_str()));
        assert_eq!(read, expected);
    }

    #[test]
    fn reads_a_peer() {
        case("yad=yad --list", Some(("yad", "yad --list")));
        case(" my own = A=1 dialog", Some(("my own", " A=1 dialog")));
        case("yad", None);
        case("yad= ", None);
        case("=yad --list", None);
    }
}
