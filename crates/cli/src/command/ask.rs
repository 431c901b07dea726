//! `askdeck ask`: a payload in, the answer out.

use std::time::Duration;

use askdeck_core::{
    asking::{self, Asked, Refusal},
    dialect::{self, Dialect, ReadError},
    outcome::Outcome,
    problem::{Fault, Problem},
    protocol::{Ask, Call, Ended, Reply},
};
use askdeck_desk::{
    client::{self, ClientError, Progress, Start},
    ticket,
};
use clap::Args;

use super::{
    CliError, caller, print,
    questions::QuestionFlags,
    source, tell,
    ui::{self, Ui},
};

#[derive(Args)]
pub(super) struct AskArgs {
    /// JSON text, a file, or - for standard input (the default when that is not a terminal); with
    /// `--ui terminal` also the ticket of an open question to answer here
    payload: Option<String>,
    #[command(flatten)]
    questions: QuestionFlags,
    /// Read the payload as this dialect instead of detecting it
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    dialect: Option<&'static Dialect>,
    /// Write the answer in this dialect instead of the payload's own
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    to: Option<&'static Dialect>,
    /// Time out after this long without user activity: 90, 45s, 10m, 2h
    #[arg(long = "timeout", value_name = "TIME", value_parser = timeout)]
    timeout_ms: Option<u64>,
    /// Agent name to show to the user
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Deduplication key: the same question with the same key is asked once, another question with an
    /// open key is refused (default: made from caller and question)
    #[arg(long, value_name = "TEXT")]
    key: Option<String>,
    /// Print a ticket at once instead of waiting for the answer (see `askdeck result`)
    #[arg(long, conflicts_with = "ui")]
    no_wait: bool,
    /// Where to ask: `auto`, the default, is the window if there is a display, otherwise the terminal
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    ui: Ui,
}

/// Asks, and prints what the person answers.
pub(super) fn run(args: AskArgs) -> Result<u8, CliError> {
    let (ui, no_wait) = (args.ui, args.no_wait);
    if let Some(ticket) = args.payload.as_deref().filter(|payload| ui::is_ticket(ui, payload)) {
        return ui::take_part(ticket);
    }
    let (ask, asked) = prepare(args)?;
    if let Some(outcome) = &asked.answered {
        return finish(&asked, outcome);
    }
    if no_wait {
        return submit(ask);
    }
    ui::ask(ui, &ask, &asked, |outcome| finish(&asked, outcome))
}

/// Reads and checks the payload.
fn prepare(args: AskArgs) -> Result<(Ask, Asked), CliError> {
    let payload = match args.questions.payload() {
        Some(payload) => payload,
        None => dialect::parse(&source::read(args.payload.as_deref())?)
            .map_err(|error| unreadable(error, args.dialect))?,
    };
    check(
        Ask {
            payload,
            dialect: args.dialect.map(|dialect| dialect.name.to_owned()),
            to: args.to.map(|dialect| dialect.name.to_owned()),
            timeout_ms: args.timeout_ms,
            key: args.key,
            ..Ask::default()
        },
        args.agent,
    )
}

/// Checks a question before the app is bothered with it, and completes it by who asks.
pub(super) fn check(mut ask: Ask, agent: Option<String>) -> Result<(Ask, Asked), CliError> {
    let ticket = ticket::fresh();
    ask.ticket = Some(ticket.clone());
    let asked =
        asking::check(&ask, ticket, |payload, dialect| caller::of(payload, dialect, agent))?;
    ask.caller = Some(asked.dialog.caller.clone());
    ask.timeout_ms = asked.dialog.timeout.and_then(|time| time.as_millis().try_into().ok());
    for problem in &asked.advice {
        tell(&format!("note: {problem}"));
    }
    Ok((ask, asked))
}

/// A dialect that was named is answered in its own shape.
fn unreadable(error: ReadError, dialect: Option<&'static Dialect>) -> CliError {
    match dialect {
        Some(dialect) => {
            let problems = vec![Problem::new("", Fault::Rule(error.to_string()))];
            Refusal::Refused { dialect, problems }.into()
        }
        None => Refusal::Read(error).into(),
    }
}

/// Writes the answer and gives the exit code.
fn finish(asked: &Asked, outcome: &Outcome) -> Result<u8, CliError> {
    print(&(asked.to.write)(&asked.dialog, outcome))?;
    Ok(outcome.exit_code())
}

/// Prints the ticket under which the answer can be fetched.
fn submit(ask: Ask) -> Result<u8, CliError> {
    match client::call(&Call::Submit(Box::new(ask)), Start::Window)? {
        Reply::Submitted { ticket, .. } | Reply::Ended(Ended { ticket, .. }) => {
            print(&ticket).map(|()| 0)
        }
        reply => Err(ClientError::unexpected(&reply).into()),
    }
}

pub(super) fn tell_progress(progress: Progress) {
    match progress {
        Progress::Waits => {
            tell(
                "Askdeck was quit; the question stays open, and this command waits until Askdeck runs again",
            );
        }
        Progress::TooLate => {
            tell("timed out; the question stays open until Askdeck runs again");
        }
        Progress::LinkLost => {
            tell(
                "lost the connection to the desk; the question stays open there, and this command waits until the connection is back",
            );
        }
    }
}

pub(super) fn dialect(name: &str) -> Result<&'static Dialect, String> {
    dialect::by_name(name).ok_or_else(|| {
        let names = dialect::ALL.map(|dialect| format!("`{}`", dialect.name));
        format!("expected one of {}", names.join(", "))
    })
}

pub(super) fn time(text: &str) -> Result<Duration, String> {
    let allowed = Duration::from_millis(1)..=dialect::askdeck::LONGEST;
    dialect::askdeck::duration(text).filter(|time| allowed.contains(time)).ok_or_else(|| {
        "expected seconds, or a time such as `45s`, `10m` or `1h30m`, up to `30d`".into()
    })
}

/// In milliseconds.
pub(super) fn timeout(text: &str) -> Result<u64, String> {
    time(text)?.as_millis().try_into().map_err(|_| "too long".into())
}
