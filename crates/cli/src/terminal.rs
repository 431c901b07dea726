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
    protocol::{Ask, Joined},
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

mod connection;
mod draw;
mod editor;
mod farewell;
mod keys;
pub mod markdown;
mod opening;
mod palette;
mod sheet;
mod signals;
mod terminal_loop;
mod terminal_view;
mod tty;
mod wrap;

pub use palette::Palette;
pub use tty::{NoTty, Tty};
pub use wrap::Block;

use connection::{Connection, Waited};
use opening::{Found, Role};
use signals::Signals;
use terminal_loop::{End, TerminalLoop};
use terminal_view::TerminalView;

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
    connection: Connection<'a>,
}

impl Answered<'_> {
    /// The caller has got it.
    pub fn delivered(mut self) {
        self.connection.delivered();
    }
}

/// Asks on the terminal, and waits for the outcome.
pub fn ask<'a>(tty: &Tty, ask: &'a Ask) -> Result<Answered<'a>, TerminalError> {
    let (config, unusable) = Config::read(paths::config().as_deref());
    let (mut connection, found) = Connection::open(Role::Asker { ask })?;
    let mut signals = Signals::catch()?;
    let end = match found {
        Found::Ended { outcome, .. } => {
            say(tty, "reused_title");
            return Ok(Answered { outcome, connection });
        }
        Found::Open(joined) => {
            show(tty, *joined, &mut connection, &mut signals, &config, unusable)?
        }
    };
    let outcome = match end {
        End::Ended { outcome, .. } => outcome,
        End::SetAside => match connection.wait(&mut signals)? {
            Waited::Ended(outcome) => outcome,
            Waited::Signal(signal) => interrupted(signal, &mut connection)?,
        },
        End::Signal(signal) => interrupted(signal, &mut connection)?,
    };
    Ok(Answered { outcome, connection })
}

/// An interrupt takes the question back. Every other signal ends the program, and the question
/// stays open.
fn interrupted(signal: i32, connection: &mut Connection) -> Result<Outcome, TerminalError> {
    match signal {
        SIGINT => Ok(connection.withdraw()),
        signal => Err(end_by(signal)),
    }
}

/// Shows the dialog of a ticket on the terminal. How it ended, unless the person set it aside.
pub fn take_part(tty: &Tty, ticket: &str) -> Result<Option<Outcome>, TerminalError> {
    let (config, unusable) = Config::read(paths::config().as_deref());
    let (mut connection, found) = Connection::open(Role::Responder { ticket })?;
    let mut signals = Signals::catch()?;
    match found {
        Found::Ended { outcome, .. } => {
            say(tty, farewell::elsewhere(&outcome));
            Ok(Some(outcome))
        }
        Found::Open(joined) => {
            match show(tty, *joined, &mut connection, &mut signals, &config, unusable)? {
                End::Ended { outcome, .. } => Ok(Some(outcome)),
                End::SetAside => Ok(None),
                End::Signal(signal) => Err(end_by(signal)),
            }
        }
    }
}

/// Shows the dialog until it ends here, and leaves a few words about how.
fn show(
    tty: &Tty,
    joined: Joined,
    connection: &mut Connection,
    signals: &mut Signals,
    config: &Config,
    unusable: Option<Unusable>,
) -> Result<End, TerminalError> {
    let now = Instant::now();
    let language = paths::language();
    let settings = Settings {
        arming: config.arming(),
        closing: connection.closing(joined.sets_aside),
        undo: Duration::ZERO,
        numbers: language.numbers,
    };
    let mut session = Session::new(joined.dialog, settings, now);
    session.restore(joined.draft);
    session.resume_countdown(Duration::from_millis(joined.spent_ms));
    connection.is_kept(session.save(), now);
    let mut terminal = TerminalView::new(session, language.words(), now);
    if joined.caller_left {
        terminal.apply(Event::CallerLeft, now);
    }
    terminal.warning = match (joined.warning, unusable) {
        (Some(warning), _) => Some(terminal.say_warning(&warning)),
        (None, Some(Unusable { file, problem })) => {
            let values = [("problem", problem), ("file", file.display().to_string())];
            Some(terminal.say_with("config_wrong", values))
        }
        (None, None) => None,
    };
    let mut running = TerminalLoop::begin(tty, terminal, connection, signals, settings)?;
    let end = running.run();
    let TerminalLoop { mut terminal, taken, .. } = running;
    drop(taken);
    let mut lines = match &end {
        Ok(End::Ended { outcome, elsewhere: false, .. }) => farewell::lines(&terminal, outcome),
        Ok(End::Ended { outcome, .. }) => vec![terminal.say(farewell::elsewhere(outcome))],
        Ok(End::SetAside) => vec![set_aside(&terminal, connection)],
        _ => Vec::new(),
    };
    if let Ok(End::Ended { outcome, elsewhere: false, .. }) = &end
        && !connection.opens_addresses()
    {
        lines.extend(farewell::addresses(&mut terminal, outcome));
    }
    if let Ok(End::Ended { warning: Some(warning), .. }) = &end {
        lines.push(terminal.say_warning(warning));
    }
    tty.say(&lines);
    end
}

fn set_aside(terminal: &TerminalView, connection: &Connection) -> String {
    if connection.is_responder() {
        let ticket = text::clean_line(connection.ticket());
        terminal.say_with("set_aside_open", [("ticket", ticket)])
    } else {
        terminal.say("set_aside_waits")
    }
}

fn say(tty: &Tty, word: &str) {
    tty.say(&[words::say(paths::language().words(), word, [])]);
}

/// Ends as the signal would have ended the program; what was asked stays open.
fn end_by(signal: i32) -> TerminalError {
    // Returns only if it cannot be done.
    let _ = low_level::emulate_default_handler(signal);
    TerminalError::Gone
}
