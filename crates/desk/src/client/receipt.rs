//! How the app hears that an outcome has arrived.

use askdeck_core::protocol::{Call, Reply};

use super::{app::App, desk_client::RequestId};

/// To be sent once the outcome is where it belongs. Dropped instead, the outcome counts as lost, and
/// goes to the next who asks the same.
#[must_use]
pub struct Receipt(To);

enum To {
    /// Over the connection that brought it.
    App {
        app: Box<App>,
        ticket: String,
    },
    Nobody,
}

impl Receipt {
    /// For what an app has replied.
    pub(super) fn of(reply: &Reply, app: App) -> Self {
        match reply {
            Reply::Ended(ended) => {
                Self(To::App { app: Box::new(app), ticket: ended.ticket.clone() })
            }
            _ => Self(To::Nobody),
        }
    }

    /// For what nobody has sent.
    pub fn of_nobody() -> Self {
        Self(To::Nobody)
    }

    /// Where the file is in which it was kept until that was found to be damaged.
    pub fn damaged(&self) -> Option<&str> {
        match &self.0 {
            To::App { app, .. } => app.damaged.as_deref(),
            To::Nobody => None,
        }
    }

    pub fn send(self) {
        match self.0 {
            // An app that is gone gives it once more to who asks the same.
            To::App { mut app, ticket } => {
                app.send(RequestId::Received, Call::Received { ticket }).ok();
            }
            To::Nobody => {}
        }
    }
}
