//! The app. Started with a payload it asks like the command, and prints the answer; started with
//! nothing, as from a menu, it comes to the person.

use std::{
    ffi::OsString,
    io::{self, Write},
    os::unix::process::CommandExt,
    process::{Command, ExitCode},
};

use askdeck_core::protocol::{Call, Reply};
use askdeck_desk::{
    client::{self, ClientError, Start},
    panics, paths, reception,
    socket::{Bind, Endpoint},
};
use askdeck_desktop::arguments::{self, Task};
use tauri_plugin_cli::Error;

/// After so many desks have come before it, this one gives up.
const MOST_OTHERS: u32 = 3;

fn main() -> ExitCode {
    panics::end_the_program();
    let resident = match arguments::task() {
        Ok(Task::Serve) => false,
        Ok(Task::Stay) => true,
        Ok(Task::Open) => return end(open()),
        Ok(Task::Ask(args)) => return ask(args),
        Ok(Task::Print(text)) => return print(&text),
        Err(Error::ParseCli(error)) => error.exit(),
    };
    reception::prepare_process();
    let place = Endpoint::of_user();
    match listen(&place) {
        Ok(Bind::Bound(post)) => {
            if !resident {
                say_ready();
            }
            askdeck_desktop::run(&place, post, resident)
        }
        Ok(Bind::AlreadyRunning) => {
            if resident {
                return end(stay(Start::Window).and_then(|_| show()));
            }
            say_ready();
            ExitCode::SUCCESS
        }
        Err(error) if error.kind() == io::ErrorKind::TimedOut => end(Err(ClientError::Deaf)),
        Err(error) => end(Err(ClientError::NoPlace { directory: place.directory().into(), error })),
    }
}

/// Listens, unless another app does. A desk without a window makes way.
fn listen(place: &Endpoint) -> io::Result<Bind> {
    for _ in 0..MOST_OTHERS {
        if let here @ Bind::Bound(_) = place.listen()? {
            return Ok(here);
        }
        // The command that started this one finds out by itself what is wrong with the other one.
        if !client::take_over(place).unwrap_or(false) {
            break;
        }
    }
    Ok(Bind::AlreadyRunning)
}

/// Becomes the command, which asks through this app.
fn ask(args: Vec<OsString>) -> ExitCode {
    let program = paths::beside("askdeck");
    let error = Command::new(&program).arg("ask").args(args).exec();
    end(Err(ClientError::NotStarted { program, error }))
}

/// The command that started it reads one line, and then knows that the app listens.
fn say_ready() {
    print("listening\n");
}

fn print(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    // With stdout closed there is nobody to read it.
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    ExitCode::SUCCESS
}

/// What waits, or with nothing to answer what was answered.
fn open() -> Result<Reply, ClientError> {
    stay(Start::Window)?;
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
    let Err(error) = told else { return ExitCode::SUCCESS };
    // With stderr gone there is nobody to tell.
    let _ = writeln!(io::stderr(), "askdeck: {error}");
    ExitCode::from(error.exit_code())
}
