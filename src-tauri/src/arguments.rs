//! The command line: `plugins.cli` in `tauri.conf.json` declares it, and Tauri's plugin reads it.

use std::{env, ffi::OsString};

use askdeck_desk::files;
use serde_json::Value;
use tauri::test;
use tauri_plugin_cli::{CliExt, Error};

/// What the app is started to do.
pub enum Task {
    /// Serve callers until the deck is empty; how the command starts the app.
    Serve,
    /// Stay in the tray.
    Stay,
    /// Come to the person, who started it with nothing to ask, as from a menu.
    Open,
    /// Ask, like the command with these arguments.
    Ask(Vec<OsString>),
    /// Print the help or the version.
    Print(String),
}

/// What the arguments of this process ask for.
///
/// The two tasks that turn this process into the app are recognized without the plugin. It reads
/// arguments inside a Tauri app only, and the first Tauri app of a process gets the events of all
/// menus: with a second one, nothing in the menu of the tray would work. `--resident` conflicts with
/// every other argument, so comparing is enough; `--serve` is not declared, as only the command uses it.
pub fn task() -> Result<Task, Error> {
    let args: Vec<_> = env::args_os().skip(1).collect();
    match args.as_slice() {
        [only] if only == "--serve" => Ok(Task::Serve),
        [first, others @ ..] if first == "--resident" && others.iter().all(|arg| arg == first) => {
            Ok(Task::Stay)
        }
        _ => read(args),
    }
}

fn read(args: Vec<OsString>) -> Result<Task, Error> {
    // Without a display, since help, errors and questions for a running app need none. Tauri has a
    // runtime of this kind for tests alone.
    let app = test::mock_builder()
        .plugin(tauri_plugin_cli::init())
        .build(super::context())
        .expect("the declaration in tauri.conf.json is valid");
    let found = app.cli().matches()?;
    if let Some(help) = found.args.get("help").and_then(|help| help.value.as_str()) {
        return Ok(Task::Print(help.to_owned()));
    }
    if found.args.contains_key("version") {
        let program = app.package_info();
        return Ok(Task::Print(format!("{} {}\n", program.crate_name, program.version)));
    }
    let is_absent = |value: &Value| matches!(value, Value::Null | Value::Bool(false));
    let is_nothing = found.args.values().all(|given| is_absent(&given.value));
    Ok(if is_nothing && !files::is_stdin_given() { Task::Open } else { Task::Ask(args) })
}
