//! Tells subscribers what happens to dialogs.

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
pub(super) struct Subscribers(Vec<(Peer, EventFormat)>);

/// The format in which a subscriber gets events.
#[derive(Clone, Copy, PartialEq)]
enum EventFormat {
    Askdeck,
    Nova,
    Sema,
}

impl Subscribers {
    pub(super) fn add(&mut self, peer: &Peer, format: Option<&str>, replier: Replier) {
        let format = match format {
            None | Some("askdeck") => EventFormat::Askdeck,
            Some("nova") => EventFormat::Nova,
            Some("sema") => EventFormat::Sema,
            Some(other) => {
                replier.refuse(format!(
                    "as: unknown value `{other}`, expected `askdeck`, `nova` or `sema`"
                ));
                return;
            }
        };
        replier.reply(Reply::Done { done: true });
        // Once is enough, however often it is asked for.
        let is_same = |(other, its): &(Peer, EventFormat)| {
            other.connection == peer.connection && *its == format
        };
        if !self.0.iter().any(is_same) {
            self.0.push((peer.clone(), format));
        }
    }

    pub(super) fn remove(&mut self, connection: u64) {
        self.0.retain(|(peer, _)| peer.connection != connection);
    }

    pub(super) fn tell(&mut self, event: &DialogEvent, dialog: &Dialog) {
        self.0.retain(|(peer, format)| {
            format.message(event, dialog).is_none_or(|(method, params)| peer.notify(method, params))
        });
    }
}

impl EventFormat {
    /// The method and its parameters, if this format has one for the event.
    fn message(self, event: &DialogEvent, dialog: &Dialog) -> Option<(&'static str, Value)> {
        match self {
            Self::Askdeck => Some(("event", own_message(event, dialog))),
            Self::Nova if dialog.dialect == nova::DIALECT.name => match event {
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
            Self::Sema if dialog.dialect == sema::DIALECT.name => match event {
                DialogEvent::Asked | DialogEvent::Submitted => Some(sema::request(dialog)),
                DialogEvent::Ended { outcome } => Some(sema::response(dialog, outcome)),
                _ => None,
            },
            Self::Nova | Self::Sema => None,
        }
    }
}

fn own_message(event: &DialogEvent, dialog: &Dialog) -> Value {
    let name = match event {
        // To subscribers both are the same.
        DialogEvent::Submitted => DialogEvent::Asked.name(),
        event => event.name(),
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
