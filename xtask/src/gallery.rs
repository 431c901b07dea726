//! `cargo xtask screenshots --all`: every kind of question in every size, to be looked at in a browser.
//!
//! Not in all combinations, which would be some hundred pictures. Each subject is taken in each size;
//! theme and language change from picture to picture, so that each subject is seen in all of them, and
//! each subject is zoomed in one size, which is another one for the next subject.

use std::{
    fs::{self, File},
    path::Path,
    process::Stdio,
    time::Duration,
};

use askdeck_testkit::{Host, Running, windows, within};

use crate::{
    Result,
    desktop::Desktop,
    packages,
    person::press_all,
    place,
    screenshots::{CHINESE, DARK, ENGLISH, LIGHT, PORTUGUESE},
    setup, step,
    subjects::{self, Call, Subject},
    window::Window,
};

/// On which the app chooses a size.
const USUAL_SCREEN: (u32, u32) = (1920, 1080);
/// One that every window fits on.
const LARGE_SCREEN: (u32, u32) = (2700, 1560);
/// Without a size, the window has the one that the app chooses.
const SIZES: [Option<(u32, u32)>; 4] =
    [Some((420, 360)), None, Some((1400, 840)), Some((2560, 1440))];
const THEMES: [&str; 2] = [DARK, LIGHT];
const LANGUAGES: [&str; 3] = [ENGLISH, PORTUGUESE, CHINESE];
/// Each press is a fifth more: after these, everything is twice as large.
const ZOOM: &str = "ctrl+equal ctrl+equal ctrl+equal ctrl+equal ctrl+equal";

const PATIENCE: Duration = Duration::from_secs(30);

struct Shot<'a> {
    subject: &'a Subject,
    size: Option<(u32, u32)>,
    theme: &'static str,
    language: &'static str,
    zoomed: bool,
}

/// Takes those whose subject contains `only`, or all.
pub(crate) fn run(only: &str) -> Result<()> {
    setup::ensure(&[packages::BUILD, packages::DISPLAY, packages::SCREENSHOTS])?;
    step::run("build", &mut step::cargo(&["build"]))?;
    let program = place::target()?.join("debug/askdeck");
    let folder = place::fresh("gallery")?;
    let subjects = subjects::all();
    let chosen: Vec<_> = shots(&subjects).filter(|shot| shot.subject.name.contains(only)).collect();
    for shot in &chosen {
        eprintln!("==> {}", shot.file());
        shot.take(&program, &folder).map_err(|e| format!("{}: {e}", shot.file()))?;
    }
    let index = folder.join("index.html");
    write(&index, &page(&chosen))?;
    eprintln!("==> {}", index.display());
    Ok(())
}

fn shots(subjects: &[Subject]) -> impl Iterator<Item = Shot<'_>> {
    subjects.iter().enumerate().flat_map(|(row, subject)| {
        SIZES.into_iter().enumerate().map(move |(column, size)| Shot {
            subject,
            size,
            theme: THEMES[(row + column) % THEMES.len()],
            language: LANGUAGES[(row + column) % LANGUAGES.len()],
            zoomed: row % SIZES.len() == column,
        })
    })
}

impl Shot<'_> {
    fn take(&self, program: &Path, folder: &Path) -> Result<()> {
        let home = place::askdeck_home("gallery-home", place::NO_ARMING)?;
        let screen = if self.size.is_some() { LARGE_SCREEN } else { USUAL_SCREEN };
        let desktop = Desktop::start_sized(&home, screen)?;
        let mut callers = Vec::new();
        for (index, call) in self.subject.calls.iter().enumerate() {
            if let [first, ..] = callers.as_mut_slice() {
                Window::await_painted(&desktop, first)?;
            }
            callers.push(self.start(call, index, &desktop, program)?);
            await_open(&desktop, program, index + 1)?;
        }
        let [first, ..] = callers.as_mut_slice() else {
            return self.take_history(&desktop, program, folder);
        };
        let window = Window::await_painted(&desktop, first)?;
        self.photograph(&window, folder)?;
        for caller in &mut callers {
            caller.interrupt();
        }
        Ok(())
    }

    /// The window of past questions, once some have been answered.
    fn take_history(&self, desktop: &Desktop, program: &Path, folder: &Path) -> Result<()> {
        let run = |args: &[&str]| {
            let status = self.dress(desktop, program).args(args).stdout(Stdio::null()).status();
            status.map_err(|e| format!("cannot run {}: {e}", program.display())).map(drop)
        };
        run(&["resident"])?;
        for (index, payload) in subjects::past().iter().enumerate() {
            let mut caller = self.start(&Call::Ask(payload.clone()), index, desktop, program)?;
            let window = Window::await_painted(desktop, &mut caller)?;
            window.person.await_ready();
            if index % 4 == 3 {
                caller.interrupt();
            } else {
                window.person.press("1 Return");
            }
            within(PATIENCE, "the answer", || caller.ended())?;
        }
        within(PATIENCE, "the last question to go", || {
            Ok(windows(desktop).is_empty().then_some(()))
        })?;
        run(&["show", "--history"])?;
        let window = Window::await_any(desktop)?;
        self.photograph(&window, folder)?;
        run(&["stop"])
    }

    fn photograph(&self, window: &Window, folder: &Path) -> Result<()> {
        if !self.subject.presses.is_empty() {
            press_all(window, self.subject.presses)?;
        }
        if let Some((width, height)) = self.size {
            window.resize(width, height)?;
        }
        if self.zoomed {
            window.person.press(ZOOM);
        }
        window.settle()?;
        window.photograph(&folder.join(self.file()))
    }

    fn start(
        &self,
        call: &Call,
        index: usize,
        desktop: &Desktop,
        program: &Path,
    ) -> Result<Running> {
        let (arguments, sent): (&[&str], _) = match call {
            Call::Ask(payload) => (&["ask", "-"], payload),
            Call::Hook(event) => (&["hook", "claude-code"], event),
        };
        let file = desktop.askdeck_home().join(format!("sent-{index}.json"));
        write(&file, sent)?;
        let input =
            File::open(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let mut command = self.dress(desktop, program);
        Running::start(command.args(arguments).stdin(input).stdout(Stdio::null()))
    }

    fn dress(&self, desktop: &Desktop, program: &Path) -> std::process::Command {
        let mut command = desktop.bound(program);
        command
            .current_dir(place::root())
            .env("GTK_THEME", self.theme)
            .env("LANG", self.language)
            .env("LC_ALL", self.language)
            .env_remove("LANGUAGE");
        command
    }

    fn file(&self) -> String {
        format!("{}-{}.png", self.subject.name, self.size_name().replace('×', "x"))
    }

    fn size_name(&self) -> String {
        self.size.map_or("chosen".into(), |(width, height)| format!("{width}×{height}"))
    }

    fn caption(&self) -> String {
        let theme = if self.theme == DARK { "dark" } else { "light" };
        let language = self.language.trim_end_matches(".UTF-8");
        let zoom = if self.zoomed { 200 } else { 100 };
        format!("{}, {theme}, {language}, {zoom} %", self.size_name())
    }
}

/// Waits until so many questions are open.
fn await_open(desktop: &Desktop, program: &Path, count: usize) -> Result<()> {
    let program = program.to_str().ok_or("the program's path is not UTF-8")?;
    within(PATIENCE, format!("{count} open questions"), || {
        let listed = desktop.ask(program, &["list"]).unwrap_or_default();
        Ok((listed.lines().count() >= count).then_some(()))
    })
}

fn page(shots: &[Shot]) -> String {
    const HEAD: &str = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Askdeck's gallery</title>\n<style>\n\
         body { margin: 2em; background: #888; font: 15px sans-serif }\n\
         section { display: flex; flex-wrap: wrap; gap: 1.5em; align-items: start }\n\
         figure { margin: 0; max-width: 100% }\n\
         img { max-width: 100%; box-shadow: 0 4px 16px #0008 }\n</style>\n";
    let of_subject = shots.chunk_by(|one, other| one.subject.name == other.subject.name);
    let sections = of_subject.map(|shots| {
        let Subject { name, title, .. } = shots[0].subject;
        let figures: String = shots.iter().map(figure).collect();
        format!("<h2 id=\"{name}\">{title}</h2>\n<section>\n{figures}</section>\n")
    });
    HEAD.to_owned() + &sections.collect::<String>()
}

fn figure(shot: &Shot) -> String {
    let (file, caption) = (shot.file(), shot.caption());
    format!(
        "<figure><a href=\"{file}\"><img src=\"{file}\" alt=\"{}, {caption}\"></a>\
         <figcaption>{caption}</figcaption></figure>\n",
        shot.subject.title
    )
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_subject_has_all_sizes_themes_languages_and_zooms() {
        let subjects = subjects::all();
        let shots: Vec<_> = shots(&subjects).collect();
        for row in shots.chunks(SIZES.len()) {
            assert_eq!(row.iter().map(|shot| shot.size).collect::<BTreeSet<_>>().len(), 4);
            assert_eq!(row.iter().map(|shot| shot.theme).collect::<BTreeSet<_>>().len(), 2);
            assert_eq!(row.iter().map(|shot| shot.language).collect::<BTreeSet<_>>().len(), 3);
            assert_eq!(row.iter().filter(|shot| shot.zoomed).count(), 1);
        }
    }
}
