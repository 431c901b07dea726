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

/// What a caller on another machine may do.
#[derive(Debug, PartialEq)]
enum Grant<'a> {
    Freely,
    /// Unless the ticket is that of somebody else's question.
    With(&'a str),
    Not,
}

fn grant(call: &Call) -> Grant<'_> {
    match call {
        Call::Hello { .. } | Call::List {} | Call::Ready {} => Grant::Freely,
        Call::Ask(ask) | Call::Submit(ask) if ask.ui.unwrap_or_default() == Ui::Window => {
            ask.ticket.as_deref().map_or(Grant::Freely, Grant::With)
        }
        Call::Result { ticket, .. } | Call::Received { ticket } | Call::Withdraw { ticket } => {
            Grant::With(ticket)
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
        | Call::Shutdown { .. } => Grant::Not,
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
        match grant(call) {
            Grant::Freely => return Some(replier),
            Grant::With(ticket) if self.may_use(peer, ticket) => return Some(replier),
            Grant::With(ticket) => replier.fail(
                Error::FORBIDDEN,
                format!(
                    "somebody else's question has the ticket `{ticket}`; `askdeck list` names yours"
                ),
            ),
            Grant::Not => replier.fail(
                Error::FORBIDDEN,
                "from another machine one may only ask in the window, and list, wait for and \
                 withdraw one's own questions; do this at the desk",
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

    /// Who tells no secret owns what they ask over this connection alone.
    fn owner(&mut self, peer: &Peer) -> &Owner {
        self.owners.entry(peer.connection).or_insert_with(|| Owner::nameless(ticket::fresh()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use askdeck_core::protocol::{Ask, METHODS, Request};

    fn granted(method: &str, params: &Value) -> bool {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request: Request = serde_json::from_value(request).unwrap();
        grant(&request.call) != Grant::Not
    }

    #[test]
    fn from_elsewhere_one_asks_and_minds_ones_own_questions() {
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
            assert_eq!(granted(method, &params), may, "{method}");
        }
        for ui in ["auto", "terminal"] {
            assert!(!granted("ask", &json!({ "payload": {}, "ui": ui })), "{ui}");
        }
    }

    #[test]
    fn a_ticket_is_looked_at_wherever_there_is_one() {
        let ask = Ask { ticket: Some("t".into()), ..Ask::default() };
        assert_eq!(grant(&Call::Ask(Box::new(ask))), Grant::With("t"));
        let withdraw = Call::Withdraw { ticket: "t".into() };
        assert_eq!(grant(&withdraw), Grant::With("t"));
    }
}
