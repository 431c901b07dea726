//! Something that is started and timed, again and again.

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use askdeck_testkit::{
    Host, Running, Wire,
    process::{descendants, is_running},
    within,
};

use super::{App, PATIENCE, app, floor::Floor};
use crate::{Result, desktop::Desktop, hand::Hand, stripes};

pub(super) const OPTIONS: usize = 4;
const POLL: Duration = Duration::from_millis(2);
/// Longer than a program takes that has its answer, also on a busy disk: what the key before it
/// brought about would count as the work of the next.
const MOMENT: Duration = Duration::from_secs(3);

pub(super) struct Row {
    pub(super) name: String,
    way: Way,
    pub(super) times: Vec<Times>,
    /// The longest mean time between two looks at the screen.
    pub(super) looks: Duration,
}

/// What is measured, and what becomes of it.
pub(super) enum Way {
    Ends(Command),
    /// It paints its question, and is ended then.
    Paints(Command),
    /// It paints its question, and ends when that is answered, through the app of this home. One
    /// that is `afresh` is started before the question, and has not shown anything yet; any other
    /// runs already, or the question starts it.
    Answers {
        command: Command,
        home: PathBuf,
        afresh: bool,
    },
    /// It runs already, paints the text that it is handed, and is hidden then.
    Shows(Floor),
}

#[derive(Clone, Copy)]
pub(super) enum Times {
    Ended(Duration),
    Painted(Duration),
    /// From the start to the painted question, and from the key that answers it to the end.
    Answered {
        painted: Duration,
        exit: Duration,
    },
}

impl Times {
    /// Itself, unless a part of it is shorter than anything takes that is really done.
    fn possible(self) -> Result<Self> {
        // The kernel alone takes longer for each of them: to start a program and to collect it, to
        // hand a window's pixels through the X server, to carry a key to one program and from there
        // its answer to another.
        const END: Duration = Duration::from_micros(200);
        const PAINT: Duration = Duration::from_millis(3);
        const ANSWER: Duration = Duration::from_micros(500);
        match self {
            Self::Ended(time) => possible("start to end", time, END)?,
            Self::Painted(time) => possible("start to painted", time, PAINT)?,
            Self::Answered { painted, exit } => {
                possible("ask to painted", painted, PAINT)?;
                possible("answer to exit", exit, ANSWER)?;
            }
        }
        Ok(self)
    }
}

/// A time that says nothing about the program must not stand in a table.
pub(super) fn possible(what: &str, time: Duration, least: Duration) -> Result<()> {
    if time >= least {
        return Ok(());
    }
    Err(format!("{what} in {time:.1?} cannot be: nothing takes less than {least:.1?}"))
}

impl Row {
    pub(super) fn new(name: impl Into<String>, way: Way) -> Self {
        Self { name: name.into(), way, times: Vec::new(), looks: Duration::ZERO }
    }

    /// Fails if what was measured cannot be.
    pub(super) fn measure(&mut self, programs: &Path, desktop: &Desktop) -> Result<Times> {
        self.take(programs, desktop)
            .and_then(Times::possible)
            .map_err(|e| format!("{}: {e}", self.name))
    }

    fn take(&mut self, programs: &Path, desktop: &Desktop) -> Result<Times> {
        let (times, look) = match &mut self.way {
            Way::Ends(command) => {
                let start = Instant::now();
                let mut program = Running::start(command)?;
                if succeeds(&mut program, PATIENCE)? {
                    return Ok(Times::Ended(start.elapsed()));
                }
                return Err("it does not end".into());
            }
            Way::Paints(command) => {
                let start = Instant::now();
                let mut program = Running::start(command)?;
                let Painted { time, look } = painted(desktop, &mut program, start)?;
                close(desktop, program)?;
                (Times::Painted(time), look)
            }
            Way::Answers { command, home, afresh } => {
                let app = afresh.then(|| App::start(programs, desktop, home)).transpose()?;
                let start = Instant::now();
                let mut program = Running::start(command)?;
                let Painted { time, look } = painted(desktop, &mut program, start)?;
                let family = descendants(program.id());
                let exit = answered(desktop, home, &mut program)?;
                drop(app);
                await_end(desktop, &family)?;
                (Times::Answered { painted: time, exit }, look)
            }
            Way::Shows(floor) => {
                let Painted { time, look } = shown(floor, desktop)?;
                (Times::Painted(time), look)
            }
        };
        self.looks = self.looks.max(look);
        Ok(times)
    }
}

/// Hands the floor its text, and hides it when that is painted.
pub(super) fn shown(floor: &mut Floor, desktop: &Desktop) -> Result<Painted> {
    let start = Instant::now();
    floor.show()?;
    let painted = painted(desktop, floor.running(), start)?;
    floor.hide(desktop)?;
    Ok(painted)
}

pub(super) struct Painted {
    time: Duration,
    /// The mean time between two looks at the screen.
    look: Duration,
}

/// Watches the screen until the question and all its options are there.
fn painted(desktop: &Desktop, program: &mut Running, start: Instant) -> Result<Painted> {
    let mut looks = 0;
    loop {
        looks += 1;
        let picture = desktop.screen.picture()?;
        let time = start.elapsed();
        let lines = stripes::lines(&picture);
        if lines > OPTIONS {
            if looks == 1 {
                return Err("its question was on the screen before it was asked".into());
            }
            return Ok(Painted { time, look: time / looks });
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

/// Chooses the first option and sends it; how long the program took from there to its end.
fn answered(desktop: &Desktop, home: &Path, program: &mut Running) -> Result<Duration> {
    // Keys that come sooner were meant for something else.
    Wire::connect(&app::socket(home))?.call("ready", "{}")?;
    within(PATIENCE, "its window to have the keyboard", || {
        let active = desktop.ask("xdotool", &["getactivewindow"]);
        Ok((active.is_some() && active == windows(desktop)).then_some(()))
    })?;
    let before = desktop.screen.picture()?;
    let mut hand = Hand::lay_on(desktop.dress(&mut Command::new("xdotool")))?;
    hand.press("1")?;
    within(PATIENCE, "the choice to show", || {
        Ok((desktop.screen.picture()? != before).then_some(()))
    })?;
    if let Some(status) = program.ended()? {
        return Err(format!("ended with {status} before its answer was sent"));
    }
    // A key may come before the window listens; then the next one counts.
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let pressed = Instant::now();
        hand.press("Return")?;
        if succeeds(program, MOMENT)? {
            return Ok(pressed.elapsed());
        }
    }
    Err("it does not end".into())
}

/// Waits for its end, and sees it without delay. Whether it came within this time.
fn succeeds(program: &mut Running, within: Duration) -> Result<bool> {
    const GLANCE: Duration = Duration::from_micros(200);
    let start = Instant::now();
    while start.elapsed() < within {
        match program.ended()? {
            Some(status) if status.success() => return Ok(true),
            Some(status) => return Err(format!("ended with {status}")),
            None => thread::sleep(GLANCE),
        }
    }
    Ok(false)
}

/// Ends it and waits for all that it started, so that the next measurement has the machine alone.
fn close(desktop: &Desktop, mut program: Running) -> Result<()> {
    let family = descendants(program.id());
    program.interrupt();
    await_end(desktop, &family)
}

/// A window that still says good-bye would be there for the next question sooner than a hidden one.
fn await_end(desktop: &Desktop, family: &[u32]) -> Result<()> {
    within(PATIENCE, "its processes to end", || {
        Ok((!family.iter().any(|&id| is_running(id))).then_some(()))
    })?;
    await_closed(desktop)
}

pub(super) fn await_closed(desktop: &Desktop) -> Result<()> {
    within(PATIENCE, "its window to close", || {
        let gone = windows(desktop).is_none() && stripes::lines(&desktop.screen.picture()?) == 0;
        Ok(gone.then_some(()))
    })
}

/// Askdeck's windows on the screen, and the floor's.
pub(super) fn windows(desktop: &Desktop) -> Option<String> {
    desktop.ask("xdotool", &["search", "--onlyvisible", "--class", "askdeck"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_cannot_be_is_refused() {
        let ms = Duration::from_millis;
        let answered = |painted, exit| Times::Answered { painted, exit }.possible().err();
        assert_eq!(answered(ms(30), ms(5)), None);
        let refused = "answer to exit in 0.0ns cannot be: nothing takes less than 500.0µs";
        assert_eq!(answered(ms(30), Duration::ZERO).as_deref(), Some(refused));
        assert!(answered(ms(1), ms(5)).is_some());
        assert!(Times::Ended(Duration::ZERO).possible().is_err());
        assert!(Times::Painted(Duration::ZERO).possible().is_err());
    }
}
