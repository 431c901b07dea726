//! The command.

use std::process::ExitCode;

fn main() -> ExitCode {
    askdeck::command::run()
}
