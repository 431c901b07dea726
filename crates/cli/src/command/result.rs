//! `askdeck result`: the answer to a question that was asked earlier.

use askdeck_core::{
    outcome::Outcome,
    protocol::{Ended, Reply},
};
use askdeck_desk::client::{self, ClientError};
use clap::Args;

use super::{CliError, STILL_OPEN, ask::tell_progress, print, tell};

#[derive(Args)]
pub(super) struct ResultArgs {
    /// Ticket that `askdeck ask --no-wait` printed
    ticket: String,
    /// Wait for the answer
    #[arg(long)]
    wait: bool,
}

pub(super) fn run(args: &ResultArgs) -> Result<u8, CliError> {
    let ResultArgs { ticket, wait } = args;
    let (reply, receipt) = match client::result(ticket, false, tell_progress)? {
        (Reply::Submitted { .. }, _) if *wait => client::result(ticket, true, tell_progress)?,
        replied => replied,
    };
    match reply {
        Reply::Ended(Ended { written, outcome, .. }) => {
            let code = print_ended(&written, &outcome)?;
            if let Some(file) = receipt.damaged() {
                tell(&format!(
                    "note: the data file was damaged; it is now {file}, and a new one was created"
                ));
            }
            receipt.send();
            Ok(code)
        }
        Reply::Submitted { .. } => Ok(still_open()),
        reply => Err(ClientError::unexpected(&reply).into()),
    }
}

fn still_open() -> u8 {
    tell("the question is still open; wait for it with --wait");
    STILL_OPEN
}

fn print_ended(written: &str, outcome: &Outcome) -> Result<u8, CliError> {
    if !outcome.is_whole() {
        tell("note: a secret was answered, but secrets are never kept; ask for it again and wait");
    }
    print(written)?;
    Ok(outcome.exit_code())
}
