//! `cargo xtask demo`: one question of every kind, asked by the real programs.

use std::{
    env, fs,
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

use askdeck_testkit::{Host, Running, within};

use crate::{
    Result,
    desktop::Desktop,
    packages,
    person::{Press, press_all},
    place, setup, step,
    window::Window,
};

/// The questions, relative to the repository.
pub(crate) const SAMPLE: &str = "docs/sample.json";

/// An answer to each question of the sample, in its order.
const ANSWERS: &[&[Press]] = &[
    &[Press::Key("1"), Press::Next],
    &[Press::Key("1"), Press::Key("3"), Press::Next],
    &[Press::Text("Checkout is faster, and says why a card was declined."), Press::Next],
    &[Press::Text("5"), Press::Next],
    &[Press::Key("1"), Press::Next],
    &[Press::Text("not-a-real-token"), Press::Next],
    &[Press::Key("1"), Press::Next],
];

pub(crate) fn run() -> Result<ExitCode> {
    let seen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
    if seen {
        setup::ensure(&[packages::BUILD])?;
    } else {
        setup::ensure(&[packages::BUILD, packages::DISPLAY])?;
    }
    step::run("build", &mut step::cargo(&["build"]))?;

    let program = place::target()?.join("debug/askdeck");
    let folder = place::fresh("demo")?;
    // Apart from the developer's own.
    let home = place::askdeck_home("demo/home", if seen { "" } else { place::NO_ARMING })?;
    if seen {
        ask_the_developer(&program, &home)
    } else {
        answer_it_ourselves(&program, &folder, &home)
    }
}

fn ask_the_developer(program: &Path, home: &Path) -> Result<ExitCode> {
    eprintln!("==> askdeck ask {SAMPLE}: the window is yours, the answer follows here");
    let status = Command::new(program)
        .args(["ask", SAMPLE])
        .current_dir(place::root())
        .env("ASKDECK_HOME", home)
        .status()
        .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    eprintln!("==> askdeck ended with exit code {code}");
    Ok(ExitCode::from(code))
}

fn answer_it_ourselves(program: &Path, folder: &Path, home: &Path) -> Result<ExitCode> {
    eprintln!("==> no display: start a virtual one");
    let desktop = Desktop::start(home)?;
    eprintln!("==> askdeck ask {SAMPLE}, answered by key presses");
    let mut ask = desktop.bound(program);
    ask.args(["ask", SAMPLE]).current_dir(place::root());
    let app = Running::start(ask.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let answer = answer(&desktop, app, folder).inspect_err(|_| {
        let picture = folder.join("failed.png");
        if desktop.photograph("root", &picture).is_ok() {
            eprintln!("xtask: what the screen showed is in {}", picture.display());
        }
    })?;
    print!("{answer}");
    Ok(ExitCode::SUCCESS)
}

fn answer(desktop: &Desktop, mut app: Running, folder: &Path) -> Result<String> {
    let window = Window::await_painted(desktop, &mut app)?;
    let question = folder.join("question.png");
    window.photograph(&question)?;

    press_all(&window, &ANSWERS.concat())?;
    let review = folder.join("review.png");
    window.photograph(&review)?;

    window.person.press("Return");
    within(Duration::from_secs(20), "askdeck to print the answer", || app.ended())?;
    let output = app.output()?;
    if !output.status.success() {
        return Err(format!("askdeck ended with {} instead of an answer", output.status));
    }
    for picture in [question, review] {
        eprintln!("==> screenshot: {}", fs::canonicalize(&picture).unwrap_or(picture).display());
    }
    eprintln!("==> the answer:");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
