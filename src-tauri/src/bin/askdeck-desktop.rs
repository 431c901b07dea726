//! The app. Started by the command it serves it over stdin and stdout; started with a payload it
//! asks by itself and prints the answer.

use std::{
    io,
    process::ExitCode,
    sync::{Arc, Mutex, mpsc::Sender},
};

use askdeck::{
    cli::{self, CliError, ask},
    desktop,
    protocol::{Body, Call, Reply},
    server::{self, Message, Replier},
};
use clap::Parser;

/// Shows the questions of a payload in a window, and prints what the person answers.
///
/// Takes what `askdeck ask` takes and ends with the same exit codes.
#[derive(Parser)]
#[command(name = "askdeck-desktop", version)]
struct Cli {
    /// Serves the command that started it over standard input and output
    #[arg(long, hide = true, exclusive = true)]
    stdio: bool,
    #[command(flatten)]
    ask: ask::AskArgs,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if cli.stdio {
        return desktop::run(|deliver| {
            server::serve(io::stdin().lock(), io::stdout(), |message| drop(deliver.send(message)));
        });
    }
    match ask::prepare(cli.ask) {
        Ok(ready) => ask_here(ready),
        Err(error) => cli::end(Err(error)),
    }
}

fn ask_here(mut ready: ask::Ready) -> ExitCode {
    if let Some(outcome) = ready.answered.take() {
        return cli::end(ready.finish(&outcome));
    }
    let ended = Arc::new(Mutex::new(None));
    let answer = Arc::clone(&ended);
    let failed = desktop::run(move |deliver| {
        let dialog = Box::new(ready.dialog.clone());
        take_back_on_interrupt(dialog.id.clone(), deliver.clone());
        // The caller reads the answer at once, while the window still says that it was sent.
        let replier = Replier::new(move |body| {
            if let Body::Result(Reply::Outcome(outcome)) = body {
                *answer.lock().expect("nothing panics under this lock") =
                    Some(ready.finish(&outcome));
            }
        });
        let _ended = deliver.send(Message::Call(Call::Ask { dialog }, replier));
    });
    let ended: Option<Result<u8, CliError>> =
        ended.lock().expect("nothing panics under this lock").take();
    ended.map_or(failed, cli::end)
}

/// Ctrl+C closes the window and ends with `withdrawn`.
fn take_back_on_interrupt(dialog: String, deliver: Sender<Message>) {
    let withdraw = move || {
        let call = Call::Withdraw { dialog: dialog.clone() };
        let _ended = deliver.send(Message::Call(call, Replier::new(drop)));
    };
    // Without a handler Ctrl+C still ends the program.
    let _unhandled = ctrlc::set_handler(withdraw);
}
