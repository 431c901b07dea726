//! How often agents ask, and how long they wait.

use std::collections::BTreeMap;

use askdeck_core::{
    history::{AgentStats, DayStats, Stats},
    record::Millis,
};

use super::{Store, StoreError};

#[derive(Default)]
struct Agent {
    count: usize,
    to_answer: Vec<Millis>,
    to_shown: Vec<Millis>,
    to_end: Vec<Millis>,
}

#[derive(Default)]
struct Day {
    count: usize,
    to_end: Vec<Millis>,
}

impl Store {
    /// Of the dialogs asked at or after `since` and before `until`.
    pub fn stats(&self, since: Millis, until: Millis) -> Result<Stats, StoreError> {
        let mut statement = self.db.prepare_cached(
            "SELECT agent, coalesce(date(asked_at / 1000, 'unixepoch', 'localtime'), '') AS day,
                    ended_as,
                    CAST(max(0, ended_at - asked_at) AS INTEGER) AS to_end,
                    CAST(max(0, shown_at - asked_at) AS INTEGER) AS to_shown
             FROM dialogs WHERE asked_at >= ?1 AND asked_at < ?2",
        )?;
        let mut rows = statement.query([since, until])?;
        let mut outcomes = BTreeMap::new();
        let mut agents: BTreeMap<String, Agent> = BTreeMap::new();
        let mut days: BTreeMap<(String, String), Day> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let name: String = row.get("agent")?;
            let ended_as: Option<String> = row.get("ended_as")?;
            let to_end: Option<Millis> = row.get("to_end")?;

            let day = days.entry((row.get("day")?, name.clone())).or_default();
            day.count += 1;
            day.to_end.extend(to_end);

            let agent = agents.entry(name).or_default();
            agent.count += 1;
            agent.to_shown.extend(row.get::<_, Option<Millis>>("to_shown")?);
            agent.to_end.extend(to_end);
            if ended_as.as_deref() == Some("answered") {
                agent.to_answer.extend(to_end);
            }
            if let Some(outcome) = ended_as {
                *outcomes.entry(outcome).or_default() += 1;
            }
        }
        let agents = agents.into_iter().map(|(agent, of)| AgentStats {
            agent,
            count: of.count,
            answered: of.to_answer.len(),
            median_answer_ms: median(of.to_answer),
            median_shown_ms: median(of.to_shown),
            median_wait_ms: median(of.to_end),
        });
        let days = days.into_iter().map(|((day, agent), of)| DayStats {
            day,
            agent,
            count: of.count,
            median_wait_ms: median(of.to_end),
        });
        Ok(Stats { outcomes, agents: agents.collect(), days: days.collect() })
    }
}

/// The value in the middle; of two in the middle, halfway between them.
fn median(mut values: Vec<Millis>) -> Option<Millis> {
    values.sort_unstable();
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(lower + (upper - lower) / 2)
}
