//! One question of a hook, on its way to the person and back.

use std::sync::mpsc;

use serde_json::Value;
use thiserror::Error;

use super::need::{self, ToolUse};
use crate::{
    asking::{self, Refusal},
    client::{self, Background, ClientError, Start},
    dialog::{Caller, Dialog},
    outcome::Outcome,
    protocol::{Ask, Call, Reply},
};

#[derive(Debug, Error)]
pub enum HookError {
    #[error("the event is not a JSON object")]
    NoObject,
    #[error("the event cannot be asked: {0}")]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// What to ask whom about, for whom.
pub struct Inquiry {
    pub(super) payload: Value,
    pub(super) dialect: &'static str,
    pub(super) caller: Caller,
    pub(super) lasts: Lasts,
}

/// What becomes of a question whose hook is ended before the person has answered.
pub(super) enum Lasts {
    /// It stays, and its answer is kept for the next who asks the same.
    Beyond,
    /// It is about this use of a tool and goes once that is decided elsewhere. No answer to it
    /// ever serves for another.
    UntilDecided(ToolUse),
}

/// What the wait for the person ends with.
enum Heard {
    Reply(Result<Reply, ClientError>),
    NotNeeded,
}

impl Inquiry {
    /// The call to the app.
    pub fn ask(&self, ticket: &str) -> Ask {
        Ask {
            payload: self.payload.clone(),
            dialect: Some(self.dialect.into()),
            caller: Some(self.caller.clone()),
            key: self.is_passing().then(|| ticket.into()),
            ticket: Some(ticket.into()),
            ..Ask::default()
        }
    }

    fn is_passing(&self) -> bool {
        matches!(self.lasts, Lasts::UntilDecided(_))
    }

    /// Asks, and waits for the outcome.
    pub(super) fn put(self) -> Result<(Dialog, Outcome), HookError> {
        let ticket = asking::new_ticket();
        let (ask, is_passing) = (self.ask(&ticket), self.is_passing());
        let asked = asking::check(&ask, ticket.clone(), |_, _| self.caller)?;
        let (tell, told) = mpsc::channel();
        let over = || {
            let tell = tell.clone();
            // The reply may have come first.
            move || drop(tell.send(Heard::NotNeeded))
        };
        need::until_hung_up(over());
        if let Lasts::UntilDecided(used) = self.lasts {
            need::until_terminated(over());
            used.until_decided(over());
        }
        let _waiting = Background::call(Call::Ask(Box::new(ask)), Start::IfNeeded, move |reply| {
            let _not_needed = tell.send(Heard::Reply(reply));
        });
        match told.recv() {
            Ok(Heard::Reply(Ok(Reply::Ended(ended)))) => Ok((asked.dialog, ended.outcome)),
            Ok(Heard::Reply(Ok(reply))) => Err(ClientError::unexpected(&reply).into()),
            Ok(Heard::Reply(Err(error))) => Err(error.into()),
            Ok(Heard::NotNeeded) | Err(_) => {
                if is_passing {
                    client::withdraw(&ticket)?;
                }
                Ok((asked.dialog, Outcome::Withdrawn))
            }
        }
    }
}
