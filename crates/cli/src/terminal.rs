//! The same session, drawn in the controlling terminal.
//!
//! It draws a [`View`](askdeck_core::session::View) and sends events, as the window does; what a key means
//! is the session's to say. The dialog is kept by the desk, which is started if none runs.

use std::{
    io,
    time::{Duration, Instant},
};

use askdeck_core::{
    outcome::Outcome,
    protocol::Ask,
    session::{Event, Session, Settings},
    text, words,
};
use askdeck_desk::{
    client::ClientError,
    config::{Config, Unusable},
    paths,
};
use signal_hook::{consts::SIGINT, low_level};
use thiserror::Error;

mod draw;
mod editor;
mod farewell;
mod front;
mod keeper;
mod keys;
pub mod markdown;
mod opening;
mod palette;
mod sheet;
mod signals;
mod sitting;
mod tty;
mod wrap;

pub use palette::Palette;
pub use tty::{NoTty, Tty};
pub use wrap::Block;

use front::Front;
use keeper::{Keeper, Waited};
use opening::{Found, Opened, Role};
use sheet::Sheet;
use signals::Signals;
use sitting::{End, Sitting};

#[derive(Debug, Error)]
pub enum TerminalError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("cannot wait for the answer any longer: {0}; ask again")]
    NotKept(String),
    #[error("cannot use the terminal: {0}")]
    Unusable(#[from] io::Error),
    #[error(
        "the terminal is gone; the question stays open, and asking the same again brings it back"
    )]
    Gone,
}

/// An answer that the caller has not got yet.
pub struct Answered<'a> {
    pub outcome: Outcome,
    keeper: Keeper<'a>,
}

impl Answered<'_> {
    /// The caller has got it.
    pub fn delivered(mut self) {
        self.keeper.delivered();
    }
}

/// Asks on the terminal, and waits for the outcome.
pub fn ask<'a>(tty: &Tty, ask: &'a Ask) -> Result<Answered<'a>, TerminalError> {
    let (config, unusable) = Config::read(paths::config().as_deref());
    let (mut keeper, found) = Keeper::open(Role::Asker { ask })?;
    let mut signals = Signals::catch()?;
    let end = match found {
        Found::Over { outcome, .. } => {
            say(tty, "reused_title");
            return Ok(Answered { outcome, keeper });
        }
        Found::Open(opened) => sit(tty, *opened, &mut keeper, &mut signals, &config, unusable)?,
    };
    let outcome = match end {
        End::Ended { outcome, .. } => outcome,
        End::SetAside => match keeper.wait(&mut signals)? {
            Waited::Ended(outcome) => outcome,
            Waited::Signal(signal) => interrupted(signal, &mut keeper)?,
        },
        End::Signal(signal) => interrupted(signal, &mut keeper)?,
    };
    Ok(Answered { outcome, keeper })
}

/// An interrupt takes the question back. Every other signal ends the program, and the question
/// stays open.
fn interrupted(signal: i32, keeper: &mut Keeper) -> Result<Outcome, TerminalError> {
    match signal {
        SIGINT => Ok(keeper.withdraw()),
        signal => Err(end_by(signal)),
    }
}

/// Shows the dialog of a ticket on the terminal. How it ended, unless the person set it aside.
pub fn take_part(tty: &Tty, ticket: &str) -> Result<Option<Outcome>, TerminalError> {
    let (config, unusable) = Config::read(paths::config().as_deref());
    let (mut keeper, found) = Keeper::open(Role::Guest { ticket })?;
    let mut signals = Signals::catch()?;
    match found {
        Found::Over { outcome, .. } => {
            say(tty, farewell::elsewhere(&outcome));
            Ok(Some(outcome))
        }
        Found::Open(opened) => {
            match sit(tty, *opened, &mut keeper, &mut signals, &config, unusable)? {
                End::Ended { outcome, .. } => Ok(Some(outcome)),
                End::SetAside => Ok(None),
                End::Signal(signal) => Err(end_by(signal)),
            }
        }
    }
}

/// Shows the dialog until it ends here, and leaves a few words about how.
fn sit(
    tty: &Tty,
    opened: Opened,
    keeper: &mut Keeper,
    signals: &mut Signals,
    config: &Config,
    unusable: Option<Unusable>,
) -> Result<End, TerminalError> {
    let now = Instant::now();
    let language = paths::language();
    let sheet = Sheet::new(&opened.dialog, language.words(), Palette::of_terminal());
    let settings = Settings {
        arming: config.arming(),
        closing: opened.closing,
        undo: Duration::ZERO,
        numbers: language.numbers,
    };
    let mut session = Session::new(opened.dialog, settings, now);
    session.restore(opened.draft);
    session.resume_countdown(opened.spent);
    keeper.is_kept(session.save(), now);
    let mut front = Front::new(session, sheet, now);
    if opened.caller_left {
        front.apply(Event::CallerLeft, now);
    }
    front.warning = match (opened.warning, unusable) {
        (Some(warning), _) => Some(front.sheet.say_warning(&warning)),
        (None, Some(Unusable { file, problem })) => {
            let values = [("problem", problem), ("file", file.display().to_string())];
            Some(front.sheet.say_with("config_wrong", values))
        }
        (None, None) => None,
    };
    let mut sitting = Sitting::begin(tty, front, keeper, signals, settings)?;
    let end = sitting.stay();
    let Sitting { mut front, taken, .. } = sitting;
    drop(taken);
    let mut lines = match &end {
        Ok(End::Ended { outcome, elsewhere: false, .. }) => farewell::lines(&front, outcome),
        Ok(End::Ended { outcome, .. }) => vec![front.sheet.say(farewell::elsewhere(outcome))],
        Ok(End::SetAside) => vec![set_aside(&front, keeper)],
        _ => Vec::new(),
    };
    if let Ok(End::Ended { outcome, elsewhere: false, .. }) = &end
        && !keeper.opens_addresses()
    {
        lines.extend(farewell::addresses(&mut front, outcome));
    }
    if let Ok(End::Ended { warning: Some(warning), .. }) = &end {
        lines.push(front.sheet.say_warning(warning));
    }
    tty.say(&lines);
    end
}

fn set_aside(front: &Front, keeper: &Keeper) -> String {
    if keeper.is_guest() {
        let ticket = text::clean_line(keeper.ticket());
        front.sheet.say_with("set_aside_open", [("ticket", ticket)])
    } else {
        front.sheet.say("set_aside_waits")
    }
}

fn say(tty: &Tty, word: &str) {
    tty.say(&[words::say(paths::language().words(), word, [])]);
}

/// Ends as the signal would have ended the program; what was asked stays open.
fn end_by(signal: i32) -> TerminalError {
    // Returns only if it cannot be done.
    let _still_here = low_level::emulate_default_handler(signal);
    TerminalError::Gone
}
