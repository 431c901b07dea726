//! The command line: one file per subcommand, and the one place that prints an error.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use askdeck_core::{
    asking::{self, Refusal},
    dialect::Dialect,
};
use askdeck_desk::{client::ClientError, store::StoreError};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
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
mod dialects;
mod doctor;
mod history;
mod hook;
mod install;
mod mcp;
mod questions;
mod result;
mod schema;
mod serve;
mod source;
mod ui;

/// The exit code while there is no answer yet: it can be given later.
const STILL_OPEN: u8 = 1;

/// Asks the person at this desktop or terminal, and prints what they answer.
///
/// Only the answer goes to standard output. Exit codes: 0 answered (`confirm`: yes), 1 declined,
/// asked back or closed (`confirm`: no), still open (`result`, `ask --ui terminal TICKET`,
/// `history delete TICKET`), not running (`status`), nothing open (`show`) or not agreed to (`install`,
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
    /// Asks the questions of a payload (the default command)
    Ask(ask::AskArgs),
    /// Asks for a yes or a no: exits with 0 or 1
    Confirm(confirm::ConfirmArgs),
    /// Prints the answer to a question that was asked with --no-wait
    Result(result::ResultArgs),
    /// Takes a question back: exits with 0 if it was open
    Withdraw {
        /// The question's ticket
        ticket: String,
    },
    /// Lists the open questions
    List(deck::ListArgs),
    /// Shows past questions and their answers, newest first; also exports or deletes them
    History(history::HistoryArgs),
    /// Tells how many questions there were, how they ended and how long they took
    Stats(history::StatsArgs),
    /// Brings the deck into sight, with one question if its ticket is given
    Show {
        /// The question's ticket
        ticket: Option<String>,
        /// Shows past questions in their window instead
        #[arg(long, conflicts_with = "ticket")]
        history: bool,
    },
    /// Tells whether Askdeck runs, and how many questions are open
    Status,
    /// Starts Askdeck so that it stays in the tray; returns when it listens
    Resident(deck::ResidentArgs),
    /// Keep the questions of terminals without a window, as long as one needs it; the command starts
    /// it by itself
    Serve(serve::ServeArgs),
    /// Ends Askdeck; open questions stay open until it runs again
    Stop,
    /// Connects an agent: writes into its configuration how it asks through Askdeck
    Install(install::InstallArgs),
    /// Takes out what `install` has written
    Uninstall(install::InstallArgs),
    /// Serves the tools of the Model Context Protocol over standard input and output
    Mcp(mcp::McpArgs),
    /// Answers an agent's hook: its event on standard input, the decision on standard output
    Hook(hook::HookArgs),
    /// Lists the formats that are read and written
    Dialects,
    /// Prints the JSON Schema of a dialect's payload
    Schema {
        /// Whose schema
        #[arg(default_value = "askdeck", value_parser = ask::dialect)]
        dialect: &'static Dialect,
    },
    /// Tells what works here, and what to do about what does not
    Doctor,
    /// Prints a completion script
    Completions(CompletionsArgs),
}

#[derive(Args)]
struct CompletionsArgs {
    /// For which shell
    shell: Shell,
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    end(match cli.command.unwrap_or(Command::Ask(cli.ask)) {
        Command::Ask(args) => ask::run(args),
        Command::Confirm(args) => confirm::run(args),
        Command::Result(args) => result::run(&args),
        Command::Withdraw { ticket } => deck::withdraw(ticket),
        Command::List(args) => deck::list(&args),
        Command::History(args) => history::run(args),
        Command::Stats(args) => history::stats(&args),
        Command::Show { ticket, history } => deck::show(ticket, history),
        Command::Status => deck::status(),
        Command::Resident(args) => deck::resident(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Stop => deck::stop(),
        Command::Install(args) => install::install(args),
        Command::Uninstall(args) => install::uninstall(args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Dialects => dialects::run(),
        Command::Schema { dialect } => schema::run(dialect),
        Command::Doctor => doctor::run(),
        Command::Completions(CompletionsArgs { shell }) => {
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
        "no payload: give JSON, a file or `-` for standard input, or ask with -q; see `askdeck --help`"
    )]
    NoPayload,
    #[error("cannot read `{name}`: {error}{}", hint(.name))]
    Unreadable { name: String, error: io::Error },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(
        "dialect `{0}` has no schema, because it is only written; `askdeck dialects` names those that are read"
    )]
    NoSchema(&'static str),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("{}", asking::unknown_ticket(.0))]
    NoTicket(String),
    #[error("no open question has the ticket `{0}`; `askdeck list` names those that are open")]
    NotOpen(String),
    #[error("cannot read what is kept: {0}")]
    Store(#[from] StoreError),
    #[error(transparent)]
    Install(#[from] InstallError),
    #[error("`{0}` takes no file; only `agents-md` does")]
    NoFile(&'static str),
    #[error(
        "there is no terminal to ask on before this is done; add --yes to do it without asking"
    )]
    NotAsked,
    #[error(transparent)]
    Mcp(#[from] McpError),
    #[error(transparent)]
    Hook(#[from] HookError),
    #[error(
        "there is neither a display nor a terminal to show the question on; set DISPLAY or WAYLAND_DISPLAY, or run this in a desktop session or in a terminal"
    )]
    Nowhere,
    #[error("{0}; run this in the foreground of a terminal, or ask with --ui window")]
    NoTerminal(#[from] NoTty),
    #[error(transparent)]
    Terminal(#[from] TerminalError),
    #[error("cannot serve: {0}; close some programs and try again")]
    NotServed(io::Error),
    #[error("cannot write the answer: {0}; `askdeck history` has all answers but secrets")]
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
        "; JSON must begin with `{` or `[`"
    } else {
        "; give a file that can be read, JSON, or `-` for standard input"
    }
}
