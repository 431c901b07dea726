//! The dialogs in the deck, oldest first, found by ticket and by key however many there are.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::Entry;
use crate::{claim::Claim, key::QuestionKey};

#[derive(Default)]
pub(super) struct Entries {
    /// By the order in which they came.
    in_order: BTreeMap<u64, Entry>,
    by_ticket: HashMap<String, u64>,
    by_key: HashMap<QuestionKey, u64>,
    last: u64,
}

impl Entries {
    /// Adds one behind all others. No two have the same ticket or the same key.
    pub(super) fn push(&mut self, entry: Entry) {
        self.last += 1;
        for ticket in entry.tickets() {
            self.by_ticket.insert(ticket.to_owned(), self.last);
        }
        self.by_key.insert(entry.kept.key.clone(), self.last);
        self.in_order.insert(self.last, entry);
    }

    /// Lets one be found by the ticket of another caller. Whether that is new.
    pub(super) fn add_claim(&mut self, ticket: &str, claim: &Arc<Claim>) -> bool {
        let Some(place) = self.by_ticket.get(ticket).copied() else { return false };
        let Some(entry) = self.in_order.get_mut(&place) else { return false };
        if self.by_ticket.contains_key(&claim.ticket) {
            return false;
        }
        entry.kept.claims.open.push(Arc::clone(claim));
        self.by_ticket.insert(claim.ticket.clone(), place);
        true
    }

    pub(super) fn remove(&mut self, ticket: &str) -> Option<Entry> {
        let place = self.by_ticket.get(ticket)?;
        let entry = self.in_order.remove(place)?;
        for ticket in entry.tickets() {
            self.by_ticket.remove(ticket);
        }
        self.by_key.remove(&entry.kept.key);
        Some(entry)
    }

    pub(super) fn get(&self, ticket: &str) -> Option<&Entry> {
        self.in_order.get(self.by_ticket.get(ticket)?)
    }

    pub(super) fn get_mut(&mut self, ticket: &str) -> Option<&mut Entry> {
        self.in_order.get_mut(self.by_ticket.get(ticket)?)
    }

    pub(super) fn with_key(&self, key: &QuestionKey) -> Option<&Entry> {
        self.in_order.get(self.by_key.get(key)?)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.in_order.values()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.in_order.values_mut()
    }

    pub(super) fn len(&self) -> usize {
        self.in_order.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }
}
