//! A dialog in the deck.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    claim::Claim,
    protocol::{Open, OpenState},
    record::OpenDialog,
    session::Session,
};

use super::{FrontEndId, Waiter};

pub(super) struct Entry {
    pub(super) session: Session,
    /// As it was last kept. The session has the dialog as it is now.
    pub(super) kept: OpenDialog,
    /// The callers that wait, with the claim by which each is replied to.
    pub(super) waiters: Vec<(Waiter, Arc<Claim>)>,
    /// The front ends that take part beside the window.
    pub(super) front_ends: Vec<FrontEndId>,
    /// The tickets under which somebody waited once, so that it can be said that they left.
    pub(super) awaited: Vec<String>,
    pub(super) shown: bool,
    /// It was pending when the last app went, and nobody has asked for it since.
    pub(super) restored: bool,
    /// Its caller asks too much: it does not make the window appear.
    pub(super) unobtrusive: bool,
    /// Its caller is muted: it never comes by itself.
    pub(super) muted: bool,
}

impl Entry {
    pub(super) fn new(session: Session, kept: OpenDialog) -> Self {
        Self {
            kept: OpenDialog { draft: session.save(), ..kept },
            session,
            waiters: Vec::new(),
            front_ends: Vec::new(),
            awaited: Vec::new(),
            shown: false,
            restored: false,
            unobtrusive: false,
            muted: false,
        }
    }

    /// Its own.
    pub(super) fn ticket(&self) -> &str {
        &self.session.dialog().id
    }

    /// All that is to be kept of it.
    pub(super) fn to_keep(&self) -> OpenDialog {
        let dialog = Arc::clone(self.session.dialog());
        OpenDialog { dialog, submitted: !self.is_awaited(), ..self.kept.clone() }
    }

    /// All under which it is found.
    pub(super) fn tickets(&self) -> impl Iterator<Item = &str> {
        self.kept.claims.all().map(|claim| claim.ticket.as_str())
    }

    /// Somebody waits for it.
    pub(super) fn enlist(&mut self, waiter: Waiter, claim: Arc<Claim>) {
        if !self.awaited.contains(&claim.ticket) {
            self.awaited.push(claim.ticket.clone());
        }
        self.waiters.push((waiter, claim));
    }

    /// Whether anybody who has a claim to it has waited for it.
    pub(super) fn is_awaited(&self) -> bool {
        self.awaited.iter().any(|ticket| self.kept.claims.is_open(ticket))
    }

    /// Whether it may come when its turn has come. What is being answered in a terminal need not.
    pub(super) fn is_in_line(&self) -> bool {
        !self.kept.set_aside && !self.muted && self.front_ends.is_empty()
    }

    /// Whether the last waiter disconnected.
    pub(super) fn has_no_caller(&self) -> bool {
        self.waiters.is_empty() && self.is_awaited()
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
        let state = if self.kept.set_aside {
            OpenState::SetAside
        } else if self.has_no_caller() {
            OpenState::CallerLeft
        } else if self.shown {
            OpenState::Shown
        } else {
            OpenState::Waiting
        };
        let open = Open::new(self.session.dialog(), self.kept.asked_at, state);
        Open { muted: self.muted, ..open }
    }
}
