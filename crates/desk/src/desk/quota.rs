//! Limits how many questions a caller may have open, and how large they may be.

use std::collections::HashMap;

use askdeck_core::{
    asking::Asked, dialog::Dialog, key::QuestionKey, origin::Origin, protocol::Error,
};

use crate::{
    limits,
    server::{Peer, Replier},
};

use super::actor::Actor;

#[derive(Default)]
pub(super) struct Quota {
    /// By each ticket under which something open was asked.
    shares: HashMap<String, Share>,
    /// By the way they came, of one origin or of all.
    loads: HashMap<(bool, Option<Origin>), Load>,
}

/// What was asked under one ticket.
#[derive(Clone, Copy)]
struct Share {
    is_remote: bool,
    origin: Origin,
    bytes: usize,
}

#[derive(Clone, Copy, Default)]
struct Load {
    count: usize,
    bytes: usize,
}

impl Share {
    fn loads(self) -> [(bool, Option<Origin>); 2] {
        [(self.is_remote, Some(self.origin)), (self.is_remote, None)]
    }
}

impl Quota {
    /// Counts what is asked under this ticket, or tells why it would be too much.
    fn add(&mut self, ticket: &str, share: Share) -> Result<(), String> {
        // The same ticket again needs no more room.
        if self.shares.contains_key(ticket) {
            return Ok(());
        }
        let [one, all] =
            share.loads().map(|load| self.loads.get(&load).copied().unwrap_or_default());
        let (count, bytes) = (limits::questions(share.is_remote), limits::bytes(share.is_remote));
        let from = if share.is_remote { "other machines and containers" } else { "this machine" };
        let why = if one.count >= count.of_one {
            format!("at most {} questions of one caller may be open", count.of_one)
        } else if all.count >= count.of_all {
            format!("at most {} questions from {from} may be open", count.of_all)
        } else if one.bytes + share.bytes > bytes.of_one {
            format!("the open questions of one caller may have at most {} bytes", bytes.of_one)
        } else if all.bytes + share.bytes > bytes.of_all {
            format!("the open questions from {from} may have at most {} bytes", bytes.of_all)
        } else {
            self.count(ticket, share);
            return Ok(());
        };
        Err(format!("too much is open: {why}; withdraw some, or wait until they are answered"))
    }

    /// Counts what was open when the last app went, however much it is.
    pub(super) fn restore(&mut self, dialog: &Dialog, key: &QuestionKey) {
        let bytes = serde_json::to_vec(dialog).map_or(0, |json| json.len());
        let (is_remote, origin) = (key.is_remote(), Origin::Unknown);
        self.count(&dialog.id, Share { is_remote, origin, bytes });
    }

    fn count(&mut self, ticket: &str, share: Share) {
        for load in share.loads() {
            let load = self.loads.entry(load).or_default();
            load.count += 1;
            load.bytes += share.bytes;
        }
        self.shares.insert(ticket.into(), share);
    }

    /// What was asked under this ticket has ended.
    pub(super) fn remove(&mut self, ticket: &str) {
        let Some(share) = self.shares.remove(ticket) else { return };
        for key in share.loads() {
            if let Some(load) = self.loads.get_mut(&key) {
                load.count -= 1;
                load.bytes -= share.bytes;
                if load.count == 0 {
                    self.loads.remove(&key);
                }
            }
        }
    }
}

impl Actor {
    /// Gives the replier back if there is room for what is asked.
    pub(super) fn make_room(
        &mut self,
        peer: &Peer,
        asked: &Asked,
        replier: Replier,
    ) -> Option<Replier> {
        let Peer { is_remote, origin, .. } = *peer;
        let share = Share { is_remote, origin, bytes: replier.bytes };
        match self.quota.add(&asked.dialog.id, share) {
            Ok(()) => Some(replier),
            Err(why) => {
                replier.fail(Error::TOO_MANY, why);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(session: u32, bytes: usize) -> Share {
        Share { is_remote: false, origin: Origin::Terminal(session), bytes }
    }

    #[test]
    fn connection_limit_per_caller() {
        let mut quota = Quota::default();
        let most = limits::questions(false).of_one;
        for n in 0..most {
            assert_eq!(quota.add(&n.to_string(), share(1, 1)), Ok(()));
        }
        assert_eq!(quota.add("0", share(1, 1)), Ok(()), "it is counted already");
        let refused = quota.add("more", share(1, 1)).unwrap_err();
        assert_eq!(
            refused,
            "too much is open: at most 5000 questions of one caller may be open; withdraw some, or \
             wait until they are answered"
        );
        assert_eq!(quota.add("other", share(2, 1)), Ok(()));
        quota.remove("0");
        assert_eq!(quota.add("more", share(1, 1)), Ok(()));
    }

    #[test]
    fn large_questions_are_fewer() {
        let mut quota = Quota::default();
        let most = limits::bytes(false);
        assert_eq!(quota.add("a", share(1, most.of_one)), Ok(()));
        let refused = quota.add("b", share(1, 1)).unwrap_err();
        assert!(refused.contains("of one caller may have at most 67108864 bytes"), "{refused}");
        for session in 2..=4 {
            assert_eq!(quota.add(&session.to_string(), share(session, most.of_one)), Ok(()));
        }
        let refused = quota.add("c", share(5, 1)).unwrap_err();
        assert!(refused.contains("from this machine may have at most 268435456"), "{refused}");
        let elsewhere = Share { is_remote: true, ..share(5, 1) };
        assert_eq!(quota.add("c", elsewhere), Ok(()));
        for ticket in ["a", "c", "2", "3", "4"] {
            quota.remove(ticket);
        }
        assert!(quota.shares.is_empty() && quota.loads.is_empty());
    }
}
