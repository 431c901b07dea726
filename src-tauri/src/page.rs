//! What the page is told.

use std::{
    collections::{BTreeSet, HashMap},
    ffi::OsStr,
    path::{Path, PathBuf},
};

use askdeck_core::{
    deck::Staged,
    protocol::{Open, OpenState, Warning},
    record::Millis,
    session::View,
    sheet::DialogSheet,
    text,
    words::{Phrase, Words},
};
use askdeck_desk::{folder::Folder, paths};
use serde::Serialize;

use super::{
    markdown::{self, Piece},
    sheet,
};

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum PageMessage {
    /// The interface's words. They come once and not with every dialog: what is longer than a few
    /// kilobytes the page has to fetch, and that takes longer than drawing it.
    Words(PageLanguage),
    /// A dialog that is only to be laid out, while there is nothing to show.
    WarmUp(Box<PageDialog>),
    /// Another dialog is to be drawn, or none. That it is one of several that are `open` shows from
    /// the start, though the list of them comes after it.
    Stage { staged: Option<Box<PageDialog>>, open: usize },
    /// The dialog has changed.
    View { ticket: String, view: Box<View> },
    /// The open dialogs have changed.
    List { rows: Vec<Row>, warning: Option<Warning> },
}

/// The words of the person's language.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct PageLanguage {
    language: &'static str,
    words: &'static Words,
}

impl PageLanguage {
    pub(super) fn to_the_person() -> Self {
        let language = paths::language();
        Self { language: language.tag, words: language.words() }
    }
}

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct PageDialog {
    ticket: String,
    folder: Option<Folder>,
    sheet: DialogSheet<String>,
    view: View,
}

impl PageDialog {
    pub(super) fn new(Staged { dialog, view }: Staged) -> Self {
        Self {
            ticket: dialog.id.clone(),
            folder: Folder::of(&dialog.caller),
            sheet: sheet::of(&dialog),
            view,
        }
    }
}

/// A dialog in the list.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Row {
    ticket: String,
    agent: String,
    folder: Option<String>,
    host: Option<String>,
    about: Vec<Piece>,
    /// The command, file or address that it decides about.
    subject: Option<String>,
    asked_at: Millis,
    state: OpenState,
    /// The person does not want to hear from its caller.
    muted: bool,
    /// What the button says that changes that.
    mute: Phrase,
}

impl PageMessage {
    pub(super) fn list(open: Vec<Open>, warning: Option<Warning>) -> Self {
        let folders: Vec<Option<String>> = open.iter().map(|open| open.cwd.clone()).collect();
        let words = paths::language().words();
        let rows = open.into_iter().zip(disambiguate(&folders));
        let rows = rows.map(|(open, folder)| Row {
            agent: open.name().say(words),
            mute: open.name().mute(open.muted),
            muted: open.muted,
            about: markdown::to_line(&open.about_in(words)),
            subject: open
                .subject
                .as_deref()
                .map(|subject| from_folder(subject, open.cwd.as_deref())),
            ticket: open.ticket,
            folder: match &open.host {
                // Another machine's home is not this one's.
                Some(_) if folder.as_deref() == Some("~") => open.cwd,
                _ => folder,
            }
            .as_deref()
            .map(text::clean_line),
            host: open.host.as_deref().map(text::clean_line),
            asked_at: open.asked_at,
            state: open.state,
        });
        Self::List { rows: rows.collect(), warning }
    }
}

/// As much of a command or path as a line can show; a path in `folder` as it is seen from there.
fn from_folder(subject: &str, folder: Option<&str>) -> String {
    /// More characters than a line has.
    const LONGEST: usize = 200;
    let inside = folder.and_then(|folder| Path::new(subject).strip_prefix(folder).ok());
    let inside = inside.and_then(Path::to_str).filter(|path| !path.is_empty());
    text::shortened(inside.unwrap_or(subject), LONGEST).into_owned()
}

/// The last part of each path, with as many parents as it takes to tell different ones apart.
pub(super) fn disambiguate(folders: &[Option<String>]) -> Vec<Option<String>> {
    // From the end, so that those with the most in common stand side by side.
    let paths: BTreeSet<Vec<&OsStr>> = folders.iter().flatten().map(|path| parts(path)).collect();
    let paths: Vec<_> = paths.into_iter().collect();
    let common: Vec<usize> = paths.windows(2).map(|two| alike(&two[0], &two[1])).collect();
    let mut names: HashMap<&[&OsStr], String> = HashMap::new();
    for (index, path) in paths.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| common.get(before));
        let most = before.max(common.get(index)).copied().unwrap_or_default();
        let tail: PathBuf = path.iter().take(most + 1).rev().collect();
        names.insert(path, tail.to_string_lossy().into_owned());
    }
    let home = paths::user_home();
    let name = |folder: &String| match &home {
        Some(home) if home == Path::new(folder) => Some("~".to_owned()),
        _ => names.get(parts(folder).as_slice()).cloned(),
    };
    folders.iter().map(|folder| folder.as_ref().and_then(name)).collect()
}

/// The parts of a path, the last one first.
fn parts(path: &str) -> Vec<&OsStr> {
    Path::new(path).iter().rev().collect()
}

/// How many parts two paths have in common.
fn alike(one: &[&OsStr], other: &[&OsStr]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_same_name_are_told_apart_by_their_parents() {
        let folders = ["/a/x/api", "/a/y/api", "/b/y/api", "/api", "/a/web", "/a/web", "/a/web/"];
        let folders: Vec<_> = folders.map(|path| Some(path.to_owned())).into();
        let told = disambiguate(&folders);
        let told: Vec<&str> = told.iter().flatten().map(String::as_str).collect();
        assert_eq!(told, ["x/api", "a/y/api", "b/y/api", "/api", "web", "web", "web"]);
    }

    #[test]
    fn paths_are_seen_from_the_folder_of_their_caller() {
        let cases = [
            ("/srv/shop/src/store.rs", Some("/srv/shop"), "src/store.rs"),
            ("/srv/shopping/a.rs", Some("/srv/shop"), "/srv/shopping/a.rs"),
            ("/srv/shop", Some("/srv/shop"), "/srv/shop"),
            ("npm run build", Some("/srv/shop"), "npm run build"),
            ("/etc/hosts", None, "/etc/hosts"),
        ];
        for (subject, folder, expected) in cases {
            assert_eq!(from_folder(subject, folder), expected);
        }
    }

    #[test]
    fn folders_as_deep_as_can_be_are_told_apart_at_once() {
        let deep = "/a".repeat(20_000);
        let folders = ["b", "c", "/b", "/c"].map(|top| Some(format!("{top}{deep}")));
        let told = disambiguate(&folders);
        assert_eq!(
            told.iter().flatten().collect::<Vec<_>>(),
            folders.iter().flatten().collect::<Vec<_>>()
        );
    }
}
