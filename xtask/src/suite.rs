//! The tests, run so that a race in one of them can be told from a fault: each that fails is run
//! once more, by itself, when the others are done.

use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::ExitStatus,
    thread,
};

use crate::{Result, place, step};

/// Tells the tests where the command is that was built for them.
pub(crate) const COMMAND: &str = "ASKDECK_COMMAND";

/// So many do not fail by chance, and each may take a minute to fail again.
const MOST_AGAIN: usize = 20;

/// Ends the output of a command. No test writes it: a program that outlives its test could hold the
/// pipe open for ever, so its end says nothing.
const END: &[u8] = b"\0xtask\n";

/// The tests that passed only by themselves. What failed, if anything failed for good.
/// All that cargo and the tests say goes to `shown` as it comes.
pub(crate) fn run(folder: &Path, tests: &[&str], shown: &mut impl Write) -> Result<Vec<String>> {
    eprintln!("==> tests");
    let (status, report) = cargo_test(folder, &[tests, &["--no-fail-fast"]].concat(), shown)?;
    if status.success() {
        return Ok(Vec::new());
    }
    let failed: usize = report.failures.iter().map(|failure| failure.tests.len()).sum();
    if report.failures.is_empty() || failed > MOST_AGAIN {
        return Err(format!("tests: {failed} failed, with {status}"));
    }
    let (mut flaky, mut broken) = (Vec::new(), Vec::new());
    for Failure { target, tests } in report.failures {
        if tests.is_empty() {
            broken.push(format!("`cargo test {target}`, which did not end as tests do"));
        }
        for test in tests {
            eprintln!("==> {test}, once more and by itself");
            let alone: Vec<&str> = target.split(' ').chain(["--", "--exact", &test]).collect();
            let (status, report) = cargo_test(folder, &alone, shown)?;
            // A name that matches nothing is no success.
            let passes = status.success() && report.passed == 1;
            if passes { &mut flaky } else { &mut broken }.push(test);
        }
    }
    if broken.is_empty() {
        return Ok(flaky);
    }
    let flaky = told(&flaky).map(|flaky| format!("\n{flaky}")).unwrap_or_default();
    Err(format!("tests failed: {}{flaky}", broken.join(", ")))
}

/// The line about tests that passed only by themselves.
pub(crate) fn told(flaky: &[String]) -> Option<String> {
    (!flaky.is_empty()).then(|| format!("flaky: {}", flaky.join(" ")))
}

fn cargo_test(
    folder: &Path,
    args: &[&str],
    shown: &mut impl Write,
) -> Result<(ExitStatus, Report)> {
    let problem = |e: io::Error| format!("cannot run cargo test: {e}");
    let (reader, writer) = io::pipe().map_err(problem)?;
    // In one pipe, so that it is known after which tests cargo says that they failed.
    let mut cargo = step::cargo(&["test", "--color", "never"]);
    cargo.args(args).current_dir(folder);
    // The tests would build it once more.
    cargo.env(COMMAND, place::target()?.join("debug/askdeck"));
    cargo.stdout(writer.try_clone().map_err(problem)?);
    cargo.stderr(writer.try_clone().map_err(problem)?);
    let mut child = cargo.spawn().map_err(problem)?;
    let end = thread::spawn(move || {
        let status = child.wait();
        (&writer).write_all(END).and(status)
    });
    let report = Report::read(BufReader::new(reader), shown).map_err(problem)?;
    let status = end.join().map_err(|_| "cannot wait for cargo test")?.map_err(problem)?;
    Ok((status, report))
}

/// What `cargo test` told about the tests that it ran.
#[derive(Debug, Default, PartialEq)]
struct Report {
    passed: usize,
    failures: Vec<Failure>,
    /// The names below the last `failures:`.
    listed: Vec<String>,
    /// Those that failed in the tests which ended last.
    failed: Vec<String>,
}

#[derive(Debug, PartialEq)]
struct Failure {
    /// What cargo needs to run the same tests: `--package … --test …`.
    target: String,
    /// None if they did not end as tests do: they crashed, or are those of the documentation, which
    /// have no names to run them by.
    tests: Vec<String>,
}

impl Report {
    /// Reads to the end, and shows each line as it comes.
    fn read(mut output: impl BufRead, shown: &mut impl Write) -> io::Result<Self> {
        let mut report = Self::default();
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            let rest = line.strip_suffix(END);
            shown.write_all(rest.unwrap_or(&line))?;
            shown.flush()?;
            report.take(String::from_utf8_lossy(rest.unwrap_or(&line)).trim_end());
            if rest.is_some() {
                break;
            }
            line.clear();
        }
        Ok(report)
    }

    fn take(&mut self, line: &str) {
        if line == "failures:" {
            self.listed.clear();
        } else if line.trim_start().starts_with("Running ") {
            self.failed.clear();
        } else if let Some(name) = line.strip_prefix("    ") {
            self.listed.push(name.into());
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            self.passed += number(counts, " passed").unwrap_or(0);
            self.failed = std::mem::take(&mut self.listed);
            // A list that was not understood must not pass for one in which nothing failed.
            if number(counts, " failed") != Some(self.failed.len()) {
                self.failed.clear();
            }
        } else if let Some((what, target)) = rerun(line) {
            let failed = std::mem::take(&mut self.failed);
            let tests = if what == "test" { failed } else { Vec::new() };
            self.failures.push(Failure { target: target.into(), tests });
        }
    }
}

/// What failed, and how to run it again, if cargo says so in this line.
fn rerun(line: &str) -> Option<(&str, &str)> {
    // A test that crashes may leave half a line, and cargo goes on in it.
    let (_, error) = line.split_once("error: ")?;
    let (what, target) = error.split_once(" failed, to rerun pass `")?;
    Some((what, target.strip_suffix('`')?))
}

/// The number before a word.
fn number(counts: &str, word: &str) -> Option<usize> {
    counts.split(word).next()?.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(output: &str) -> Report {
        let mut shown = Vec::new();
        let report = Report::read(output.as_bytes(), &mut shown).unwrap();
        assert_eq!(String::from_utf8(shown).unwrap(), output);
        report
    }

    fn failures(output: &str) -> Vec<(String, Vec<String>)> {
        let failures = read(output).failures.into_iter();
        failures.map(|failure| (failure.target, failure.tests)).collect()
    }

    const FAILED: &str = "\
     Running unittests src/lib.rs (target/debug/deps/some-1)

running 3 tests
test a::good ... ok
test a::bad ... FAILED
test worse - should panic ... FAILED

failures:

---- a::bad stdout ----

thread 'a::bad' panicked at src/lib.rs:4:9:
failures:
    not_a_test
test result: FAILED. 0 passed; 2 failed; 0 ignored
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

failures:
    a::bad
    worse

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `-p some --lib`
";

    #[test]
    fn failed_tests_are_found_with_what_runs_them() {
        let all = format!("{FAILED}{}", FAILED.replace("--lib", "--test other"));
        let tests = || vec!["a::bad".to_owned(), "worse".to_owned()];
        let lib = ("-p some --lib".to_owned(), tests());
        assert_eq!(failures(&all), [lib, ("-p some --test other".to_owned(), tests())]);
    }

    #[test]
    fn tests_that_crash_are_a_failure_without_names() {
        let crashed = "
     Running tests/some.rs (target/debug/deps/some-2)

running 2 tests
test good ... ok
error: test failed, to rerun pass `-p some --test some`

Caused by:
  process didn't exit successfully: `some-2` (signal: 6, SIGABRT: process abort signal)
";
        // Those before it are not its own.
        let before = FAILED.split("error: ").next().unwrap();
        for output in [crashed, &format!("{before}{crashed}")] {
            assert_eq!(failures(output), [("-p some --test some".to_owned(), Vec::new())]);
        }
    }

    #[test]
    fn unreadable_failure_list_has_no_names() {
        let cut = FAILED.replace("    worse\n", "");
        assert_eq!(failures(&cut), [("-p some --lib".to_owned(), Vec::new())]);
        let documentation = FAILED.replace("error: test failed", "error: doctest failed");
        assert_eq!(failures(&documentation), [("-p some --lib".to_owned(), Vec::new())]);
    }

    #[test]
    fn crash_is_found_behind_half_a_line() {
        let crashed = "test good ... error: test failed, to rerun pass `--lib`\n";
        assert_eq!(failures(crashed), [("--lib".to_owned(), Vec::new())]);
    }

    #[test]
    fn output_after_the_end_is_not_awaited() {
        let output = b"test result: ok. 7 passed; 0 failed\nsome\0xtask\ntest result: ok. 1 passed";
        let mut shown = Vec::new();
        let report = Report::read(&output[..], &mut shown).unwrap();
        assert_eq!(report.passed, 7);
        assert!(shown.ends_with(b"\nsome"));
    }

    /// Runs the real cargo on a package with these tests.
    fn run_package(name: &str, tests: &str) -> Result<Vec<String>> {
        let folder = place::fresh(&format!("xtask-suite-{name}"))?;
        let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n");
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::create_dir(folder.join("src")).unwrap();
        fs::write(folder.join("src/lib.rs"), tests).unwrap();
        let target = folder.join("target").display().to_string();
        // Beside the tests of this package its own would be taken for one of them.
        run(&folder, &["--offline", "--target-dir", &target], &mut io::sink())
    }

    const GOOD: &str = "#[test] fn good() {}";
    const FLAKY: &str = "#[test] fn flaky() {
        assert!(std::fs::create_dir(\"tried\").is_err());
    }";
    const BROKEN: &str = "#[test] fn broken() { panic!(); }";
    const CRASH: &str = "#[test] fn crash() { std::process::abort(); }";

    #[test]
    fn test_that_passes_alone_is_flaky() {
        assert_eq!(run_package("good", GOOD), Ok(Vec::new()));
        let flaky = run_package("flaky", &format!("{GOOD} {FLAKY}")).unwrap();
        assert_eq!(told(&flaky).unwrap(), "flaky: flaky");
    }

    #[test]
    fn repeated_failure_or_crash_fails_the_run() {
        let broken = run_package("broken", &format!("{GOOD} {FLAKY} {BROKEN}")).unwrap_err();
        assert_eq!(broken, "tests failed: broken\nflaky: flaky");
        let crashed = run_package("crashed", &format!("{GOOD} {CRASH}")).unwrap_err();
        assert!(crashed.contains("`cargo test --lib`, which did not end"), "{crashed}");
        let unreadable = run_package("unreadable", "fn").unwrap_err();
        assert!(unreadable.starts_with("tests: 0 failed, with exit status"), "{unreadable}");
    }
}
