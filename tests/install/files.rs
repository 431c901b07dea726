//! Whose file it is, and where it really lies, stays as it was.

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

#[test]
fn install_keeps_a_link() {
    let home = Home::new();
    write(&home, "dotfiles/codex.toml", "model = \"x\"\n");
    fs::create_dir(home.path(".codex")).unwrap();
    symlink("../dotfiles/codex.toml", home.path(".codex/config.toml")).unwrap();
    install(&home, "codex");
    assert!(read(&home, "dotfiles/codex.toml").contains(&program()));
    let link = || fs::read_link(home.path(".codex/config.toml")).unwrap();
    assert_eq!(link(), Path::new("../dotfiles/codex.toml"));
    assert_eq!(fs::read_dir(home.path("dotfiles")).unwrap().count(), 1, "a file is left");
    uninstall(&home, "codex");
    assert_eq!(link(), Path::new("../dotfiles/codex.toml"));
    assert_eq!(read(&home, "dotfiles/codex.toml"), "model = \"x\"\n");
}

#[test]
fn install_through_a_dangling_link() {
    let home = Home::new();
    fs::create_dir(home.path(".codex")).unwrap();
    symlink("../dotfiles/codex.toml", home.path(".codex/config.toml")).unwrap();
    install(&home, "codex");
    assert!(read(&home, "dotfiles/codex.toml").contains(&program()));
    uninstall(&home, "codex");
    assert!(!home.path("dotfiles/codex.toml").exists());
    assert!(home.path(".codex/config.toml").is_symlink());
}

#[test]
fn install_keeps_file_permissions() {
    let home = Home::new();
    write(&home, ".claude.json", "{}\n");
    let mode = |file: &str| fs::metadata(home.path(file)).unwrap().permissions().mode() & 0o777;
    for wanted in [0o600, 0o640] {
        let permissions = fs::Permissions::from_mode(wanted);
        fs::set_permissions(home.path(".claude.json"), permissions).unwrap();
        install(&home, "claude-code");
        assert_eq!(mode(".claude.json"), wanted);
        assert_eq!(mode(".claude.json.before-askdeck"), wanted, "a secret would be out");
        uninstall(&home, "claude-code");
        assert_eq!(mode(".claude.json"), wanted);
    }
}

#[test]
fn install_reports_an_unwritable_folder() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    let before = files(&home);
    let fix = |mode| {
        fs::set_permissions(home.path(".codex"), fs::Permissions::from_mode(mode)).unwrap();
    };
    fix(0o555);
    // Root may write anywhere, unless it gives that up.
    let ended = if rustix::process::getuid().is_root() {
        let give_up = ["--bounding-set=-dac_override", &program(), "install", "codex", "--yes"];
        Run::program("setpriv", give_up).ends(&home)
    } else {
        Run::command(["install", "codex", "--yes"]).ends(&home)
    };
    fix(0o755);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(4), ""), "{}", ended.stderr);
    let last = ended.stderr.lines().last().unwrap();
    let file = home.path(".codex/config.toml.before-askdeck").display().to_string();
    assert_eq!(
        last,
        format!(
            "askdeck: cannot write `{file}`: Permission denied (os error 13); make its folder writable and try again"
        )
    );
    assert_eq!(files(&home), before);
}

#[test]
fn uninstall_ignores_a_stale_backup() {
    let home = Home::new();
    write(&home, ".codex/config.toml", "model = \"x\"\n");
    install(&home, "codex");
    // The person takes it out by hand, and changes more.
    write(&home, ".codex/config.toml", "model = \"y\"\n");
    install(&home, "codex");
    uninstall(&home, "codex");
    assert_eq!(read(&home, ".codex/config.toml"), "model = \"y\"\n");

    install(&home, "codex");
    fs::remove_file(home.path(".codex/config.toml")).unwrap();
    install(&home, "codex");
    uninstall(&home, "codex");
    assert_eq!(files(&home), []);
}

/// Whoever may write into the folder could have anything overwritten, or brought in.
#[test]
fn install_backup_follows_no_planted_link() {
    let home = Home::new();
    let before = "model = \"x\"\n";
    write(&home, ".codex/config.toml", before);
    write(&home, "precious", "precious");
    let copy = home.path(".codex/config.toml.before-askdeck");
    symlink(home.path("precious"), &copy).unwrap();
    install(&home, "codex");
    assert_eq!(read(&home, "precious"), "precious");
    assert!(!copy.is_symlink());
    assert_eq!(read(&home, ".codex/config.toml.before-askdeck"), before);
    fs::remove_file(&copy).unwrap();
    symlink(home.path("precious"), &copy).unwrap();
    let refused = Run::command(["uninstall", "codex", "--yes"]).ends(&home);
    let told = format!(
        "askdeck: `{}` was not changed: it is a symbolic link; \
         fix it and try again\n",
        copy.display()
    );
    refused.says(2, "", &told);
    assert_eq!(read(&home, "precious"), "precious");
}

#[test]
fn install_leaves_a_configuration_that_is_no_file() {
    let home = Home::new();
    fs::create_dir(home.path(".codex")).unwrap();
    let config = home.path(".codex/config.toml");
    let told = format!(
        "askdeck: `{}` was not changed: it is not a regular file; fix it and try again\n",
        config.display()
    );
    mknodat(CWD, &config, FileType::Fifo, Mode::RWXU, 0).unwrap();
    Run::command(["install", "codex", "--yes"]).ends(&home).says(2, "", &told);
    fs::remove_file(&config).unwrap();
    symlink("/dev/zero", &config).unwrap();
    Run::command(["install", "codex", "--yes"]).ends(&home).says(2, "", &told);
}
