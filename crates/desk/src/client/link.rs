//! The link to an app on another machine, which may drop and come back.

use std::{
    os::fd::AsFd,
    time::{Duration, Instant},
};

use askdeck_core::protocol::{Call, VERSION};

use super::{
    ClientError, DeskConnection, DeskMessage, Start,
    desk_client::{DeskClient, Woken},
};

/// How long a link to another machine may be silent before it is asked for a sign of life, and then
/// before it counts as lost.
const SILENCE: Duration = Duration::from_secs(5);
/// How long to wait before a lost link is tried again: first, and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

impl DeskClient {
    /// Whether a call stays made however long the link is down: it waits for the person.
    pub(super) fn outlasts_link(&self, call: &Call) -> bool {
        self.endpoint.is_foreign() && matches!(call, Call::Ask(_) | Call::Result { wait: true, .. })
    }

    /// Tries until an app on another machine answers again, or until the person's time is over.
    pub(super) fn reach_again(&self, call: &Call) -> Result<DeskConnection, ClientError> {
        let timeout = call.timeout();
        let lost = Instant::now();
        let (mut pause, longest) = PAUSES;
        loop {
            match self.reach(Start::Never) {
                Err(ClientError::NotForwarded { .. } | ClientError::Unanswered { .. }) => {}
                reached => return reached,
            }
            if timeout.is_some_and(|timeout| lost.elapsed() >= timeout) {
                let socket = self.endpoint.socket().into();
                let ticket = call.ticket().unwrap_or_default().into();
                return Err(ClientError::LinkLost { socket, ticket });
            }
            self.wait_for(None, Some(pause))?;
            pause = longest.min(pause * 2);
        }
    }

    /// What comes next. A link to another machine may be gone without a word, and is cut if there is
    /// no sign of life.
    pub(super) fn hear(&self, app: &mut DeskConnection) -> Result<DeskMessage, Woken> {
        loop {
            if !app.has_heard() && !self.wait_for(Some(app.as_fd()), self.patience())? {
                let sign = Call::Hello { protocol: VERSION, desktop: false, owner: None };
                let is_asked = app.send(sign).is_ok();
                if !(is_asked && self.wait_for(Some(app.as_fd()), self.patience())?) {
                    app.hang_up();
                }
            }
            if let Some(heard) = app.hear_one() {
                return Ok(heard);
            }
        }
    }

    fn patience(&self) -> Option<Duration> {
        self.endpoint.is_foreign().then_some(SILENCE)
    }
}
