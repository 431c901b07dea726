//! `askdeck result`: the answer to a question that was asked earlier.

use clap::Args;

use super::{CliError, STILL_OPEN, ask::tell_progress, history, print, tell};
use crate::{
    client::{self, ClientError, Receipt},
    dialect,
    dialog::Dialog,
    kept,
    outcome::Outcome,
    protocol::{Ended, Pending, Reply},
    store::Notice,
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
    // An app that runs is asked first: it notes that the answer has arrived.
    let replied = match client::result(ticket) {
        Err(ClientError::NotRunning) => match stored(ticket)? {
            Some((dialog, Some(outcome))) => {
                let code = finish(&dialog, &outcome)?;
                note_delivered(&dialog.id);
                return Ok(code);
            }
            Some((_, None)) => {
                let open = Reply::Submitted { ticket: ticket.clone(), state: Pending::Pending };
                (open, Receipt::of_nobody())
            }
            None => return Err(CliError::NoTicket(ticket.clone())),
        },
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

fn finish(dialog: &Dialog, outcome: &Outcome) -> Result<u8, CliError> {
    let dialect = dialect::by_name(&dialog.dialect);
    let written = dialect.map(|dialect| (dialect.write)(dialog, outcome)).unwrap_or_default();
    print_ended(&written, outcome)
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

fn stored(ticket: &str) -> Result<Option<(Dialog, Option<Outcome>)>, CliError> {
    let Some(store) = history::store() else { return Ok(None) };
    Ok(store.find(ticket)?.map(|record| (record.dialog, record.outcome)))
}
