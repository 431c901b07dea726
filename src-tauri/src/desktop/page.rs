//! What the page is told.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::sheet::Sheet;
use crate::{
    deck::Staged,
    paths,
    protocol::{Open, OpenState},
    session::View,
    store::{Millis, Notice},
    text,
    words::Words,
};

#[derive(Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum PageMessage {
    /// The interface's words. They come once and not with every dialog: what is longer than a few
    /// kilobytes the page has to fetch, and that takes longer than drawing it.
    Words(Spoken),
    /// Another dialog is to be drawn, or none. That it is one of several that are `open` shows from
    /// the start, though the list of them comes after it.
    Stage { staged: Option<Box<Staging>>, open: usize },
    /// The dialog has changed.
    View { ticket: String, view: Box<View> },
    /// The open dialogs have changed.
    List { rows: Vec<Row>, warning: Option<Warning> },
}

/// The words of the person's language.
#[derive(Clone, Serialize)]
pub(super) struct Spoken {
    language: &'static str,
    words: Words,
}

impl Spoken {
    pub(super) fn to_the_person() -> Self {
        let language = paths::language();
        Self { language: language.tag, words: language.words() }
    }
}

#[derive(Clone, Serialize)]
pub(super) struct Staging {
    ticket: String,
    sheet: Sheet,
    view: View,
}

impl Staging {
    pub(super) fn new(Staged { dialog, view }: Staged) -> Self {
        Self { ticket: dialog.id.clone(), sheet: Sheet::new(&dialog), view }
    }
}

/// What the person should know about their files, as a key into the words.
#[derive(Clone, Serialize)]
pub(super) struct Warning {
    word: &'static str,
    values: BTreeMap<&'static str, String>,
}

impl Warning {
    pub(super) fn of_store(notice: Notice) -> Self {
        match notice {
            Notice::Damaged { file } => {
                Self::new("store_damaged", "file", file.display().to_string())
            }
            Notice::NotKept { why } => Self::new("not_kept", "why", why),
        }
    }

    pub(super) fn of_config(problem: String) -> Self {
        Self::new("config_wrong", "problem", problem)
    }

    fn new(word: &'static str, name: &'static str, value: String) -> Self {
        Self { word, values: BTreeMap::from([(name, value)]) }
    }

    /// Why questions are not kept, if they are not.
    pub(super) fn why_not_kept(&self) -> Option<String> {
        self.values.get("why").cloned()
    }
}

/// A dialog in the list.
#[derive(Clone, Serialize)]
pub(super) struct Row {
    ticket: String,
    agent: String,
    folder: Option<String>,
    host: Option<String>,
    about: String,
    asked_at: Millis,
    state: OpenState,
    /// The person does not want to hear from its caller.
    muted: bool,
}

impl PageMessage {
    pub(super) fn list(
        open: Vec<Open>,
        is_muted: impl Fn(&str) -> bool,
        warning: Option<Warning>,
    ) -> Self {
        let folders: Vec<Option<String>> = open.iter().map(|open| open.cwd.clone()).collect();
        let rows = open.into_iter().zip(told_apart(&folders)).map(|(open, folder)| Row {
            muted: is_muted(&open.ticket),
            ticket: open.ticket,
            agent: text::clean_line(&open.agent),
            folder: match &open.host {
                // Another machine's home is not this one's.
                Some(_) if folder.as_deref() == Some("~") => open.cwd,
                _ => folder,
            }
            .as_deref()
            .map(text::clean_line),
            host: open.host.as_deref().map(text::clean_line),
            about: text::clean_line(&open.about),
            asked_at: open.asked_at,
            state: open.state,
        });
        Self::List { rows: rows.collect(), warning }
    }
}

/// The last part of each path, with as many parents as it takes to tell different ones apart.
pub(super) fn told_apart(folders: &[Option<String>]) -> Vec<Option<String>> {
    let home = paths::user_home();
    let mut names: HashMap<&Path, String> = HashMap::new();
    let mut alike: HashSet<&Path> = folders.iter().flatten().map(Path::new).collect();
    for length in 1.. {
        let mut by_tail: HashMap<PathBuf, Vec<&Path>> = HashMap::new();
        for path in alike.drain() {
            by_tail.entry(tail(path, length)).or_default().push(path);
        }
        for (tail, paths) in by_tail {
            match paths[..] {
                [path] => drop(names.insert(path, tail.to_string_lossy().into_owned())),
                _ => alike.extend(paths),
            }
        }
        if alike.is_empty() {
            break;
        }
    }
    names.extend(home.as_deref().map(|home| (home, "~".into())));
    let name = |folder: &String| names.get(Path::new(folder)).cloned();
    folders.iter().map(|folder| folder.as_ref().and_then(name)).collect()
}

/// The last parts of a path, or all if it has no more.
fn tail(path: &Path, length: usize) -> PathBuf {
    path.iter().skip(path.iter().count().saturating_sub(length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_same_name_are_told_apart_by_their_parents() {
        let folders = ["/a/x/api", "/a/y/api", "/b/y/api", "/api", "/a/web", "/a/web", "/a/web/"];
        let folders: Vec<_> = folders.map(|path| Some(path.to_owned())).into();
        let told = told_apart(&folders);
        let told: Vec<&str> = told.iter().flatten().map(String::as_str).collect();
        assert_eq!(told, ["x/api", "a/y/api", "b/y/api", "/api", "web", "web", "web"]);
    }
}
