//! `askdeck history export`: everything that is kept of past dialogs.

use std::collections::HashSet;

use askdeck_core::{
    history::{Filter, Newest},
    record::{Millis, Record},
};
use clap::Args;

use super::{find, moment};
use crate::command::{CliError, print};

/// So many are asked for at a time: whoever has them must not have to hold all of them at once.
const PAGE: usize = 100;

#[derive(Args)]
pub(super) struct ExportArgs {
    /// Print only what ended since this: a time such as 30d, or a date such as 2026-11-17
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Millis>,
}

pub(super) fn run(args: &ExportArgs) -> Result<u8, CliError> {
    let mut filter = Filter { since: args.since, ..Filter::default() };
    // Several can have ended in the same moment as the last one of a page: they come again.
    let mut again = HashSet::new();
    loop {
        let limit = PAGE + again.len();
        let records = find(&Newest { filter: filter.clone(), limit })?;
        for record in records.iter().filter(|record| !again.contains(&record.dialog.id)) {
            print(&serde_json::to_string(record).unwrap_or_default())?;
        }
        let Some(last) = records.last().and_then(|record| record.ended_at) else { return Ok(0) };
        if records.len() < limit {
            return Ok(0);
        }
        filter.before = Some(last + 1);
        let is_last = |record: &&Record| record.ended_at == Some(last);
        again = records.iter().filter(is_last).map(|record| record.dialog.id.clone()).collect();
    }
}
