//! Callers on other machines: what they may do, and what is theirs.
//!
//! Their questions have the owner in the key. So they are never one with somebody else's, and
//! whose they are is known as long as they are.

use askdeck_core::{
    asking::Asked,
    key::Owner,
    protocol::{Call, Error, Open, Ui},
    text, words,
};

use crate::{
    paths,
    server::{Peer, Replier},
    ticket,
};

use super::actor::Actor;

/// Whether a caller on another machine may make a call.
#[derive(Debug, PartialEq)]
enum Access<'a> {
    Allowed,
    /// Only if nobody else's question has this ticket.
    OwnerOf(&'a str),
    Denied,
}

fn access(call: &Call) -> Access<'_> {
    match call {
        Call::Hello { .. } | Call::List {} | Call::Ready {} => Access::Allowed,
        Call::Ask(ask) | Call::Submit(ask) if ask.ui.unwrap_or_default() == Ui::Window => {
            ask.ticket.as_deref().map_or(Access::Allowed, Access::OwnerOf)
        }
        Call::Result { ticket, .. } | Call::Received { ticket } | Call::Withdraw { ticket } => {
            Access::OwnerOf(ticket)
        }
        Call::Ask(_)
        | Call::Submit(_)
        | Call::Answer { .. }
        | Call::Join { .. }
        | Call::Draft { .. }
        | Call::End { .. }
        | Call::Leave { .. }
        | Call::Subscribe { .. }
        | Call::Show { .. }
        | Call::History(_)
        | Call::Stats { .. }
        | Call::Delete { .. }
        | Call::Stay { .. }
        | Call::Shutdown { .. } => Access::Denied,
    }
}

impl Actor {
    /// Gives the replier back if the caller may do this.
    pub(super) fn allow(&mut self, peer: &Peer, call: &Call, replier: Replier) -> Option<Replier> {
        if !peer.is_remote {
            return Some(replier);
        }
        if let Call::Hello { owner: Some(secret), .. } = call {
            self.owners.entry(peer.connection).or_insert_with(|| Owner::of_secret(secret));
        }
        match access(call) {
            Access::Allowed => return Some(replier),
            Access::OwnerOf(ticket) if self.may_use(peer, ticket) => return Some(replier),
            Access::OwnerOf(ticket) => replier.fail(
                Error::FORBIDDEN,
                format!(
                    "somebody else's question has the ticket `{ticket}`; `askdeck list` names yours"
                ),
            ),
            Access::Denied => replier.fail(
                Error::FORBIDDEN,
                "remote callers may only ask in the window, and list, await and withdraw their own \
                 questions; do this at the desk",
            ),
        };
        None
    }

    /// Marks what a caller on another machine asks as theirs, and as coming from there.
    pub(super) fn mark(&mut self, peer: &Peer, asked: &mut Asked) {
        if !peer.is_remote {
            return;
        }
        asked.key = asked.key.clone().of(self.owner(peer));
        let host = &mut asked.dialog.caller.host;
        if host.as_deref().is_none_or(|host| text::clean_line(host).trim().is_empty()) {
            *host = Some(words::say(paths::language().words(), "another_machine", []));
        }
    }

    /// The open dialogs that this caller may know of.
    pub(super) fn open_to(&mut self, peer: &Peer) -> Vec<Open> {
        let mut open = self.deck.list();
        if peer.is_remote {
            open.retain(|open| self.may_use(peer, &open.ticket));
        }
        for open in &mut open {
            // The caller that asked first may have taken it back.
            if let Some(ticket) = self.deck.open_ticket(&open.ticket) {
                open.ticket = ticket.into();
            }
        }
        open
    }

    fn may_use(&mut self, peer: &Peer, ticket: &str) -> bool {
        let key = self.find(ticket).map(|(key, _)| key);
        key.is_none_or(|key| key.is_of(self.owner(peer)))
    }

    /// A caller that tells no secret owns what it asks over this connection alone.
    fn owner(&mut self, peer: &Peer) -> &Owner {
        self.owners.entry(peer.connection).or_insert_with(|| Owner::nameless(ticket::fresh()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use askdeck_core::protocol::{Ask, METHODS, Request};

    fn is_allowed(method: &str, params: &Value) -> bool {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request: Request = serde_json::from_value(request).unwrap();
        access(&request.call) != Access::Denied
    }

    #[test]
    fn remote_callers_reach_only_their_own_questions() {
        let ticket = json!({ "ticket": "t" });
        let table = [
            ("hello", json!({ "protocol": 1 }), true),
            ("ask", json!({ "payload": {} }), true),
            ("submit", json!({ "payload": {} }), true),
            ("result", ticket.clone(), true),
            ("received", ticket.clone(), true),
            ("withdraw", ticket.clone(), true),
            ("list", json!({}), true),
            ("answer", json!({ "ticket": "t", "answers": [] }), false),
            ("join", ticket.clone(), false),
            ("draft", json!({ "ticket": "t", "draft": {} }), false),
            ("end", json!({ "ticket": "t", "outcome": { "outcome": "dismissed" } }), false),
            ("leave", ticket, false),
            ("subscribe", json!({}), false),
            ("show", json!({}), false),
            ("ready", json!({}), true),
            ("history", json!({}), false),
            ("stats", json!({ "since": 0, "until": 1 }), false),
            ("delete", json!({ "which": { "tickets": ["t"] } }), false),
            ("stay", json!({}), false),
            ("shutdown", json!({}), false),
        ];
        assert_eq!(table.each_ref().map(|(method, ..)| *method), METHODS);
        for (method, params, may) in table {
            assert_eq!(is_allowed(method, &params), may, "{method}");
        }
        for ui in ["auto", "terminal"] {
            assert!(!is_allowed("ask", &json!({ "payload": {}, "ui": ui })), "{ui}");
        }
    }

    #[test]
    fn a_ticket_is_looked_at_wherever_there_is_one() {
        let ask = Ask { ticket: Some("t".into()), ..Ask::default() };
        assert_eq!(access(&Call::Ask(Box::new(ask))), Access::OwnerOf("t"));
        let withdraw = Call::Withdraw { ticket: "t".into() };
        assert_eq!(access(&withdraw), Access::OwnerOf("t"));
    }
}
