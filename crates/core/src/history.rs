//! Looking back: which dialogs, and how many.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::Millis;

/// Which dialogs to look for; all that is set must fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Any part of the title, a question, what was chosen or typed, or the agent's name.
    pub search: Option<String>,
    pub agent: Option<String>,
    /// The folder: its whole path, or as many of its last parts as it takes.
    pub project: Option<String>,
    pub limit: usize,
    /// Ended before this.
    pub before: Option<Millis>,
}

impl Default for Filter {
    fn default() -> Self {
        Self { search: None, agent: None, project: None, limit: 100, before: None }
    }
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
