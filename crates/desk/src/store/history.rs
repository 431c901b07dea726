//! Looking through the dialogs that have ended.

use std::path;

use askdeck_core::{
    dialog::Dialog,
    history::Filter,
    outcome::Outcome,
    record::{Millis, Record},
};
use rusqlite::params;
use serde_json::Value;

use super::{Store, StoreError};

/// Who asked what has ended, and from which folders; both by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Callers {
    pub agents: Vec<String>,
    pub projects: Vec<String>,
}

impl Store {
    /// The dialogs that have ended, newest first.
    pub fn history(&self, filter: &Filter) -> Result<Vec<Record>, StoreError> {
        self.records(
            "WHERE ended_at < ?1
             AND (?2 IS NULL OR instr(search, ?2))
             AND (?3 IS NULL OR agent = ?3 COLLATE NOCASE)
             AND (?4 IS NULL OR project = ?4 OR substr(project, -length(?4) - 1) = '/' || ?4)
             ORDER BY ended_at DESC, rowid DESC",
            params![
                filter.before.unwrap_or(Millis::MAX),
                filter.search.as_deref().map(lower),
                filter.agent,
                filter.project.as_deref().map(folder),
            ],
            filter.limit,
        )
    }

    pub fn callers(&self) -> Result<Callers, StoreError> {
        let names = |sql| {
            let mut statement = self.db.prepare_cached(sql)?;
            let names = statement.query_map([], |row| row.get(0))?;
            Ok::<_, StoreError>(names.collect::<Result<_, _>>()?)
        };
        Ok(Callers {
            agents: names(
                "SELECT agent FROM dialogs WHERE ended_at IS NOT NULL
                 GROUP BY agent COLLATE NOCASE ORDER BY agent COLLATE NOCASE",
            )?,
            // Of the root nothing is left where folders are compared.
            projects: names(
                "SELECT DISTINCT iif(project = '', '/', project) FROM dialogs
                 WHERE ended_at IS NOT NULL AND project IS NOT NULL ORDER BY project",
            )?,
        })
    }
}

/// All that a dialog can be found by, in lower case. The outcome must be free of secrets.
pub(super) fn search_text(dialog: &Dialog, kept: Option<&Outcome>) -> String {
    let mut texts = vec![dialog.caller.agent.clone()];
    texts.extend(dialog.title.clone());
    texts.extend(dialog.questions.iter().map(|question| question.text.clone()));
    match kept {
        Some(Outcome::Declined { reason, .. }) => texts.extend(reason.clone()),
        Some(Outcome::Clarify { text, .. }) => texts.push(text.clone()),
        _ => {}
    }
    let answers = kept.map(Outcome::answers).unwrap_or_default();
    for (question, answer) in dialog.questions.iter().zip(answers) {
        texts.extend(question.labels_and_other(answer).map(str::to_owned));
        texts.extend(answer.note.clone());
        texts.extend(answer.value.as_ref().map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }));
    }
    lower(&texts.join("\n"))
}

/// Letter by letter, so that a part of a text is lowered like the whole.
fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// A folder in the one way in which folders are compared.
pub(super) fn folder(path: &str) -> String {
    path.trim_end_matches(path::is_separator).replace(path::is_separator, "/")
}
