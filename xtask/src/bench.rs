//! `cargo xtask bench`: how soon the command and the window are there, beside zenity, and what the
//! app bears and weighs.
//!
//! All times are taken in turns within one run, so that a busy moment of the machine meets all of
//! them alike.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use crate::{Result, desktop::Desktop, packages, place, process::Running, setup, step, stripes};

mod app;
mod load;
mod row;
mod table;
mod weight;

use app::App;
use row::{OPTIONS, Row, Way};
use weight::Weight;

pub(crate) const RUNS: usize = 10;

const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn run(runs: usize) -> Result<()> {
    setup::ensure(&[packages::BUILD, packages::DISPLAY, packages::BENCH])?;
    step::run(
        "release build",
        &mut step::cargo(&["build", "--release", "--package", "askdeck-desktop"]),
    )?;

    let programs = place::target()?.join("release");
    let desktop = Desktop::start()?;
    let homes = Homes::make()?;
    eprintln!("==> {} questions past and {} pending", load::HISTORY, load::PENDING);
    let asks = {
        let app = App::start(&programs, &desktop, &homes.crowded)?;
        load::asks_a_second(&app.socket())?
    };
    load::fill(&App::start(&programs, &desktop, &homes.full)?.socket())?;

    let mut app = App::start(&programs, &desktop, &homes.resident)?;
    let mut rows = rows(&programs, &homes, &desktop);
    eprintln!("==> {runs} rounds of {} measurements, after one to warm up", rows.len());
    for round in 0..=runs {
        for row in &mut rows {
            let times =
                row.measure(&programs, &desktop).map_err(|e| format!("{}: {e}", row.name))?;
            if round > 0 {
                row.times.push(times);
            }
        }
    }

    print!("{}{}", table::surroundings(&rows), table::times(&rows));

    eprintln!("==> weighing the app");
    let idle = weight::of(app.id())?;
    let open = weigh_with_a_dialog(&mut app, &programs, &desktop)?;
    print!("{}", table::weights(&idle, &open, asks));
    Ok(())
}

/// Where Askdeck keeps its files: for an app that is started for each question, for one that stays,
/// and for those that have to bear much.
struct Homes {
    alone: PathBuf,
    resident: PathBuf,
    empty: PathBuf,
    full: PathBuf,
    crowded: PathBuf,
}

impl Homes {
    fn make() -> Result<Self> {
        let home = |name: &str| {
            place::askdeck_home(&format!("bench/{name}"), "arming_ms = 0\nreuse_minutes = 0\n")
        };
        Ok(Self {
            alone: home("alone")?,
            resident: home("resident")?,
            empty: home("empty")?,
            full: home("full")?,
            crowded: home("crowded")?,
        })
    }
}

fn rows(programs: &Path, homes: &Homes, desktop: &Desktop) -> Vec<Row> {
    let (askdeck, app) = (programs.join("askdeck"), programs.join("askdeck-desktop"));
    let options: Vec<String> = (1..=OPTIONS).map(|n| format!("{} {n}", stripes::TEXT)).collect();
    let command = |program: &Path, args: &[&str], home: &Path| {
        let mut command = Command::new(program);
        desktop.dress(command.args(args)).env("ASKDECK_HOME", home);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let ask = |home| command(&askdeck, &["ask", "--dialect", "askdeck", &payload(&options)], home);
    let answers = |home: &Path, afresh| Way::Answers { home: home.to_owned(), afresh };
    let mut zenity = command(Path::new("zenity"), &["--list", "--title", "Bench"], &homes.alone);
    zenity.args(["--width", "560", "--height", "520"]);
    zenity.args(["--text", stripes::TEXT, "--column", "Option"]).args(&options);

    vec![
        Row::new("askdeck --version", command(&askdeck, &["--version"], &homes.alone), Way::Ends),
        Row::new(
            "askdeck-desktop --version",
            command(&app, &["--version"], &homes.alone),
            Way::Ends,
        ),
        Row::new("app not running", ask(&homes.alone), Way::Paints),
        Row::new("app resident", ask(&homes.resident), answers(&homes.resident, false)),
        Row::new("app just started", ask(&homes.empty), answers(&homes.empty, true)),
        Row::new("the same, full", ask(&homes.full), answers(&homes.full, true)),
        Row::new(table::ZENITY, zenity, Way::Paints),
    ]
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
    let mut ask = Command::new(programs.join("askdeck"));
    ask.args(["ask", "-q", "Which?", "-o", "This", "-o", "That"]);
    ask.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _open = Running::start(desktop.dress(&mut ask).env("ASKDECK_HOME", app.home()))?;
    weight::of(app.id())
}
