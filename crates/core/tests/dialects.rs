//! Runs every folder in `tests/dialects/<format>/<case>/`:
//!
//! | file | |
//! | --- | --- |
//! | `in.json` | what the agent sends |
//! | `person.json` | how the person ends the dialog; an `Outcome`, options by their place |
//! | `out.json`, `out.txt` | what the agent gets back |
//! | `error.txt` | instead: all problems, one a line; `out.json` is then the format's own error |
//! | `advice.txt` | what the sender is told though it stops nothing; absent for none |
//! | `dialog.json` | where it exists: what is asked, to look into a reading more closely |
//! | `detected.txt` | the dialect that detection finds, or why it finds none, where that is not the folder's |
//! | `to.txt` | the dialect of the answer, where that is not the folder's |
//!
//! To add a case, add a folder with `in.json` and `person.json`; `UPDATE=1` writes the rest, and
//! the diff is reviewed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::disallowed_methods, reason = "the core reads no files, but these are its cases")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use askdeck_core::{
    dialect::{self, Carry, Dialect},
    dialog::{Caller, Dialog, Kind, Question},
    outcome::{Answer, Outcome},
    payload::{MANY, Rules},
    problem::{Fault, Problem},
};
use serde_json::Value;

#[test]
fn every_case_reads_and_writes_as_its_files_say() {
    let mut failures = Vec::new();
    for case in cases() {
        run(&case, &mut failures);
    }
    assert!(failures.is_empty(), "{}\n\nUPDATE=1 accepts these as they are", failures.join("\n\n"));
}

/// What every format must be able to say, each in a case of this name.
#[test]
fn every_dialect_has_a_case_for_each_outcome() {
    let common = ["one", "declined", "dismissed", "timed-out", "clarify", "withdrawn"];
    for dialect in dialect::ALL {
        let several = dialect.carries.contains(&Carry::Multi).then_some("multi");
        for name in common.into_iter().chain(several) {
            assert!(
                root().join(dialect.name).join(name).is_dir(),
                "no case {}/{name}",
                dialect.name
            );
        }
    }
}

#[test]
fn schemas_are_valid() {
    for dialect in dialect::ALL {
        let Some(schema) = dialect.schema else { continue };
        let schema: Value = serde_json::from_str(schema).expect(dialect.name);
        jsonschema::meta::validate(&schema)
            .unwrap_or_else(|error| panic!("{}: {error}", dialect.name));
        for example in schema["examples"].as_array().into_iter().flatten() {
            let payload = (dialect.read)(example);
            Dialog::check(payload, &dialect.rules, "id".into(), dialect.name, Caller::default())
                .expect(dialect.name);
        }
    }
}

/// What the dialects claim to carry is what their cases show.
#[test]
fn dialects_carry_what_they_declare() {
    for dialect in dialect::ALL.into_iter().filter(|dialect| dialect.schema.is_some()) {
        let dialogs: Vec<Dialog> = folders(&root().join(dialect.name))
            .iter()
            .filter_map(|case| dialog(dialect, case))
            .collect();
        let any = |test: fn(&Question) -> bool| {
            dialogs.iter().flat_map(|dialog| &dialog.questions).any(test)
        };
        let outcome = Outcome::Declined {
            reason: Some("a reason of its own".into()),
            partial: vec![Answer {
                selected: vec![0],
                value: Some("half".into()),
                ..Answer::default()
            }],
        };
        let written = (dialect.write)(&dialogs[0], &outcome);
        for (carry, shown) in [
            (
                Carry::Other,
                any(|question| matches!(question.kind, Kind::Single { other: true, .. })),
            ),
            (Carry::Notes, any(|question| question.notes)),
            (Carry::Multi, any(Question::is_multi)),
            (
                Carry::Previews,
                any(|question| question.options().iter().any(|option| option.preview.is_some())),
            ),
            (Carry::Reason, written.contains("a reason of its own")),
            (Carry::Partial, written.contains("half")),
        ] {
            let claimed = dialect.carries.contains(&carry);
            let which = if claimed { "no case shows it" } else { "a case shows it" };
            assert_eq!(claimed, shown, "{}, {carry:?}: {which}", dialect.name);
        }
    }
}

fn dialog(dialect: &Dialect, case: &Path) -> Option<Dialog> {
    let sent = dialect::parse(&fs::read(case.join("in.json")).unwrap()).ok()?;
    Dialog::check(
        (dialect.read)(&sent),
        &dialect.rules,
        "id".into(),
        dialect.name,
        Caller::default(),
    )
    .ok()
}

/// The table in docs/dialects.md is made from the code.
#[test]
fn docs_list_every_dialect() {
    let path = repository().join("docs/dialects.md");
    let found = fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- made by crates/core/tests/dialects.rs -->\n", "<!-- end -->");
    let (head, rest) = found.split_once(start).unwrap();
    let (_, tail) = rest.split_once(end).unwrap();
    let expected = format!("{head}{start}{}{end}{tail}", table());
    if update() {
        fs::write(&path, expected).unwrap();
    } else {
        assert_eq!(found, expected, "run the tests with UPDATE=1");
    }
}

/// The tables that are not made have a row for every dialect, too.
#[test]
fn docs_list_marks_and_endings_of_every_dialect() {
    let docs = repository().join("docs/dialects.md");
    let docs = fs::read_to_string(docs).unwrap();
    for (title, only_written) in
        [("\n## How they are detected\n", false), ("\n## What they write\n", true)]
    {
        let (_, section) = docs.split_once(title).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
        let named: Vec<_> = rows.flat_map(|row| row.split(',')).map(str::trim).collect();
        for dialect in dialect::ALL {
            let expected = only_written || dialect.schema.is_some();
            let name = format!("`{}`", dialect.name);
            assert_eq!(named.contains(&&*name), expected, "{name} under{title}");
        }
    }
}

fn run(case: &Path, failures: &mut Vec<String>) {
    let folder = case.parent().and_then(Path::file_name).unwrap().to_str().unwrap();
    let named = |file: &str| read(case, file).unwrap_or_else(|| folder.into());
    let bytes = fs::read(case.join("in.json"))
        .unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    let sent = match dialect::parse(&bytes) {
        Ok(sent) => sent,
        Err(error) => return compare(case, "error.txt", Some(error.to_string()), failures),
    };
    let from = dialect::by_name(folder).filter(|dialect| dialect.schema.is_some());
    let detected = dialect::detect(&sent);
    let found = match &detected {
        Ok(detected) => detected.name.to_owned(),
        Err(error) => error.to_string(),
    };
    // A payload of no dialect is refused, unless it is told what can be done with it.
    if detected.is_err() && !case.join("detected.txt").exists() {
        return compare(case, "error.txt", Some(found), failures);
    }
    assert_eq!(found, named("detected.txt"), "{}", case.display());
    let from = from.unwrap_or_else(|| detected.unwrap());
    let to = dialect::by_name(&named("to.txt")).unwrap();

    let mut payload = (from.read)(&sent);
    compare(case, "advice.txt", lines(&payload.advice), failures);
    let answered = payload.answered.take().map(|answers| Outcome::Answered { answers });
    let caller = Caller { agent: payload.agent.clone().unwrap_or_default(), ..Caller::default() };
    match Dialog::check(payload, &from.rules, "id".into(), to.name, caller) {
        Err(problems) => {
            compare(case, "error.txt", lines(&problems), failures);
            compare(case, "out.json", (from.refuse)(&problems).map(pretty), failures);
        }
        Ok(dialog) => {
            compare(case, "error.txt", None, failures);
            satisfies_schema(from, &sent, case);
            survives_the_wire(&dialog);
            if case.join("dialog.json").exists() {
                compare(
                    case,
                    "dialog.json",
                    Some(pretty(serde_json::to_string(&dialog).unwrap())),
                    failures,
                );
            }
            let outcome = answered.unwrap_or_else(|| person(case));
            let out = (to.write)(&dialog, &outcome);
            if to.name == "text" {
                compare(case, "out.txt", Some(out), failures);
            } else {
                compare(case, "out.json", Some(pretty(out)), failures);
            }
        }
    }
}

fn person(case: &Path) -> Outcome {
    let text =
        read(case, "person.json").unwrap_or_else(|| panic!("no person.json in {}", case.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{}: person.json: {error}", case.display()))
}

fn satisfies_schema(dialect: &Dialect, sent: &Value, case: &Path) {
    let schema = serde_json::from_str(dialect.schema.unwrap()).unwrap();
    if let Err(error) = jsonschema::validate(&schema, sent) {
        panic!("{}: read, but against its schema: {error}", case.display());
    }
}

fn survives_the_wire(dialog: &Dialog) {
    let sent = serde_json::to_string(dialog).unwrap();
    assert_eq!(serde_json::from_str::<Dialog>(&sent).unwrap(), *dialog);
}

fn compare(case: &Path, file: &str, actual: Option<String>, failures: &mut Vec<String>) {
    let expected = read(case, file);
    let actual = actual.map(|text| text.trim_end().to_owned());
    if expected == actual {
        return;
    }
    if update() {
        match actual {
            Some(text) => fs::write(case.join(file), text + "\n").unwrap(),
            None => fs::remove_file(case.join(file)).unwrap(),
        }
    } else {
        let none = || "(nothing)".to_owned();
        failures.push(format!(
            "{}/{file}\nexpected:\n{}\nfound:\n{}",
            case.display(),
            expected.unwrap_or_else(none),
            actual.unwrap_or_else(none)
        ));
    }
}

fn cases() -> Vec<PathBuf> {
    let cases: Vec<_> = folders(&root()).iter().flat_map(|format| folders(format)).collect();
    assert!(cases.len() > 100, "only {} cases found", cases.len());
    cases
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir());
    found.sort();
    found
}

fn root() -> PathBuf {
    repository().join("tests/dialects")
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(case: &Path, file: &str) -> Option<String> {
    fs::read_to_string(case.join(file)).ok().map(|text| text.trim_end().to_owned())
}

fn lines(problems: &[Problem]) -> Option<String> {
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn pretty(json: String) -> String {
    serde_json::from_str::<Value>(&json).map_or(json, |value| format!("{value:#}"))
}

fn update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

fn table() -> String {
    let carries = CARRIES.map(|(_, word)| word).join(" | ");
    let head = format!(
        "| name | what it is | questions | options | header | label | description | {carries} | own error |"
    );
    let line = " --- |".repeat(8 + CARRIES.len());
    format!("{head}\n|{line}\n{}", dialect::ALL.map(row).concat())
}

fn row(dialect: &Dialect) -> String {
    let yes = |so: bool| if so { "yes" } else { "–" };
    let Rules { questions, options, header, label, description, .. } = &dialect.rules;
    let limits = [questions, options, header, label, description].map(limit).join(" | ");
    let carries = CARRIES.map(|(carry, _)| yes(dialect.carries.contains(&carry))).join(" | ");
    let problem = Problem::new("questions", Fault::Missing { expected: "a list" });
    let error = yes((dialect.refuse)(&[problem]).is_some());
    format!("| `{}` | {} | {limits} | {carries} | {error} |\n", dialect.name, dialect.about)
}

const CARRIES: [(Carry, &str); 6] = [
    (Carry::Other, "Other"),
    (Carry::Notes, "notes"),
    (Carry::Multi, "several options"),
    (Carry::Previews, "previews"),
    (Carry::Reason, "reasons"),
    (Carry::Partial, "partial answers"),
];

fn limit(range: &std::ops::RangeInclusive<usize>) -> String {
    match (*range.start(), *range.end()) {
        (0, usize::MAX) => "any".into(),
        (min, MANY) => format!("{min} or more"),
        (min, max) if min == max => min.to_string(),
        (min, max) => format!("{min}–{max}"),
    }
}
