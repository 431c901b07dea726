//! Running one of the programs: what goes in, and exactly what comes out.

use std::{
    ffi::OsString,
    fs::{self, File},
    os::fd::OwnedFd,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use askdeck_testkit::process;
use serde_json::Value;

use super::{
    Home, Screen, Window,
    programs::{APP, askdeck},
    until,
};

#[must_use]
#[derive(Default)]
pub(crate) struct Run {
    program: PathBuf,
    args: Vec<OsString>,
    stdin: Vec<u8>,
    env: Vec<(&'static str, String)>,
    without: Vec<&'static str>,
}

impl Run {
    pub(crate) fn command<const N: usize>(args: [&str; N]) -> Self {
        Self::program(askdeck(), args)
    }

    /// The app by itself.
    pub(crate) fn app<const N: usize>(args: [&str; N]) -> Self {
        // With something to ask it becomes the command beside it, which has to be built.
        askdeck();
        Self::program(APP, args)
    }

    /// The app as a menu starts it: with no arguments, and nothing to read.
    pub(crate) fn from_menu() -> Self {
        let app = APP;
        Self::program("sh", ["-c", "exec \"$0\" </dev/null", app])
    }

    /// The command with a payload on its standard input.
    pub(crate) fn ask(payload: &Value) -> Self {
        Self::command([]).stdin(payload.to_string())
    }

    pub(crate) fn program<const N: usize>(program: impl Into<PathBuf>, args: [&str; N]) -> Self {
        Self { program: program.into(), ..Self::default() }.args(args)
    }

    pub(crate) fn args<const N: usize>(mut self, args: [&str; N]) -> Self {
        self.args.extend(args.map(Into::into));
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    pub(crate) fn without_env(mut self, name: &'static str) -> Self {
        self.without.push(name);
        self
    }

    /// Runs it to its end.
    #[track_caller]
    pub(crate) fn ends(self, home: &Home) -> Ended {
        self.start(home).ends()
    }

    #[track_caller]
    pub(crate) fn start(self, home: &Home) -> Running {
        let files = Files::fresh(home, &self.stdin);
        let mut command = home.command(&self.program);
        self.dress(&mut command);
        let child = command
            .args(&self.args)
            .stdin(File::open(files.path("in")).expect("it was just written"))
            .stdout(files.create("out"))
            .stderr(files.create("err"))
            .spawn()
            .expect("the program was built for this test");
        Running { child, files }
    }

    /// Runs it under a WebDriver, and waits until its window takes keys and clicks.
    #[track_caller]
    pub(crate) fn open(self, screen: &Screen) -> Window<'_> {
        let window = self.open_unarmed(screen);
        window.await_armed();
        window
    }

    /// Runs it under a WebDriver, which may look at the window before it takes anything.
    #[track_caller]
    pub(crate) fn open_unarmed(self, screen: &Screen) -> Window<'_> {
        let files = Files::fresh(screen, &self.stdin);
        let script = files.script(&self.program);
        let mut driver = screen.command("WebKitWebDriver");
        self.dress(&mut driver);
        Window::open(screen, driver, &script, &self.args, files)
    }

    /// Runs it at the front of a terminal, under a shell that stays.
    #[track_caller]
    pub(crate) fn start_in(self, home: &Home, terminal: OwnedFd) -> (Child, Files) {
        let files = Files::fresh(home, &self.stdin);
        let script = files.script(&self.program);
        let mut command = home.command("setsid");
        command.env("TERM", "xterm-256color");
        self.dress(&mut command);
        let shell = command
            .arg("--ctty")
            // By name: a file that was just written may still be open in a child of another test.
            .arg("sh")
            .arg(script)
            .args(&self.args)
            .stdin(terminal)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("setsid is there");
        (shell, files)
    }

    fn dress(&self, command: &mut Command) {
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        for name in &self.without {
            command.env_remove(name);
        }
    }
}

pub(crate) struct Running {
    child: Child,
    files: Files,
}

impl Running {
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn interrupt(&self) {
        signal("INT", self.child.id());
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().expect("it is our child").is_some()
    }

    #[track_caller]
    pub(crate) fn ends(mut self) -> Ended {
        let status = until("the program to end", || self.child.try_wait().expect("a child"));
        self.files.ended(status.code())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a program ended with.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// All of it: nothing may stand on stderr.
    #[track_caller]
    pub(crate) fn is(&self, code: i32, stdout: &str) {
        self.says(code, stdout, "");
    }

    #[track_caller]
    pub(crate) fn says(&self, code: i32, stdout: &str, stderr: &str) {
        let said = (self.code, self.stdout.as_str(), self.stderr.as_str());
        assert_eq!(said, (Some(code), stdout, stderr));
    }

    /// Exactly this JSON as one line, and nothing else anywhere.
    #[track_caller]
    pub(crate) fn is_json(&self, code: i32, value: &Value) {
        self.is(code, &format!("{value}\n"));
    }

    #[track_caller]
    pub(crate) fn answers(&self, answers: &Value) {
        self.is_json(0, &serde_json::json!({ "outcome": "answered", "answers": answers }));
    }
}

/// The files that hold what goes in and what comes out.
pub(crate) struct Files {
    folder: PathBuf,
}

impl Files {
    fn fresh(home: &Home, stdin: &[u8]) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(home.root())
            .expect("the home is ours")
            .keep();
        fs::write(folder.join("in"), stdin).expect("the folder is ours");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn create(&self, name: &str) -> File {
        File::create(self.path(name)).expect("the folder is ours")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("programs write UTF-8")
    }

    /// A program in the place of the real one, since the driver starts it without our files. It
    /// stays as long as the test, because the driver ends a session whose program is gone.
    fn script(&self, program: &std::path::Path) -> PathBuf {
        let (script, folder) = (self.path("start"), self.folder.display());
        let text = format!(
            "#!/bin/sh\n\
             sh -c 'echo $$ >{folder}/pid; exec \"$@\"' sh {} \"$@\" <{folder}/in >{folder}/out 2>{folder}/err\n\
             echo $? >{folder}/code.new\n\
             mv {folder}/code.new {folder}/code\n\
             while [ -e {folder} ]; do sleep 0.2; done\n",
            program.display()
        );
        fs::write(&script, text).expect("the folder is ours");
        let runnable = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        fs::set_permissions(&script, runnable).expect("the file is ours");
        script
    }

    /// The process that the script has started, once it has.
    pub(crate) fn process(&self) -> Option<u32> {
        fs::read_to_string(self.path("pid")).ok()?.trim().parse().ok()
    }

    pub(crate) fn await_end(&self) -> Ended {
        until("the program to end", || self.is_over().then_some(()));
        self.ended(self.read("code").trim().parse().ok())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.path("code").exists()
    }

    fn ended(&self, code: Option<i32>) -> Ended {
        Ended { code, stdout: self.read("out"), stderr: self.read("err") }
    }
}

#[track_caller]
pub(crate) fn signal(name: &str, process: u32) {
    assert!(process::signal(name, process), "could not signal {process}");
}
