//! The link to an app on another machine, which may drop and come back.

use std::{
    sync::mpsc::RecvError,
    time::{Duration, Instant},
};

use askdeck_core::protocol::{Call, VERSION};

use super::{
    ClientError, Start,
    app::App,
    desk_client::{DeskClient, Incoming, RequestId},
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
    pub(super) fn reach_again(&self, call: &Call) -> Result<App, ClientError> {
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
            match self.incoming.recv_timeout(pause) {
                Ok(Incoming::Interrupt | Incoming::HangUp) => return Err(ClientError::Interrupted),
                _ => pause = longest.min(pause * 2),
            }
        }
    }

    /// What comes next. A link to another machine may be gone without a word, and is cut if there is
    /// no sign of life; the reading side then tells that it is closed.
    pub(super) fn hear(&self, app: &mut App) -> Result<Incoming, RecvError> {
        if self.endpoint.is_foreign() {
            if let Ok(incoming) = self.incoming.recv_timeout(SILENCE) {
                return Ok(incoming);
            }
            let sign = Call::Hello { protocol: VERSION, desktop: false, owner: None };
            let asked = app.send(RequestId::KeepAlive, sign).ok();
            if let Some(Ok(incoming)) = asked.map(|()| self.incoming.recv_timeout(SILENCE)) {
                return Ok(incoming);
            }
            app.hang_up();
        }
        self.incoming.recv()
    }
}
