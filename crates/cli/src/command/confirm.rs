//! `askdeck confirm`: a yes or a no.

use askdeck_core::{asking::Asked, outcome::Outcome, protocol::Ask};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{
    CliError, ask, print,
    ui::{self, Ui},
};

#[derive(Args)]
pub(super) struct ConfirmArgs {
    /// What to confirm
    text: String,
    /// More to read before deciding, in markdown
    #[arg(long, value_name = "TEXT")]
    details: Option<String>,
    /// Preselect an answer (never submitted on its own)
    #[arg(long, value_name = "ANSWER")]
    default: Option<YesNo>,
    /// Time out with exit code 124 after this long without user activity: 90, 45s, 10m, 2h
    #[arg(long = "timeout", value_name = "TIME", value_parser = ask::timeout)]
    timeout_ms: Option<u64>,
    /// Agent name to show to the user
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Where to ask: `auto` is the window if there is a display, otherwise the terminal
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    ui: Ui,
}

#[derive(Clone, Copy, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

/// Prints `yes` or `no`; nothing if the person gave neither.
pub(super) fn run(args: ConfirmArgs) -> Result<u8, CliError> {
    let ui = args.ui;
    let (ask, asked) = question(args)?;
    ui::ask(ui, &ask, &asked, finish)
}

fn finish(outcome: &Outcome) -> Result<u8, CliError> {
    let said = match outcome {
        Outcome::Answered { answers } => {
            answers.first().and_then(|answer| answer.value.as_ref()).and_then(Value::as_bool)
        }
        _ => None,
    };
    match said {
        Some(true) => print("yes").map(|()| 0),
        Some(false) => print("no").map(|()| 1),
        None => Ok(outcome.exit_code()),
    }
}

fn question(args: ConfirmArgs) -> Result<(Ask, Asked), CliError> {
    let mut question = json!({ "question": args.text, "type": "confirm", "notes": false });
    if let Some(details) = args.details {
        question["details"] = details.into();
    }
    if let Some(default) = args.default {
        question["default"] = matches!(default, YesNo::Yes).into();
    }
    let payload = json!({ "askdeck": 1, "questions": [question] });
    ask::check(Ask { payload, timeout_ms: args.timeout_ms, ..Ask::default() }, args.agent)
}
