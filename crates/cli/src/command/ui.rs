//! Where a question is asked: in the window, or in the terminal.

use std::path::Path;

use askdeck_core::{
    asking::Asked,
    outcome::Outcome,
    protocol::{self, Ask},
};
use askdeck_desk::{
    client::{self, ClientError},
    paths,
};
use clap::ValueEnum;

use super::{CliError, STILL_OPEN, ask::tell_progress, tell};
use crate::terminal::{self, Answered, TerminalError, Tty};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Ui {
    Auto,
    Window,
    Terminal,
}

/// Asks, and lets `finish` tell the caller how it ended.
pub(super) fn ask(
    ui: Ui,
    ask: &Ask,
    asked: &Asked,
    finish: impl FnOnce(&Outcome) -> Result<u8, CliError>,
) -> Result<u8, CliError> {
    let here = Ask { ui: Some(protocol::Ui::Terminal), ..ask.clone() };
    if ui == Ui::Terminal {
        return deliver(terminal::ask(&Tty::find()?, &here)?, finish);
    }
    let display = paths::display().is_some() || paths::is_socket_given();
    if ui == Ui::Auto
        && !display
        && let Ok(tty) = Tty::find()
    {
        // An app that runs has a display, even if this command has none: it is asked there, too.
        let both = Ask { ui: Some(protocol::Ui::Auto), ..ask.clone() };
        match terminal::ask(&tty, &both) {
            // Where it must not take part, there is still the window.
            Err(TerminalError::Client(ClientError::Refused(_))) => {}
            answered => return deliver(answered?, finish),
        }
    }
    match (client::ask(ask, tell_progress), ui) {
        (Ok((ended, receipt)), _) => {
            let code = finish(&ended.outcome)?;
            receipt.send();
            Ok(code)
        }
        (Err(ClientError::Interrupted), _) => {
            withdraw(&asked.dialog.id);
            finish(&Outcome::Withdrawn)
        }
        (Err(error @ (ClientError::NoDisplay | ClientError::NotStarted { .. })), Ui::Auto) => {
            match (Tty::find(), error) {
                (Ok(tty), _) => deliver(terminal::ask(&tty, &here)?, finish),
                (Err(_), ClientError::NoDisplay) => Err(CliError::Nowhere),
                (Err(_), error) => Err(error.into()),
            }
        }
        (Err(error), _) => Err(error.into()),
    }
}

/// No app has taken it back: it was quit, or does not answer.
fn withdraw(ticket: &str) {
    if !client::withdraw_soon(ticket) {
        tell(&format!(
            "the question may still be open; run `askdeck withdraw {ticket}` once Askdeck is running"
        ));
    }
}

/// Shows what somebody else has asked. The answer is theirs: nothing is printed.
pub(super) fn take_part(ticket: &str) -> Result<u8, CliError> {
    match terminal::take_part(&Tty::find()?, ticket) {
        Ok(Some(outcome)) => Ok(outcome.exit_code()),
        Ok(None) => Ok(STILL_OPEN),
        Err(error) => Err(error.into()),
    }
}

/// Whether a payload is the ticket of a question, and neither JSON nor a file.
pub(super) fn is_ticket(ui: Ui, payload: &str) -> bool {
    ui == Ui::Terminal
        && payload != "-"
        && !payload.trim_start().starts_with(['{', '['])
        && !Path::new(payload).exists()
}

fn deliver(
    answered: Answered,
    finish: impl FnOnce(&Outcome) -> Result<u8, CliError>,
) -> Result<u8, CliError> {
    let code = finish(&answered.outcome)?;
    answered.delivered();
    Ok(code)
}
