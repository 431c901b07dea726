//! Whether the app starts when the person logs in: an entry among those that the desktop session
//! starts.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use askdeck_desk::{files, paths};
use gtk::glib::{KeyFile, KeyFileFlags};

const LARGEST: u64 = 64 * 1024;
const GROUP: &str = "Desktop Entry";
const NAME: &str = "Askdeck.desktop";

pub(crate) fn starts_at_login() -> bool {
    let own = entry().filter(|entry| entry.exists());
    own.map_or_else(starts_for_all, |own| is_on(&own))
}

pub(crate) fn set_start_at_login(on: bool) -> io::Result<()> {
    let (Some(entry), Some(program)) = (entry(), paths::program()) else {
        return Err(io::Error::new(ErrorKind::NotFound, "HOME is not set"));
    };
    let done = if on {
        write(&entry, &program, "")
    } else if starts_for_all() {
        // What is set for everyone gives way only to an entry that says no.
        write(&entry, &program, "Hidden=true\n")
    } else {
        remove(&entry)
    };
    done.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", entry.display())))
}

/// The person's own entry.
fn entry() -> Option<PathBuf> {
    Some(paths::autostart()?.join(NAME))
}

/// Whether an administrator has switched on the entry that comes with the package, or one like it.
fn starts_for_all() -> bool {
    let mut entries = paths::autostart_for_all().into_iter().map(|folder| folder.join(NAME));
    entries.find(|entry| entry.exists()).is_some_and(|entry| is_on(&entry))
}

/// Desktops have two ways of their own to switch an entry off without removing it.
fn is_on(entry: &Path) -> bool {
    let keys = KeyFile::new();
    // It is looked at where nothing may wait, and GLib would wait for a pipe.
    let text = files::read(entry, LARGEST);
    text.is_ok_and(|text| keys.load_from_data(&text, KeyFileFlags::NONE).is_ok())
        && keys.boolean(GROUP, "Hidden") != Ok(true)
        && keys.boolean(GROUP, "X-GNOME-Autostart-enabled") != Ok(false)
}

fn write(entry: &Path, program: &Path, more: &str) -> io::Result<()> {
    let program = program
        .to_str()
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "the program's path is not UTF-8"))?;
    if let Some(folder) = entry.parent() {
        fs::create_dir_all(folder)?;
    }
    let text = format!(
        "[{GROUP}]\nType=Application\nName=Askdeck\nIcon=askdeck-desktop\nExec={} --resident\nTerminal=false\nStartupNotify=false\n{more}",
        quoted(program)
    );
    let mut options = File::options();
    files::open(entry, options.write(true).create(true).truncate(true))?.write_all(text.as_bytes())
}

fn remove(entry: &Path) -> io::Result<()> {
    match fs::remove_file(entry) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// As the specification wants it: escaped inside of the quotes, and each backslash of that once more
/// because it stands in a file.
fn quoted(program: &str) -> String {
    let mut quoted = String::from('"');
    for letter in program.chars() {
        match letter {
            '"' | '`' | '$' => quoted.push_str("\\\\"),
            '\\' => quoted.push_str("\\\\\\"),
            '%' => quoted.push('%'),
            _ => {}
        }
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use gtk::glib;

    use super::*;

    #[test]
    fn a_program_is_started_whatever_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let entry = folder.path().join("autostart/Askdeck.desktop");
        for path in ["/usr/bin/askdeck-desktop", r#"/a b/100%/"$HOME"\`id`/ä"#] {
            write(&entry, Path::new(path), "").unwrap();
            assert!(is_on(&entry));
            let keys = KeyFile::new();
            keys.load_from_file(&entry, KeyFileFlags::NONE).unwrap();
            let words = glib::shell_parse_argv(keys.string(GROUP, "Exec").unwrap()).unwrap();
            let words: Vec<_> = words.iter().map(|word| word.to_str().unwrap()).collect();
            assert_eq!(words, [&path.replace('%', "%%"), "--resident"]);
        }
        remove(&entry).unwrap();
        assert!(!is_on(&entry));
        remove(&entry).unwrap();
    }

    #[test]
    fn an_entry_that_the_desktop_switched_off_is_off() {
        let folder = tempfile::tempdir().unwrap();
        let entry = folder.path().join("Askdeck.desktop");
        for off in ["Hidden=true", "X-GNOME-Autostart-enabled=false"] {
            write(&entry, Path::new("/usr/bin/askdeck-desktop"), off).unwrap();
            assert!(!is_on(&entry), "{off}");
        }
    }
}
