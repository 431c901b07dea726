//! What the desk keeps, and what it does as long as nothing can be kept.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{State, ended};
use crate::{
    deck::{Kept, Quiet, Through, What},
    desktop::warnings::Warnings,
    dialog::Dialog,
    outcome::Outcome,
    server::Replier,
    store::{self, Millis, Notice, Pending, Store, StoreError},
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

/// What was pending when the last app went. A file that shows only now that it is damaged is begun
/// afresh, with what can be read of it.
pub(super) fn pending(store: &mut Store, warnings: &mut Warnings) -> Vec<Pending> {
    let mut pending = store.pending();
    if pending == Err(StoreError::Damaged) {
        if let Some(notice) = store.begin_afresh() {
            warnings.add(notice);
        }
        pending = store.pending();
    }
    pending.unwrap_or_else(|why| {
        warnings.add(Notice::NotKept { why });
        Vec::new()
    })
}

fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

/// An open dialog with this draft, whether it is there already or not.
fn save(store: &mut Store, open: Kept, draft: &str) -> Result<(), StoreError> {
    let Kept { dialog, key, asked_at, further_tickets, .. } = open;
    match store.save_draft(&dialog.id, draft) {
        // It was asked while nothing could be kept, or into a file that was set aside.
        Err(StoreError::NotThere) => {
            insert(store, dialog, key, asked_at, further_tickets)?;
            store.save_draft(&dialog.id, draft)
        }
        saved => saved,
    }
}

impl State {
    /// Keeps a dialog that is about to be shown: where that fails, as soon as it can be.
    pub(super) fn keep_dialog(&mut self, dialog: &Dialog, key: &str, asked_at: Millis) {
        self.return_to_file();
        let kept = self.store.insert(dialog, key, asked_at);
        if kept.is_err() {
            self.unsaved.push(dialog.id.clone());
        }
        self.tell_if_not_kept(kept);
    }

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
        if self.store.return_to_file() {
            self.end_warning();
        }
    }

    /// Tries once more to keep what could not be kept.
    pub(super) fn keep_unkept(&mut self) {
        if self.is_all_kept() {
            return;
        }
        let Self { deck, store, unkept, unsaved, .. } = self;
        unkept.retain(|ending| ending.keep(store).is_err());
        while let Some(ticket) = unsaved.last() {
            let open = deck.entries().find(|kept| kept.dialog.id == *ticket);
            // One that has ended meanwhile is among the others, if it is not kept.
            if let Some(open) = open {
                let draft = serde_json::to_string(open.draft).unwrap_or_default();
                // Where one cannot be kept, the next cannot either.
                if save(store, open, &draft).is_err() {
                    return;
                }
            }
            unsaved.pop();
        }
        self.end_warning();
    }

    fn is_all_kept(&self) -> bool {
        self.unkept.is_empty() && self.unsaved.is_empty()
    }

    /// Says no more that nothing is kept, if everything is.
    fn end_warning(&mut self) {
        let is_kept = self.is_all_kept() && self.store.file().is_some();
        if is_kept && self.warnings.end_not_kept() {
            self.draw_list();
        }
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
        let open = self.deck.entries().find(|kept| kept.dialog.id == ticket);
        let kept = match open {
            Some(open) => save(&mut self.store, open, draft),
            // It has ended with this.
            None => self.store.save_draft(ticket, draft),
        };
        if kept.is_err() && !self.unsaved.iter().any(|unsaved| unsaved == ticket) {
            self.unsaved.push(ticket.into());
        }
        self.tell_if_not_kept(kept);
    }

    /// That the person does not want to be disturbed, for the next app.
    pub(super) fn keep_quiet(&mut self, quiet: Quiet) {
        let until = quiet.time().map_or(Millis::MAX, |time| store::now() + millis(time));
        let kept = self.store.set_quiet_until(until);
        self.tell_if_not_kept(kept);
    }

    /// Goes on as the last app was told.
    pub(super) fn stay_quiet(&mut self) {
        let until = self.store.quiet_until().unwrap_or_default();
        let left = u64::try_from(until.saturating_sub(store::now())).unwrap_or_default();
        if left > 0 {
            let left = (until < Millis::MAX).then_some(Duration::from_millis(left));
            self.deck.stay_quiet(left, Instant::now());
        }
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
        let is_first = !self.is_delivered(&dialog.id);
        // Noted before it is told. If the app ended in between, the caller would ask again by its
        // ticket, and get it; noted afterwards, the next who asks the same would be given an answer
        // that was not meant for them.
        let kept = self.note_delivered(&dialog.id, at);
        self.tell_if_not_kept(kept);
        let arrived = replier.reply(ended(dialog, outcome.clone(), reused));
        if !arrived {
            let kept = self.note_undelivered(&dialog.id, at);
            self.tell_if_not_kept(kept);
        } else if is_first {
            self.subscribers.tell(What::Delivered, dialog, Some(outcome));
        }
        arrived
    }

    /// Whether the outcome has reached a caller.
    fn is_delivered(&self, ticket: &str) -> bool {
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.dialog.id == ticket) {
            return unkept.delivered_at.is_some();
        }
        let record = self.store.find(ticket).ok().flatten();
        record.is_some_and(|record| record.delivered_at.is_some())
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

    /// The person is told as long as what they give is not kept. What was damaged is begun afresh.
    pub(super) fn tell_if_not_kept(&mut self, kept: Result<(), StoreError>) {
        let notice = match kept {
            Ok(()) => return self.end_warning(),
            Err(StoreError::Damaged) => {
                let notice = self.store.begin_afresh();
                // They may have been saved, with older drafts.
                self.unsaved = self.deck.entries().map(|kept| kept.dialog.id.clone()).collect();
                self.keep_unkept();
                notice
            }
            Err(error) => Some(Notice::NotKept { why: error }),
        };
        if notice.is_some_and(|notice| self.warnings.add(notice)) {
            self.draw_list();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::FileExt};

    use rusqlite::Connection;

    use super::*;
    use crate::dialog::Caller;

    fn dialog(ticket: &str) -> Dialog {
        let dialect = &crate::dialect::askdeck::DIALECT;
        let payload = (dialect.read)(&serde_json::json!({ "question": "Which?" }));
        let rules = &dialect.rules;
        Dialog::check(payload, rules, ticket.into(), dialect.name, Caller::default()).unwrap()
    }

    #[test]
    fn what_is_pending_in_a_damaged_file_comes_back_and_the_person_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("askdeck.sqlite");
        let (mut store, _) = Store::open(Some(&file));
        for ticket in ["a", "b"] {
            store.insert(&dialog(ticket), ticket, 1).unwrap();
        }
        drop(store);
        // It was closed in order, so that nothing but a query finds the damage.
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'pending'";
        let page: u32 =
            Connection::open(&file).unwrap().query_row(root, [], |row| row.get(0)).unwrap();
        let bytes = fs::OpenOptions::new().write(true).open(&file).unwrap();
        bytes.write_all_at(&[0xff; 4096], u64::from(page - 1) * 4096).unwrap();

        let (mut store, notice) = Store::open(Some(&file));
        assert_eq!((notice, store.pending()), (None, Err(StoreError::Damaged)));
        let mut warnings = Warnings::default();
        let pending = pending(&mut store, &mut warnings);
        let tickets: Vec<_> = pending.iter().map(|pending| pending.dialog.id.as_str()).collect();
        assert_eq!(tickets, ["a", "b"]);
        let warning = serde_json::to_value(warnings.first()).unwrap();
        assert_eq!(warning["word"], "store_damaged");
        assert_eq!(store.pending(), Ok(pending));
    }
}
