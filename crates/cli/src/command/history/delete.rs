//! `askdeck history delete`: what goes is counted and agreed to, and what stays is named.

use askdeck_core::{
    history::{Deleted, Filter, Selection},
    record::Millis,
    text,
};
use askdeck_desk::{
    client, paths,
    store::{self, Store},
};
use clap::{ArgGroup, Args};

use super::moment;
use crate::command::{
    CliError, STILL_OPEN,
    agree::{DECLINED, can_ask, is_agreed},
    tell,
};

/// So many tickets are named in one message.
const MOST_NAMED: usize = 5;

#[derive(Args)]
#[command(group = ArgGroup::new("which").required(true).multiple(true))]
pub(super) struct DeleteArgs {
    /// Tickets to delete (see `askdeck history`)
    #[arg(group = "which", value_name = "TICKET", conflicts_with_all = ["before", "agent", "all"])]
    tickets: Vec<String>,
    /// Delete what ended before this: a time such as 30d, or a date such as 2026-11-17
    #[arg(long, group = "which", value_name = "TIME", value_parser = moment)]
    before: Option<Millis>,
    /// Delete what this agent asked
    #[arg(long, group = "which", value_name = "NAME")]
    agent: Option<String>,
    /// Delete everything
    #[arg(long, group = "which", conflicts_with_all = ["before", "agent"])]
    all: bool,
    /// Delete without asking
    #[arg(long)]
    yes: bool,
}

impl DeleteArgs {
    fn which(self) -> Selection {
        if !self.tickets.is_empty() {
            return Selection::Tickets(self.tickets);
        }
        // What ends after it was counted stays.
        let before = Some(self.before.unwrap_or_else(|| store::now() + 1));
        Selection::Matching(Filter { agent: self.agent, before, ..Filter::default() })
    }
}

pub(super) fn run(args: DeleteArgs) -> Result<u8, CliError> {
    let yes = args.yes;
    if !yes && !can_ask() {
        return Err(CliError::NotAsked);
    }
    let which = args.which();
    let preview = client::delete(&which, true)?;
    if let Some(unknown) = preview.unknown.first() {
        return Err(CliError::NoTicket(unknown.clone()));
    }
    tell_what_stays(&preview);
    let is_named = matches!(which, Selection::Tickets(_));
    let code = if is_named && !preview.still_open.is_empty() { STILL_OPEN } else { 0 };
    if preview.deleted == 0 {
        tell("nothing to delete");
        return Ok(code);
    }
    let question = format!("Delete {} for good?", past_questions(preview.deleted));
    if !yes && !is_agreed(&question) {
        tell("nothing was deleted");
        return Ok(DECLINED);
    }
    let deleted = client::delete(&which, false)?;
    tell(&format!("deleted {}", past_questions(deleted.deleted)));
    let set_aside = paths::store().map(|file| Store::set_aside_before(&file));
    for file in set_aside.unwrap_or_default() {
        let file = file.display();
        tell(&format!(
            "note: `{file}` was set aside because it was damaged, and may hold them as well; delete it if you do not need it"
        ));
    }
    Ok(code)
}

fn tell_what_stays(outlook: &Deleted) {
    let named = named(&outlook.undelivered);
    match outlook.undelivered.len() {
        0 => {}
        1 => tell(&format!(
            "1 answer was not delivered yet and stays; name its ticket to delete it: {named}"
        )),
        count => tell(&format!(
            "{count} answers were not delivered yet and stay; name their tickets to delete them: {named}"
        )),
    }
    let named = self::named(&outlook.still_open);
    match outlook.still_open.len() {
        0 => {}
        1 => tell(&format!("1 question is still open and stays: {named}")),
        count => tell(&format!("{count} questions are still open and stay: {named}")),
    }
}

fn named(tickets: &[String]) -> String {
    let first: Vec<_> = tickets
        .iter()
        .take(MOST_NAMED)
        .map(|ticket| format!("`{}`", text::clean_line(ticket)))
        .collect();
    match tickets.len().saturating_sub(MOST_NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

fn past_questions(count: usize) -> String {
    if count == 1 { "1 past question".into() } else { format!("{count} past questions") }
}
