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

/// Another dialog program to be measured, as the developer names it.
pub(crate) struct Peer {
    name: String,
    /// For a shell, with the texts to show in its environment.
    command: String,
}

impl Peer {
    /// `NAME=COMMAND`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (name, command) = text.split_once('=')?;
        let given = !name.trim().is_empty() && !command.trim().is_empty();
        given.then(|| Self { name: name.trim().into(), command: command.into() })
    }
}

pub(crate) fn run(runs: usize, peers: &[Peer]) -> Result<()> {
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
    load::rest();
    let mut rows = rows(&programs, &homes, &desktop, peers)?;
    eprintln!("==> {runs} rounds of {} measurements, after one to warm up", rows.len());
    for round in 0..=runs {
        for row in &mut rows {
            let times = row.measure(&programs, &desktop)?;
            if round > 0 {
                row.times.push(times);
            }
        }
    }
    drop((pending, used));
    print!("{}{}", table::surroundings(&rows), table::times(&rows));
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
        let home = |name: &str| {
            let config = "arming_ms = 0\nreuse_minutes = 0\nanswers_over_socket = true\n";
            place::askdeck_home(&format!("bench/{name}"), config)
        };
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
}

fn rows(programs: &Path, homes: &Homes, desktop: &Desktop, peers: &[Peer]) -> Result<Vec<Row>> {
    let (askdeck, app) = (programs.join("askdeck"), programs.join("askdeck-desktop"));
    let options: Vec<String> = (1..=OPTIONS).map(|n| format!("{} {n}", stripes::TEXT)).collect();
    let command = |program: &Path, args: &[&str], home: &Path| {
        let mut command = Command::new(program);
        desktop.dress(command.args(args)).env("ASKDECK_HOME", home);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let asks = |name: &str, home: &Path, afresh| {
        let args = ["ask", "--dialect", "askdeck", &payload(&options)];
        let command = command(&askdeck, &args, home);
        Row::new(name, Way::Answers { command, home: home.to_owned(), afresh })
    };
    let floor = command(&floor::program(programs), &[&floor::text()], &homes.alone);
    let mut zenity = command(Path::new("zenity"), &["--list", "--title", "Bench"], &homes.alone);
    zenity.args(["--width", "560", "--height", "520"]);
    zenity.args(["--text", stripes::TEXT, "--column", "Option"]).args(&options);

    let version = |program: &Path| Way::Ends(command(program, &["--version"], &homes.alone));
    let mut rows = vec![
        Row::new("askdeck --version", version(&askdeck)),
        Row::new("askdeck-desktop --version", version(&app)),
        asks(table::COLD, &homes.alone, false),
        Row::new(table::FLOOR_COLD, Way::Paints(floor)),
        asks(table::RESIDENT, &homes.resident, false),
        Row::new(table::FLOOR_RESIDENT, Way::Shows(Floor::start(programs, desktop)?)),
        asks("app just started", &homes.empty, true),
    ];
    rows.extend(layouts::payloads().into_iter().map(|(name, payload)| {
        let args = ["ask", "--dialect", "askdeck", &payload];
        let ask = command(&askdeck, &args, &homes.reader);
        Row::new(format!("{}, {name}", table::RESIDENT), Way::Paints(ask))
    }));
    rows.extend(
        homes.full.iter().map(|(past, home)| {
            asks(&format!("{past} past, {} pending", load::PENDING), home, true)
        }),
    );
    rows.push(asks(&table::crowded(), &homes.used, false));
    rows.push(Row::new(table::ZENITY, Way::Paints(zenity)));
    rows.extend(peers.iter().map(|peer| {
        let mut shell = command(Path::new("sh"), &["-c", &peer.command], &homes.alone);
        shell.env("TEXT", stripes::TEXT);
        for (option, n) in options.iter().zip(1..) {
            shell.env(format!("OPTION_{n}"), option);
        }
        Row::new(&peer.name, Way::Paints(shell))
    }));
    Ok(rows)
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
