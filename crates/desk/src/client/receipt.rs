//! How the app hears that an outcome has arrived.

use askdeck_core::protocol::{Call, Reply};

use super::DeskConnection;

/// To be sent once the outcome is where it belongs. Dropped instead, the outcome counts as lost, and
/// goes to the next who asks the same.
#[must_use]
pub struct Receipt {
    /// The connection that brought it, and its ticket; nothing if nobody has sent it.
    to: Option<(Box<DeskConnection>, String)>,
}

impl Receipt {
    /// For what an app has replied.
    pub(super) fn of(reply: &Reply, app: DeskConnection) -> Self {
        let ticket = match reply {
            Reply::Ended(ended) => Some(ended.ticket.clone()),
            _ => None,
        };
        Self { to: ticket.map(|ticket| (Box::new(app), ticket)) }
    }

    /// For what nobody has sent.
    pub fn of_nobody() -> Self {
        Self { to: None }
    }

    /// Where the file is in which it was kept until that was found to be damaged.
    pub fn damaged(&self) -> Option<&str> {
        self.to.as_ref()?.0.damaged.as_deref()
    }

    pub fn send(self) {
        if let Some((mut app, ticket)) = self.to {
            // An app that is gone gives it once more to who asks the same.
            app.send(Call::Received { ticket }).ok();
        }
    }
}
