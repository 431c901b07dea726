//! The doctor tells of each client that is here whether it would reach us.

use super::*;

/// What is said of each client.
fn said(home: &Home) -> Vec<(String, String)> {
    let report = Run::command(["doctor"]).env("PATH", home.path("bin").display().to_string());
    let report = report.ends(home).stdout;
    let line = |line: &str| (line[..16].trim().to_owned(), line[16..].to_owned());
    report
        .lines()
        .map(line)
        .filter(|(what, _)| CLIENTS.iter().any(|(name, _)| name == what))
        .collect()
}

#[track_caller]
fn says(home: &Home, client: &str, state: &str) {
    assert_eq!(said(home), [(client.to_owned(), state.to_owned())]);
}

#[test]
fn doctor_lists_only_installed_clients() {
    let home = Home::new();
    assert_eq!(said(&home), []);
    fs::create_dir(home.path("bin")).unwrap();
    fs::write(home.path("bin/codex"), "").unwrap();
    assert_eq!(said(&home), [], "it cannot be started");
    fs::set_permissions(home.path("bin/codex"), fs::Permissions::from_mode(0o700)).unwrap();
    let file = home.path(".codex/config.toml").display().to_string();
    says(&home, "codex", &format!("not ok   not in {file}; run `askdeck install codex`"));
}

#[test]
fn doctor_is_content_with_connected_clients() {
    let home = Home::new();
    for (client, names) in CLIENTS {
        for name in shared(client, names) {
            write(&home, name, &fixture(client, name, "before"));
        }
    }
    let state = |word: &str| -> Vec<bool> {
        said(&home).iter().map(|(_, state)| state.starts_with(word)).collect()
    };
    assert_eq!(state("not ok   not in "), [true; 8]);
    for (client, _) in CLIENTS {
        install(&home, client);
    }
    // Codex runs no hook that the person has not trusted; `agents::codex` does that.
    let is_ok = said(&home).into_iter().map(|(client, state)| {
        state.starts_with("ok       ")
            || client == "codex" && state.starts_with("not ok   Codex does not run the hooks in ")
    });
    assert_eq!(is_ok.collect::<Vec<_>>(), [true; 8], "{:#?}", said(&home));
}

#[test]
fn doctor_suggests_fixes() {
    let home = Home::new();
    install(&home, "claude-code");
    let [state, settings] =
        [".claude.json", ".claude/settings.json"].map(|name| home.path(name).display().to_string());
    says(&home, "claude-code", &format!("ok       {state}, {settings}"));

    let advice = "run `askdeck install claude-code`";
    let good = read(&home, ".claude/settings.json");
    write(&home, ".claude/settings.json", &good.replace(&program(), "/old/askdeck"));
    let gone =
        format!("not ok   {settings} starts `/old/askdeck`, but no askdeck is there; {advice}");
    says(&home, "claude-code", &gone);
    write(&home, ".claude/settings.json", &good.replace("Elicitation", "Stop"));
    says(&home, "claude-code", &format!("not ok   incomplete in {settings}; {advice}"));
    write(&home, ".claude/settings.json", "{}");
    says(&home, "claude-code", &format!("not ok   not in {settings}; {advice}"));
    write(&home, ".claude/settings.json", "{");
    let (_, broken) = said(&home).remove(0);
    assert!(broken.starts_with(&format!("not ok   `{settings}` was not changed: ")), "{broken}");
}
