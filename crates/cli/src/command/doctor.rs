//! `askdeck doctor`: what works here, and what to do about what does not.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process,
};

use askdeck_core::protocol::{Hello, VERSION};
use askdeck_desk::{
    client::{self, ClientError},
    paths,
};

use super::{CliError, print};
use crate::install::Client;

pub(super) fn run() -> Result<u8, CliError> {
    let app = client::hello();
    let code = match &app {
        Ok(_) => 0,
        Err(ClientError::NoDisplay) => 3,
        Err(_) => 4,
    };
    let data = ("data folder", directory(paths::data_dir(), "HOME"));
    let lines = if paths::is_socket_given() {
        // The rest is on the machine at the other end.
        vec![("desk", web_view(&app)), data]
    } else {
        vec![
            ("display", display(&app)),
            ("web view", web_view(&app)),
            ("tray host", tray_host(&app)),
            ("socket", directory(Some(paths::runtime_dir()), "XDG_RUNTIME_DIR")),
            data,
        ]
    };
    let clients = Client::ALL.into_iter().filter(|client| client.is_here());
    let report: String = lines
        .into_iter()
        .chain(clients.map(|client| (client.name(), connection(client))))
        .map(|(what, state)| match state {
            Ok(found) => format!("{what:<16}ok       {found}\n"),
            Err(advice) => format!("{what:<16}not ok   {advice}\n"),
        })
        .collect();
    print(&report)?;
    Ok(code)
}

/// What was found, or what to do.
type State = Result<String, String>;

fn display(app: &Result<Hello, ClientError>) -> State {
    match (paths::display(), app) {
        (None, _) => Err(
            "neither DISPLAY nor WAYLAND_DISPLAY is set; set one, or run this in a desktop session"
                .into(),
        ),
        (Some(display), Err(ClientError::NoDisplay)) => Err(format!(
            "{display} cannot be reached; set it to the display of your desktop session"
        )),
        (Some(display), _) => Ok(display),
    }
}

fn web_view(app: &Result<Hello, ClientError>) -> State {
    match app {
        Ok(hello) if hello.protocol != VERSION => Err(format!(
            "askdeck-desktop {} speaks protocol {}, this command {VERSION}; install both from one release",
            hello.version, hello.protocol
        )),
        Ok(hello) => Ok(format!("{}, askdeck-desktop {}", hello.web_view, hello.version)),
        Err(ClientError::NoDisplay) => Err("not tried, because it needs a display".into()),
        Err(error) => Err(error.to_string().replace('\n', "\n                         ")),
    }
}

fn tray_host(app: &Result<Hello, ClientError>) -> State {
    match app {
        Ok(Hello { tray_host: Some(true), .. }) => Ok("the desktop shows tray icons".into()),
        Ok(_) => Err("no StatusNotifierWatcher on the session bus; questions work without it \
             (GNOME shows tray icons with its AppIndicator extension)"
            .into()),
        Err(_) => Err("not tried, because the app did not start".into()),
    }
}

/// Whether a client is connected, and would find a program that works.
fn connection(client: Client) -> State {
    let advice = format!("run `askdeck install {}`", client.name());
    let config_files = client.config_files().map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for file in &config_files {
        let path = file.path().display();
        let programs = file.programs().map_err(|error| error.to_string())?;
        let Some(program) = programs.first() else {
            return Err(format!("not in {path}; {advice}"));
        };
        let is_ours = |program: &String| {
            Path::new(program).ends_with("askdeck") && paths::is_program(program)
        };
        if let Some(other) = programs.iter().find(|program| !is_ours(program)) {
            return Err(format!("{path} starts `{other}`, but no askdeck is there; {advice}"));
        }
        match file.install(program) {
            Ok(None) => found.push(path.to_string()),
            Ok(Some(_)) => return Err(format!("incomplete in {path}; {advice}")),
            Err(error) => return Err(error.to_string()),
        }
    }
    match client.still_to_do().map_err(|error| error.to_string())? {
        Some(rest) => Err(rest),
        None => Ok(found.join(", ")),
    }
}

/// A directory of ours: there and private, or possible to make.
fn directory(path: Option<PathBuf>, variable: &str) -> State {
    let path = path.ok_or_else(|| {
        format!("{variable} is not set; log in to a session, or set ASKDECK_HOME to a folder")
    })?;
    let shown = path.display();
    let existing = path.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(&path);
    if existing == path && path.metadata().is_ok_and(|state| state.mode() & 0o077 != 0) {
        return Err(format!("{shown} is open to others; run `chmod 700 {shown}`"));
    }
    match probe(existing) {
        Ok(()) => Ok(shown.to_string()),
        Err(error) => Err(format!(
            "{} cannot be written to: {error}; make it writable, or set ASKDECK_HOME to another folder",
            existing.display()
        )),
    }
}

fn probe(directory: &Path) -> io::Result<()> {
    let file = directory.join(format!(".askdeck-doctor-{}", process::id()));
    File::create_new(&file)?;
    fs::remove_file(&file)
}
