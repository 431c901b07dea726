//! Writes the man pages of both programs into a folder, out of what they say about themselves.

use std::{env, io, path::PathBuf};

use clap::{Arg, ArgAction, Command};
use serde_json::Value;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "name the folder for the man pages")
    })?;
    let command = askdeck::command::command();
    let app = app(&command)?;
    for program in [command, app] {
        clap_mangen::generate_to(program, &folder)?;
    }
    Ok(())
}

/// The app has the arguments of `askdeck ask`, as a test makes sure, and one of its own.
fn app(command: &Command) -> io::Result<Command> {
    let config: Value = serde_json::from_str(include_str!("../../../tauri.conf.json"))?;
    let declared = &config["plugins"]["cli"];
    let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
    let own = declared["args"].as_array().into_iter().flatten();
    let own = own.filter(|arg| arg["name"] == "resident").map(|arg| {
        let name = text(&arg["name"]);
        Arg::new(name.clone()).long(name).action(ArgAction::SetTrue).help(text(&arg["description"]))
    });
    let ask = command.get_subcommands().filter(|command| command.get_name() == "ask");
    let ask = ask.flat_map(Command::get_arguments).map(|arg| arg.clone().display_order(None));
    let about = text(&declared["description"]);
    Ok(Command::new("askdeck-desktop")
        .version(command.get_version().unwrap_or_default().to_owned())
        .long_about(format!("{about}.\n\n{}", text(&declared["afterHelp"])))
        .about(about)
        .args(own)
        .args(ask))
}
