//! Looking back: which dialogs, and how many.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::Millis;

/// Which dialogs to look for; all that is set must fit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(optional_fields))]
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

/// The newest of those that fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
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

/// Which past dialogs to delete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// By any of their tickets, also if their answer reached nobody yet.
    Tickets(Vec<String>),
    /// All that fit, except answers that reached nobody yet.
    Matching(Filter),
}

/// What a deletion comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Deleted {
    pub deleted: usize,
    /// The tickets of answers that stay because they reached nobody yet.
    pub undelivered: Vec<String>,
    /// The tickets of dialogs that stay because they have not ended.
    pub still_open: Vec<String>,
    /// Named, but no dialog has these tickets.
    pub unknown: Vec<String>,
}

/// Of the dialogs asked in a span of time. One that is still pending is counted, but has no outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// How many dialogs ended so, by the name of the outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// By name.
    pub agents: Vec<AgentStats>,
    /// Oldest first, then by agent.
    pub days: Vec<DayStats>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentStats {
    pub agent: String,
    pub count: usize,
    pub answered: usize,
    /// From asked to answered.
    pub median_answer_ms: Option<Millis>,
    /// From asked to first shown.
    pub median_shown_ms: Option<Millis>,
    /// From asked to the end, whatever it was.
    pub median_wait_ms: Option<Millis>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DayStats {
    /// The day on which it was asked, by the clock of the person: `2026-11-16`.
    pub day: String,
    pub agent: String,
    pub count: usize,
    /// From asked to the end, whatever it was.
    pub median_wait_ms: Option<Millis>,
}
