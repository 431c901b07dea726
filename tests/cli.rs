//! The command and the app as a caller sees them: arguments in; stdout, stderr and exit code out.

use std::fs;

use askdeck_core::dialect;
use serde_json::{Value, json};

use crate::support::{Ended, Home, Run, Screen, askdeck};

/// A payload that brings its answers along, so that no window is needed.
fn answered() -> Value {
    let options =
        json!([{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }]);
    let questions = json!([{ "header": "Plan", "question": "Which?", "options": options, "multiSelect": false }]);
    json!({ "questions_json": questions.to_string(), "user_answers": { "question_0": ["B"] } })
}

#[test]
fn help_goes_to_stdout_and_names_the_exit_codes() {
    let help = Run::command(["--help"]).ends(&Home::new());
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    for code in [
        "0 answered",
        "1 declined",
        "not running (`status`)",
        "2 bad",
        "3 neither",
        "4 the app",
        "124 timed",
        "130 with",
    ] {
        let flat = help.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(code), "no `{code}` in:\n{}", help.stdout);
    }
}

#[test]
fn bad_usage_reports_on_stderr_alone() {
    let home = Home::new();
    for args in [["--no-such-flag"], ["--timeout=soon"], ["--dialect=klingon"], ["-oA"]] {
        let ended = Run::command(args).ends(&home);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ended.stderr.starts_with("error: "), "{args:?}: {}", ended.stderr);
    }
    Run::command(["schema", "text"]).ends(&home).says(
        2,
        "",
        "askdeck: dialect `text` can only be written, so it has no schema; choose another (see `askdeck dialects`)\n",
    );
}

#[test]
fn a_payload_comes_as_argument_file_or_standard_input() {
    let home = Home::new();
    let payload = answered().to_string();
    fs::write(home.path("work/payload.json"), &payload).unwrap();
    for run in [
        Run::command([&payload]),
        Run::command(["ask", &payload]),
        Run::command(["payload.json"]),
        Run::command(["-"]).stdin(payload.as_str()),
        Run::command([]).stdin(payload.as_str()),
        Run::app([&payload]),
        Run::app(["payload.json"]),
    ] {
        let ended = run.ends(&home);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(answer["answers"], json!({ "Plan": ["B"] }));
        assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
    }
    Run::command([&payload, "--to=text"])
        .ends(&home)
        .is(0, "The user answered.\n\n1. Plan: Which?\n   Selected: B\n");
}

#[test]
fn broken_payload_reports_all_problems_at_once() {
    let home = Home::new();
    let options: Vec<_> = (0..21).map(|number| format!("option {number}")).collect();
    let payload = json!({ "askdeck": 1, "timeout": "soon", "questions": [
        { "question": "Which?", "options": options },
        { "question": "", "type": "radio", "optoins": [] },
        { "header": "No text", "options": ["Same", "Same", ""] },
    ]});
    let problems = "\
askdeck: timeout: unknown value `\"soon\"`, expected seconds, or a time such as `90s`, `10m` or `1h30m`, up to `30d`
askdeck: questions[1].type: unknown value `radio`, expected `single`, `multi`, `text`, `confirm`, `number`, `integer`, `boolean`, `secret` or `json`
askdeck: questions[1].optoins: unknown field, did you mean `options`?
askdeck: questions[2].question: missing, expected a string
askdeck: questions[0].options: 21 options, but 1 to 20 are allowed
askdeck: questions[1].question: must not be empty
askdeck: questions[2].options[1]: `Same` appears twice
askdeck: questions[2].options[2]: must not be empty
";
    Run::ask(&payload).ends(&home).says(2, "", problems);
    Run::app([]).stdin(payload.to_string()).ends(&home).says(2, "", problems);
}

#[test]
fn dialect_error_shape_goes_to_stdout() {
    let ended = Run::ask(&json!({ "questions_json": "[]" })).ends(&Home::new());
    let refusal: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((ended.code, &refusal["status"]), (Some(2), &json!("failed")));
    assert!(refusal["error"].is_string(), "{refusal}");
}

#[test]
fn non_payload_is_refused_in_one_line() {
    let home = Home::new();
    let large = vec![b' '; 1024 * 1024 + 1];
    fs::write(home.path("work/large.json"), &large).unwrap();
    let too_large = "the payload is too large: at most 1048576 bytes are allowed";
    for (run, line) in [
        (Run::command([]).stdin(large), too_large),
        (Run::command(["large.json"]), too_large),
        (Run::command([]), "the payload is empty, expected JSON"),
        (
            Run::command(["{half"]),
            "the payload is not JSON: key must be a string at line 1 column 2",
        ),
        (
            Run::command(["{}"]),
            "cannot detect the dialect; pass --dialect NAME (see `askdeck dialects`)",
        ),
        (
            Run::command(["nowhere"]),
            "cannot read `nowhere`: No such file or directory (os error 2); pass a readable file, JSON, or `-` for standard input",
        ),
    ] {
        run.ends(&home).says(2, "", &format!("askdeck: {line}\n"));
    }
}

#[test]
fn lone_surrogate_is_refused_wherever_it_stands() {
    let home = Home::new();
    let advice = "`\\ud800` to `\\udfff` are halves of a character, send both or none";
    for (half, told) in [
        (r"\ud83d", "unexpected end of hex escape"),
        (r"\udc4d", "lone leading surrogate in hex escape"),
        (r"\ud83d\u0041", "lone leading surrogate in hex escape"),
    ] {
        for payload in [
            format!(r#"{{"question":"Go? {half}","options":["Yes","No"]}}"#),
            format!(r#"{{"question":"Go?","options":["Yes","No {half}"]}}"#),
            format!(r#"{{"question":"Go?","{half}":1}}"#),
        ] {
            let ended = Run::command([&payload]).ends(&home);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{payload}");
            let line = format!("askdeck: the payload is not JSON: {told} at line 1 column ");
            assert!(ended.stderr.starts_with(&line), "{payload}: {}", ended.stderr);
            assert!(ended.stderr.ends_with(&format!("; {advice}\n")), "{}", ended.stderr);
        }
    }
}

#[test]
fn no_display_exits_with_3() {
    let home = Home::new();
    let question = json!({ "question": "Go?", "options": ["Yes", "No"] }).to_string();
    let advice = "askdeck: there is neither a display nor a terminal to ask on; \
        set DISPLAY or WAYLAND_DISPLAY, or run this in a desktop session or a terminal\n";
    Run::command([&question]).ends(&home).says(3, "", advice);
    Run::command(["confirm", "Go?"]).ends(&home).says(3, "", advice);
    let unreachable = Run::command([&question]).env("DISPLAY", ":9999");
    unreachable.ends(&home).says(3, "", advice);
    Run::command([&question, "--ui=window"]).ends(&home).says(
        3,
        "",
        "askdeck: there is no display to show the question on; \
         set DISPLAY or WAYLAND_DISPLAY, or run this in a desktop session\n",
    );
    let app = Run::app([&question]).ends(&home);
    assert_eq!((app.code, app.stdout.as_str()), (Some(3), ""), "{}", app.stderr);
}

#[test]
fn missing_app_exits_with_4() {
    let home = Home::new();
    let alone = home.path("askdeck-alone");
    // By another program: what this one has open for writing cannot be run while any child has it.
    let mut copy = home.command("cp");
    let copied = copy.arg(askdeck()).arg(&alone).status();
    assert!(copied.is_ok_and(|copied| copied.success()));
    let question = json!({ "question": "Go?", "options": ["Yes", "No"] }).to_string();
    let run = Run::program(alone, [&question]).env("DISPLAY", ":9999").env("PATH", "/nowhere");
    run.ends(&home).says(
        4,
        "",
        "askdeck: cannot start `askdeck-desktop`: No such file or directory (os error 2); \
         install it beside this command, or put it on PATH\n",
    );
}

#[test]
fn dialects_are_listed_with_their_schemas() {
    let home = Home::new();
    let dialects = Run::command(["dialects"]).ends(&home);
    let names: Vec<_> = dialects.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, dialect::ALL.map(|dialect| dialect.name));
    for name in names.into_iter().filter(|&name| name != "text") {
        let schema = Run::command(["schema", name]).ends(&home);
        assert_eq!((schema.code, schema.stderr.as_str()), (Some(0), ""), "{name}");
        let schema: Value = serde_json::from_str(&schema.stdout).unwrap();
        assert!(jsonschema::validator_for(&schema).is_ok(), "{name}");
    }
    let default = Run::command(["schema"]).ends(&home).stdout;
    assert_eq!(default, Run::command(["schema", "askdeck"]).ends(&home).stdout);
}

#[test]
fn completions_know_the_commands() {
    let script = Run::command(["completions", "bash"]).ends(&Home::new());
    assert_eq!((script.code, script.stderr.as_str()), (Some(0), ""));
    for word in ["_askdeck()", "confirm", "dialects", "--timeout"] {
        assert!(script.stdout.contains(word), "no {word}");
    }
}

#[test]
fn doctor_reports_in_plain_lines() {
    let lines = |ended: &Ended| -> Vec<(String, String)> {
        let line = |line: &str| (line[..16].trim().into(), line[16..].trim().into());
        ended.stdout.lines().map(line).collect()
    };
    let screen = Screen::start();
    let report = Run::command(["doctor"]).ends(&screen);
    assert_eq!((report.code, report.stderr.as_str()), (Some(0), ""), "{}", report.stdout);
    let found = lines(&report);
    let whats: Vec<_> = found.iter().map(|(what, _)| what.as_str()).collect();
    // Behind them are the agents that the developer's machine has.
    assert_eq!(whats[..5], ["display", "web view", "tray host", "socket", "data folder"]);
    assert!(found[0].1.starts_with("ok       DISPLAY=:"), "{found:?}");
    assert!(found[1].1.starts_with("ok       WebKitGTK 2."), "{found:?}");
    assert!(found[2].1.starts_with("not ok   no StatusNotifierWatcher"), "{found:?}");
    assert!(found[3].1.ends_with("/askdeck/run"), "{found:?}");
    assert!(found[4].1.ends_with("/askdeck/data"), "{found:?}");

    // The app that was looked at may still be there.
    let report = Run::command(["doctor"]).ends(&Home::new());
    assert_eq!((report.code, report.stderr.as_str()), (Some(3), ""));
    assert!(lines(&report)[0].1.starts_with("not ok   neither DISPLAY"), "{}", report.stdout);
}
