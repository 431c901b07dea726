//! What the desk keeps, and what it does as long as nothing can be kept.

use std::sync::Arc;

use super::{State, ended};
use crate::{
    deck::{Kept, Through, What},
    desktop::page::Warning,
    dialog::Dialog,
    outcome::Outcome,
    server::Replier,
    store::{self, Millis, Notice, Store, StoreError},
};

/// How a dialog ended, with all that it takes to keep it.
pub(super) struct Ending {
    pub(super) dialog: Arc<Dialog>,
    pub(super) key: String,
    pub(super) asked_at: Millis,
    pub(super) further_tickets: Vec<String>,
    /// Without secrets.
    pub(super) outcome: Outcome,
    pub(super) through: Option<Through>,
    pub(super) at: Millis,
    pub(super) delivered_at: Option<Millis>,
}

impl Ending {
    fn keep(&self, store: &mut Store) -> Result<(), StoreError> {
        let Self { dialog, key, asked_at, further_tickets, outcome, at, delivered_at, .. } = self;
        let through = self.through.map(Through::name);
        match store.end(dialog, outcome, through, *at) {
            // It was asked while nothing could be kept, or into a file that was set aside.
            Err(StoreError::NotThere) => {
                insert(store, dialog, key, *asked_at, further_tickets)?;
                store.end(dialog, outcome, through, *at)?;
            }
            kept => kept?,
        }
        delivered_at.map_or(Ok(()), |at| store.deliver(&dialog.id, at))
    }

    fn has_ticket(&self, ticket: &str) -> bool {
        self.dialog.id == ticket || self.further_tickets.iter().any(|further| further == ticket)
    }
}

/// A dialog with all its tickets.
fn insert(
    store: &mut Store,
    dialog: &Dialog,
    key: &str,
    asked_at: Millis,
    further_tickets: &[String],
) -> Result<(), StoreError> {
    store.insert(dialog, key, asked_at)?;
    further_tickets.iter().try_for_each(|further| store.add_ticket(&dialog.id, further))
}

impl State {
    /// Keeps how a dialog ended: where that fails in memory, until it succeeds.
    pub(super) fn keep_end(&mut self, ending: Ending) {
        let kept = ending.keep(&mut self.store);
        if kept.is_err() {
            self.unkept.push(ending);
        }
        self.tell_if_not_kept(kept);
        self.keep_unkept();
    }

    /// Keeps everything again as soon as there is room for it.
    pub(super) fn return_to_file(&mut self) {
        let was_not_kept = self.warning.as_ref().and_then(Warning::why_not_kept).is_some();
        if self.store.return_to_file() && was_not_kept {
            self.warning = None;
            self.draw_list();
        }
    }

    /// Tries once more to keep what could not be kept.
    pub(super) fn keep_unkept(&mut self) {
        let store = &mut self.store;
        self.unkept.retain(|ending| ending.keep(store).is_err());
    }

    /// Whether an answer would be gone with the app: it is not kept, and reached nobody.
    pub(super) fn holds_an_answer(&self) -> bool {
        self.unkept.iter().any(|unkept| {
            let answered = matches!(unkept.outcome, Outcome::Answered { .. });
            answered && unkept.delivered_at.is_none()
        })
    }

    /// The draft of an open dialog, even if it was asked while nothing could be kept.
    pub(super) fn keep_draft(&mut self, ticket: &str, draft: &str) {
        let mut kept = self.store.save_draft(ticket, draft);
        if kept == Err(StoreError::NotThere)
            && let Some(Kept { dialog, key, asked_at, further_tickets, .. }) =
                self.deck.entries().find(|kept| kept.dialog.id == ticket)
        {
            kept = insert(&mut self.store, dialog, key, asked_at, further_tickets);
            kept = kept.and_then(|()| self.store.save_draft(ticket, draft));
        }
        self.tell_if_not_kept(kept);
    }

    /// How the dialog of a ticket ended, if it has.
    pub(super) fn ending(&self, ticket: &str) -> Result<Option<(Dialog, Outcome)>, StoreError> {
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.has_ticket(ticket)) {
            return Ok(Some((unkept.dialog.as_ref().clone(), unkept.outcome.clone())));
        }
        let record = self.store.find(ticket)?;
        Ok(record.and_then(|record| Some((record.dialog, record.outcome?))))
    }

    /// The answer to the same question that was given since then, and reached nobody.
    pub(super) fn undelivered(&self, key: &str, since: Millis) -> Option<(Dialog, Outcome)> {
        let unkept = self.unkept.iter().rev().find(|unkept| {
            let answered = matches!(unkept.outcome, Outcome::Answered { .. });
            answered && unkept.key == key && unkept.at >= since && unkept.delivered_at.is_none()
        });
        if let Some(unkept) = unkept {
            let outcome = Some(unkept.outcome.clone()).filter(Outcome::is_whole)?;
            return Some((unkept.dialog.as_ref().clone(), outcome));
        }
        let record = self.store.undelivered(key, since).ok()??;
        Some((record.dialog, record.outcome?))
    }

    /// Tells a caller how its dialog ended. Whether it arrived.
    pub(super) fn deliver(
        &mut self,
        replier: Replier,
        dialog: &Dialog,
        outcome: &Outcome,
        reused: bool,
    ) -> bool {
        let at = store::now();
        // Noted before it is told. If the app ended in between, the caller would ask again by its
        // ticket, and get it; noted afterwards, the next who asks the same would be given an answer
        // that was not meant for them.
        let kept = self.note_delivered(&dialog.id, at);
        self.tell_if_not_kept(kept);
        let arrived = replier.reply(ended(dialog, outcome.clone(), reused));
        if arrived {
            self.subscribers.tell(What::Delivered, dialog, Some(outcome));
        } else {
            let kept = self.note_undelivered(&dialog.id, at);
            self.tell_if_not_kept(kept);
        }
        arrived
    }

    fn note_delivered(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        match self.unkept.iter_mut().find(|unkept| unkept.dialog.id == ticket) {
            Some(unkept) => {
                unkept.delivered_at.get_or_insert(at);
                Ok(())
            }
            None => self.store.deliver(ticket, at),
        }
    }

    fn note_undelivered(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        match self.unkept.iter_mut().find(|unkept| unkept.dialog.id == ticket) {
            Some(unkept) => {
                unkept.delivered_at.take_if(|delivered| *delivered == at);
                Ok(())
            }
            None => self.store.take_back_delivery(ticket, at),
        }
    }

    /// The person is told once that what they give is not kept. What was damaged is begun afresh.
    pub(super) fn tell_if_not_kept(&mut self, kept: Result<(), StoreError>) {
        let notice = match kept {
            Ok(()) => return,
            Err(StoreError::Damaged) => {
                let notice = self.store.begin_afresh();
                for Kept { dialog, key, asked_at, further_tickets, draft } in self.deck.entries() {
                    let draft = serde_json::to_string(draft).unwrap_or_default();
                    // It may have been saved, with an older draft; should that fail, the next write
                    // tells.
                    let _there = insert(&mut self.store, dialog, key, asked_at, further_tickets);
                    let _not_kept = self.store.save_draft(&dialog.id, &draft);
                }
                notice
            }
            Err(error) => Some(Notice::NotKept { why: error }),
        };
        if self.warning.is_none() {
            self.warning = notice.map(Warning::of_store);
            self.draw_list();
        }
    }
}
