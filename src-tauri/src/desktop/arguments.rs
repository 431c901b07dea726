//! The command line: `plugins.cli` in `tauri.conf.json` declares it, and Tauri's plugin reads it.

use std::env;

use serde_json::Value;
use tauri::{Runtime, test};
use tauri_plugin_cli::{Cli, CliExt, Error, Matches};

use crate::cli::app::{Given, Task};

/// What the arguments of this process ask for.
///
/// The two tasks that turn this process into the app are recognized without the plugin. It reads
/// arguments inside a Tauri app only, and the first Tauri app of a process gets the events of all
/// menus: with a second one, nothing in the menu of the tray would work. `--resident` conflicts with
/// every other argument, so comparing is enough; `--serve` is not declared, as only the command uses it.
pub fn task() -> Result<Task, clap::Error> {
    let args: Vec<_> = env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    match args.get(1..).unwrap_or_default() {
        [only] if only == "--serve" => Ok(Task::Serve),
        [first, others @ ..] if first == "--resident" && others.iter().all(|arg| arg == first) => {
            Ok(Task::Stay)
        }
        _ => read(&args),
    }
}

fn read(args: &[String]) -> Result<Task, clap::Error> {
    // Without a display, since help, errors and questions for a running app need none. Tauri has a
    // runtime of this kind for tests alone.
    let app = test::mock_builder()
        .plugin(tauri_plugin_cli::init())
        .build(super::context())
        .expect("the declaration in tauri.conf.json is valid");
    let found = app.cli().matches().map_err(|Error::ParseCli(error)| error)?;
    if let Some(help) = found.args.get("help").and_then(|help| help.value.as_str()) {
        return Ok(Task::Print(help.to_owned()));
    }
    if found.args.contains_key("version") {
        let program = app.package_info();
        return Ok(Task::Print(format!("{} {}\n", program.crate_name, program.version)));
    }
    let [questions, options] = places(["question", "option"], app.cli(), args, &found);
    let values = found.args.into_iter().map(|(name, given)| (name, given.value)).collect();
    Given { values, questions, options }.try_into()
}

/// The values of some arguments, each with its place among all arguments. The plugin does not report
/// places, so this looks after how many arguments it first finds each value.
fn places<R: Runtime, const N: usize>(
    names: [&str; N],
    cli: &Cli<R>,
    args: &[String],
    found: &Matches,
) -> [Vec<(usize, String)>; N] {
    let mut places = names.map(|_| Vec::new());
    if names.iter().all(|name| texts(found, name).next().is_none()) {
        return places;
    }
    for length in 1..=args.len() {
        // An argument without its value is an error, until the value comes.
        let Ok(found) = cli.matches_from(args[..length].to_vec()) else { continue };
        for (name, places) in names.iter().zip(&mut places) {
            let new = texts(&found, name).skip(places.len());
            places.extend(new.map(|text| (length, text.to_owned())));
        }
    }
    places
}

fn texts<'a>(found: &'a Matches, name: &str) -> impl Iterator<Item = &'a str> {
    let values = found.args.get(name).and_then(|given| given.value.as_array());
    values.into_iter().flatten().filter_map(Value::as_str)
}
