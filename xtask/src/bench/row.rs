//! Something that is started and timed, again and again.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{App, PATIENCE, app};
use crate::{
    Result,
    desktop::Desktop,
    process::{Running, descendants, is_running},
    stripes, wait,
    wire::Wire,
};

pub(super) const OPTIONS: usize = 4;
const POLL: Duration = Duration::from_millis(2);
/// Longer than a program takes that has its answer, also on a busy disk: what the key before it
/// brought about would count as the work of the next.
const MOMENT: Duration = Duration::from_secs(3);

pub(super) struct Row {
    pub(super) name: String,
    command: Command,
    way: Way,
    pub(super) times: Vec<Times>,
    /// The longest mean time between two looks at the screen.
    pub(super) looks: Duration,
}

/// What becomes of what was started.
pub(super) enum Way {
    Ends,
    /// It paints its question, and is ended then.
    Paints,
    /// It paints its question, and ends when that is answered, through the app of this home. One
    /// that is `afresh` is started before the question, and has not shown anything yet; any other
    /// runs already, or the question starts it.
    Answers {
        home: PathBuf,
        afresh: bool,
    },
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

impl Row {
    pub(super) fn new(name: impl Into<String>, command: Command, way: Way) -> Self {
        Self { name: name.into(), command, way, times: Vec::new(), looks: Duration::ZERO }
    }

    pub(super) fn measure(&mut self, programs: &Path, desktop: &Desktop) -> Result<Times> {
        let app = match &self.way {
            Way::Answers { home, afresh: true } => Some(App::start(programs, desktop, home)?),
            _ => None,
        };
        let start = Instant::now();
        let mut program = Running::start(&mut self.command)?;
        if let Way::Ends = self.way {
            if succeeds(&mut program, PATIENCE)? {
                return Ok(Times::Ended(start.elapsed()));
            }
            return Err("it does not end".into());
        }
        let painted = self.painted(desktop, &mut program, start)?;
        let Way::Answers { home, .. } = &self.way else {
            close(desktop, program)?;
            return Ok(Times::Painted(painted));
        };
        let family = descendants(program.id());
        let exit = answered(desktop, home, &mut program)?;
        drop(app);
        await_end(desktop, &family)?;
        Ok(Times::Answered { painted, exit })
    }

    /// Watches the screen until the question and all its options are there.
    fn painted(
        &mut self,
        desktop: &Desktop,
        program: &mut Running,
        start: Instant,
    ) -> Result<Duration> {
        let mut looks = 0;
        loop {
            looks += 1;
            let picture = desktop.screen.picture()?;
            let time = start.elapsed();
            let lines = stripes::lines(&picture);
            if lines > OPTIONS {
                self.looks = self.looks.max(time / looks);
                return Ok(time);
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
}

/// Chooses the first option and sends it; how long the program took from there to its end.
fn answered(desktop: &Desktop, home: &Path, program: &mut Running) -> Result<Duration> {
    // Keys that come sooner were meant for something else.
    Wire::connect(&app::socket(home))?.call("ready", "{}")?;
    wait::until("its window to have the keyboard", PATIENCE, || {
        let active = desktop.ask("xdotool", &["getactivewindow"])?;
        Ok((active.is_some() && active == windows(desktop)?).then_some(()))
    })?;
    let before = desktop.screen.picture()?;
    // It takes longer to start than the answer takes; so it is there before.
    let mut xdotool = Command::new("xdotool");
    let mut hand = Running::start(desktop.dress(xdotool.arg("-").stdin(Stdio::piped())))?;
    let mut press = |key: &str| {
        let keys = hand.child().stdin.as_mut().ok_or("its input is piped")?;
        keys.write_all(format!("key {key}\n").as_bytes()).map_err(|e| format!("xdotool: {e}"))
    };
    press("1")?;
    wait::until("the choice to show", PATIENCE, || {
        Ok((desktop.screen.picture()? != before).then_some(()))
    })?;
    // A key may come before the window listens; then the next one counts.
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let pressed = Instant::now();
        press("Return")?;
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
    wait::until("its processes to end", PATIENCE, || {
        Ok((!family.iter().any(|&id| is_running(id))).then_some(()))
    })?;
    wait::until("its window to close", PATIENCE, || {
        let gone = windows(desktop)?.is_none() && stripes::lines(&desktop.screen.picture()?) == 0;
        Ok(gone.then_some(()))
    })
}

/// Askdeck's windows on the screen.
pub(super) fn windows(desktop: &Desktop) -> Result<Option<String>> {
    desktop.ask("xdotool", &["search", "--onlyvisible", "--class", "askdeck"])
}
