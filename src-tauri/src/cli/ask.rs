//! `askdeck ask`: a payload in, the answer out.

use std::time::Duration;

use clap::Args;

use super::{CliError, caller, print, questions::QuestionFlags, source, tell};
use crate::{
    client,
    dialect::{self, Carry, Dialect, ReadError},
    dialog::Dialog,
    outcome::Outcome,
    payload::Payload,
    problem::{Fault, Problem},
};

#[derive(Args)]
pub struct AskArgs {
    /// JSON text, a file, or - for standard input (the default when that is not a terminal)
    payload: Option<String>,
    #[command(flatten)]
    questions: QuestionFlags,
    /// Reads the payload as this dialect, instead of detecting it by its shape
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    dialect: Option<&'static Dialect>,
    /// Writes the answer in this dialect, instead of the payload's own
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    to: Option<&'static Dialect>,
    /// Ends with `timed_out` after this long without the person: 90, 45s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = timeout)]
    timeout: Option<Duration>,
    /// The name under which the asker is shown
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

/// A question that is ready to be asked, or needs no asking.
pub struct Ready {
    pub dialog: Dialog,
    to: &'static Dialect,
    /// The payload brought its answers along.
    pub answered: Option<Outcome>,
}

pub(super) fn run(args: AskArgs) -> Result<u8, CliError> {
    let mut ready = prepare(args)?;
    let outcome = match ready.answered.take() {
        Some(outcome) => outcome,
        None => client::ask(ready.dialog.clone())?,
    };
    ready.finish(&outcome)
}

/// Reads and checks the payload.
pub fn prepare(args: AskArgs) -> Result<Ready, CliError> {
    let sent = match args.questions.payload() {
        Some(payload) => payload,
        None => dialect::parse(&source::read(args.payload.as_deref())?)
            .map_err(|error| unreadable(error, args.dialect))?,
    };
    let dialect = match args.dialect {
        Some(dialect) => dialect,
        None => dialect::detect(&sent)?,
    };
    let to = args.to.unwrap_or(dialect);
    let mut payload = (dialect.read)(&sent);
    payload.timeout = args.timeout.or(payload.timeout);
    let answered = payload.answered.take().map(|answers| Outcome::Answered { answers });
    let advice = std::mem::take(&mut payload.advice);
    let dialog = check(payload, dialect, to, args.agent)?;
    for problem in advice {
        tell(&format!("note: {problem}"));
    }
    Ok(Ready { dialog, to, answered })
}

/// A dialect that was named is answered in its own shape.
fn unreadable(error: ReadError, dialect: Option<&'static Dialect>) -> CliError {
    match dialect {
        Some(dialect) => {
            let problems = vec![Problem::new("", Fault::Rule(error.to_string()))];
            CliError::Refused { dialect, problems }
        }
        None => error.into(),
    }
}

pub(super) fn check(
    mut payload: Payload,
    dialect: &'static Dialect,
    to: &Dialect,
    agent: Option<String>,
) -> Result<Dialog, CliError> {
    let caller = caller::of(&payload, dialect, agent);
    // Nobody should write a note that cannot be carried back.
    let notes = to.carries.contains(&Carry::Notes);
    payload.questions.iter_mut().for_each(|question| question.notes &= notes);
    Dialog::check(payload, &dialect.rules, caller::new_id(), to.name, caller)
        .map_err(|problems| CliError::Refused { dialect, problems })
}

impl Ready {
    /// Writes the answer and gives the exit code.
    pub fn finish(&self, outcome: &Outcome) -> Result<u8, CliError> {
        print(&(self.to.write)(&self.dialog, outcome))?;
        Ok(outcome.exit_code())
    }
}

pub(super) fn dialect(name: &str) -> Result<&'static Dialect, String> {
    dialect::by_name(name).ok_or_else(|| {
        let names = dialect::ALL.map(|dialect| format!("`{}`", dialect.name));
        format!("expected one of {}", names.join(", "))
    })
}

pub(super) fn timeout(text: &str) -> Result<Duration, String> {
    let allowed = Duration::from_millis(1)..=dialect::askdeck::LONGEST;
    dialect::askdeck::duration(text)
        .filter(|time| allowed.contains(time))
        .ok_or_else(|| "expected a time such as 90, 45s, 10m or 2h, up to 30 days".into())
}
