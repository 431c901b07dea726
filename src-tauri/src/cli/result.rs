//! `askdeck result`: the answer to a question that was asked earlier.

use clap::Args;

use super::{CliError, STILL_OPEN, ask::tell_progress, history, print, tell};
use crate::{
    client::{self, ClientError, Start},
    kept,
    outcome::Outcome,
    protocol::{Call, Ended, Pending, Reply},
    store::{Claimed, Notice},
};

#[derive(Args)]
pub(super) struct ResultArgs {
    /// What `askdeck ask --no-wait` printed
    ticket: String,
    /// Waits for the answer if it is not there yet
    #[arg(long)]
    wait: bool,
}

pub(super) fn run(args: &ResultArgs) -> Result<u8, CliError> {
    let ResultArgs { ticket, wait } = args;
    let call = Call::Result { ticket: ticket.clone(), wait: false };
    // An app that runs is asked first: it notes that the answer has arrived.
    let reply = match client::call(&call, Start::Never) {
        Err(ClientError::NotRunning) => {
            let Some(claimed) = stored(ticket)? else {
                return Err(CliError::NoTicket(ticket.clone()));
            };
            if let Some(outcome) = claimed.outcome() {
                // What this caller has taken back may still be answered to another.
                if !claimed.withdrawn {
                    note_delivered(&claimed.record.dialog.id);
                }
                let written = claimed.claim.write(&claimed.record.dialog, &outcome);
                return print_ended(&written, &outcome);
            }
            Reply::Submitted { ticket: ticket.clone(), state: Pending::Pending }
        }
        reply => reply?,
    };
    let reply = match reply {
        Reply::Submitted { .. } if *wait => client::await_result(ticket, tell_progress)?,
        reply => reply,
    };
    match reply {
        Reply::Ended(Ended { written, outcome, .. }) => print_ended(&written, &outcome),
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

fn note_delivered(ticket: &str) {
    if let Some(Notice::Damaged { file }) = kept::deliver(ticket) {
        let file = file.display();
        tell(&format!(
            "note: the data file was damaged; it is now {file}, and a new one was begun"
        ));
    }
}

fn stored(ticket: &str) -> Result<Option<Claimed>, CliError> {
    let Some(store) = history::store() else { return Ok(None) };
    Ok(store.claimed(ticket)?)
}
