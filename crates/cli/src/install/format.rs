//! How something is written into a file. Texts in, texts out.

use serde_json::Value;
use thiserror::Error;

use super::{
    hooks::Hooks,
    json::{self, JsonError},
    paragraph,
    script::{self, NotOurs},
    toml::{self, TomlError},
};

#[derive(Debug)]
pub(super) enum Format {
    /// An object in a JSON file, made for the path of our program.
    Json { at: &'static [&'static str], entry: fn(&str) -> Value },
    /// A table in a TOML file, made for the path of our program.
    Toml { at: [&'static str; 2], entry: fn(&str) -> Value },
    /// The hooks of a client, in a JSON file.
    Hooks(&'static Hooks),
    /// Several in one file.
    Several(Vec<Format>),
    /// A script of its own.
    Script,
    /// A paragraph in a text for agents.
    Paragraph,
}

/// Why a text cannot be read or changed.
#[derive(Debug, Error)]
#[error(transparent)]
pub(super) enum FormatError {
    Json(#[from] JsonError),
    Toml(#[from] TomlError),
    Script(#[from] NotOurs),
}

/// A byte order mark stays where it is, and is no part of the text.
const MARK: char = '\u{feff}';

impl Format {
    /// The text with us in it.
    pub(super) fn insert(&self, text: &str, program: &str) -> Result<String, FormatError> {
        behind_mark(text, |text| {
            Ok(match self {
                Self::Json { at, entry } => json::put(text, &json::keys(at), &entry(program))?,
                Self::Toml { at, entry } => {
                    let fields = entry(program).as_object().cloned().unwrap_or_default();
                    toml::put(text, *at, &fields)?
                }
                Self::Hooks(hooks) => hooks.insert(text, program)?,
                Self::Several(formats) => formats
                    .iter()
                    .try_fold(text.to_owned(), |text, format| format.insert(&text, program))?,
                Self::Script => script::insert(text, program)?,
                Self::Paragraph => paragraph::insert(text),
            })
        })
    }

    /// The text without us. What is empty then goes too, unless it was there `before`.
    pub(super) fn remove(&self, text: &str, before: Option<&str>) -> Result<String, FormatError> {
        let before = before.map(|before| before.trim_start_matches(MARK));
        behind_mark(text, |text| {
            Ok(match self {
                Self::Json { at, .. } => {
                    let path = json::keys(at);
                    json::prune(&json::take(text, &path)?, &path[..path.len() - 1], before)?
                }
                Self::Toml { at, .. } => toml::take(text, *at)?,
                Self::Hooks(hooks) => hooks.remove(text, before)?,
                Self::Several(formats) => formats
                    .iter()
                    .rev()
                    .try_fold(text.to_owned(), |text, format| format.remove(&text, before))?,
                // All of it is ours.
                Self::Script => String::new(),
                Self::Paragraph => paragraph::remove(text),
            })
        })
    }

    /// Which of our programs the text starts; none if we are not in it.
    pub(super) fn programs(&self, text: &str) -> Result<Vec<String>, FormatError> {
        let text = text.trim_start_matches(MARK);
        Ok(match self {
            Self::Json { at, .. } => {
                let root = json::read(text)?;
                json::find(&root, &json::keys(at)).map(program).into_iter().collect()
            }
            Self::Toml { at, .. } => {
                toml::read(text, *at)?.as_ref().map(program).into_iter().collect()
            }
            Self::Hooks(hooks) => hooks.programs(text)?,
            Self::Several(formats) => {
                let mut programs = Vec::new();
                for format in formats {
                    programs.extend(format.programs(text)?);
                }
                programs.dedup();
                programs
            }
            Self::Script => {
                if !text.is_empty() && script::program(text).is_none() {
                    return Err(NotOurs.into());
                }
                script::program(text).into_iter().collect()
            }
            Self::Paragraph => {
                paragraph::is_in(text).then(|| "askdeck".into()).into_iter().collect()
            }
        })
    }

    /// A project has its own ways to keep what was, and wants no further files. Before a script of
    /// ours there was none.
    pub(super) fn keeps_backup(&self) -> bool {
        !matches!(self, Self::Paragraph | Self::Script)
    }

    /// Whether the file is ours from beginning to end, and goes with us.
    pub(super) fn is_all_ours(&self) -> bool {
        matches!(self, Self::Script)
    }
}

fn behind_mark(
    text: &str,
    edit: impl FnOnce(&str) -> Result<String, FormatError>,
) -> Result<String, FormatError> {
    match text.strip_prefix(MARK) {
        Some(text) => Ok(format!("{MARK}{}", edit(text)?)),
        None => edit(text),
    }
}

/// What an entry starts: its command, or the first word of it.
fn program(entry: &Value) -> String {
    let command = entry.get("command").unwrap_or(&Value::Null);
    command.get(0).unwrap_or(command).as_str().unwrap_or_default().into()
}
