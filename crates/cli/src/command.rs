//! The command line: a file for each subcommand that takes more than a few lines, and the one place that
//! prints an error.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use askdeck_core::{
    asking::{self, Refusal},
    dialect::{self, Dialect},
};
use askdeck_desk::{client::ClientError, store::StoreError};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use serde::Serialize;
use thiserror::Error;

use crate::{
    hook::HookError,
    install::InstallError,
    mcp::McpError,
    terminal::{NoTty, TerminalError},
};

mod agree;
mod ask;
mod caller;
mod confirm;
mod deck;
mod doctor;
mod history;
mod hook;
mod install;
mod mcp;
mod questions;
mod result;
mod serve;
mod source;
mod ui;

/// The exit code while there is no answer yet: it can be given later.
const STILL_OPEN: u8 = 1;

/// Ask the user at this desktop or terminal, and print the answer.
///
/// Only the answer goes to standard output. Exit codes: 0 answered (`confirm`: yes), 1 declined,
/// clarification requested or closed (`confirm`: no), still open (`result`, `ask --ui terminal TICKET`,
/// `history delete TICKET`), not running (`status`), nothing open (`show`) or not confirmed (`install`,
/// `history delete`), 2 bad usage or payload, 3 neither a display nor a terminal, 4 the app could not be
/// started, was lost or has too much open, 124 timed out, 130 withdrawn or interrupted.
#[derive(Parser)]
#[command(name = "askdeck", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    ask: ask::AskArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Ask the questions of a payload (the default command)
    Ask(ask::AskArgs),
    /// Ask for a yes or a no, and exit with 0 or 1
    Confirm(confirm::ConfirmArgs),
    /// Print the answer to a question that was asked with --no-wait
    Result(result::ResultArgs),
    /// Withdraw a question; exit with 0 if it was open
    Withdraw {
        /// The question's ticket
        ticket: String,
    },
    /// List the open questions
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show past questions and their answers, newest first; export or delete them
    History(history::HistoryArgs),
    /// Show how many questions there were, how they ended and how long they took
    Stats(history::StatsArgs),
    /// Show the window, with the question of this ticket if one is given
    Show {
        /// The question's ticket
        ticket: Option<String>,
        /// Show the window of past questions instead
        #[arg(long, conflicts_with = "ticket")]
        history: bool,
    },
    /// Show whether Askdeck is running, and how many questions are open
    Status,
    /// Start Askdeck in the tray, and return once it is ready
    Resident {
        /// Also start it at login from now on
        #[arg(long)]
        at_login: bool,
    },
    /// Run the desk without a window until nobody needs it; the command starts it by itself
    Serve {
        /// Print `listening` once a desk listens; used by the command to start one
        #[arg(long, hide = true)]
        announce: bool,
    },
    /// Stop Askdeck; open questions stay open until it runs again
    Stop,
    /// Connect an agent: add Askdeck to its configuration
    Install(install::InstallArgs),
    /// Remove what `install` wrote
    Uninstall(install::InstallArgs),
    /// Serve the Model Context Protocol over standard input and output
    Mcp(mcp::McpArgs),
    /// Answer a hook of an agent: read its event from standard input, print the decision
    Hook(hook::HookArgs),
    /// List the formats that can be read and written
    Dialects,
    /// Print the JSON Schema of a dialect's payload
    Schema {
        /// Dialect name
        #[arg(default_value = "askdeck", value_parser = ask::dialect)]
        dialect: &'static Dialect,
    },
    /// Diagnose this machine and suggest fixes
    Doctor,
    /// Print a completion script
    Completions {
        /// Shell
        shell: Shell,
    },
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    end(match cli.command.unwrap_or(Command::Ask(cli.ask)) {
        Command::Ask(args) => ask::run(args),
        Command::Confirm(args) => confirm::run(args),
        Command::Result(args) => result::run(&args),
        Command::Withdraw { ticket } => deck::withdraw(ticket),
        Command::List { json } => deck::list(json),
        Command::History(args) => history::run(args),
        Command::Stats(args) => history::stats(&args),
        Command::Show { ticket, history } => deck::show(ticket, history),
        Command::Status => deck::status(),
        Command::Resident { at_login } => deck::resident(at_login),
        Command::Serve { announce } => serve::run(announce),
        Command::Stop => deck::stop(),
        Command::Install(args) => install::install(args),
        Command::Uninstall(args) => install::uninstall(args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Dialects => {
            let line = |dialect: &Dialect| format!("{:<16}{}\n", dialect.name, dialect.about);
            print(&dialect::ALL.map(line).concat()).map(|()| 0)
        }
        Command::Schema { dialect } => match dialect.schema {
            Some(schema) => print(schema).map(|()| 0),
            None => Err(CliError::NoSchema(dialect.name)),
        },
        Command::Doctor => doctor::run(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "askdeck", &mut script);
            print(&String::from_utf8_lossy(&script)).map(|()| 0)
        }
    })
}

/// What the command says about its arguments.
pub fn command() -> clap::Command {
    Cli::command()
}

/// What a command can fail with. Each knows its exit code.
#[derive(Debug, Error)]
pub enum CliError {
    #[error(
        "no payload; pass JSON, a file or `-` for standard input, or ask with -q (see `askdeck --help`)"
    )]
    NoPayload,
    #[error("cannot read `{name}`: {error}{}", hint(.name))]
    Unreadable { name: String, error: io::Error },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(
        "dialect `{0}` can only be written, so it has no schema; choose another (see `askdeck dialects`)"
    )]
    NoSchema(&'static str),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("{}", asking::unknown_ticket(.0))]
    NoTicket(String),
    #[error("no open question has the ticket `{0}`; see `askdeck list`")]
    NotOpen(String),
    #[error("cannot read the database: {0}")]
    Store(#[from] StoreError),
    #[error(transparent)]
    Install(#[from] InstallError),
    #[error("`{0}` takes no file; leave it out (only `agents-md` takes one)")]
    NoFile(&'static str),
    #[error("not a terminal, so this cannot be confirmed; pass --yes")]
    NotAsked,
    #[error(transparent)]
    Mcp(#[from] McpError),
    #[error(transparent)]
    Hook(#[from] HookError),
    #[error(
        "there is neither a display nor a terminal to ask on; set DISPLAY or WAYLAND_DISPLAY, or run this in a desktop session or a terminal"
    )]
    Nowhere,
    #[error("{0}; run this in the foreground of a terminal, or ask with --ui window")]
    NoTerminal(#[from] NoTty),
    #[error(transparent)]
    Terminal(#[from] TerminalError),
    #[error("cannot run the desk: {0}; close some programs and try again")]
    NotServed(io::Error),
    #[error("cannot write the answer: {0}; find it with `askdeck history` (secrets are not kept)")]
    Unwritable(#[from] io::Error),
}

impl CliError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Client(error) | Self::Terminal(TerminalError::Client(error)) => error.exit_code(),
            Self::Nowhere | Self::NoTerminal(_) => 3,
            Self::Install(InstallError::Unreadable { .. } | InstallError::Unwritable { .. })
            | Self::Mcp(_)
            | Self::Terminal(_)
            | Self::NotServed(_)
            | Self::Unwritable(_)
            | Self::Store(_) => 4,
            _ => 2,
        }
    }
}

/// Tells the error, if there is one, and ends with the right exit code.
fn end(result: Result<u8, CliError>) -> ExitCode {
    let code = result.unwrap_or_else(|error| {
        tell(&error.to_string());
        if let CliError::Refused(Refusal::Refused { dialect, problems }) = &error
            && let Some(refusal) = (dialect.refuse)(problems)
        {
            // Whoever cannot read the answer has the exit code.
            let _unread = print(&refusal);
        }
        error.exit_code()
    });
    ExitCode::from(code)
}

/// Writes the answer, and only the answer, to stdout.
fn print(answer: &str) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(answer.as_bytes())?;
    if !answer.ends_with('\n') {
        stdout.write_all(b"\n")?;
    }
    Ok(stdout.flush()?)
}

fn print_json(found: &impl Serialize) -> Result<u8, CliError> {
    print(&serde_json::to_string_pretty(found).unwrap_or_default()).map(|()| 0)
}

/// Tells the person something on stderr, each line under the program's name.
fn tell(message: &str) {
    let mut stderr = io::stderr().lock();
    for line in message.lines() {
        // With stderr gone there is nobody to tell.
        let _gone = writeln!(stderr, "askdeck: {line}");
    }
}

fn hint(name: &str) -> &'static str {
    if name.contains(['"', ':', ' ']) {
        "; JSON must start with `{` or `[`"
    } else {
        "; pass a readable file, JSON, or `-` for standard input"
    }
}
