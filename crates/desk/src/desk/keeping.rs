//! What the desk keeps, and what it does as long as nothing can be kept.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use askdeck_core::{
    asking::Asked,
    claim::{self, Claim, Claims},
    deck::{DialogEvent, Effect, OpenDialog, Quiet},
    dialog::Dialog,
    key::QuestionKey,
    outcome::{Outcome, Through},
    record::{Millis, Pending},
    session::Saved,
};

use crate::store::{self, Claimed, Happening, Later, Notice, Store, StoreError};

use super::{actor::Actor, warnings::Warnings};

#[cfg(test)]
mod tests;

/// How a dialog ended, with all that it takes to keep it.
pub(super) struct Ending {
    pub(super) dialog: Arc<Dialog>,
    pub(super) key: QuestionKey,
    pub(super) asked_at: Millis,
    pub(super) claims: Claims,
    pub(super) draft: Saved,
    /// Without secrets.
    pub(super) outcome: Outcome,
    pub(super) through: Option<Through>,
    pub(super) at: Millis,
    pub(super) delivered_at: Option<Millis>,
}

impl Ending {
    fn keep(&self, store: &mut Store) -> Result<(), StoreError> {
        match self.end(store) {
            // It was asked while nothing could be kept, or into a file that was set aside.
            Err(StoreError::NotThere) => self.keep_whole(store),
            kept => kept,
        }
    }

    /// Keeps all of a dialog of which something could not be kept.
    fn keep_whole(&self, store: &mut Store) -> Result<(), StoreError> {
        let Self { dialog, key, asked_at, claims, draft, .. } = self;
        // If it has, only that it was delivered could not be kept then.
        if !has_ended(store, dialog)? {
            let open =
                OpenDialog { dialog, key, asked_at: *asked_at, claims, submitted: false, draft };
            save_whole(store, open)?;
            self.end(store)?;
        }
        add_claims(store, dialog, claims)?;
        self.delivered_at.map_or(Ok(()), |at| store.deliver(&dialog.id, at))
    }

    fn end(&self, store: &mut Store) -> Result<(), StoreError> {
        store.end(&self.dialog, &self.outcome, self.through, self.at)
    }

    pub(super) fn has_ticket(&self, ticket: &str) -> bool {
        self.claims.find(ticket).is_some()
    }
}

/// How a dialog ended for one caller.
pub(super) struct End {
    pub(super) claim: Arc<Claim>,
    pub(super) dialog: Arc<Dialog>,
    pub(super) outcome: Outcome,
    /// For this caller alone: it has taken the question back.
    pub(super) is_withdrawn: bool,
}

fn has_ended(store: &Store, dialog: &Dialog) -> Result<bool, StoreError> {
    Ok(store.find(&dialog.id)?.is_some_and(|record| record.outcome.is_some()))
}

/// Those that are there already stay.
fn add_claims(store: &mut Store, dialog: &Dialog, claims: &Claims) -> Result<(), StoreError> {
    claims.all().try_for_each(|claim| store.add_claim(&dialog.id, claim))?;
    let mut withdrawn = claims.withdrawn.iter();
    withdrawn.try_for_each(|claim| store.withdraw_claim(&dialog.id, claim, store::now()))
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
fn save(store: &mut Store, open: OpenDialog, draft: &str) -> Result<(), StoreError> {
    let OpenDialog { dialog, key, asked_at, claims, submitted, .. } = open;
    match store.save_draft(&dialog.id, draft) {
        // It was asked while nothing could be kept, or into a file that was set aside.
        Err(StoreError::NotThere) => {
            store.insert(dialog, key.as_str(), asked_at)?;
            if submitted {
                store.note(&dialog.id, Happening::Submitted, asked_at)?;
            }
            add_claims(store, dialog, claims)?;
            store.save_draft(&dialog.id, draft)
        }
        saved => saved,
    }
}

/// The same with its last draft, and with tickets that could not be kept.
fn save_whole(store: &mut Store, open: OpenDialog) -> Result<(), StoreError> {
    save(store, open, &serde_json::to_string(open.draft).unwrap_or_default())?;
    add_claims(store, open.dialog, open.claims)
}

impl Actor {
    /// Keeps a dialog that is about to be shown: where that fails, as soon as it can be.
    pub(super) fn keep_dialog(&mut self, dialog: &Dialog, key: &QuestionKey, asked_at: Millis) {
        let kept = self.store.insert(dialog, key.as_str(), asked_at);
        self.try_again_if_not_kept(&dialog.id, kept);
    }

    /// Keeps that another caller has a claim to an open dialog: where that fails, as soon as it can
    /// be.
    pub(super) fn keep_claim(&mut self, ticket: &str, claim: &Claim) {
        let kept = self.store.add_claim(ticket, claim);
        self.try_again_if_not_kept(ticket, kept);
    }

    /// Keeps that another caller has a claim to a dialog that has ended.
    pub(super) fn keep_late_claim(&mut self, ticket: &str, claim: &Claim) {
        if let Some(unkept) = self.unkept.iter_mut().find(|unkept| unkept.dialog.id == ticket) {
            unkept.claims.open.push(Arc::new(claim.clone()));
            return;
        }
        self.write(Later::Claim { ticket: ticket.into(), claim: claim.clone() });
    }

    /// Keeps that a caller has taken an open dialog back, likewise.
    pub(super) fn keep_withdrawal(&mut self, ticket: &str, claim: &Claim) {
        let kept = self.store.withdraw_claim(ticket, claim, store::now());
        self.try_again_if_not_kept(ticket, kept);
    }

    fn try_again_if_not_kept(&mut self, ticket: &str, kept: Result<(), StoreError>) {
        if kept.is_err() && !self.unsaved.iter().any(|unsaved| unsaved == ticket) {
            self.unsaved.push(ticket.into());
        }
        self.tell_if_not_kept(kept);
    }

    /// Keeps how a dialog ended: where that fails in memory, until it succeeds.
    pub(super) fn keep_end(&mut self, ending: Ending) {
        let kept = if self.unsaved.contains(&ending.dialog.id) {
            ending.keep_whole(&mut self.store)
        } else {
            ending.keep(&mut self.store)
        };
        if kept.is_err() {
            self.unkept.push(ending);
        }
        self.tell_if_not_kept(kept);
        self.keep_unkept();
    }

    /// Keeps everything again as soon as there is room for it.
    #[must_use]
    pub(super) fn return_to_file(&mut self) -> Vec<Effect> {
        let Some(found) = self.store.return_to_file() else { return Vec::new() };
        let mut effects = Vec::new();
        // A file that was locked when the app started may hold dialogs that it could not read then.
        for pending in found {
            let now = Instant::now();
            let ticket = &pending.dialog.id;
            if let Some((_, dialog)) = self.deck.find(ticket) {
                // Its caller has come back, and has a claim to one that was asked since.
                if dialog.id != *ticket {
                    let gone = Outcome::Withdrawn;
                    let kept = self.store.end(&pending.dialog, &gone, None, store::now());
                    self.tell_if_not_kept(kept);
                }
                effects.extend(self.deck.unite(&pending, now));
            } else {
                self.quota.restore(&pending.dialog, &QuestionKey::kept(pending.key.clone()));
                self.deck.restore(pending, now);
            }
        }
        self.end_warning();
        self.draw_list();
        effects
    }

    /// Tries once more to keep what could not be kept.
    pub(super) fn keep_unkept(&mut self) {
        if self.is_all_kept() {
            return;
        }
        let Self { deck, store, unkept, unsaved, unnoted, later, .. } = self;
        unkept.retain(|ending| ending.keep_whole(store).is_err());
        // One that went with a damaged file is nobody's any more.
        unnoted.retain(|(ticket, at)| {
            !matches!(store.deliver(ticket, *at), Ok(()) | Err(StoreError::NotThere))
        });
        while let Some(ticket) = unsaved.last() {
            let open = deck.entries().find(|kept| kept.dialog.id == *ticket);
            // Where one cannot be kept, the next cannot either.
            if open.is_some_and(|open| save_whole(store, open).is_err()) {
                return;
            }
            unsaved.pop();
        }
        // They are about dialogs that must be there first.
        if unkept.is_empty() && Later::write_all(store, later).is_ok() {
            self.end_warning();
        }
    }

    pub(super) fn is_all_kept(&self) -> bool {
        self.unkept.is_empty()
            && self.unsaved.is_empty()
            && self.unnoted.is_empty()
            && self.later.is_empty()
    }

    /// The app ends: what could not be kept has a last chance.
    pub(super) fn keep_at_last(&mut self) {
        if self.store.awaits_file() || !self.is_all_kept() {
            self.store.wait_for_lock();
            for effect in self.return_to_file() {
                // Nobody sees anything else any more.
                if let Effect::SaveDraft { ticket, draft } = effect {
                    self.keep_draft(&ticket, &serde_json::to_string(&draft).unwrap_or_default());
                }
            }
            self.keep_unkept();
        }
    }

    /// Makes a small write, or makes it as soon as it can be made.
    fn write(&mut self, write: Later) {
        if self.unkept.is_empty() && self.unsaved.is_empty() {
            let written = write.write(&mut self.store, &mut self.later);
            self.tell_if_not_kept(written);
        } else {
            self.later.push(write);
        }
    }

    pub(super) fn keep_note(&mut self, ticket: &str, what: Happening) {
        self.write(Later::Note { ticket: ticket.into(), what, at: store::now() });
    }

    /// Says no more that nothing is kept, if everything is.
    fn end_warning(&mut self) {
        let is_kept = self.is_all_kept() && self.store.file().is_some();
        if is_kept && self.warnings.end_not_kept() {
            self.tell_warning();
        }
    }

    /// Whether the app has to stay for what would be gone with it: an answer that is not kept and
    /// reached nobody, or all that waits for a lock, which will be gone some time.
    pub(super) fn holds_something(&self) -> bool {
        let is_answer = |unkept: &Ending| {
            let answered = matches!(unkept.outcome, Outcome::Answered { .. });
            answered && unkept.delivered_at.is_none()
        };
        let waits = self.store.awaits_file() || !self.is_all_kept();
        self.unkept.iter().any(is_answer) || waits && self.warnings.is_locked()
    }

    /// The draft of an open dialog, even if it was asked while nothing could be kept.
    pub(super) fn keep_draft(&mut self, ticket: &str, draft: &str) {
        let open = self.deck.entries().find(|kept| kept.dialog.id == ticket);
        let kept = match open {
            Some(open) => save(&mut self.store, open, draft),
            // It has ended with this.
            None => self.store.save_draft(ticket, draft),
        };
        self.try_again_if_not_kept(ticket, kept);
    }

    /// What the store does not know by itself.
    pub(super) fn keep_happening(&mut self, what: &DialogEvent, dialog: &Dialog) {
        let happening = match what {
            DialogEvent::Submitted => Happening::Submitted,
            DialogEvent::AskedAgain => Happening::AskedAgain,
            DialogEvent::Shown => Happening::Shown,
            DialogEvent::SetAside => Happening::SetAside,
            DialogEvent::CallerLeft => Happening::CallerLeft,
            DialogEvent::Asked | DialogEvent::Ended { .. } | DialogEvent::Delivered { .. } => {
                return;
            }
        };
        // What is not kept at all is kept with this.
        if happening != Happening::Submitted || !self.unsaved.contains(&dialog.id) {
            self.keep_note(&dialog.id, happening);
        }
    }

    /// That the person does not want to be disturbed, for the next app.
    pub(super) fn keep_quiet(&mut self, quiet: Quiet) {
        let until = quiet.time().map_or(Millis::MAX, |time| store::now() + millis(time));
        self.write(Later::Quiet { until });
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

    /// The key and the dialog of a ticket, open or not.
    pub(super) fn find(&self, ticket: &str) -> Option<(QuestionKey, Arc<Dialog>)> {
        let unkept = || {
            let unkept = self.unkept.iter().find(|unkept| unkept.has_ticket(ticket))?;
            Some((&unkept.key, &unkept.dialog))
        };
        if let Some((key, dialog)) = self.deck.find(ticket).or_else(unkept) {
            return Some((key.clone(), Arc::clone(dialog)));
        }
        let own = self.late_claim(ticket).map_or(ticket, |(own, _)| own);
        let record = self.store.find(own).ok()??;
        Some((QuestionKey::kept(record.key), Arc::new(record.dialog)))
    }

    /// How the dialog of a ticket ended for the caller who has it, if it has.
    pub(super) fn ending(&self, ticket: &str) -> Result<Option<End>, StoreError> {
        if let Some((dialog, claim)) = self.deck.withdrawn(ticket) {
            let (dialog, claim) = (Arc::clone(dialog), Arc::clone(claim));
            return Ok(Some(End {
                claim,
                dialog,
                outcome: Outcome::Withdrawn,
                is_withdrawn: true,
            }));
        }
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.has_ticket(ticket)) {
            let claim = unkept.claims.find(ticket).cloned();
            let is_withdrawn = unkept.claims.is_withdrawn(ticket);
            let outcome = if is_withdrawn { Outcome::Withdrawn } else { unkept.outcome.clone() };
            let dialog = Arc::clone(&unkept.dialog);
            return Ok(claim.map(|claim| End { claim, dialog, outcome, is_withdrawn }));
        }
        let claimed = match self.late_claim(ticket) {
            None => self.store.claimed(ticket)?,
            Some((own, claim)) => {
                let late = |record| Claimed { record, claim: claim.clone(), withdrawn: false };
                self.store.find(own)?.map(late)
            }
        };
        Ok(claimed.and_then(|claimed| {
            let outcome = claimed.outcome()?;
            let (claim, dialog) = (Arc::new(claimed.claim), Arc::new(claimed.record.dialog));
            Some(End { claim, dialog, outcome, is_withdrawn: claimed.withdrawn })
        }))
    }

    /// The claim of this ticket to a dialog that had ended, and that dialog's own ticket, as long as it
    /// waits to be kept.
    fn late_claim(&self, ticket: &str) -> Option<(&str, &Claim)> {
        self.later.iter().find_map(|write| match write {
            Later::Claim { ticket: own, claim } if claim.ticket == ticket => {
                Some((own.as_str(), claim))
            }
            _ => None,
        })
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
        let Asked { key, dialog, .. } = asked;
        let unkept = self.unkept.iter().rev().find(|unkept| {
            let answered = matches!(unkept.outcome, Outcome::Answered { .. });
            let same = unkept.key == *key && unkept.dialog.asks_the_same(dialog);
            answered && same && unkept.at >= since && unkept.delivered_at.is_none()
        });
        if let Some(unkept) = unkept {
            let outcome = Some(unkept.outcome.clone()).filter(Outcome::is_whole)?;
            let dialog = Some(unkept.dialog.as_ref()).filter(|it| !self.is_in_flight(&it.id))?;
            return Some((dialog.clone(), outcome));
        }
        let record = self.store.undelivered(key.as_str(), dialog, since).ok()??;
        // That it was may not be kept yet.
        let ticket = &record.dialog.id;
        let is_free = !self.is_delivered(ticket) && !self.is_in_flight(ticket);
        Some((record.dialog, record.outcome.filter(|_| is_free)?))
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
            self.tell_warning();
        }
    }
}
