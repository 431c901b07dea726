//! A person answers while eight callers do their worst: how long each key takes until it shows.

use std::{
    fmt::Write as _,
    path::Path,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use askdeck_testkit::{Picture, Wire};

use super::{App, PATIENCE, table};
use crate::{Result, desktop::Desktop, hand::Hand};

const CALLERS: usize = 8;
const KEYS: usize = 200;
/// A key should show within this time, 99 times of 100.
const GOAL: Duration = Duration::from_millis(100);
/// What is drawn in several steps is there by then.
const SETTLED: Duration = Duration::from_millis(100);
const POLL: Duration = Duration::from_millis(2);

/// The times of all keys, as a line of the report.
pub(super) fn line(app: &App, programs: &Path, desktop: &Desktop) -> Result<String> {
    let args = ["-q", "Which?", "-o", "This", "-o", "That"];
    let mut asked = app.ask(programs, desktop, &args)?;
    let over = AtomicBool::new(false);
    let times = thread::scope(|scope| {
        for caller in 0..CALLERS {
            let (socket, over) = (app.socket(), &over);
            scope.spawn(move || besiege(&socket, &Way::of(caller), over));
        }
        let times = press_keys(desktop);
        over.store(true, Ordering::Relaxed);
        times
    });
    asked.interrupt();
    let mut times = times?;
    times.sort();
    Ok(format!(
        "{CALLERS} callers do their worst while a person presses {KEYS} keys: \
         a key shows after {:.1} ms, 99 of 100 within {:.1} ms (goal: {:.0} ms)\n",
        table::milliseconds(table::rank(&times, 50)),
        table::milliseconds(table::rank(&times, 99)),
        table::milliseconds(GOAL),
    ))
}

/// Chooses one option and the other, and sees each choice come.
fn press_keys(desktop: &Desktop) -> Result<Vec<Duration>> {
    let mut hand = Hand::lay_on(desktop.dress(&mut Command::new("xdotool")))?;
    let mut times = Vec::new();
    for n in 0..KEYS {
        let before = settled(desktop)?;
        let start = Instant::now();
        hand.press(["2", "1"][n % 2])?;
        times.push(await_change(desktop, &before, start)?);
    }
    Ok(times)
}

/// How long after `start` something on the screen is not as before.
pub(super) fn await_change(
    desktop: &Desktop,
    before: &Picture,
    start: Instant,
) -> Result<Duration> {
    while desktop.screen.picture()? == *before {
        if start.elapsed() > PATIENCE {
            return Err(format!("a key does not show in {PATIENCE:.0?}"));
        }
        thread::sleep(POLL);
    }
    Ok(start.elapsed())
}

/// The screen once nothing moves on it.
pub(super) fn settled(desktop: &Desktop) -> Result<Picture> {
    let mut last = (desktop.screen.picture()?, Instant::now());
    while last.1.elapsed() < SETTLED {
        thread::sleep(POLL);
        let picture = desktop.screen.picture()?;
        if picture != last.0 {
            last = (picture, Instant::now());
        }
    }
    Ok(last.0)
}

/// What one of the callers does, again and again.
enum Way {
    /// Submits this payload.
    Submits(String),
    /// Sends lines that are no messages.
    Babbles,
    /// Sends a message that never ends.
    Breaks(String),
}

impl Way {
    fn of(caller: usize) -> Self {
        match caller % 4 {
            0 => Self::Submits(bomb()),
            1 => Self::Submits(heap()),
            2 => Self::Babbles,
            _ => Self::Breaks(half()),
        }
    }

    fn go(&self, wire: &mut Wire) -> Result<()> {
        match self {
            Self::Submits(params) => {
                wire.send("submit", params)?;
                wire.hear().map(drop)
            }
            Self::Babbles => {
                wire.say(b"garbage\n")?;
                wire.hear().map(drop)
            }
            Self::Breaks(half) => {
                wire.say(half.as_bytes())?;
                Err("it goes in the middle of it".into())
            }
        }
    }
}

fn besiege(socket: &Path, way: &Way, over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        // A caller that is cut off comes again.
        let Ok(mut wire) = Wire::connect(socket) else { continue };
        while !over.load(Ordering::Relaxed) && way.go(&mut wire).is_ok() {}
    }
}

/// A schema of a few KB that would take 2⁴⁰ steps to check.
fn bomb() -> String {
    let mut parts = String::from(r#""a0":{"type":"string"}"#);
    for level in 1..40 {
        let before = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, level - 1);
        let _ = write!(parts, r#","a{level}":{{"allOf":[{before},{before}]}}"#);
    }
    let schema = format!(r##"{{"default":"x","$ref":"#/$defs/a39","$defs":{{{parts}}}}}"##);
    format!(r#"{{"payload":{{"interaction_id":1,"question":"Which?","schema":{schema}}}}}"#)
}

/// As many fields as a payload can have, none of which is known.
fn heap() -> String {
    let mut fields = String::new();
    for n in 0..80_000 {
        let _ = write!(fields, r#","f{n}":1"#);
    }
    format!(r#"{{"payload":{{"askdeck":1,"question":"Which?"{fields}}}}}"#)
}

fn half() -> String {
    let start = r#"{"jsonrpc":"2.0","id":1,"method":"ask","params":{"payload":""#;
    format!("{start}{}", "x".repeat(1_000_000))
}
