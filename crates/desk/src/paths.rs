//! What the environment says: where files belong, and where windows can appear.

#![expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]

use std::{
    env, fs,
    path::{self, Path, PathBuf},
};

use askdeck_core::words::Language;

use crate::files;

/// Where the socket lies: `$XDG_RUNTIME_DIR/askdeck`, or under `ASKDECK_HOME`. Outside of a login
/// session there is neither, but still a place of this user's own.
pub fn runtime_dir() -> PathBuf {
    let session = || Some(dir("XDG_RUNTIME_DIR")?.join("askdeck"));
    let elsewhere = || {
        let user = rustix::process::getuid().as_raw();
        env::temp_dir().join(format!("askdeck-{user}"))
    };
    home("run").or_else(session).unwrap_or_else(elsewhere)
}

/// The socket: this user's own, or the one that `ASKDECK_SOCKET` names.
pub fn socket() -> PathBuf {
    dir("ASKDECK_SOCKET").unwrap_or_else(own_socket)
}

/// The socket of this user on this machine.
pub fn own_socket() -> PathBuf {
    runtime_dir().join("askdeck.sock")
}

pub fn is_socket_given() -> bool {
    dir("ASKDECK_SOCKET").is_some()
}

/// What the person has set: `$XDG_CONFIG_HOME/askdeck/config.toml`, or under `ASKDECK_HOME`.
pub fn config() -> Option<PathBuf> {
    let folder = home("config").or_else(|| Some(config_home()?.join("askdeck")))?;
    Some(folder.join("config.toml"))
}

/// Where the desktop session finds what it is to start.
pub fn autostart() -> Option<PathBuf> {
    Some(config_home()?.join("autostart"))
}

/// Where it finds what it is to start for everyone; of entries by the same name the first counts,
/// after the person's own.
pub fn autostart_for_all() -> Vec<PathBuf> {
    let folders = variable("XDG_CONFIG_DIRS").unwrap_or_else(|| "/etc/xdg".into());
    env::split_paths(&folders).map(|folder| folder.join("autostart")).collect()
}

/// Where programs keep what the person has set.
pub fn config_home() -> Option<PathBuf> {
    dir("XDG_CONFIG_HOME").or_else(|| Some(dir("HOME")?.join(".config")))
}

/// A folder of another program's: the one that its variable names, or this one in the home.
pub fn of_client(name: &str, in_home: &str) -> Option<PathBuf> {
    let named = variable(name).and_then(|folder| path::absolute(folder).ok());
    named.or_else(|| Some(dir("HOME")?.join(in_home)))
}

/// Where Claude Code keeps its servers: in its folder if that was moved, else beside it.
pub fn claude_state() -> Option<PathBuf> {
    Some(of_client("CLAUDE_CONFIG_DIR", "")?.join(".claude.json"))
}

/// This program, as it can be started again: an `AppImage` is mounted elsewhere each time, and a
/// place on PATH outlives the next version.
pub fn program() -> Option<PathBuf> {
    let here = env::current_exe().ok()?;
    // Another program's AppImage may have started this one, and left its variables.
    let is_mounted = dir("APPDIR").is_some_and(|mount| here.starts_with(mount));
    if let Some(image) = dir("APPIMAGE").filter(|_| is_mounted) {
        return Some(image);
    }
    let is_this = |path: &PathBuf| path.canonicalize().ok() == here.canonicalize().ok();
    let name = here.file_name()?.to_str()?;
    Some(on_path(name).filter(is_this).unwrap_or(here))
}

/// The program of this name that lies beside this one, or else the one on PATH.
pub fn beside(name: &str) -> PathBuf {
    let beside = env::current_exe().ok().map(|here| here.with_file_name(name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// Whether this, a path or a name on PATH, is the program that runs here, by whichever name.
pub fn is_this_program(named: &str) -> bool {
    let path = match Path::new(named) {
        path if path.is_absolute() => Some(path.to_owned()),
        // A relative path would depend on the folder in which the program was started.
        _ if named.contains('/') => None,
        _ => on_path(named),
    };
    path.zip(program()).is_some_and(|(path, program)| files::is_same(&path, &program))
}

/// The program that a shell would start by this name.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let mut programs = env::split_paths(&folders).map(|folder| folder.join(name));
    programs.find(|path| path.is_absolute() && can_start(path))
}

/// Whether this can be started: a path, or a name on PATH.
pub fn is_program(program: &str) -> bool {
    let path = Path::new(program);
    if path.is_absolute() { can_start(path) } else { on_path(program).is_some() }
}

fn can_start(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// The name of a running program.
pub fn program_of(pid: u32) -> Option<String> {
    fs::read_to_string(format!("/proc/{pid}/comm")).ok().map(|name| name.trim().to_owned())
}

/// The file in which dialogs are kept.
pub fn store() -> Option<PathBuf> {
    Some(data_dir()?.join("askdeck.sqlite"))
}

/// Where dialogs are kept: `$XDG_DATA_HOME/askdeck`, or under `ASKDECK_HOME`.
pub fn data_dir() -> Option<PathBuf> {
    let data = || dir("XDG_DATA_HOME").or_else(|| Some(dir("HOME")?.join(".local/share")));
    home("data").or_else(|| Some(data()?.join("askdeck")))
}

/// The file by which another machine knows this user's questions again.
pub fn owner() -> Option<PathBuf> {
    Some(data_dir()?.join("owner"))
}

pub fn user_home() -> Option<PathBuf> {
    dir("HOME")
}

/// The display on which windows appear, as its variable says it.
pub fn display() -> Option<String> {
    ["WAYLAND_DISPLAY", "DISPLAY"]
        .into_iter()
        .find_map(|name| Some(format!("{name}={}", variable(name)?)))
}

/// The kind of the terminal; none if it is unknown, or cannot draw.
pub fn terminal() -> Option<String> {
    variable("TERM").filter(|kind| kind != "dumb")
}

/// What the terminal says about its colours.
pub fn color_terminal() -> Option<String> {
    variable("COLORTERM")
}

pub fn wants_no_color() -> bool {
    variable("NO_COLOR").is_some()
}

/// Whether a WebDriver controls the app; Tauri's own variable.
pub fn is_driven() -> bool {
    variable("TAURI_WEBVIEW_AUTOMATION").is_some_and(|value| value == "true")
}

/// The language of the person, by the rules of POSIX locales.
pub fn language() -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(variable);
    Language::of_locale(&locale.unwrap_or_default())
}

fn home(part: &str) -> Option<PathBuf> {
    Some(dir("ASKDECK_HOME")?.join(part))
}

/// A relative path there would mean another place for each caller.
fn dir(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
