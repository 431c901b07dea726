//! Connecting agents: what is written into their configuration, and that it goes without a trace.
//!
//! The files in `tests/install/clients` are such as people have, before and after. What clients make
//! of it is told in `agents` and `hook`, and was seen with Copilot CLI 1.0.102 by its `mcp get`.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use crate::support::{Ended, Home, Run, askdeck};

/// What agents with a shell alone are told.
mod agents_md;
/// What the doctor says of it.
mod doctor;
/// Links, permissions and folders.
mod files;
/// Asked at a real terminal.
mod terminal;

/// Each client, and its files in the home.
const CLIENTS: [(&str, &[&str]); 8] = [
    ("claude-code", &[".claude.json", ".claude/settings.json"]),
    ("codex", &[".codex/config.toml", ".codex/hooks.json"]),
    ("opencode", &[".config/opencode/opencode.jsonc", ".config/opencode/plugin/askdeck.js"]),
    ("gemini", &[".gemini/settings.json"]),
    ("qwen", &[".qwen/settings.json"]),
    ("cursor", &[".cursor/mcp.json"]),
    ("vscode", &[".config/Code/User/mcp.json"]),
    ("copilot", &[".copilot/mcp-config.json"]),
];

/// The command as it finds itself.
fn program() -> String {
    let program = Path::new(askdeck()).canonicalize();
    program.expect("it was built for this test").display().to_string()
}

/// A file of a client as people have it, or with us in it.
fn fixture(client: &str, file: &str, state: &str) -> String {
    let text = fs::read_to_string(fixture_path(client, file, state));
    text.expect("every client has its files").replace("{program}", &program())
}

fn fixture_path(client: &str, file: &str, state: &str) -> PathBuf {
    let name = Path::new(file).file_name().expect("it names a file").to_string_lossy();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/install/clients");
    root.join(client).join(format!("{name}.{state}"))
}

/// Those files of a client that people have; others are ours alone.
fn shared<'a>(client: &str, names: &[&'a str]) -> Vec<&'a str> {
    let is_shared = |name: &&str| fixture_path(client, name, "before").exists();
    names.iter().copied().filter(is_shared).collect()
}

fn write(home: &Home, file: &str, text: &str) {
    let path = home.path(file);
    fs::create_dir_all(path.parent().expect("it is in the home")).expect("the home is ours");
    fs::write(path, text).expect("the home is ours");
}

fn read(home: &Home, file: &str) -> String {
    fs::read_to_string(home.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All files of the clients, with what they say.
fn files(home: &Home) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<_> =
        [".claude", ".codex", ".config", ".gemini", ".qwen", ".cursor", ".copilot"]
            .map(|name| home.path(name))
            .into();
    folders.push(home.path("work"));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    let top = fs::read_dir(home.root()).expect("the home is ours").flatten();
    found.extend(top.map(|entry| entry.path()).filter(|path| path.is_file()));
    found.sort();
    found
        .into_iter()
        .map(|path| (path.clone(), fs::read_to_string(path).expect("it is text")))
        .collect()
}

#[track_caller]
fn install(home: &Home, client: &str) -> Ended {
    done(Run::command(["install", client, "--yes"]).ends(home))
}

#[track_caller]
fn uninstall(home: &Home, client: &str) -> Ended {
    done(Run::command(["uninstall", client, "--yes"]).ends(home))
}

#[track_caller]
fn done(ended: Ended) -> Ended {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{}", ended.stderr);
    ended
}

/// The same file as other editors write it.
const SHAPES: [fn(String) -> String; 4] = [
    |text| text,
    |text| text.replace('\n', "\r\n"),
    |text| format!("\u{feff}{text}"),
    |text| text.trim_end().to_owned(),
];

#[test]
fn install_and_uninstall_leave_no_trace() {
    for (client, names) in CLIENTS {
        for shape in SHAPES {
            let home = Home::new();
            let shared = shared(client, names);
            for name in &shared {
                write(&home, name, &shape(fixture(client, name, "before")));
            }
            let before = files(&home);

            let installed = install(&home, client);
            for name in names {
                let wrote = format!("askdeck: wrote `{}`", home.path(name).display());
                assert!(installed.stderr.contains(&wrote), "{}", installed.stderr);
                let after = fixture(client, name, "after");
                if !shared.contains(name) {
                    assert_eq!(read(&home, name), after, "{name}");
                    continue;
                }
                assert_eq!(read(&home, name), shape(after), "{name}");
                let backup = read(&home, &format!("{name}.before-askdeck"));
                assert_eq!(backup, shape(fixture(client, name, "before")), "{name}");
            }
            assert!(installed.stderr.contains("\n+"), "no difference: {}", installed.stderr);

            let after = files(&home);
            let again = install(&home, client);
            assert!(again.stderr.starts_with("askdeck: nothing to do: "), "{}", again.stderr);
            assert_eq!(files(&home), after);

            uninstall(&home, client);
            assert_eq!(files(&home), before, "{client}");
            let again = uninstall(&home, client);
            assert!(again.stderr.starts_with("askdeck: nothing to do: "), "{}", again.stderr);
            assert_eq!(files(&home), before, "{client}");
        }
    }
}

#[test]
fn install_makes_the_folder_of_a_client_that_never_ran() {
    for (client, names) in CLIENTS {
        let home = Home::new();
        let before = files(&home);
        let installed = install(&home, client);
        for name in names {
            assert!(read(&home, name).contains(&program()), "{name}");
        }
        let folder = home.path(names.last().unwrap()).parent().unwrap().display().to_string();
        let note = format!("askdeck: `{folder}` does not exist yet and will be created\n");
        assert!(installed.stderr.contains(&note), "{}", installed.stderr);
        uninstall(&home, client);
        assert_eq!(files(&home), before, "{client}");
    }
}

#[test]
fn install_updates_an_older_path() {
    for (client, names) in CLIENTS {
        let home = Home::new();
        for name in shared(client, names) {
            write(&home, name, &fixture(client, name, "before"));
        }
        let before = files(&home);
        install(&home, client);
        for name in names {
            let old = read(&home, name).replace(&program(), "/old version/bin/askdeck");
            write(
                &home,
                name,
                &old.replace("/old version/bin/askdeck hook", "'/old version/bin/askdeck' hook"),
            );
        }
        install(&home, client);
        for name in names {
            assert_eq!(read(&home, name), fixture(client, name, "after"), "{name}");
        }
        uninstall(&home, client);
        assert_eq!(files(&home), before, "{client}");
    }
}

#[test]
fn uninstall_keeps_later_changes() {
    for (client, names) in CLIENTS {
        let home = Home::new();
        let shared = shared(client, names);
        for name in &shared {
            write(&home, name, &fixture(client, name, "before"));
        }
        install(&home, client);
        let change =
            |text: &str| text.replacen("docs-mcp", "other-mcp", 1).replacen("null", "0", 1);
        for name in names {
            let after = read(&home, name).replace("password", "sign");
            write(&home, name, &change(&after).replace("~/bin/check", "~/bin/look"));
        }
        uninstall(&home, client);
        for name in &shared {
            let before = fixture(client, name, "before").replace("password", "sign");
            let before = change(&before).replace("~/bin/check", "~/bin/look");
            assert_eq!(read(&home, name), before, "{name}");
        }
        assert_eq!(files(&home).len(), shared.len(), "a copy is left");
    }
}

#[test]
fn install_update_keeps_settings_of_the_server() {
    let home = Home::new();
    let old = "[mcp_servers.askdeck]\ncommand = \"/old/askdeck\" # mine\nenabled = false\n";
    write(&home, ".codex/config.toml", old);
    install(&home, "codex");
    let text = read(&home, ".codex/config.toml");
    let start = format!("[mcp_servers.askdeck]\ncommand = \"{}\" # mine\nargs = ", program());
    assert!(text.starts_with(&start), "{text}");
    assert!(text.ends_with("\ntool_timeout_sec = 86400\nenabled = false\n"), "{text}");
    // Codex keeps there what the person allowed; without its server that would be an error.
    write(
        &home,
        ".codex/config.toml",
        &(text + "\n[mcp_servers.askdeck.tools.ask]\napproval_mode = \"approve\"\n\n[z]\n"),
    );
    uninstall(&home, "codex");
    assert_eq!(read(&home, ".codex/config.toml"), "\n[z]\n");
}

#[test]
fn install_leaves_unreadable_configuration_alone() {
    for (client, names) in CLIENTS {
        let home = Home::new();
        for name in shared(client, names) {
            write(&home, name, &fixture(client, name, "before"));
        }
        let last = names.last().unwrap();
        let theirs = fs::read_to_string(home.path(last)).unwrap_or_default();
        write(&home, last, &format!("{theirs}\n}}]"));
        let before = files(&home);
        for run in ["install", "uninstall"] {
            let ended = Run::command([run, client, "--yes"]).ends(&home);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{client}");
            let start = format!("askdeck: `{}` was not changed: ", home.path(last).display());
            assert!(ended.stderr.starts_with(&start), "{}", ended.stderr);
            assert!(ended.stderr.ends_with("; fix it and try again\n"), "{}", ended.stderr);
            assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
            assert_eq!(files(&home), before, "{client}");
        }
    }
    let home = Home::new();
    fs::create_dir(home.path(".cursor")).unwrap();
    fs::write(home.path(".cursor/mcp.json"), b"{\"\xff\": 1}").unwrap();
    let file = home.path(".cursor/mcp.json").display().to_string();
    Run::command(["install", "cursor", "--yes"]).ends(&home).says(
        2,
        "",
        &format!("askdeck: `{file}` was not changed: it is not UTF-8; fix it and try again\n"),
    );
}

#[test]
fn install_print_touches_nothing() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    let before = files(&home);
    let file = home.path(".codex/config.toml").display().to_string();
    let printed = Run::command(["install", "codex", "--print"]).ends(&home);
    assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""));
    let start = format!(
        "--- {file}\n+++ {file}\n@@ -1 +1,7 @@\n model = \"x\"\n+\n+[mcp_servers.askdeck]\n"
    );
    assert!(printed.stdout.starts_with(&start), "{}", printed.stdout);
    assert_eq!(files(&home), before);

    install(&home, "codex");
    let nothing = Run::command(["install", "codex", "--print"]).ends(&home);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (Some(0), ""), "{}", nothing.stderr);
    let before = files(&home);
    let printed = Run::command(["uninstall", "codex", "--print"]).ends(&home);
    assert!(printed.stdout.contains("\n-[mcp_servers.askdeck]\n"), "{}", printed.stdout);
    assert_eq!(files(&home), before);
}

#[test]
fn install_without_a_terminal_needs_yes() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    let before = files(&home);
    let advice = "askdeck: not a terminal, so this cannot be confirmed; pass --yes\n";
    Run::command(["install", "codex"]).stdin("y\n").ends(&home).says(2, "", advice);
    assert_eq!(files(&home), before);
    install(&home, "codex");
    let before = files(&home);
    Run::command(["uninstall", "codex"]).ends(&home).says(2, "", advice);
    assert_eq!(files(&home), before);
}

#[test]
fn install_finds_a_moved_client_folder() {
    for (client, variable, file) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "moved/.claude.json"),
        ("claude-code", "CLAUDE_CONFIG_DIR", "moved/settings.json"),
        ("codex", "CODEX_HOME", "moved/config.toml"),
        ("codex", "CODEX_HOME", "moved/hooks.json"),
        ("opencode", "XDG_CONFIG_HOME", "moved/opencode/opencode.jsonc"),
        ("opencode", "XDG_CONFIG_HOME", "moved/opencode/plugin/askdeck.js"),
        ("gemini", "GEMINI_CLI_HOME", "moved/.gemini/settings.json"),
        ("qwen", "QWEN_HOME", "moved/settings.json"),
        ("vscode", "XDG_CONFIG_HOME", "moved/Code/User/mcp.json"),
        ("copilot", "COPILOT_HOME", "moved/mcp-config.json"),
    ] {
        let home = Home::new();
        let moved = home.path("moved").display().to_string();
        let before = files(&home);
        let run = |command| Run::command([command, client, "--yes"]).env(variable, &moved);
        done(run("install").ends(&home));
        assert!(read(&home, file).contains(&program()), "{client}");
        assert_eq!(files(&home), before, "{client} where it was before");
        done(run("uninstall").ends(&home));
        assert!(!home.path(file).exists(), "{client}");
    }
    let home = Home::new();
    write(&home, ".config/opencode/opencode.json", "{}\n");
    install(&home, "opencode");
    assert!(read(&home, ".config/opencode/opencode.json").contains(&program()));
}

#[test]
fn install_writes_the_name_found_on_path() {
    let home = Home::new();
    fs::create_dir(home.path("bin")).unwrap();
    let link = home.path("bin/askdeck");
    symlink(program(), &link).unwrap();
    let path = format!("{}:/usr/bin:/bin", home.path("bin").display());
    done(Run::command(["install", "cursor", "--yes"]).env("PATH", path).ends(&home));
    assert!(read(&home, ".cursor/mcp.json").contains(&link.display().to_string()));
}

#[test]
fn install_takes_a_file_for_agents_md_only() {
    Run::command(["install", "codex", "config.toml", "--yes"]).ends(&Home::new()).says(
        2,
        "",
        "askdeck: `codex` takes no file; leave it out (only `agents-md` takes one)\n",
    );
    let unknown = Run::command(["install", "emacs"]).ends(&Home::new());
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""));
    assert!(unknown.stderr.contains("claude-code, codex, opencode"), "{}", unknown.stderr);
    let homeless = Run::command(["install", "codex", "--yes"]).without_env("HOME");
    homeless.ends(&Home::new()).says(
        2,
        "",
        "askdeck: HOME is not set, so the configuration of Codex cannot be found; set HOME and try again\n",
    );
}
