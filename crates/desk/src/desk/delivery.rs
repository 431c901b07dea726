//! Outcomes on their way to callers.
//!
//! Sent bytes may never be read, so an outcome is delivered once its caller has acknowledged it. Until
//! then it is in flight, and given to nobody else. If its caller disconnects without having read it, it
//! goes to the next caller that asks the same.

use askdeck_core::{
    deck::DialogEvent,
    dialog::Dialog,
    outcome::Outcome,
    protocol::{Call, Ended, Reply},
};

use crate::{
    server::{Peer, Replier},
    store::{self, Claimed},
};

use super::{
    actor::{Actor, ended},
    pending_writes::SmallWrite,
    storage::CallerEnd,
};

/// An outcome that was sent, and not acknowledged.
pub(super) struct InFlight {
    connection: u64,
    /// The caller says itself when it has got it.
    is_acknowledged: bool,
    /// As the caller was told it.
    ticket: String,
    /// The dialog's own.
    own_ticket: String,
}

impl Actor {
    /// Tells how a dialog ended to a caller that asks later. If it has withdrawn, that is not the dialog's outcome.
    pub(super) fn deliver_end(&mut self, replier: Replier, end: &CallerEnd) -> bool {
        let CallerEnd { claim, dialog, outcome, is_withdrawn } = end;
        let ended = ended(claim, dialog, outcome.clone());
        if *is_withdrawn {
            replier.reply(Reply::Ended(ended))
        } else {
            self.deliver(replier, dialog, ended)
        }
    }

    /// Tells a caller how the dialog ended. Whether it could be sent.
    pub(super) fn deliver(&mut self, replier: Replier, dialog: &Dialog, ended: Ended) -> bool {
        let Replier { connection, is_acknowledged, .. } = replier;
        let (ticket, own_ticket) = (ended.ticket.clone(), dialog.id.clone());
        let is_sent = replier.reply(Reply::Ended(ended));
        if is_sent {
            let is_same =
                |sent: &InFlight| sent.connection == connection && sent.own_ticket == own_ticket;
            self.in_flight.retain(|sent| !is_same(sent));
            let sent = InFlight { connection, is_acknowledged, ticket, own_ticket };
            self.in_flight.push(sent);
        }
        is_sent
    }

    /// What a call says about what was sent before it. Whether it acknowledges something.
    pub(super) fn hear(&mut self, peer: &Peer, call: &Call) -> bool {
        let received = match call {
            Call::Received { ticket } => self.received(peer.connection, ticket),
            _ => false,
        };
        // One that sends several calls at once may not have read the reply to the first.
        if peer.has_read_all() {
            self.heard_from(peer.connection);
        }
        received
    }

    /// A caller says that it has got the outcome of this ticket. Whether it was sent one.
    fn received(&mut self, connection: u64, ticket: &str) -> bool {
        let claimed = self.claimed(ticket).ok().flatten();
        let own = claimed.map(|claimed| claimed.record.dialog.id);
        self.arrive(|sent| {
            let is_meant = sent.ticket == ticket || own.as_ref() == Some(&sent.own_ticket);
            sent.connection == connection && is_meant
        })
    }

    /// A caller has read everything and goes on. If it sends no acknowledgements, this is one.
    fn heard_from(&mut self, connection: u64) {
        self.arrive(|sent| sent.connection == connection && !sent.is_acknowledged);
    }

    /// A caller is gone. What it did not get is not delivered.
    pub(super) fn lost(&mut self, connection: u64, has_read_all: bool) {
        if has_read_all {
            self.heard_from(connection);
        }
        self.in_flight.retain(|sent| sent.connection != connection);
    }

    /// These have arrived. Whether there are any.
    fn arrive(&mut self, which: impl Fn(&InFlight) -> bool) -> bool {
        let arrived: Vec<_> = self.in_flight.extract_if(.., |sent| which(sent)).collect();
        for InFlight { own_ticket, .. } in &arrived {
            let before = self.claimed(own_ticket).ok().flatten();
            self.write(SmallWrite::Delivery { ticket: own_ticket.clone(), at: store::now() });
            if let Some(Claimed { record, .. }) = before
                && record.delivered_at.is_none()
                && let Some(outcome) = record.outcome
            {
                let answered = matches!(outcome, Outcome::Answered { .. });
                self.subscribers.tell(&DialogEvent::Delivered { answered }, &record.dialog);
            }
        }
        !arrived.is_empty()
    }

    pub(super) fn is_in_flight(&self, ticket: &str) -> bool {
        self.in_flight.iter().any(|sent| sent.own_ticket == ticket)
    }
}
