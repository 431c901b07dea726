//! The paragraph for agents that only have a shell.

use super::*;

#[test]
fn agents_md_goes_into_an_existing_file() {
    for (existing, expected) in [
        (&[][..], "AGENTS.md"),
        (&["CLAUDE.md"], "CLAUDE.md"),
        (&["AGENTS.md"], "AGENTS.md"),
        (&["AGENTS.md", "CLAUDE.md"], "AGENTS.md"),
    ] {
        let home = Home::new();
        for name in existing {
            write(&home, &format!("work/{name}"), "# Project\n\nBuild with make.");
        }
        let before = files(&home);
        install(&home, "agents-md");
        for name in ["AGENTS.md", "CLAUDE.md"] {
            let text = fs::read_to_string(home.path("work").join(name)).unwrap_or_default();
            assert_eq!(text.contains("askdeck result"), name == expected, "{existing:?}");
        }
        let after = files(&home);
        let again = install(&home, "agents-md");
        assert!(again.stderr.starts_with("askdeck: nothing to do: "), "{}", again.stderr);
        assert_eq!(files(&home), after);
        uninstall(&home, "agents-md");
        assert_eq!(files(&home), before, "{existing:?}");
    }
}

#[test]
fn agents_md_paragraph_is_found_again() {
    let home = Home::new();
    write(&home, "work/CLAUDE.md", "# Project\n");
    install(&home, "agents-md");
    write(&home, "work/AGENTS.md", "# Others\n");
    let again = install(&home, "agents-md");
    assert!(again.stderr.starts_with("askdeck: nothing to do: "), "{}", again.stderr);
    uninstall(&home, "agents-md");
    assert_eq!(read(&home, "work/CLAUDE.md"), "# Project\n");
    assert_eq!(read(&home, "work/AGENTS.md"), "# Others\n");
}

#[test]
fn agents_md_takes_another_file() {
    let home = Home::new();
    write(&home, "work/.github/copilot-instructions.md", "Be brief.\r\n");
    let file = ".github/copilot-instructions.md";
    done(Run::command(["install", "agents-md", file, "--yes"]).ends(&home));
    assert!(
        read(&home, "work/.github/copilot-instructions.md").starts_with("Be brief.\r\n\r\n<!--")
    );
    done(Run::command(["uninstall", "agents-md", file, "--yes"]).ends(&home));
    assert_eq!(read(&home, "work/.github/copilot-instructions.md"), "Be brief.\r\n");
}

/// Without a display a question that can be asked ends with 3: only the window is missing.
#[test]
fn agents_md_commands_run() {
    let home = Home::new();
    install(&home, "agents-md");
    let folder = Path::new(&program()).parent().unwrap().display().to_string();
    let text = read(&home, "work/AGENTS.md");
    let commands: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("askdeck ") || line.starts_with("ticket="))
        .filter(|line| !line.contains("askdeck result"))
        .collect();
    assert_eq!(commands.len(), 3, "{text}");
    for command in commands {
        let path = format!("{folder}:/usr/bin:/bin");
        let ended = Run::program("sh", ["-c", command]).env("PATH", path).ends(&home);
        assert_eq!(ended.code, Some(3), "{command}: {}", ended.stderr);
    }
}
