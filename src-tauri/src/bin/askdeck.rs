//! The command.

use std::process::ExitCode;

fn main() -> ExitCode {
    askdeck::cli::run()
}
