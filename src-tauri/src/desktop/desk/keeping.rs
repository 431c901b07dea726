//! What the desk keeps, and what it does as long as nothing can be kept.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{State, ended};
use crate::{
    deck::{Kept, Quiet, What},
    desktop::warnings::Warnings,
    dialog::Dialog,
    outcome::{Outcome, Through},
    protocol::{Ended, Reply},
    server::Replier,
    session::Saved,
    store::{self, Happening, Later, Millis, Notice, Pending, Store, StoreError},
};

#[cfg(test)]
mod tests;

/// How a dialog ended, with all that it takes to keep it.
pub(super) struct Ending {
    pub(super) dialog: Arc<Dialog>,
    pub(super) key: String,
    pub(super) asked_at: Millis,
    pub(super) further_tickets: Vec<String>,
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
        let Self { dialog, key, asked_at, further_tickets, draft, .. } = self;
        // If it has, only that it was delivered could not be kept then.
        if !has_ended(store, dialog)? {
            let open =
                Kept { dialog, key, asked_at: *asked_at, further_tickets, submitted: false, draft };
            save_whole(store, open)?;
            self.end(store)?;
        }
        self.delivered_at.map_or(Ok(()), |at| store.deliver(&dialog.id, at))
    }

    fn end(&self, store: &mut Store) -> Result<(), StoreError> {
        store.end(&self.dialog, &self.outcome, self.through, self.at)
    }

    fn has_ticket(&self, ticket: &str) -> bool {
        self.dialog.id == ticket || self.further_tickets.iter().any(|further| further == ticket)
    }
}

fn has_ended(store: &Store, dialog: &Dialog) -> Result<bool, StoreError> {
    Ok(store.find(&dialog.id)?.is_some_and(|record| record.outcome.is_some()))
}

/// Those that are there already stay.
fn add_tickets(store: &mut Store, dialog: &Dialog, further: &[String]) -> Result<(), StoreError> {
    further.iter().try_for_each(|further| store.add_ticket(&dialog.id, further))
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
    let Kept { dialog, key, asked_at, further_tickets, submitted, .. } = open;
    match store.save_draft(&dialog.id, draft) {
        // It was asked while nothing could be kept, or into a file that was set aside.
        Err(StoreError::NotThere) => {
            store.insert(dialog, key, asked_at)?;
            if submitted {
                store.note(&dialog.id, Happening::Submitted, asked_at)?;
            }
            add_tickets(store, dialog, further_tickets)?;
            store.save_draft(&dialog.id, draft)
        }
        saved => saved,
    }
}

/// The same with its last draft, and with tickets that could not be kept.
fn save_whole(store: &mut Store, open: Kept) -> Result<(), StoreError> {
    save(store, open, &serde_json::to_string(open.draft).unwrap_or_default())?;
    add_tickets(store, open.dialog, open.further_tickets)
}

impl State {
    /// Keeps a dialog that is about to be shown: where that fails, as soon as it can be.
    pub(super) fn keep_dialog(&mut self, dialog: &Dialog, key: &str, asked_at: Millis) {
        self.return_to_file();
        let kept = self.store.insert(dialog, key, asked_at);
        self.try_again_if_not_kept(&dialog.id, kept);
    }

    /// Keeps that an open dialog has a further ticket: where that fails, as soon as it can be.
    pub(super) fn keep_ticket(&mut self, ticket: &str, further: &str) {
        let kept = self.store.add_ticket(ticket, further);
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
    pub(super) fn return_to_file(&mut self) {
        if !self.store.return_to_file() {
            return;
        }
        // A file that was locked when the app started may hold dialogs that it could not read then.
        for pending in self.store.pending().unwrap_or_default() {
            if self.deck.key(&pending.dialog.id).is_none()
                && self.deck.pending(&pending.key).is_none()
            {
                self.deck.restore(pending, Instant::now());
            }
        }
        self.end_warning();
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
            self.return_to_file();
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

    /// Lets a dialog that has ended be found by a further ticket.
    pub(super) fn keep_ticket_of_ended(&mut self, ticket: &str, further: &str) {
        self.write(Later::Ticket { ticket: ticket.into(), further: further.into() });
    }

    pub(super) fn keep_note(&mut self, ticket: &str, what: Happening) {
        self.write(Later::Note { ticket: ticket.into(), what, at: store::now() });
    }

    /// Says no more that nothing is kept, if everything is.
    fn end_warning(&mut self) {
        let is_kept = self.is_all_kept() && self.store.file().is_some();
        if is_kept && self.warnings.end_not_kept() {
            self.draw_list();
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
    pub(super) fn keep_happening(&mut self, what: &What, dialog: &Dialog) {
        let happening = match what {
            What::Submitted => Happening::Submitted,
            What::AskedAgain => Happening::AskedAgain,
            What::Shown => Happening::Shown,
            What::SetAside => Happening::SetAside,
            What::CallerLeft => Happening::CallerLeft,
            What::Asked | What::Ended { .. } | What::Delivered { .. } => return,
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

    /// The key of the dialog of a ticket, open or not.
    pub(super) fn key(&self, ticket: &str) -> Option<String> {
        let unkept = self.unkept.iter().find(|unkept| unkept.has_ticket(ticket));
        let known = self.deck.key(ticket).or(unkept.map(|unkept| unkept.key.as_str()));
        let kept = || Some(self.store.find(ticket).ok()??.key);
        known.map(str::to_owned).or_else(kept)
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
        // That it was may not be kept yet.
        let is_delivered = self.is_delivered(&record.dialog.id);
        Some((record.dialog, record.outcome.filter(|_| !is_delivered)?))
    }

    /// Tells a caller how its dialog ended. Whether it arrived.
    pub(super) fn deliver(&mut self, replier: Replier, dialog: &Dialog, outcome: &Outcome) -> bool {
        self.hand_over(replier, dialog, ended(dialog, outcome.clone()))
    }

    /// Tells a caller how the same was answered before, to one that had left. Whether it arrived.
    pub(super) fn deliver_reused(
        &mut self,
        replier: Replier,
        dialog: &Dialog,
        outcome: &Outcome,
    ) -> bool {
        let ended = ended(dialog, outcome.clone());
        self.hand_over(replier, dialog, Ended { reused: true, ..ended })
    }

    fn hand_over(&mut self, replier: Replier, dialog: &Dialog, ended: Ended) -> bool {
        let at = store::now();
        let is_first = !self.is_delivered(&dialog.id);
        let first = is_first.then(|| What::Delivered { outcome: ended.outcome.clone() });
        // Noted before it is told. If the app ended in between, the caller would ask again by its
        // ticket, and get it; noted afterwards, the next who asks the same would be given an answer
        // that was not meant for them.
        let kept = self.note_delivered(&dialog.id, at);
        self.tell_if_not_kept(kept);
        let arrived = replier.reply(Reply::Ended(ended));
        if !arrived {
            let kept = self.note_undelivered(&dialog.id, at);
            self.tell_if_not_kept(kept);
        } else if let Some(delivered) = first {
            self.subscribers.tell(&delivered, dialog);
        }
        arrived
    }

    /// Whether the outcome has reached a caller.
    fn is_delivered(&self, ticket: &str) -> bool {
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.dialog.id == ticket) {
            return unkept.delivered_at.is_some();
        }
        if self.unnoted.iter().any(|(unnoted, _)| unnoted == ticket) {
            return true;
        }
        let record = self.store.find(ticket).ok().flatten();
        record.is_some_and(|record| record.delivered_at.is_some())
    }

    fn note_delivered(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        if let Some(unkept) = self.unkept.iter_mut().find(|unkept| unkept.dialog.id == ticket) {
            unkept.delivered_at.get_or_insert(at);
            return Ok(());
        }
        let noted = self.store.deliver(ticket, at);
        if noted.is_err() {
            self.unnoted.push((ticket.into(), at));
        }
        noted
    }

    fn note_undelivered(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        self.unnoted.retain(|unnoted| *unnoted != (ticket.to_owned(), at));
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
