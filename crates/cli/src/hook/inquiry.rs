//! One question of a hook, on its way to the person and back.

use std::sync::mpsc;

use askdeck_core::{
    asking::{self, Refusal},
    dialog::{Caller, Dialog},
    outcome::Outcome,
    protocol::{Ask, Call, Reply},
};
use askdeck_desk::{
    client::{self, Background, ClientError, Receipt, Start},
    ticket,
};
use serde_json::Value;
use thiserror::Error;

use super::cancellation::{self, ToolUse};

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
    /// It goes with its hook, and once this use of a tool is decided elsewhere. No answer to it ever
    /// serves for another.
    UntilDecided(Option<ToolUse>),
}

/// What the wait for the person ends with.
enum Heard {
    Reply(Result<(Reply, Receipt), ClientError>),
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
            passing: self.is_passing(),
            ..Ask::default()
        }
    }

    fn is_passing(&self) -> bool {
        matches!(self.lasts, Lasts::UntilDecided(_))
    }

    /// Asks, and waits for the outcome. The receipt is for when the agent has been told.
    pub(super) fn put(self) -> Result<(Dialog, Outcome, Receipt), HookError> {
        let ticket = ticket::fresh();
        let (ask, is_passing) = (self.ask(&ticket), self.is_passing());
        let asked = asking::check(&ask, ticket.clone(), |_, _| self.caller)?;
        let (tell, told) = mpsc::channel();
        let over = || {
            let tell = tell.clone();
            // The reply may have come first.
            move || drop(tell.send(Heard::NotNeeded))
        };
        cancellation::on_stdout_closed(over());
        if let Lasts::UntilDecided(used) = self.lasts {
            cancellation::on_end_signal(over());
            if let Some(used) = used {
                used.on_tool_result(over());
            }
        }
        let _waiting = Background::call(Call::Ask(Box::new(ask)), Start::Window, move |reply| {
            let _not_needed = tell.send(Heard::Reply(reply));
        });
        match told.recv() {
            Ok(Heard::Reply(Ok((Reply::Ended(ended), receipt)))) => {
                Ok((asked.dialog, ended.outcome, receipt))
            }
            Ok(Heard::Reply(Ok((reply, _)))) => Err(ClientError::unexpected(&reply).into()),
            Ok(Heard::Reply(Err(error))) => Err(error.into()),
            Ok(Heard::NotNeeded) | Err(_) => {
                if is_passing {
                    client::withdraw_soon(&ticket);
                }
                Ok((asked.dialog, Outcome::Withdrawn, Receipt::of_nobody()))
            }
        }
    }
}
