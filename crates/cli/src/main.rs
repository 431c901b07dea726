//! The command.

use std::process::ExitCode;

fn main() -> ExitCode {
    askdeck_desk::panics::end_the_program();
    askdeck::command::run()
}
