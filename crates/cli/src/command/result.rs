//! `askdeck result`: the answer to a question that was asked earlier.

use askdeck_core::{
    outcome::Outcome,
    protocol::{Ended, Pending, Reply},
};
use askdeck_desk::{
    client::{self, ClientError, Receipt},
    kept,
    store::{Claimed, Notice},
};
use clap::Args;

use super::{CliError, STILL_OPEN, ask::tell_progress, history, print, tell};

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
    // An app that runs is asked first: it notes that the answer has arrived.
    let replied = match client::result(ticket) {
        Err(ClientError::NotRunning) => {
            let Some(claimed) = stored(ticket)? else {
                return Err(CliError::NoTicket(ticket.clone()));
            };
            if let Some(outcome) = claimed.outcome() {
                let written = claimed.claim.write(&claimed.record.dialog, &outcome);
                let code = print_ended(&written, &outcome)?;
                // What this caller has taken back may still be answered to another.
                if !claimed.withdrawn {
                    note_delivered(&claimed.record.dialog.id);
                }
                return Ok(code);
            }
            let open = Reply::Submitted { ticket: ticket.clone(), state: Pending::Pending };
            (open, Receipt::of_nobody())
        }
        replied => replied?,
    };
    let (reply, receipt) = match replied {
        (Reply::Submitted { .. }, _) if *wait => client::await_result(ticket, tell_progress)?,
        replied => replied,
    };
    match reply {
        Reply::Ended(Ended { written, outcome, .. }) => {
            let code = print_ended(&written, &outcome)?;
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
