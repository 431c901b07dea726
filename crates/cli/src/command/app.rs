//! The command line of the app itself.

use clap::{CommandFactory, FromArgMatches, Parser};

use super::{ask::AskArgs, source};

/// Shows the questions of a payload in a window, and prints what the person answers.
///
/// Takes what `askdeck ask` takes and ends with the same exit codes. With nothing to ask it stays in
/// the tray, and shows what waits for an answer, or else what was answered.
#[derive(Parser)]
#[command(name = "askdeck-desktop", version)]
pub struct AppArgs {
    /// Stays in the tray; if Askdeck runs already, shows it
    #[arg(long, exclusive = true)]
    pub resident: bool,
    /// Serves whoever connects to the socket, until the deck is empty
    #[arg(long, hide = true, exclusive = true)]
    pub serve: bool,
    #[command(flatten)]
    pub ask: AskArgs,
}

impl AppArgs {
    /// What the app was started with; `None` if that is nothing, as from a menu.
    pub fn given() -> Option<Self> {
        let matches = command().get_matches();
        if !matches.args_present() && !source::is_given() {
            return None;
        }
        Some(Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
    }
}

/// What the app says about its arguments.
pub fn command() -> clap::Command {
    AppArgs::command()
}
