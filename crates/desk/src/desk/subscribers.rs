//! Who wants to hear what happens.

use askdeck_core::{
    deck::DialogEvent,
    dialect::{nova, sema},
    dialog::Dialog,
    protocol::Reply,
};

use crate::{
    server::{Peer, Replier},
    store,
};
use serde_json::{Value, json};

#[derive(Default)]
pub(super) struct Subscribers(Vec<(Peer, Words)>);

/// In whose words they are told.
#[derive(Clone, Copy, PartialEq)]
enum Words {
    Askdeck,
    Nova,
    Sema,
}

impl Subscribers {
    pub(super) fn add(&mut self, peer: &Peer, words: Option<&str>, replier: Replier) {
        let words = match words {
            None | Some("askdeck") => Words::Askdeck,
            Some("nova") => Words::Nova,
            Some("sema") => Words::Sema,
            Some(other) => {
                replier.refuse(format!(
                    "as: unknown value `{other}`, expected `askdeck`, `nova` or `sema`"
                ));
                return;
            }
        };
        replier.reply(Reply::Done { done: true });
        // Once is enough, however often it is asked for.
        let is_same =
            |(other, its): &(Peer, Words)| other.connection == peer.connection && *its == words;
        if !self.0.iter().any(is_same) {
            self.0.push((peer.clone(), words));
        }
    }

    pub(super) fn remove(&mut self, connection: u64) {
        self.0.retain(|(peer, _)| peer.connection != connection);
    }

    pub(super) fn tell(&mut self, what: &DialogEvent, dialog: &Dialog) {
        self.0.retain(|(peer, words)| {
            words.of(what, dialog).is_none_or(|(method, params)| peer.notify(method, params))
        });
    }
}

impl Words {
    /// What they call it, if it is any of their business.
    fn of(self, what: &DialogEvent, dialog: &Dialog) -> Option<(&'static str, Value)> {
        match self {
            Self::Askdeck => Some(("event", event(what, dialog))),
            Self::Nova if dialog.dialect == nova::DIALECT.name => match what {
                DialogEvent::Asked | DialogEvent::Submitted => {
                    Some(("user_prompt", nova::prompt(dialog)))
                }
                DialogEvent::Ended { outcome } => {
                    Some(("interaction_update", nova::update(dialog, outcome)))
                }
                DialogEvent::Delivered { answered: true } => {
                    Some(("interaction_update", nova::resuming(dialog)))
                }
                _ => None,
            },
            Self::Sema if dialog.dialect == sema::DIALECT.name => match what {
                DialogEvent::Asked | DialogEvent::Submitted => {
                    Some((sema::REQUEST, sema::request(dialog)))
                }
                DialogEvent::Ended { outcome } => {
                    Some((sema::RESPONSE, sema::response(dialog, outcome)))
                }
                _ => None,
            },
            Self::Nova | Self::Sema => None,
        }
    }
}

fn event(what: &DialogEvent, dialog: &Dialog) -> Value {
    let name = match what {
        DialogEvent::Asked | DialogEvent::Submitted => "asked",
        DialogEvent::AskedAgain => "asked_again",
        DialogEvent::Shown => "shown",
        DialogEvent::SetAside => "set_aside",
        DialogEvent::CallerLeft => "caller_left",
        DialogEvent::Ended { outcome } => outcome.name(),
        DialogEvent::Delivered { .. } => "delivered",
    };
    json!({
        "event": name,
        "ticket": dialog.id,
        "at": store::now(),
        "agent": dialog.caller.agent,
        "cwd": dialog.caller.cwd,
        "about": dialog.about(),
    })
}
