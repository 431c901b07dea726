//! What must not stand anywhere in the tree. Walls between the crates are their manifests' work.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

/// A text of the tree, without the tests at its end.
struct Source {
    /// From the root, such as `ui/main.js`.
    path: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All texts that git keeps, and whose path begins with one of these.
fn sources(below: &[&str]) -> Vec<Source> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let listed = listed.expect("this is a checkout").stdout;
    let paths = listed.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mut found: Vec<_> = paths
        .filter(|path| below.iter().any(|start| path.starts_with(start)))
        .filter_map(|path| {
            let text = fs::read_to_string(root().join(&*path)).ok()?;
            Some(Source { path: path.into_owned(), text })
        })
        .collect();
    assert!(!found.is_empty(), "nothing below {below:?}");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl Source {
    fn is(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension().unwrap_or_default();
        extensions.iter().any(|one| extension == *one)
    }

    fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.contains("/tests")
            || self.path.ends_with(".test.js")
    }

    /// The lines of the program itself: without comments, and without its tests.
    fn code(&self) -> impl Iterator<Item = &str> {
        let program = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        program.lines().map(|line| line.split("//").next().unwrap_or_default())
    }
}

/// Fails for every line of code in `sources` in which one of the words stands.
#[track_caller]
fn assert_absent(words: &[&str], sources: impl IntoIterator<Item = Source>, why: &str) {
    let mut found = Vec::new();
    for source in sources.into_iter().filter(|source| !source.is_test()) {
        for line in source.code() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}: {}", source.path, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{why}:\n{}", found.join("\n"));
}

#[test]
fn only_the_bridges_call_rust() {
    let bridges = ["ui/bridge.js", "ui/history-bridge.js"];
    let elsewhere =
        sources(&["ui/"]).into_iter().filter(|source| !bridges.contains(&source.path.as_str()));
    assert_absent(&["__TAURI"], elsewhere, "only a bridge calls Rust");
}

#[test]
fn schemas_are_evaluated_off_the_desk() {
    let evaluating = [".schemas()", "settle(", "CheckedOutcome::new", "Schema::", ".run()"];
    let deck = sources(&["crates/core/src/deck.rs", "crates/core/src/deck/"]);
    assert_absent(&evaluating, deck, "the deck hands it out as `Effect::Check`");
    let session = sources(&["crates/core/src/session.rs", "crates/core/src/session/"]);
    let session = session.into_iter().filter(|source| !source.path.ends_with("/checks.rs"));
    assert_absent(&[".schemas()", "settle(", ".run()"], session, "a session hands out `Checks`");
}

#[test]
fn no_leftover_marks_or_prints() {
    let this = "tests/tidy.rs";
    let texts = sources(&["crates/", "src-tauri/", "ui/", "tests/", "xtask/"]);
    let code = || texts.iter().filter(|source| source.is(&["rs", "js", "css", "html"]));
    let mut found = Vec::new();
    for source in code().filter(|source| source.path != this) {
        for line in source.text.lines() {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.any(|word| ["todo", "fixme", "xxx"].contains(&word.to_lowercase().as_str())) {
                found.push(format!("{}: {}", source.path, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    let forbidden = ["dbg!(", "print!(", "println!(", "Box<dyn Error", "console.log"];
    let programs = sources(&["crates/", "src-tauri/src/", "ui/"]).into_iter().filter(|source| {
        // What a program says in its last moment has nowhere else to go.
        source.path != "src-tauri/src/lib.rs"
    });
    assert_absent(&forbidden, programs, "left over");
}

#[test]
fn no_paths_of_the_authors_machine() {
    let texts = sources(&[""]);
    let lock = texts.iter().find(|source| source.path == "Cargo.lock").expect("it is kept");
    let origins = lock.text.lines().filter(|line| line.starts_with("source"));
    let foreign: Vec<_> = origins.filter(|line| !line.contains("\"registry+")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let ignored = texts.iter().find(|source| source.path == ".gitignore");
    assert!(ignored.is_none_or(|source| !source.text.contains("Cargo.lock")));

    // Put together here, so that they do not stand in this file.
    let machine: Vec<_> =
        ["root", "home/user", "Users"].iter().map(|folder| format!("/{folder}/")).collect();
    let mut found = Vec::new();
    for source in &texts {
        for line in source.text.lines() {
            if machine.iter().any(|folder| starts_in(line, folder)) {
                found.push(format!("{}: {}", source.path, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Whether a path in the line begins in the folder, and not only passes through one of its name.
fn starts_in(line: &str, folder: &str) -> bool {
    line.match_indices(folder)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "}-_.~".contains(c)))
}

#[test]
fn every_dependency_has_its_reason() {
    let texts = sources(&[
        "Cargo.toml",
        "crates/",
        "tests/kit/",
        "xtask/",
        "packaging/",
        "fuzz/",
        "docs/dependencies.md",
    ]);
    let (table, others): (Vec<_>, Vec<_>) =
        texts.into_iter().partition(|source| source.path == "docs/dependencies.md");
    let manifests = others.iter().filter(|source| source.path.ends_with("Cargo.toml"));
    let used: BTreeSet<_> = manifests.flat_map(|source| dependencies(&source.text)).collect();
    let rows = table[0].text.lines().filter_map(|line| line.strip_prefix("| `"));
    let told: BTreeSet<_> = rows
        .filter_map(|row| row.split_once(" | "))
        .flat_map(|(names, _)| names.split('`').step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(told, used);
}

/// The crates of others that a manifest names.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let manifest: toml::Table = manifest.parse().expect("cargo reads it");
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values);
    let parts = targets.filter_map(toml::Value::as_table).chain([&manifest]);
    parts
        .flatten()
        .filter(|(name, _)| name.ends_with("dependencies"))
        .filter_map(|(_, listed)| listed.as_table())
        .flat_map(toml::Table::keys)
        .filter(|name| !name.starts_with("askdeck"))
        .cloned()
        .collect()
}

#[test]
fn every_script_of_a_page_is_loaded_at_once() {
    let scripts: BTreeSet<_> = sources(&["ui/"])
        .into_iter()
        .filter(|source| source.is(&["js"]) && !source.is_test())
        .map(|source| source.path.trim_start_matches("ui/").to_owned())
        .collect();
    let mut used = BTreeSet::new();
    for (page, start) in [("index.html", "main.js"), ("history.html", "history.js")] {
        let text = read_ui(page);
        let named: BTreeSet<_> = scripts
            .iter()
            .filter(|name| {
                text.contains(&format!("<link rel=\"modulepreload\" href=\"{name}\" />"))
                    || text.contains(&format!("<script type=\"module\" src=\"{name}\"></script>"))
            })
            .cloned()
            .collect();
        assert_eq!(named, reached_from(start), "{page}");
        assert_eq!(text.matches(".js\"").count(), named.len(), "{page} names what is not there");
        used.extend(named);
    }
    assert_eq!(used, scripts, "a script that no page loads");
}

fn read_ui(name: &str) -> String {
    fs::read_to_string(root().join("ui").join(name)).unwrap_or_else(|_| panic!("no {name}"))
}

/// The script and all that it imports, directly or not.
fn reached_from(start: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut next = vec![start.to_owned()];
    while let Some(name) = next.pop() {
        if reached.insert(name.clone()) {
            let text = read_ui(&name);
            let imports = text.split(" from './").skip(1).filter_map(|rest| rest.split_once('\''));
            next.extend(imports.map(|(import, _)| import.to_owned()));
        }
    }
    reached
}
