//! What could not be stored yet, because the disk is full or another program has locked the file.

use std::collections::{BTreeSet, VecDeque};

use askdeck_core::{
    asking::Asked,
    claim::Claim,
    deck::{Deck, DialogEvent},
    outcome::{Outcome, Through},
    record::{Millis, OpenDialog, Record},
    session::Saved,
};

use crate::store::{self, Claimed, Store, StoreError};

/// The deck has the newest state of every open dialog, so of those only the tickets are here.
#[derive(Default)]
pub(super) struct PendingWrites {
    /// How dialogs ended, oldest first.
    endings: Vec<Ending>,
    /// The tickets of open dialogs of which the store lacks something.
    pub(super) dirty: BTreeSet<String>,
    /// Made in this order, and after all others: they are about dialogs that must be there.
    small: VecDeque<SmallWrite>,
}

/// How a dialog ended, with all that it takes to store it.
pub(super) struct Ending {
    pub(super) ended: OpenDialog,
    /// Without secrets.
    pub(super) outcome: Outcome,
    pub(super) through: Option<Through>,
    pub(super) at: Millis,
}

/// A write that is not about the state of an open dialog.
#[derive(Debug)]
pub(super) enum SmallWrite {
    /// Another caller has a claim to a dialog that has ended.
    Claim {
        ticket: String,
        claim: Claim,
    },
    Event {
        ticket: String,
        event: DialogEvent,
        at: Millis,
    },
    /// The outcome has reached a caller.
    Delivery {
        ticket: String,
        at: Millis,
    },
    Quiet {
        until: Millis,
    },
}

impl PendingWrites {
    pub(super) fn is_empty(&self) -> bool {
        self.endings.is_empty() && self.dirty.is_empty() && self.small.is_empty()
    }

    /// Tries again to store everything. Whether everything is stored then.
    pub(super) fn retry(&mut self, store: &mut Store, deck: &Deck) -> bool {
        self.endings.retain(|ending| ending.store(store, true).is_err());
        for ticket in deck.tickets() {
            if self.dirty.contains(ticket)
                && let Some(open) = deck.to_keep(ticket)
            {
                // Where one cannot be stored, the next cannot either.
                if store_whole(store, &open).is_err() {
                    return false;
                }
                self.dirty.remove(ticket);
            }
        }
        // The others have ended.
        self.dirty.clear();
        self.endings.is_empty() && self.make_small(store).is_ok()
    }

    /// All open dialogs are written again: the file may have lost any of them, or have older drafts.
    pub(super) fn save_all(&mut self, deck: &Deck) {
        self.dirty = deck.tickets().map(str::to_owned).collect();
    }

    pub(super) fn end(&mut self, store: &mut Store, ending: Ending) -> Result<(), StoreError> {
        let is_dirty = self.dirty.remove(&ending.ended.dialog.id);
        let stored = ending.store(store, is_dirty);
        if stored.is_err() {
            self.endings.push(ending);
        }
        stored
    }

    pub(super) fn write(&mut self, store: &mut Store, write: SmallWrite) -> Result<(), StoreError> {
        self.small.push_back(write);
        if self.endings.is_empty() && self.dirty.is_empty() {
            self.make_small(store)
        } else {
            Ok(())
        }
    }

    fn make_small(&mut self, store: &mut Store) -> Result<(), StoreError> {
        while let Some(write) = self.small.front() {
            match write.make(store) {
                // The person has deleted its dialog, or it went with a damaged file.
                Ok(()) | Err(StoreError::NotThere) => drop(self.small.pop_front()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The dialog of a ticket as the store has it once everything is written.
    pub(super) fn claimed(
        &self,
        store: &Store,
        ticket: &str,
    ) -> Result<Option<Claimed>, StoreError> {
        let late = self.small.iter().find_map(|write| match write {
            SmallWrite::Claim { ticket: own, claim } if claim.ticket == ticket => {
                Some((own, claim))
            }
            _ => None,
        });
        let own = late.map_or(ticket, |(own, _)| own);
        let ending = self.endings.iter().find_map(|ending| ending.claimed(own));
        let found = ending.map_or_else(|| store.claimed(own), |found| Ok(Some(found)))?;
        Ok(found.map(|Claimed { mut record, claim, withdrawn }| {
            record.delivered_at = record.delivered_at.or(self.delivered_at(&record.dialog.id));
            match late {
                Some((_, late)) => Claimed { record, claim: late.clone(), withdrawn: false },
                None => Claimed { record, claim, withdrawn },
            }
        }))
    }

    /// The answer to the same question that was given since then and reached nobody.
    pub(super) fn undelivered(
        &self,
        store: &Store,
        Asked { key, dialog, .. }: &Asked,
        since: Millis,
    ) -> Option<Record> {
        let is_meant = |ending: &&Ending| {
            let OpenDialog { key: same, dialog: ended, .. } = &ending.ended;
            let is_same = same == key && ended.asks_the_same(dialog);
            is_same && ending.at >= since && self.is_undelivered(ending)
        };
        let record = match self.endings.iter().rev().find(is_meant) {
            Some(ending) => Some(ending.record()).filter(|_| ending.outcome.is_whole()),
            None => store.undelivered(key.as_str(), dialog, since).ok()?,
        };
        record.filter(|record| self.delivered_at(&record.dialog.id).is_none())
    }

    /// Whether there is an answer that is not stored and has reached nobody.
    pub(super) fn has_answer(&self) -> bool {
        self.endings.iter().any(|ending| self.is_undelivered(ending))
    }

    fn is_undelivered(&self, ending: &Ending) -> bool {
        let is_answer = matches!(ending.outcome, Outcome::Answered { .. });
        is_answer && self.delivered_at(&ending.ended.dialog.id).is_none()
    }

    fn delivered_at(&self, own: &str) -> Option<Millis> {
        self.small.iter().find_map(|write| match write {
            SmallWrite::Delivery { ticket, at } if ticket == own => Some(*at),
            _ => None,
        })
    }
}

impl SmallWrite {
    fn make(&self, store: &mut Store) -> Result<(), StoreError> {
        match self {
            Self::Claim { ticket, claim } => store.add_claim(ticket, claim),
            Self::Event { ticket, event, at } => store.note(ticket, event, *at),
            Self::Delivery { ticket, at } => store.deliver(ticket, *at),
            Self::Quiet { until } => store.set_quiet_until(*until),
        }
    }
}

impl Ending {
    /// If the dialog is dirty, or not there at all, with everything that was given before.
    fn store(&self, store: &mut Store, is_dirty: bool) -> Result<(), StoreError> {
        let Self { ended, outcome, through, at } = self;
        let end = |store: &mut Store| store.end(&ended.dialog, outcome, *through, *at);
        if !is_dirty {
            match end(store) {
                Err(StoreError::NotThere) => {}
                stored => return stored,
            }
        }
        let stored = store.find(&ended.dialog.id)?;
        // A write may have been made though it was reported to have failed.
        if stored.is_some_and(|record| record.outcome.is_some()) {
            return Ok(());
        }
        store_whole(store, ended)?;
        end(store)
    }

    /// As the store would have it, for the caller of this ticket.
    fn claimed(&self, ticket: &str) -> Option<Claimed> {
        let claims = &self.ended.claims;
        let claim = claims.find(ticket)?.as_ref().clone();
        let withdrawn = claims.is_withdrawn(ticket);
        Some(Claimed { record: self.record(), claim, withdrawn })
    }

    fn record(&self) -> Record {
        let OpenDialog { dialog, key, asked_at, draft, .. } = &self.ended;
        Record {
            dialog: dialog.as_ref().clone(),
            key: key.as_str().into(),
            draft: Some(json(draft)),
            asked_at: *asked_at,
            shown_at: None,
            ended_at: Some(self.at),
            outcome: Some(self.outcome.clone()),
            through: self.through,
            delivered_at: None,
            reused: false,
        }
    }
}

/// Stores all of an open dialog, whatever of it is there already.
fn store_whole(store: &mut Store, open: &OpenDialog) -> Result<(), StoreError> {
    let OpenDialog { dialog, key, asked_at, claims, submitted, draft, .. } = open;
    let draft = json(draft);
    match store.save_draft(&dialog.id, &draft) {
        Err(StoreError::NotThere) => {
            store.insert(dialog, key.as_str(), *asked_at)?;
            if *submitted {
                store.note(&dialog.id, &DialogEvent::Submitted, *asked_at)?;
            }
            store.save_draft(&dialog.id, &draft)?;
        }
        saved => saved?,
    }
    claims.all().try_for_each(|claim| store.add_claim(&dialog.id, claim))?;
    let mut withdrawn = claims.withdrawn.iter();
    withdrawn.try_for_each(|claim| store.withdraw_claim(&dialog.id, claim, store::now()))
}

pub(super) fn json(draft: &Saved) -> String {
    serde_json::to_string(draft).unwrap_or_default()
}
