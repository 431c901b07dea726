//! Holds the cases of `tests/dialects/` to the real packages: each script in `tests/formats/` loads
//! one and gets the cases of its dialect, the part of its name before the first dot. See
//! docs/formats.md, whose table is made here.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::disallowed_methods, reason = "the core acts on nothing, but the packages run")]
#![allow(clippy::disallowed_types, reason = "the core acts on nothing, but the packages run")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
};

use askdeck_core::{
    dialect::{self, Dialect},
    dialog::{Caller, Dialog},
    outcome::Outcome,
};
use serde_json::{Value, json};

/// What a script has told about one package.
#[derive(Default)]
struct Report {
    script: String,
    package: String,
    version: String,
    how: String,
    held: BTreeSet<String>,
    /// By case, why the package has no say in it.
    skipped: BTreeMap<String, String>,
    problems: Vec<String>,
    /// How many wrong cases it has found to be wrong.
    controls: usize,
}

/// Formats that are ours: nobody else reads or writes them.
const OURS: [&str; 2] = ["askdeck", "text"];

#[test]
fn real_packages_read_and_write_the_cases() {
    let reports: Vec<_> = scripts().iter().map(|script| run(script)).collect();
    let problems: Vec<_> = reports.iter().flat_map(|report| &report.problems).cloned().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    for dialect in theirs() {
        let of_it = || reports.iter().filter(|report| report.dialect() == dialect.name);
        for case in cases(dialect).iter().filter_map(|case| case["case"].as_str()) {
            let told =
                |report: &Report| report.held.contains(case) || report.skipped.contains_key(case);
            assert!(
                of_it().count() == 0 || of_it().any(told),
                "no script holds {}/{case} to a package, or says why not",
                dialect.name
            );
        }
    }
    compare_table(&table(&reports));
}

impl Report {
    fn dialect(&self) -> &str {
        self.script.split('.').next().unwrap()
    }

    fn take(&mut self, line: &Value) {
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        if let Some(package) = text("package") {
            self.package = package;
            self.version = text("version").unwrap();
            self.how = text("how").unwrap();
            return;
        }
        let case = text("case").expect("every other line is about a case");
        if let Some(problem) = text("problem") {
            if case.starts_with(CONTROL) {
                self.controls += 1;
                return;
            }
            let (script, package) = (&self.script, &self.package);
            self.problems.push(format!("{script}, {package} {}: {case}: {problem}", self.version));
        } else if let Some(why) = text("skipped") {
            self.skipped.insert(case, why);
        } else if !case.starts_with(CONTROL) {
            self.held.insert(case);
        }
    }
}

fn run(script: &Path) -> Report {
    let name = script.file_name().unwrap().to_str().unwrap().to_owned();
    let mut report = Report { script: name.clone(), ..Report::default() };
    let dialect = dialect::by_name(report.dialect())
        .unwrap_or_else(|| panic!("{name} has the name of no dialect"));
    // Kept there, so that a script can be run by hand.
    let sent = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.json", dialect.name));
    let mut cases = cases(dialect);
    cases.extend(controls(&cases));
    fs::write(&sent, Value::from(cases).to_string()).unwrap();
    let mut command = if script.extension().is_some_and(|ending| ending == "py") {
        let mut python = Command::new(installed("python/bin/python"));
        // Beside the script it would find that instead of a package of its name.
        python.args(["-B", "-P"]).arg(script).env("PYTHONPATH", folder().join("shared"));
        python
    } else {
        // Node looks for packages where the script is.
        let beside = installed("formats");
        fs::create_dir_all(beside.join("shared")).unwrap();
        for file in [files(&folder(), "mjs"), files(&folder().join("shared"), "mjs")].concat() {
            let path = file.strip_prefix(folder()).unwrap();
            fs::copy(&file, beside.join(path)).unwrap();
        }
        let mut node = Command::new(installed("foreign/bin/node"));
        node.arg(beside.join(&name));
        node
    };
    let output = command
        .env("ASKDECK_FOREIGN", installed("foreign"))
        .env("ASKDECK_TYPES", installed("types"))
        .stdin(File::open(&sent).unwrap())
        .output()
        .unwrap();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line = serde_json::from_str(line).unwrap_or_else(|e| panic!("{name}: {e}: {line}"));
        report.take(&line);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} failed:\n{said}");
    let checked = !report.held.is_empty() || !report.problems.is_empty();
    assert!(checked, "{name} has checked nothing:\n{said}");
    assert!(report.controls > 0, "{name} takes any answer for what nobody answered");
    report
}

/// Begins the names of cases that are wrong.
const CONTROL: &str = "control: ";

/// Answers that are said to be none. Some may be held, since a no is no yes either; but not all.
fn controls(cases: &[Value]) -> Vec<Value> {
    let answered = cases.iter().filter(|case| !case["chosen"].is_null());
    let wrong = answered.map(|case| {
        let mut wrong = case.clone();
        wrong["case"] = format!("{CONTROL}{}", case["case"].as_str().unwrap()).into();
        wrong["outcome"] = json!({ "outcome": "dismissed" });
        wrong["chosen"] = Value::Null;
        wrong
    });
    wrong.collect()
}

/// The cases that the dialect accepts and answers itself, with what the person saw and chose.
fn cases(dialect: &Dialect) -> Vec<Value> {
    let mut found: Vec<_> = fs::read_dir(repository().join("tests/dialects").join(dialect.name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|case| {
            case.is_dir()
                && !["error.txt", "to.txt"].map(|f| case.join(f).exists())[..].contains(&true)
        })
        .collect();
    found.sort();
    found.iter().map(|case| self::case(dialect, case)).collect()
}

fn case(dialect: &Dialect, case: &Path) -> Value {
    let json = |file: &str| -> Value {
        serde_json::from_slice(&fs::read(case.join(file)).unwrap()).unwrap()
    };
    let sent = json("in.json");
    let mut payload = (dialect.read)(&sent);
    let outcome = payload.answered.take().map_or_else(
        || serde_json::from_value(json("person.json")).unwrap(),
        |answers| Outcome::Answered { answers },
    );
    let dialog =
        Dialog::check(payload, &dialect.rules, "id".into(), dialect.name, Caller::default());
    json!({
        "case": case.file_name().unwrap().to_str(),
        "in": sent,
        "advised": case.join("advice.txt").exists(),
        "outcome": outcome,
        "chosen": chosen(&dialog.unwrap(), &outcome),
        "out": json("out.json"),
    })
}

/// For each question what the person answered, in the words and values of the payload; nothing for
/// an outcome that is no answer.
fn chosen(dialog: &Dialog, outcome: &Outcome) -> Value {
    let Outcome::Answered { answers } = outcome else { return Value::Null };
    let questions = dialog.questions.iter().zip(answers);
    let questions = questions.map(|(question, answer)| {
        let options = || answer.selected.iter().map(|place| &question.options()[*place]);
        let labels: Vec<_> = options().map(|option| &option.label).collect();
        let values: Vec<_> = options().map(|option| &option.value).collect();
        json!({
            "id": question.id, "header": question.header, "question": question.text,
            "labels": labels, "values": values, "other": answer.other, "note": answer.note,
            "value": answer.value, "skipped": answer.skipped,
        })
    });
    questions.collect()
}

fn table(reports: &[Report]) -> String {
    let read = folder().join("read.json");
    let read: BTreeMap<String, [String; 3]> =
        serde_json::from_slice(&fs::read(read).unwrap()).unwrap();
    let mut rows = String::new();
    for dialect in theirs() {
        let before = rows.len();
        for report in reports.iter().filter(|report| report.dialect() == dialect.name) {
            let without: BTreeSet<_> = report.skipped.values().cloned().collect();
            let without = Vec::from_iter(without).join("; ");
            let Report { package, version, how, .. } = report;
            rows += &row(&[
                &format!("`{}`", dialect.name),
                package,
                version,
                how,
                "every run",
                &without,
            ]);
        }
        if let Some([package, date, why]) = read.get(dialect.name) {
            rows +=
                &row(&[&format!("`{}`", dialect.name), package, "", "read by a person", date, why]);
        }
        assert!(
            rows.len() > before,
            "{} has neither a script nor a row in read.json",
            dialect.name
        );
    }
    let head = ["dialect", "package", "version", "how", "checked", "without"];
    format!("{}{}{rows}", row(&head), row(&["---"; 6]))
}

fn row(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn compare_table(table: &str) {
    let path = repository().join("docs/formats.md");
    let found = fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- made by crates/core/tests/formats.rs -->\n", "<!-- end -->");
    let (head, rest) = found.split_once(start).unwrap();
    let (_, tail) = rest.split_once(end).unwrap();
    let expected = format!("{head}{start}{table}{end}{tail}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, expected).unwrap();
    } else {
        assert_eq!(found, expected, "run the tests with UPDATE=1");
    }
}

fn theirs() -> impl Iterator<Item = &'static Dialect> {
    dialect::ALL.into_iter().filter(|dialect| !OURS.contains(&dialect.name))
}

fn scripts() -> Vec<PathBuf> {
    [files(&folder(), "py"), files(&folder(), "mjs")].concat()
}

fn folder() -> PathBuf {
    repository().join("tests/formats")
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

#[track_caller]
fn installed(path: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name(path);
    assert!(path.exists(), "no {}; `cargo xtask test` installs it", path.display());
    path
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
