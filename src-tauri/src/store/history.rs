//! Looking through the dialogs that have ended.

use std::path;

use rusqlite::{Connection, params_from_iter, types};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Millis, Record, Store, StoreError};
use crate::{dialog::Dialog, outcome::Outcome};

/// Which dialogs to look for; all that is set must fit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Any part of the title, a question, what was chosen or typed, or the agent's name.
    pub search: Option<String>,
    pub agent: Option<String>,
    /// The folder: its whole path, or as many of its last parts as it takes.
    pub project: Option<String>,
    /// Ended at or after this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Millis>,
    /// Ended before this.
    pub before: Option<Millis>,
}

impl Filter {
    /// The condition for rows, by the time in this column; its parameters are [`Self::values`].
    pub(super) fn fits(time: &str) -> String {
        format!(
            "{time} >= ?1 AND {time} < ?2
             AND (?3 IS NULL OR instr(search, ?3))
             AND (?4 IS NULL OR agent = ?4 COLLATE NOCASE)
             AND (?5 IS NULL OR project = ?5 OR substr(project, -length(?5) - 1) = '/' || ?5)"
        )
    }

    pub(super) fn values(&self) -> [types::Value; 5] {
        [
            self.since.unwrap_or(Millis::MIN).into(),
            self.before.unwrap_or(Millis::MAX).into(),
            self.search.as_deref().map(lower).into(),
            self.agent.clone().into(),
            self.project.as_deref().map(folder).into(),
        ]
    }
}

/// The newest of those that fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Newest {
    #[serde(flatten)]
    pub filter: Filter,
    /// How many at most.
    pub limit: usize,
}

impl Default for Newest {
    fn default() -> Self {
        Self { filter: Filter::default(), limit: 100 }
    }
}

/// When a day such as `2026-11-17` begins, by the clock of the person.
pub fn start_of_day(day: &str) -> Option<Millis> {
    let db = Connection::open_in_memory().ok()?;
    let sql = "SELECT 1000 * unixepoch(?1, 'utc') WHERE date(?1, '+0 days') = ?1";
    db.query_row(sql, [day], |row| row.get(0)).ok()
}

/// Who asked what has ended, and from which folders; both by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Callers {
    pub agents: Vec<String>,
    pub projects: Vec<String>,
}

impl Store {
    /// The dialogs that have ended, newest first.
    pub fn history(&self, Newest { filter, limit }: &Newest) -> Result<Vec<Record>, StoreError> {
        let fits = Filter::fits("ended_at");
        let rest = format!("WHERE {fits} ORDER BY ended_at DESC, rowid DESC");
        self.records(&rest, params_from_iter(filter.values()), *limit)
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
