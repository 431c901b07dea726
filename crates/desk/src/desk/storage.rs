//! What the desk stores, and what it does as long as nothing can be stored.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use askdeck_core::{
    asking::Asked,
    claim::{self, Claim},
    deck::{DialogEvent, Effect, Quiet},
    dialog::Dialog,
    key::QuestionKey,
    outcome::Outcome,
    record::{Millis, OpenDialog, Record},
};

use crate::store::{self, Claimed, Store, StoreError, StoreNotice};

use super::{
    actor::Actor,
    pending_writes::{Ending, SmallWrite, json},
    warnings::Warnings,
};

#[cfg(test)]
mod tests;

/// How a dialog ended for one caller.
pub(super) struct CallerEnd {
    pub(super) claim: Arc<Claim>,
    pub(super) dialog: Arc<Dialog>,
    pub(super) outcome: Outcome,
    /// For this caller alone: it has taken the question back.
    pub(super) is_withdrawn: bool,
}

/// What was pending when the last desk ended. A file that turns out to be damaged is replaced by a new
/// one, with what can be read of it.
pub(super) fn pending(store: &mut Store, warnings: &mut Warnings) -> Vec<OpenDialog> {
    let mut pending = store.pending();
    if pending == Err(StoreError::Damaged) {
        if let Some(notice) = store.begin_afresh() {
            warnings.add(notice);
        }
        pending = store.pending();
    }
    if store.has_newer_dialogs() == Ok(true) {
        warnings.add(StoreNotice::NewerDialogs);
    }
    pending.unwrap_or_else(|why| {
        warnings.add(StoreNotice::NotKept { why });
        Vec::new()
    })
}

fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

impl Actor {
    /// Something about an open dialog was written. If that failed, all of it is written later.
    pub(super) fn saved(&mut self, ticket: &str, saved: Result<(), StoreError>) {
        if saved.is_err() {
            self.writes.dirty.insert(ticket.into());
        }
        // It was asked while nothing could be stored, or went with a damaged file.
        if saved != Err(StoreError::NotThere) {
            self.warn_if_not_stored(saved);
        }
    }

    /// Stores how a dialog ended; if that fails, as soon as it can be stored.
    pub(super) fn save_end(&mut self, ending: Ending) {
        let saved = self.writes.end(&mut self.store, ending);
        self.warn_if_not_stored(saved);
        self.retry_writes();
    }

    /// Makes a small write; if that fails, as soon as it can be made.
    pub(super) fn write(&mut self, write: SmallWrite) {
        let written = self.writes.write(&mut self.store, write);
        self.warn_if_not_stored(written);
    }

    /// Goes over from memory to the file as soon as that can be written.
    #[must_use]
    pub(super) fn return_to_file(&mut self) -> Vec<Effect> {
        let Some(found) = self.store.return_to_file() else { return Vec::new() };
        let mut effects = Vec::new();
        // A file that was locked when the app started may hold dialogs that it could not read then.
        for pending in found {
            let now = Instant::now();
            let ticket = &pending.dialog.id;
            if let Some((_, dialog)) = self.deck.find(ticket) {
                // Its caller has come back, and joined a dialog that was asked since.
                if dialog.id != *ticket {
                    let gone = Outcome::Withdrawn;
                    let stored = self.store.end(&pending.dialog, &gone, None, store::now());
                    self.warn_if_not_stored(stored);
                }
                effects.extend(self.deck.unite(&pending, now));
            } else {
                self.quota.restore(&pending.dialog, &pending.key);
                self.deck.restore(pending, now);
            }
        }
        self.end_warning();
        self.draw_list();
        effects
    }

    pub(super) fn retry_writes(&mut self) {
        if !self.writes.is_empty() && self.writes.retry(&mut self.store, &self.deck) {
            self.end_warning();
        }
    }

    /// Whether something is stored only once the file can be written.
    pub(super) fn awaits_store(&self) -> bool {
        self.store.awaits_file() || !self.writes.is_empty()
    }

    /// The program ends: what could not be stored has a last chance.
    pub(super) fn store_at_last(&mut self) {
        if self.awaits_store() {
            self.store.wait_for_lock();
            for effect in self.return_to_file() {
                // Nothing else can be seen any more.
                if let Effect::SaveDraft { ticket, draft } = effect {
                    let saved = self.store.save_draft(&ticket, &json(&draft));
                    self.saved(&ticket, saved);
                }
            }
            self.retry_writes();
        }
    }

    /// Takes the warning that nothing is stored back, once everything is.
    fn end_warning(&mut self) {
        let is_stored = self.writes.is_empty() && self.store.file().is_some();
        if is_stored && self.warnings.end_not_kept() {
            self.tell_warning();
        }
    }

    /// Whether the desk has to stay for what would be lost with it: an answer that is not stored and
    /// reached nobody, or anything that waits for a lock, which somebody will release.
    pub(super) fn holds_something(&self) -> bool {
        self.writes.has_answer() || self.awaits_store() && self.warnings.is_locked()
    }

    /// Stores what happened to a dialog, unless other writes say so.
    pub(super) fn save_event(&mut self, event: &DialogEvent, dialog: &Dialog) {
        let is_said = match event {
            DialogEvent::Asked | DialogEvent::Ended { .. } | DialogEvent::Delivered { .. } => true,
            // A dialog that is not stored at all is stored with this.
            DialogEvent::Submitted => self.writes.dirty.contains(&dialog.id),
            _ => false,
        };
        if !is_said {
            let (ticket, event) = (dialog.id.clone(), event.clone());
            self.write(SmallWrite::Event { ticket, event, at: store::now() });
        }
    }

    /// Stores that the person does not want to be disturbed, for the next app.
    pub(super) fn save_quiet(&mut self, quiet: Quiet) {
        let until = quiet.time().map_or(Millis::MAX, |time| store::now() + millis(time));
        self.write(SmallWrite::Quiet { until });
    }

    /// Stays quiet for as long as the last desk was told to.
    pub(super) fn stay_quiet(&mut self) {
        let until = self.store.quiet_until().unwrap_or_default();
        let left = u64::try_from(until.saturating_sub(store::now())).unwrap_or_default();
        if left > 0 {
            let left = (until < Millis::MAX).then_some(Duration::from_millis(left));
            self.deck.stay_quiet(left, Instant::now());
        }
    }

    /// The key and the dialog of a ticket, open or not.
    pub(super) fn find(&self, ticket: &str) -> Option<(QuestionKey, Arc<Dialog>)> {
        if let Some((key, dialog)) = self.deck.find(ticket) {
            return Some((key.clone(), Arc::clone(dialog)));
        }
        let record = self.claimed(ticket).ok()??.record;
        Some((QuestionKey::kept(record.key), Arc::new(record.dialog)))
    }

    /// The dialog of a ticket as the store has it once everything is written.
    pub(super) fn claimed(&self, ticket: &str) -> Result<Option<Claimed>, StoreError> {
        self.writes.claimed(&self.store, ticket)
    }

    /// How the dialog of a ticket ended for the caller who has it, if it has.
    pub(super) fn ending(&self, ticket: &str) -> Result<Option<CallerEnd>, StoreError> {
        if let Some((dialog, claim)) = self.deck.withdrawn(ticket) {
            let (dialog, claim) = (Arc::clone(dialog), Arc::clone(claim));
            let outcome = Outcome::Withdrawn;
            return Ok(Some(CallerEnd { claim, dialog, outcome, is_withdrawn: true }));
        }
        Ok(self.claimed(ticket)?.and_then(|claimed| {
            let outcome = claimed.outcome()?;
            let (claim, dialog) = (Arc::new(claimed.claim), Arc::new(claimed.record.dialog));
            Some(CallerEnd { claim, dialog, outcome, is_withdrawn: claimed.withdrawn })
        }))
    }

    /// The ticket under which the question of this one is asked now: another one if its answer has
    /// lost its secret.
    pub(super) fn current_ticket(&self, mut ticket: String) -> String {
        while let Ok(Some(end)) = self.ending(&ticket)
            && !end.outcome.is_whole()
        {
            ticket = claim::ticket_after(&ticket);
        }
        ticket
    }

    /// The answer to the same question that was given since then, reached nobody, and is on its way
    /// to nobody.
    pub(super) fn undelivered(&self, asked: &Asked, since: Millis) -> Option<(Dialog, Outcome)> {
        let Record { dialog, outcome, .. } = self.writes.undelivered(&self.store, asked, since)?;
        Some((dialog, outcome?)).filter(|(dialog, _)| !self.is_in_flight(&dialog.id))
    }

    /// Warns the person as long as what they give is not stored. A damaged file is replaced by a new
    /// one.
    fn warn_if_not_stored(&mut self, stored: Result<(), StoreError>) {
        let notice = match stored {
            Ok(()) => return self.end_warning(),
            Err(StoreError::Damaged) => {
                let notice = self.store.begin_afresh();
                self.writes.save_all(&self.deck);
                self.retry_writes();
                notice
            }
            Err(error) => Some(StoreNotice::NotKept { why: error }),
        };
        if notice.is_some_and(|notice| self.warnings.add(notice)) {
            self.tell_warning();
        }
    }
}
