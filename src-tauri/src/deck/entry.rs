//! A dialog in the deck.

use std::time::{Duration, Instant};

use super::{Seat, Waiter};
use crate::{
    protocol::{Open, OpenState},
    session::{Saved, Session},
    store::Millis,
};

pub(super) struct Entry {
    pub(super) session: Session,
    pub(super) key: String,
    pub(super) asked_at: Millis,
    /// Those under which the same was asked while it was open.
    pub(super) further_tickets: Vec<String>,
    /// Who waits, and under which ticket.
    pub(super) waiters: Vec<(Waiter, String)>,
    /// The front ends that take part beside the window.
    pub(super) seats: Vec<Seat>,
    /// Somebody was waiting once, so that it can be said that they left.
    pub(super) awaited: bool,
    pub(super) shown: bool,
    pub(super) set_aside: bool,
    /// It was pending when the last app went, and nobody has asked for it since.
    pub(super) restored: bool,
    /// Its caller asks too much: it does not make the window appear.
    pub(super) unobtrusive: bool,
    /// Its caller is muted: it never comes by itself.
    pub(super) muted: bool,
    /// The draft as it was last kept.
    pub(super) saved: Saved,
}

impl Entry {
    pub(super) fn new(session: Session, key: String, asked_at: Millis) -> Self {
        Self {
            saved: session.save(),
            session,
            key,
            asked_at,
            further_tickets: Vec::new(),
            waiters: Vec::new(),
            seats: Vec::new(),
            awaited: false,
            shown: false,
            set_aside: false,
            restored: false,
            unobtrusive: false,
            muted: false,
        }
    }

    /// Its own.
    pub(super) fn ticket(&self) -> &str {
        &self.session.dialog().id
    }

    /// All under which it is found, its own first.
    pub(super) fn tickets(&self) -> impl Iterator<Item = &str> {
        [self.ticket()].into_iter().chain(self.further_tickets.iter().map(String::as_str))
    }

    /// Whether it may come when its turn has come. What is being answered in a terminal need not.
    pub(super) fn is_in_line(&self) -> bool {
        !self.set_aside && !self.muted && self.seats.is_empty()
    }

    /// Whether whoever waited for the answer is gone.
    pub(super) fn has_no_caller(&self) -> bool {
        self.awaited && self.waiters.is_empty()
    }

    /// Somebody asks again and sets a limit, or none. Nobody who waits already gets less time.
    pub(super) fn renew_time(&mut self, limit: Option<Duration>, now: Instant) {
        let is_longer = match (limit, self.session.time_left(now)) {
            (Some(limit), Some(left)) => limit > left,
            (limit, _) => limit.is_none(),
        };
        if is_longer || self.waiters.is_empty() {
            self.session.set_limit(limit, now);
        }
    }

    pub(super) fn open(&self) -> Open {
        let state = if self.set_aside {
            OpenState::SetAside
        } else if self.has_no_caller() {
            OpenState::CallerLeft
        } else if self.shown {
            OpenState::Shown
        } else {
            OpenState::Waiting
        };
        Open::new(self.session.dialog(), self.asked_at, state)
    }
}
