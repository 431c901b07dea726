//! The command line of the app, which `tauri.conf.json` declares: like that of `askdeck ask`.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, Command};
use serde_json::{Value, json};

use crate::support::{Home, Run};

fn declared() -> Vec<Value> {
    let config = include_str!("../tauri.conf.json");
    let config: Value = serde_json::from_str(config).expect("it is JSON");
    config["plugins"]["cli"]["args"].as_array().expect("a list of arguments").clone()
}

/// An argument of the command, as `tauri.conf.json` would declare it.
fn as_declared(arg: &Arg, ask: &Command) -> Value {
    let name = |arg: &Arg| match arg.get_long() {
        Some(long) => long.to_owned(),
        None => arg.get_id().as_str().to_uppercase(),
    };
    let takes_value = arg.get_action().takes_values();
    let values: Vec<_> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let conflicts: Vec<_> = ask.get_arg_conflicts_with(arg).into_iter().map(name).collect();
    json!({
        "name": name(arg),
        "short": arg.get_short(),
        "index": arg.is_positional().then_some(1),
        "takesValue": takes_value.then_some(true),
        "multiple": matches!(arg.get_action(), ArgAction::Append).then_some(true),
        "possibleValues": (takes_value && !values.is_empty()).then_some(values),
        "conflictsWith": conflicts.first(),
        "description": arg.get_help().map(ToString::to_string),
    })
}

/// Only what an argument must have in common with that of the command.
fn comparable(arg: &Value) -> Value {
    let names = [
        "name",
        "short",
        "index",
        "takesValue",
        "multiple",
        "possibleValues",
        "conflictsWith",
        "description",
    ];
    names.iter().map(|&name| (name.to_owned(), arg[name].clone())).collect()
}

#[test]
fn app_declares_the_arguments_of_ask_and_resident() {
    let command = askdeck::command::command();
    let ask = command.find_subcommand("ask").expect("there is such a command");
    let shared: Vec<_> = ask.get_arguments().map(|arg| as_declared(arg, ask)).collect();
    let (own, others): (Vec<_>, Vec<_>) =
        declared().into_iter().partition(|arg| arg["name"] == "resident");
    let found: Vec<_> = others.iter().map(comparable).collect();
    assert_eq!(json!(found), json!(shared));

    let [resident] = own.as_slice() else { panic!("one argument: {own:?}") };
    let names = |values: &[Value]| -> BTreeSet<_> { values.iter().map(Value::to_string).collect() };
    let others: Vec<_> = others.iter().map(|arg| arg["name"].clone()).collect();
    let conflicts = resident["conflictsWithAll"].as_array().expect("it stands alone");
    assert_eq!(names(conflicts), names(&others));
}

#[test]
fn app_prints_help_and_version_without_a_display() {
    let home = Home::new();
    for flag in ["--help", "-h"] {
        let help = Run::app([flag]).ends(&home);
        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""), "{flag}");
        assert!(help.stdout.contains("Usage: askdeck-desktop [OPTIONS] [PAYLOAD]\n"), "{help:?}");
        assert!(!help.stdout.contains("--serve"), "only the command uses it: {help:?}");
        for arg in declared() {
            let name = arg["name"].as_str().unwrap();
            let told = if arg["index"].is_null() { format!("--{name}") } else { name.to_owned() };
            assert!(help.stdout.contains(&told), "no `{told}` in:\n{}", help.stdout);
        }
    }
    for flag in ["--version", "-V"] {
        let version = format!("askdeck-desktop {}\n", env!("CARGO_PKG_VERSION"));
        Run::app([flag]).ends(&home).says(0, &version, "");
    }
}

/// Nothing is shown: there is no display, or the arguments are refused before.
#[test]
fn app_reads_its_arguments_like_ask() {
    let home = Home::new();
    let question = json!({ "question": "Go?", "options": ["Yes", "No"] }).to_string();
    let cases: &[&[&str]] = &[
        &[&question],
        &[&question, "--timeout", "1m", "--key=k", "--agent", "Tester"],
        &[&question, "--ui=window"],
        &[&question, "--no-wait"],
        &[&question, "--to=text", "--dialect", "askdeck"],
        &[&question, "--dialect=kimi"],
        &["--", "--payload.json"],
        &["-"],
        &["-q", "Go?"],
        &["-qGo?", "-oYes", "-o=No"],
        &["--multi", "--no-other", "--question", "Go?", "--option", "Yes: at once", "--option=No"],
        // Options belong to the question before them.
        &["-q", "One?", "-o", "Same", "-o", "Other", "-q", "Two?", "-q", "Three?", "-o", "Same"],
        &["-q", "One?", "-o", "A", "-q", "Two?", "-o", "B", "-o", "B"],
        &["-o", "A", "-q", "One?"],
        &["--no-such-flag"],
        &["--timeout=soon"],
        &["--timeout", "31d"],
        &["--dialect=klingon"],
        &["--to=klingon"],
        &["--ui=paper"],
        &["--ui=window", "--no-wait", &question],
        &["--to"],
        &["--to=text", "--to=text"],
        &["--multi=yes", "-q", "Go?"],
        &["--multi"],
        &["-oA"],
        &[&question, &question],
        &[&question, "-q", "Go?"],
    ];
    for args in cases {
        let with = |run: Run| args.iter().fold(run, |run, arg| run.args([arg])).ends(&home);
        let (asked, app) = (with(Run::command(["ask"])), with(Run::app([])));
        assert_eq!((app.code, &app.stdout), (asked.code, &asked.stdout), "{args:?}: {app:?}");
        assert_eq!(problem(&app.stderr), problem(&asked.stderr), "{args:?}");
    }
}

/// The message without what the plugin cannot say as the command does: the name of a value, and the
/// usage below.
fn problem(stderr: &str) -> String {
    let Some(message) = stderr.strip_prefix("error: ") else { return stderr.to_owned() };
    let message = message.split("\n\nUsage: ").next().unwrap_or_default();
    let mut words: Vec<_> = message.split(' ').map(ToOwned::to_owned).collect();
    for word in &mut words {
        if word.starts_with('<')
            && let Some(end) = word.find('>')
        {
            word.replace_range(..=end, "<>");
        }
    }
    words.join(" ").replace("...", "")
}

#[test]
fn resident_stands_alone() {
    let home = Home::new();
    for args in [["--resident", "payload.json"], ["-qGo?", "--resident"], ["--resident", "--bogus"]]
    {
        let ended = Run::app(args).ends(&home);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ended.stderr.starts_with("error: "), "{args:?}: {}", ended.stderr);
    }
    // As far as it gets without a display.
    for args in [vec!["--resident"], vec!["--resident", "--resident"], vec!["--serve"]] {
        let run = args.iter().fold(Run::app([]), |run, arg| run.args([arg]));
        assert_eq!(run.ends(&home).code, Some(3), "{args:?}");
    }
}
