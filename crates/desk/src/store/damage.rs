//! What a file looks like that cannot be trusted, and where it goes.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::StoreError;

/// What SQLite keeps beside a file that is in use. They come before it when it is moved: beside a
/// fresh file they would be taken for its own.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Whether the last process that wrote was killed, or still writes.
pub(super) fn was_left_open(file: &Path) -> bool {
    fs::metadata(beside(file, "-wal")).is_ok_and(|wal| wal.len() > 0)
}

/// Whether something is in the place of the file, or of one beside it, that SQLite must not touch: a
/// folder, a pipe, or an empty file with writes beside it, which it would throw away.
pub(super) fn is_no_file(file: &Path) -> bool {
    let is_odd = |companion| fs::metadata(beside(file, companion)).is_ok_and(|at| !at.is_file());
    if COMPANIONS.into_iter().any(is_odd) {
        return true;
    }
    match fs::metadata(file) {
        Ok(found) => !found.is_file() || (found.len() == 0 && was_left_open(file)),
        Err(_) => was_left_open(file),
    }
}

pub(super) fn is_sound(db: &Connection) -> Result<bool, StoreError> {
    let found: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok(found == "ok")
}

/// By which an outcome is known to be what was written: SQLite sees only damage to its own structure.
pub(super) fn sum(ticket: &str, outcome: &str) -> String {
    format!("{:x}", Sha256::digest(format!("{ticket}\n{outcome}")))
}

/// What a file that was set aside is called, after the name of the file.
const DAMAGED: &str = ".damaged-";
/// So many of those are kept.
const MOST_ASIDE: usize = 3;

/// Moves the file and what belongs to it to a dated name that is still free, and returns that.
pub(super) fn set_aside(file: &Path) -> Result<PathBuf, StoreError> {
    let now: String = Connection::open_in_memory()?.query_row(
        "SELECT strftime('%Y-%m-%d-%H%M%S', 'now', 'localtime')",
        [],
        |row| row.get(0),
    )?;
    let mut aside = beside(file, &format!("{DAMAGED}{now}"));
    let mut count = 1;
    while aside.symlink_metadata().is_ok() {
        count += 1;
        aside = beside(file, &format!("{DAMAGED}{now}-{count}"));
    }
    for companion in COMPANIONS {
        move_if_there(&beside(file, companion), &beside(&aside, companion))?;
    }
    move_if_there(file, &aside)?;
    Ok(aside)
}

/// The files that were set aside, oldest first.
pub(super) fn set_aside_before(file: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) =
        (file.parent(), file.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let prefix = format!("{name}{DAMAGED}");
    let found = fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_str()?;
        // The file itself may be lost, with only the writes beside it left.
        let ending = COMPANIONS.into_iter().find_map(|companion| name.strip_suffix(companion));
        let name = ending.unwrap_or(name);
        let (date, count) =
            name.strip_prefix(&prefix)?.split_at_checked("2026-11-17-120000".len())?;
        let count: u32 = match count.strip_prefix('-') {
            Some(count) => count.parse().ok()?,
            None if count.is_empty() => 1,
            None => return None,
        };
        Some((date.to_owned(), count, folder.join(name)))
    });
    let found: BTreeSet<_> = found.collect();
    found.into_iter().map(|(.., path)| path).collect()
}

/// Removes the oldest of the files that were set aside; never this one, whatever the clock says.
pub(super) fn remove_old(file: &Path, newest: &Path) {
    let mut others = set_aside_before(file);
    others.retain(|aside| aside != newest);
    let too_many = (others.len() + 1).saturating_sub(MOST_ASIDE);
    others.iter().take(too_many).for_each(|aside| remove(aside));
}

/// A copy of the file and of what belongs to it. What SQLite only shares between processes is not
/// worth one.
pub(super) fn copy(file: &Path) -> Result<PathBuf, StoreError> {
    let copy = beside(file, ".copy");
    // Something else may be in its place.
    remove(&copy);
    let writes =
        fs::copy(file, &copy).and_then(|_| fs::copy(beside(file, "-wal"), beside(&copy, "-wal")));
    match writes {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            remove(&copy);
            Err(error.into())
        }
        _ => Ok(copy),
    }
}

/// Removes such a copy, or a file that was set aside. A folder is left alone.
pub(super) fn remove(copy: &Path) {
    let companions = COMPANIONS.map(|companion| beside(copy, companion));
    for file in companions.iter().map(PathBuf::as_path).chain([copy]) {
        fs::remove_file(file).ok(); // A file that stays does no harm.
    }
}

fn move_if_there(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        moved => moved,
    }
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
