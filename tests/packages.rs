//! The packages that `cargo xtask package` makes, in systems where nothing else is installed.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;
use tempfile::TempDir;

use crate::support::{Home, Person, Run, Screen, foreign};

/// What an administrator may have changed.
const AUTOSTART: &str = "etc/xdg/autostart/Askdeck.desktop";
/// The distributions differ in where zsh looks.
const ZSH: (&str, &str) = ("vendor-completions", "site-functions");

/// The root folder of a system of its own.
struct Root(TempDir);

impl Root {
    fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    /// With nothing but the records of dpkg.
    fn of_debian() -> Self {
        let root = Self::empty();
        for folder in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log"] {
            fs::create_dir_all(root.path(folder)).expect("the root is ours");
        }
        fs::write(root.path("var/lib/dpkg/status"), "").expect("the root is ours");
        root
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The libraries are those of the system around it.
    #[track_caller]
    fn dpkg<const N: usize>(&self, args: [&str; N]) -> String {
        said(as_root("dpkg").arg("--root").arg(self.0.path()).arg("--force-depends").args(args))
    }

    #[track_caller]
    fn rpm<const N: usize>(&self, args: [&str; N]) -> String {
        said(
            as_root("rpm")
                .arg("--root")
                .arg(self.0.path())
                .args(["--dbpath", "/var/lib/rpm", "--nodeps"])
                .args(args),
        )
    }

    /// All files but those in which an installer keeps its records.
    fn files(&self) -> BTreeSet<String> {
        let mut files = BTreeSet::new();
        collect(self.0.path(), self.0.path(), &mut files);
        files.retain(|file| !file.starts_with("var/"));
        files
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeSet<String>) {
    for path in fs::read_dir(folder).expect("it can be read").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let path = path.strip_prefix(root).expect("it was found there");
            files.insert(path.display().to_string());
        }
    }
}

/// Only root may change what is installed; who is not plays root among their own files.
fn as_root(program: &str) -> Command {
    if rustix::process::getuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", program]);
    command
}

#[track_caller]
fn said(command: &mut Command) -> String {
    let output = command.output().expect("the program is installed");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {told}");
    String::from_utf8(output.stdout).expect("it writes text")
}

fn package(ending: &str) -> String {
    foreign::package(ending).display().to_string()
}

fn installed() -> Root {
    let root = Root::of_debian();
    root.dpkg(["--install", &package(".deb")]);
    root
}

#[test]
fn debian_package_installs_and_leaves_no_trace() {
    let root = installed();
    let files = root.files();
    for file in [
        "usr/bin/askdeck",
        "usr/bin/askdeck-desktop",
        "usr/share/applications/askdeck-desktop.desktop",
        "usr/share/bash-completion/completions/askdeck",
        "usr/share/doc/askdeck/LICENSE-APACHE",
        "usr/share/doc/askdeck/LICENSE-MIT",
        "usr/share/doc/askdeck/copyright",
        "usr/share/fish/vendor_completions.d/askdeck.fish",
        "usr/share/icons/hicolor/128x128/apps/askdeck-desktop.png",
        "usr/share/icons/hicolor/scalable/apps/askdeck-desktop.svg",
        "usr/share/man/man1/askdeck-ask.1.gz",
        "usr/share/man/man1/askdeck-desktop.1.gz",
        "usr/share/man/man1/askdeck.1.gz",
        "usr/share/zsh/vendor-completions/_askdeck",
        AUTOSTART,
    ] {
        assert!(files.contains(file), "no {file} among {files:#?}");
    }
    for file in &files {
        let mode = fs::metadata(root.path(file)).expect("it is there").permissions().mode();
        let expected = if file.starts_with("usr/bin/") { 0o755 } else { 0o644 };
        assert_eq!(mode & 0o7777, expected, "{file}");
    }
    assert_eq!(root.dpkg(["--verify", "askdeck"]), "", "what is there is what was packed");

    // What an administrator may have changed goes only when that is wanted.
    root.dpkg(["--remove", "askdeck"]);
    assert_eq!(root.files(), BTreeSet::from([AUTOSTART.to_owned()]));
    root.dpkg(["--purge", "askdeck"]);
    assert_eq!(root.files(), BTreeSet::new());
    assert!(!root.path("usr").exists(), "no folder stays, either");
}

#[test]
fn both_packages_have_the_same_files() {
    let (debian, fedora) = (installed(), Root::empty());
    fedora.rpm(["--install", &package(".rpm")]);
    let expected: BTreeSet<_> =
        debian.files().into_iter().map(|file| file.replace(ZSH.0, ZSH.1)).collect();
    assert_eq!(fedora.files(), expected);
    for file in &expected {
        let mode = |root: &Root, file: &str| {
            fs::metadata(root.path(file)).expect("it is there").permissions().mode()
        };
        let twin = file.replace(ZSH.1, ZSH.0);
        assert_eq!(mode(&fedora, file), mode(&debian, &twin), "{file}");
    }
    fedora.rpm(["--erase", "askdeck"]);
    assert_eq!(fedora.files(), BTreeSet::new());
}

#[test]
fn packages_declare_their_dependencies() {
    let fields = said(Command::new("dpkg-deb").args(["--field", &package(".deb")]));
    let field = |name: &str| {
        let start = format!("{name}: ");
        fields.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default().to_owned()
    };
    for library in ["libc6", "libgtk-3-0", "libwebkit2gtk-4.1-0"] {
        assert!(field("Depends").contains(library), "{fields}");
    }
    // It is loaded while the app runs, which goes without.
    assert_eq!(field("Recommends"), "libayatana-appindicator3-1");
    let version = format!("askdeck {}\n", field("Version"));
    Run::command(["--version"]).ends(&Home::new()).is(0, &version);

    let requires = said(Command::new("rpm").args(["--query", "--requires", &package(".rpm")]));
    for library in ["libc.so.6", "libgtk-3.so.0", "libwebkit2gtk-4.1.so.0"] {
        assert!(requires.contains(library), "{requires}");
    }
    let scripts = said(Command::new("rpm").args(["--query", "--scripts", &package(".rpm")]));
    assert_eq!(scripts, "", "nothing runs when it is installed");
}

#[test]
fn desktop_entries_are_valid() {
    let root = installed();
    let menu = root.path("usr/share/applications/askdeck-desktop.desktop");
    let entries = [&menu, &root.path(AUTOSTART)];
    assert_eq!(said(Command::new("desktop-file-validate").args(entries)), "");
    let about = root.path("usr/share/metainfo/dev.askdeck.desktop.metainfo.xml");
    said(Command::new("appstreamcli").args(["validate", "--no-net"]).arg(about));
    // Nobody finds it running who has not asked for it.
    let autostart = fs::read_to_string(root.path(AUTOSTART)).expect("it is installed");
    assert!(autostart.lines().any(|line| line == "Hidden=true"), "{autostart}");
}

#[test]
fn man_pages_and_completions_work() {
    let root = installed();
    for (page, title) in [("askdeck", "askdeck 1"), ("askdeck-desktop", "askdeck-desktop 1")] {
        let file = root.path(&format!("usr/share/man/man1/{page}.1.gz"));
        let text = said(Command::new("gzip").args(["--decompress", "--stdout"]).arg(file));
        assert!(text.contains(&format!(".TH {title}")), "{text}");
        assert!(!text.contains(r"\-\-serve"), "what is hidden stays so: {text}");
    }
    let script = root.path("usr/share/bash-completion/completions/askdeck");
    let told =
        said(Command::new("bash").args(["-c", ". \"$0\" && complete -p askdeck"]).arg(script));
    assert!(told.contains("_askdeck"), "{told}");
    let folder = root.path("usr/share/zsh/vendor-completions");
    let loads = "fpath=($0 $fpath); autoload -Uz compinit && compinit -uD && autoload +X _askdeck \
        && echo $_comps[askdeck]";
    assert_eq!(said(Command::new("zsh").args(["-fc", loads]).arg(folder)), "_askdeck\n");
    let script = root.path("usr/share/fish/vendor_completions.d/askdeck.fish");
    let completes = "source $argv[1]; complete --do-complete 'askdeck hist'";
    let told = said(Command::new("fish").args(["--no-config", "-c", completes]).arg(script));
    assert!(told.starts_with("history\t"), "{told}");
}

#[test]
fn menu_entry_starts_the_app() {
    let root = installed();
    let screen = Screen::without_arming();
    let here = std::env::var("PATH").expect("programs are found by it");
    let path = format!("{}:{here}", root.path("usr/bin").display());
    let menu = format!("{}:/usr/share", root.path("usr/share").display());
    let launched = Run::program("gtk-launch", ["askdeck-desktop"])
        .env("PATH", path)
        .env("XDG_DATA_DIRS", menu)
        .ends(&screen);
    assert_eq!(launched.code, Some(0), "{launched:?}");
    let history = Person::at(&screen);
    let program = fs::read_link(format!("/proc/{}/exe", history.app())).expect("it runs");
    let expected = root.path("usr/bin/askdeck-desktop").canonicalize().expect("it is installed");
    assert_eq!(program, expected);

    let question = ["--agent", "Tester", "-q", "Go?", "-o", "Yes", "-o", "No"];
    let mut asked = Run::program(root.path("usr/bin/askdeck"), question).start(&screen);
    let person = Person::at_window(&screen, "Tester");
    person.press_once("Return", || asked.is_over().then_some(()));
    asked.ends().answers(&json!([{ "id": "question-0", "question": "Go?", "selected": ["Yes"] }]));
}

#[test]
fn the_command_alone_needs_nothing_of_the_system() {
    let root = Root::empty();
    said(
        Command::new("tar")
            .args(["--extract", "--strip-components=1", "--file", &package(".tar.gz")])
            .arg("--directory")
            .arg(root.0.path()),
    );
    let files = root.files();
    for file in ["askdeck", "LICENSE-MIT", "completions/askdeck.bash", "man/man1/askdeck.1.gz"] {
        assert!(files.contains(file), "no {file} among {files:#?}");
    }
    let in_root = |args: &[&str]| {
        let mut command = as_root("chroot");
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.arg(root.0.path()).arg("/askdeck").args(args);
        command
    };
    assert!(said(&mut in_root(&["--version"])).starts_with("askdeck "));
    assert!(said(&mut in_root(&["schema"])).contains("questions"));
    // Neither display nor terminal, and not even a home: it says so, and answers nothing.
    let mut asks = in_root(&["-q", "Go?", "-o", "Yes", "-o", "No"]);
    let asked = asks.stdin(std::process::Stdio::null()).output().expect("it was started before");
    assert_eq!((asked.status.code(), asked.stdout.as_slice()), (Some(3), &b""[..]));
}
