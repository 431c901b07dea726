//! Looking through the dialogs that have ended.

use std::path;

use askdeck_core::{
    dialog::Dialog,
    history::{Filter, Newest},
    outcome::Outcome,
    record::{Millis, Record},
};
use rusqlite::{Connection, params_from_iter, types};
use serde_json::Value;

use super::{Store, StoreError};

/// The condition for rows, by the time in this column; its parameters are [`values`].
pub(super) fn fits(time: &str) -> String {
    format!(
        "{time} >= ?1 AND {time} < ?2
         AND (?3 IS NULL OR instr(search, ?3))
         AND (?4 IS NULL OR agent = ?4 COLLATE NOCASE)
         AND (?5 IS NULL OR project = ?5 OR substr(project, -length(?5) - 1) = '/' || ?5)"
    )
}

pub(super) fn values(filter: &Filter) -> [types::Value; 5] {
    [
        filter.since.unwrap_or(Millis::MIN).into(),
        filter.before.unwrap_or(Millis::MAX).into(),
        filter.search.as_deref().map(lower).into(),
        filter.agent.clone().into(),
        filter.project.as_deref().map(folder).into(),
    ]
}

/// When a day such as `2026-11-17` begins, by the clock of the person.
pub fn start_of_day(day: &str) -> Option<Millis> {
    let db = Connection::open_in_memory().ok()?;
    let sql = "SELECT 1000 * unixepoch(?1, 'utc') WHERE date(?1, '+0 days') = ?1";
    db.query_row(sql, [day], |row| row.get(0)).ok()
}

/// The agents and the folders of ended dialogs, each sorted by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Callers {
    pub agents: Vec<String>,
    pub projects: Vec<String>,
}

impl Store {
    /// The dialogs that have ended, newest first.
    pub fn history(&self, Newest { filter, limit }: &Newest) -> Result<Vec<Record>, StoreError> {
        let fits = fits("ended_at");
        let rest = format!("WHERE {fits} ORDER BY ended_at DESC, rowid DESC");
        self.records(&rest, params_from_iter(values(filter)), *limit)
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
