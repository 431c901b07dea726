//! The app. `--stdio` serves the command that started it; with a payload it asks by itself.

use std::{process::ExitCode, io};
use askdeck::{desktop, server};

fn main() -> ExitCode {
    desktop::run(|deliver| server::serve(io::stdin().lock(), io::stdout(), |message| drop(deliver.send(message))))
}
