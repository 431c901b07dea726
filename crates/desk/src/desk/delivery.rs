//! Outcomes on their way to callers.
//!
//! That bytes have left does not mean that anybody has read them: an outcome is delivered once its
//! caller has acknowledged it. Until then it is in flight. It is given to nobody else meanwhile, and
//! if its caller goes without having got it, to the next who asks the same.

use std::sync::Arc;

use askdeck_core::{
    claim::Claim,
    deck::DialogEvent,
    dialog::Dialog,
    outcome::Outcome,
    protocol::{Call, Ended, Reply},
    record::Millis,
};

use crate::{
    server::{Peer, Replier},
    store::{self, StoreError},
};

use super::{
    actor::{Actor, ended},
    keeping::End,
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
    /// Tells a caller how its dialog ended. Whether it could be sent.
    pub(super) fn deliver(
        &mut self,
        replier: Replier,
        claim: &Claim,
        dialog: &Dialog,
        outcome: &Outcome,
    ) -> bool {
        self.hand_over(replier, dialog, ended(claim, dialog, outcome.clone()))
    }

    /// The same to one who comes later. What ended for this caller alone is not the dialog's outcome.
    pub(super) fn deliver_end(&mut self, replier: Replier, end: &End) -> bool {
        let End { claim, dialog, outcome, is_withdrawn } = end;
        if *is_withdrawn {
            return replier.reply(Reply::Ended(ended(claim, dialog, outcome.clone())));
        }
        self.deliver(replier, claim, dialog, outcome)
    }

    /// Tells a caller how the same was answered before, to one that had left. Whether it could be
    /// sent.
    pub(super) fn deliver_reused(
        &mut self,
        replier: Replier,
        claim: &Claim,
        dialog: &Dialog,
        outcome: &Outcome,
    ) -> bool {
        let ended = ended(claim, dialog, outcome.clone());
        self.hand_over(replier, dialog, Ended { reused: true, ..ended })
    }

    fn hand_over(&mut self, replier: Replier, dialog: &Dialog, ended: Ended) -> bool {
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
        let own = self.own_ticket(ticket);
        self.arrive(|sent| {
            let is_meant = sent.ticket == ticket || own.as_ref() == Some(&sent.own_ticket);
            sent.connection == connection && is_meant
        })
    }

    /// A caller has read everything and goes on, so one that does not say what it has got has got it.
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
            let is_first = !self.is_delivered(own_ticket);
            let kept = self.note_delivered(own_ticket, store::now());
            self.tell_if_not_kept(kept);
            if is_first && let Some((dialog, answered)) = self.ended_dialog(own_ticket) {
                self.subscribers.tell(&DialogEvent::Delivered { answered }, &dialog);
            }
        }
        !arrived.is_empty()
    }

    pub(super) fn is_in_flight(&self, ticket: &str) -> bool {
        self.in_flight.iter().any(|sent| sent.own_ticket == ticket)
    }

    /// The first ticket of a dialog that has ended, by any that it has.
    fn own_ticket(&self, ticket: &str) -> Option<String> {
        self.ended_dialog(ticket).map(|(dialog, _)| dialog.id.clone())
    }

    /// A dialog that has ended, by any of its tickets, and whether the person answered it.
    fn ended_dialog(&self, ticket: &str) -> Option<(Arc<Dialog>, bool)> {
        let answered = |outcome: &Outcome| matches!(outcome, Outcome::Answered { .. });
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.has_ticket(ticket)) {
            return Some((Arc::clone(&unkept.dialog), answered(&unkept.outcome)));
        }
        let record = self.store.find(ticket).ok()??;
        let answered = answered(record.outcome.as_ref()?);
        Some((Arc::new(record.dialog), answered))
    }

    /// Whether a caller has acknowledged the outcome.
    pub(super) fn is_delivered(&self, ticket: &str) -> bool {
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.dialog.id == ticket) {
            return unkept.delivered_at.is_some();
        }
        if self.unnoted.iter().any(|(unnoted, _)| unnoted == ticket) {
            return true;
        }
        let record = self.store.find(ticket).ok().flatten();
        record.is_some_and(|record| record.delivered_at.is_some())
    }

    pub(super) fn note_delivered(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        if let Some(unkept) = self.unkept.iter_mut().find(|unkept| unkept.dialog.id == ticket) {
            unkept.delivered_at.get_or_insert(at);
            return Ok(());
        }
        match self.store.deliver(ticket, at) {
            // The person has deleted it meanwhile, or it went with a damaged file.
            Ok(()) | Err(StoreError::NotThere) => Ok(()),
            Err(error) => {
                self.unnoted.push((ticket.into(), at));
                Err(error)
            }
        }
    }
}
