//! The app. Started with a payload it asks like the command, and prints the answer; started with
//! nothing, as from a menu, it comes to the person.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use askdeck::{
    cli::{self, app::Task, ask},
    client::{self, ClientError, Start},
    desktop::{self, arguments},
    protocol::{Call, Reply},
    socket::{Listening, Place},
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

fn main() -> ExitCode {
    let resident = match arguments::task() {
        Ok(Task::Serve) => false,
        Ok(Task::Stay) => true,
        Ok(Task::Open) => return end(open()),
        Ok(Task::Ask(args)) => return cli::end(ask::run(args)),
        Ok(Task::Print(text)) => return print(&text),
        Err(error) => error.exit(),
    };
    raise_file_limit();
    // Apart from the terminal and the agent that started it, so that it does not end with them.
    let _leads_already = rustix::process::setsid();
    let place = Place::of_user();
    match place.listen() {
        Ok(Listening::Here(post)) => {
            if !resident {
                say_ready();
            }
            desktop::run(&place, post, resident)
        }
        Ok(Listening::Elsewhere) => {
            if resident {
                return end(stay(Start::Never).and_then(|_| show()));
            }
            say_ready();
            ExitCode::SUCCESS
        }
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            cli::end(Err(ClientError::Deaf.into()))
        }
        Err(error) => {
            cli::end(
                Err(ClientError::NoPlace { directory: place.directory().into(), error }.into()),
            )
        }
    }
}

/// Every caller that waits holds a file, and the usual limit of 1,024 would be too few callers.
/// Not more than needed: what the app starts inherits the limit.
fn raise_file_limit() {
    const ENOUGH: u64 = 16 * 1024;
    let limit = getrlimit(Resource::Nofile);
    let current = limit.maximum.map_or(ENOUGH, |most| most.min(ENOUGH));
    if limit.current.is_some_and(|now| now < current) {
        // With fewer files there are fewer callers.
        let _as_it_was = setrlimit(Resource::Nofile, Rlimit { current: Some(current), ..limit });
    }
}

/// Whoever started it reads one line, and then knows that somebody listens.
fn say_ready() {
    print("listening\n");
}

fn print(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    let _nobody_reads = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    ExitCode::SUCCESS
}

/// What waits, or with nothing to answer what was answered.
fn open() -> Result<Reply, ClientError> {
    stay(Start::IfNeeded)?;
    match show()? {
        Reply::Done { done: false } => {
            client::call(&Call::Show { ticket: None, history: true }, Start::Never)
        }
        shown => Ok(shown),
    }
}

fn stay(start: Start) -> Result<Reply, ClientError> {
    client::call(&Call::Stay { at_login: None }, start)
}

fn show() -> Result<Reply, ClientError> {
    client::call(&Call::Show { ticket: None, history: false }, Start::Never)
}

fn end(told: Result<Reply, ClientError>) -> ExitCode {
    cli::end(told.map(|_| 0).map_err(Into::into))
}
