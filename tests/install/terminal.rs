//! Asked at a terminal.

use super::*;
use crate::support::Prompt;

/// Types a command, and waits until it asks.
fn asks<'a>(home: &'a Home, command: &str) -> Prompt<'a> {
    Prompt::asks(home, command, "Write this?")
}

#[test]
fn install_prompt_yes_writes() {
    for (client, answer) in [("cursor", "y\n"), ("gemini", "Yes\n")] {
        let home = Home::new();
        let before = files(&home);
        let (code, screen) = asks(&home, &format!("install {client}")).answers(answer);
        assert_eq!(code, Some(0), "{screen}");
        assert!(screen.contains("+++ ") && screen.contains(&program()), "{screen}");
        assert!(screen.contains(" asks through Askdeck once it is restarted"), "{screen}");
        assert_eq!(files(&home).len(), 1);
        let (code, screen) = asks(&home, &format!("uninstall {client}")).answers(answer);
        assert_eq!(code, Some(0), "{screen}");
        assert_eq!(files(&home), before);
    }
}

#[test]
fn install_prompt_anything_else_does_not_write() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    let before = files(&home);
    for answer in ["n\n", "\n", "perhaps\n", "\u{4}"] {
        let (code, screen) = asks(&home, "install codex").answers(answer);
        assert_eq!(code, Some(1), "{screen}");
        assert!(screen.contains("askdeck: nothing was changed"), "{screen}");
        assert_eq!(files(&home), before, "{answer:?}");
    }
}

#[test]
fn install_writes_what_was_agreed_to() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    let terminal = asks(&home, "install codex");
    write(&home, ".codex/config.toml", "model = \"y\"\n");
    let (code, screen) = terminal.answers("y\n");
    assert_eq!(code, Some(2), "{screen}");
    assert!(screen.contains("changed in the meantime, so nothing was written"), "{screen}");
    assert_eq!(files(&home).len(), 1);
    assert_eq!(read(&home, ".codex/config.toml"), "model = \"y\"\n");
}
