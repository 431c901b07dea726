//! `askdeck history` and `askdeck stats`: what was asked, and how it ended.

use std::{fmt::Write, time::Duration};

use askdeck_core::{
    dialect::askdeck::duration,
    dialog::{Question, name_of_all},
    history::{Filter, Newest, Stats},
    outcome::{Answer, Outcome},
    protocol::{Call, Open, OpenState, Reply},
    record::{Millis, OpenDialog, Record},
    text,
};
use askdeck_desk::{
    client::{self, ClientError, Start},
    paths,
    store::{self, Store, StoreError},
};
use clap::{Args, Subcommand};
use serde_json::Value;

use super::{CliError, deck::rough, print, print_json};

mod delete;
mod export;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct HistoryArgs {
    #[command(subcommand)]
    command: Option<HistoryCommand>,
    #[command(flatten)]
    list: ListArgs,
}

#[derive(Subcommand)]
enum HistoryCommand {
    /// Delete past questions and their answers for good
    Delete(delete::DeleteArgs),
    /// Print all past questions and their answers, newest first, as one JSON object per line
    Export(export::ExportArgs),
}

#[derive(Args)]
struct ListArgs {
    /// Text to find in questions or answers
    search: Option<String>,
    /// Show only what this agent asked
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Show only what was asked from this folder, or from a folder of this name
    #[arg(long, value_name = "FOLDER")]
    project: Option<String>,
    /// Show at most this many
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct StatsArgs {
    /// Number of days to count
    #[arg(long, value_name = "COUNT", default_value_t = 30)]
    days: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: HistoryArgs) -> Result<u8, CliError> {
    match args.command {
        Some(HistoryCommand::Delete(args)) => delete::run(args),
        Some(HistoryCommand::Export(args)) => export::run(&args),
        None => list(args.list),
    }
}

fn list(args: ListArgs) -> Result<u8, CliError> {
    let ListArgs { search, agent, project, limit, json } = args;
    let filter = Filter { search, agent, project, ..Filter::default() };
    let records = find(&Newest { filter, limit })?;
    if json {
        return print_json(&records);
    }
    if !records.is_empty() {
        print(&records.iter().map(told).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(0)
}

pub(super) fn stats(args: &StatsArgs) -> Result<u8, CliError> {
    let (since, until) = (store::ago(DAY * args.days), store::now() + 1);
    let of_desk = |reply| match reply {
        Reply::Stats(stats) => Ok(stats),
        reply => Err(reply),
    };
    let kept = |store: Store| store.stats(since, until);
    let stats = look_up(&Call::Stats { since, until }, of_desk, kept)?;
    if args.json {
        return print_json(&stats);
    }
    print(&table(&stats, args.days)).map(|()| 0)
}

/// The past dialogs.
fn find(newest: &Newest) -> Result<Vec<Record>, CliError> {
    let of_desk = |reply| match reply {
        Reply::History { history } => Ok(history),
        reply => Err(reply),
    };
    look_up(&Call::History(newest.clone()), of_desk, |store| store.history(newest))
}

/// What is open.
pub(super) fn open() -> Result<Vec<Open>, CliError> {
    let of_desk = |reply| match reply {
        Reply::Open { open } => Ok(open),
        reply => Err(reply),
    };
    look_up(&Call::List {}, of_desk, |store| Ok(store.pending()?.iter().map(waiting).collect()))
}

/// What a desk replies, or what the store has if none runs.
fn look_up<T: Default>(
    call: &Call,
    of_desk: impl FnOnce(Reply) -> Result<T, Reply>,
    kept: impl FnOnce(Store) -> Result<T, StoreError>,
) -> Result<T, CliError> {
    match client::call(call, Start::Never) {
        Ok(reply) => of_desk(reply).map_err(|reply| ClientError::unexpected(&reply).into()),
        Err(ClientError::NotRunning) => {
            let store = paths::store().and_then(|file| Store::open_to_read(&file));
            Ok(store.map_or_else(|| Ok(T::default()), kept)?)
        }
        Err(error) => Err(error.into()),
    }
}

/// A point in time: so long ago, or the beginning of a day.
fn moment(text: &str) -> Result<Millis, String> {
    // A bare number could be seconds, days or a year.
    let time = duration(text).filter(|_| text.contains(|c: char| !c.is_ascii_digit()));
    let moment = time.map(store::ago).or_else(|| store::start_of_day(text));
    moment.ok_or_else(|| {
        "expected a time such as `30d` or `12h`, or a date such as `2026-11-17`".into()
    })
}

/// An open dialog, when no desk runs that could tell.
fn waiting(pending: &OpenDialog) -> Open {
    let state = if pending.set_aside { OpenState::SetAside } else { OpenState::Waiting };
    let open = Open::new(&pending.dialog, pending.asked_at, state);
    // The caller that asked first may have taken it back.
    match pending.claims.open.first() {
        Some(claim) => Open { ticket: claim.ticket.clone(), ..open },
        None => open,
    }
}

/// A past dialog in a few lines: when, how it ended and who asked, then each question and answer.
fn told(record: &Record) -> String {
    let Record { dialog, outcome, ended_at, .. } = record;
    let ago = rough(store::now().saturating_sub(ended_at.unwrap_or_default()));
    let ended = match outcome {
        _ if record.is_by_program() => "answered by another program",
        Some(outcome) => outcome.name(),
        None => "open",
    };
    let folder = dialog.caller.cwd.as_deref().map(|cwd| format!(" in {cwd}")).unwrap_or_default();
    let host = dialog.caller.host.as_deref().map(|host| format!(" on {host}")).unwrap_or_default();
    let name = dialog.caller.name().say(paths::language().words());
    let who = text::clean_line(&format!("{name}{folder}{host}"));
    let reused = if record.reused { ", reused when asked again" } else { "" };
    let ticket = text::clean_line(&dialog.id);
    let mut lines = format!("{ticket}  {ago} ago  {ended}{reused}  {who}");
    let answers = outcome.as_ref().map(Outcome::answers).unwrap_or_default();
    for (index, question) in dialog.questions.iter().enumerate() {
        let asked = text::clean_line(&question.text);
        let given = answers.get(index).map(|answer| given(question, answer)).unwrap_or_default();
        // Writing to a String cannot fail.
        let _infallible = write!(lines, "\n    {asked}\n      {}", text::clean_line(&given));
    }
    lines
}

fn given(question: &Question, answer: &Answer) -> String {
    if answer.withheld {
        return "(a secret, not saved)".into();
    }
    match question.value(answer) {
        Some(Value::String(text)) => text,
        Some(value) => value.to_string(),
        None => "-".into(),
    }
}

fn table(stats: &Stats, days: u32) -> String {
    let mut lines = String::new();
    for (outcome, count) in &stats.outcomes {
        let _infallible = writeln!(lines, "{outcome:<12} {count:>6}");
    }
    if !stats.agents.is_empty() {
        let _infallible = writeln!(
            lines,
            "\n{:<24} {:>6} {:>9} {:>11} {:>11} {:>11}",
            "agent", "asked", "answered", "to answer", "to be seen", "to the end"
        );
    }
    let time = |time: Option<Millis>| time.map_or_else(|| "-".into(), rough);
    for agent in &stats.agents {
        let _infallible = writeln!(
            lines,
            "{:<24} {:>6} {:>9} {:>11} {:>11} {:>11}",
            name_of_all(&agent.agent, paths::language().words()),
            agent.count,
            agent.answered,
            time(agent.median_answer_ms),
            time(agent.median_shown_ms),
            time(agent.median_wait_ms),
        );
    }
    match (lines.is_empty(), days) {
        (false, _) => lines,
        (true, 1) => "nothing was asked in the last day".into(),
        (true, days) => format!("nothing was asked in the last {days} days"),
    }
}
