//! `askdeck result`: the answer to a question that was asked earlier.

use clap::Args;

use super::{CliError, print, tell};
use crate::{
    client::{self, ClientError, Start},
    dialect,
    dialog::Dialog,
    outcome::Outcome,
    paths,
    protocol::{Call, Ended, Reply},
    store::Store,
};

/// While the question is open there is nothing to print.
const STILL_OPEN: u8 = 1;

#[derive(Args)]
pub(super) struct ResultArgs {
    /// What `askdeck ask --no-wait` printed
    ticket: String,
    /// Waits for the answer if it is not there yet
    #[arg(long)]
    wait: bool,
}

pub(super) fn run(args: &ResultArgs) -> Result<u8, CliError> {
    let start = if args.wait { Start::IfNeeded } else { Start::Never };
    // What has ended need not wake the app.
    if let Some((dialog, outcome)) = kept(&args.ticket)? {
        return finish(&dialog, &outcome);
    }
    let call = Call::Result { ticket: args.ticket.clone(), wait: args.wait };
    match client::call(call, start) {
        Ok(Reply::Ended(Ended { written, outcome, .. })) => {
            print(&written)?;
            Ok(outcome.exit_code())
        }
        Ok(Reply::Submitted { .. }) => Ok(still_open()),
        Ok(reply) => Err(ClientError::Unexpected(format!("{reply:?}")).into()),
        Err(ClientError::NotRunning) => match stored(&args.ticket)? {
            Some(_) => Ok(still_open()),
            None => Err(CliError::NoTicket(args.ticket.clone())),
        },
        Err(error) => Err(error.into()),
    }
}

fn still_open() -> u8 {
    tell("the question is still open; wait for it with --wait");
    STILL_OPEN
}

fn finish(dialog: &Dialog, outcome: &Outcome) -> Result<u8, CliError> {
    if outcome.answers().iter().any(|answer| answer.withheld) {
        tell("note: a secret was answered, but secrets are never kept; ask for it again and wait");
    }
    let dialect = dialect::by_name(&dialog.dialect);
    if let Some(dialect) = dialect {
        print(&(dialect.write)(dialog, outcome))?;
    }
    Ok(outcome.exit_code())
}

/// How the dialog ended, if it has and no running app has to be asked for it.
fn kept(ticket: &str) -> Result<Option<(Dialog, Outcome)>, CliError> {
    Ok(stored(ticket)?.and_then(|(dialog, outcome)| Some((dialog, outcome?))))
}

fn stored(ticket: &str) -> Result<Option<(Dialog, Option<Outcome>)>, CliError> {
    let store = paths::store().and_then(|file| Store::open_to_read(&file));
    let Some(store) = store else { return Ok(None) };
    Ok(store.find(ticket)?.map(|record| (record.dialog, record.outcome)))
}
