//! Front ends other than the window that take part in a dialog: the terminals of the person.
//!
//! One dialog has one draft, wherever it is typed, and the first front end that ends it has ended
//! it for all.

use std::{sync::Arc, time::Instant};

use super::{Deck, DialogEvent, Effect, Entry};
use crate::{
    outcome::Through,
    protocol::{Joined, News},
    session::{CheckedOutcome, Event, Update},
};

/// A front end that takes part.
pub type FrontEndId = u64;

impl Deck {
    /// A front end takes part from now on, if the dialog is open.
    pub fn join(
        &mut self,
        ticket: &str,
        front_end: FrontEndId,
        now: Instant,
    ) -> Option<(Joined, Vec<Effect>)> {
        let sets_aside = self.resident;
        let entry = self.entries.get_mut(ticket)?;
        if !entry.front_ends.contains(&front_end) {
            entry.front_ends.push(front_end);
        }
        // What was set aside is seen anew.
        entry.shown &= !std::mem::take(&mut entry.kept.set_aside);
        let joined = Joined {
            ticket: entry.ticket().into(),
            dialog: entry.session.dialog().as_ref().clone(),
            draft: entry.session.save(),
            spent_ms: u64::try_from(entry.session.spent(now).as_millis()).unwrap_or(u64::MAX),
            sets_aside,
            caller_left: entry.has_no_caller(),
            warning: None,
        };
        Some((joined, self.shown(ticket)))
    }

    /// Takes over what was changed at a front end; also a sign that the person is there.
    pub fn take_draft(
        &mut self,
        ticket: &str,
        front_end: FrontEndId,
        draft: &Update,
        now: Instant,
    ) -> Vec<Effect> {
        let Some(entry) = self.entries.get_mut(ticket) else { return Vec::new() };
        entry.session.adopt(draft);
        let ticket = entry.ticket().to_owned();
        let mut effects = self.tell(&ticket, Event::Stirred, now);
        // Where it was typed it is known.
        effects.retain(
            |effect| !matches!(effect, Effect::Tell { front_end: to, .. } if *to == front_end),
        );
        effects
    }

    /// A dialog was ended at another front end. Nothing follows if it has ended already.
    pub fn end_at(
        &mut self,
        outcome: CheckedOutcome,
        through: Through,
        now: Instant,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        let ticket = outcome.ticket().to_owned();
        let Some(entry) = self.entries.get_mut(&ticket) else { return effects };
        entry.session.end_elsewhere(outcome);
        let view = entry.session.view(now);
        self.end(&ticket, view.clone(), through, now, &mut effects);
        if self.is_on_stage(&ticket) {
            effects.push(Effect::View { ticket, view: Box::new(view) });
        }
        effects
    }

    /// The person set the dialog aside at a front end, which takes part no longer. Nothing follows
    /// if it did not take part.
    pub fn leave(&mut self, ticket: &str, front_end: FrontEndId) -> Vec<Effect> {
        let Some(own) = self.own_ticket(ticket) else { return Vec::new() };
        let on_stage = self.is_on_stage(&own);
        let Some(entry) = self.entries.get_mut(&own) else { return Vec::new() };
        if !entry.remove_front_end(front_end) {
            return Vec::new();
        }
        let mut effects = vec![Effect::List];
        if !self.resident {
            self.bring_unseen(&mut effects);
        } else if !on_stage && entry.front_ends.is_empty() {
            entry.kept.set_aside = true;
            let dialog = Arc::clone(entry.session.dialog());
            effects.push(Effect::Happened { event: DialogEvent::SetAside, dialog });
        }
        effects
    }

    /// A front end is gone without a word.
    pub fn forget_front_end(&mut self, front_end: FrontEndId) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut took_part = false;
        for entry in self.entries.iter_mut() {
            took_part |= entry.remove_front_end(front_end);
        }
        if took_part {
            self.bring_unseen(&mut effects);
        }
        effects
    }

    /// A front end takes part in this dialog no longer.
    pub fn remove_front_end(&mut self, ticket: &str, front_end: FrontEndId) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.entries.get_mut(ticket).is_some_and(|entry| entry.remove_front_end(front_end)) {
            self.bring_unseen(&mut effects);
        }
        effects
    }

    /// Somebody waits for what nobody shows any more.
    fn bring_unseen(&mut self, effects: &mut Vec<Effect>) {
        let unseen = |entry: &Entry| entry.is_in_line() && !entry.waiters.is_empty();
        if self.is_stage_empty() && self.entries.iter().any(unseen) {
            self.bring_next(effects);
        }
    }

    pub fn takes_part(&self, ticket: &str, front_end: FrontEndId) -> bool {
        self.entries.get(ticket).is_some_and(|entry| entry.front_ends.contains(&front_end))
    }
}

impl Entry {
    /// Whether the front end took part until now.
    fn remove_front_end(&mut self, front_end: FrontEndId) -> bool {
        let front_ends = self.front_ends.len();
        self.front_ends.retain(|other| *other != front_end);
        self.front_ends.len() < front_ends
    }

    /// Somebody waits for the answer again, and may have set another limit.
    pub(super) fn tell_of_return(&self, effects: &mut Vec<Effect>, now: Instant) {
        let left = self.session.time_left(now).map(|left| left.as_millis());
        let left_ms = left.map(|left| left.try_into().unwrap_or(u64::MAX));
        self.tell_front_ends(effects, &News::CallerBack { ticket: self.ticket().into(), left_ms });
    }

    /// Tells every front end that takes part.
    pub(super) fn tell_front_ends(&self, effects: &mut Vec<Effect>, news: &News) {
        effects.extend(
            self.front_ends
                .iter()
                .map(|front_end| Effect::Tell { front_end: *front_end, news: news.clone() }),
        );
    }
}
