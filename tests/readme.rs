//! What the README tells people to type.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

/// With neither display nor terminal a question that can be asked ends with 3: only those are
/// missing.
#[test]
fn its_questions_can_be_asked_as_they_stand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs =
        Path::new(env!("CARGO_BIN_EXE_askdeck")).parent().expect("a program has a folder");
    let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default());
    let readme = fs::read_to_string(root.join("README.md")).expect("the README is there");
    let asks = |line: &&str| {
        let others = ["list", "result", "history", "install", "$ticket"];
        line.starts_with("askdeck") && !others.iter().any(|name| line.contains(name))
    };
    let commands: Vec<_> = readme.lines().filter(asks).collect();
    assert!(commands.len() >= 6, "a way of calling it is missing: {commands:#?}");
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    for command in commands {
        let status = Command::new("sh")
            .args(["-c", command])
            .current_dir(root)
            .env("PATH", &path)
            .env("ASKDECK_HOME", home.path())
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env("TERM", "dumb")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("sh is there");
        assert_eq!(status.code(), Some(3), "{command}");
    }
}
