//! Who wants to hear what happens.

use serde_json::{Value, json};

use crate::{
    deck::What,
    dialect::{nova, sema},
    dialog::Dialog,
    outcome::Outcome,
    protocol::Reply,
    server::{Peer, Replier},
    store,
};

#[derive(Default)]
pub(super) struct Subscribers(Vec<(Peer, Words)>);

/// In whose words they are told.
#[derive(Clone, Copy)]
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
        self.0.push((peer.clone(), words));
    }

    pub(super) fn remove(&mut self, connection: u64) {
        self.0.retain(|(peer, _)| peer.connection != connection);
    }

    pub(super) fn tell(&mut self, what: What, dialog: &Dialog, outcome: Option<&Outcome>) {
        self.0.retain(|(peer, words)| {
            words
                .of(what, dialog, outcome)
                .is_none_or(|(method, params)| peer.notify(method, params))
        });
    }
}

impl Words {
    /// What they call it, if it is any of their business.
    fn of(
        self,
        what: What,
        dialog: &Dialog,
        outcome: Option<&Outcome>,
    ) -> Option<(&'static str, Value)> {
        match self {
            Self::Askdeck => Some(("event", event(what, dialog, outcome))),
            Self::Nova if dialog.dialect == nova::DIALECT.name => match (what, outcome) {
                (What::Asked | What::Submitted, _) => Some(("user_prompt", nova::prompt(dialog))),
                (What::Ended, Some(outcome)) => {
                    Some(("interaction_update", nova::update(dialog, outcome)))
                }
                (What::Delivered, Some(Outcome::Answered { .. })) => {
                    Some(("interaction_update", nova::resuming(dialog)))
                }
                _ => None,
            },
            Self::Sema if dialog.dialect == sema::DIALECT.name => match (what, outcome) {
                (What::Asked | What::Submitted, _) => Some((sema::REQUEST, sema::request(dialog))),
                (What::Ended, Some(outcome)) => {
                    Some((sema::RESPONSE, sema::response(dialog, outcome)))
                }
                _ => None,
            },
            Self::Nova | Self::Sema => None,
        }
    }
}

fn event(what: What, dialog: &Dialog, outcome: Option<&Outcome>) -> Value {
    let name = match (what, outcome) {
        (What::Ended, Some(outcome)) => outcome.name(),
        (What::Asked | What::Submitted | What::Ended, _) => "asked",
        (What::Delivered, _) => "delivered",
        (What::AskedAgain, _) => "asked_again",
        (What::Shown, _) => "shown",
        (What::SetAside, _) => "set_aside",
        (What::CallerLeft, _) => "caller_left",
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
