//! Opening a dialog on the terminal, at the desk that has it or is started for it.

use std::{
    ops::ControlFlow::{Break, Continue},
    thread,
    time::{Duration, Instant},
};

use askdeck_core::{
    outcome::Outcome,
    protocol::{Ask, Call, Joined, News, Reply},
    session::Closing,
};
use askdeck_desk::{
    client::{ClientError, DeskConnection, DeskMessage},
    socket::Endpoint,
};

/// A desk that is lost so often is not worth another try.
pub(super) const MOST_LOSSES: u32 = 3;
/// How long the app may take to listen in the place of a desk without a window.
const TAKE_OVER: Duration = Duration::from_secs(5);

/// Why the dialog is on this terminal.
pub(super) enum Role<'a> {
    /// This command asks.
    Asker { ask: &'a Ask },
    /// The person wants to answer here what somebody else has asked.
    Responder { ticket: &'a str },
}

impl Role<'_> {
    /// Under which ticket this command asks, if it does.
    pub(super) fn ticket(&self) -> Option<&str> {
        match self {
            Self::Asker { ask } => ask.ticket.as_deref(),
            Self::Responder { .. } => None,
        }
    }

    /// What closing means, where it may set aside what this command asks. A responder only goes: the
    /// dialog is open wherever else it was.
    pub(super) fn closing(&self, sets_aside: bool) -> Closing {
        match self {
            Self::Asker { .. } if !sets_aside => Closing::Dismisses,
            Self::Asker { .. } | Self::Responder { .. } => Closing::SetsAside,
        }
    }
}

/// What was found when the dialog was to be opened.
pub(super) enum Found {
    Open(Box<Joined>),
    Ended {
        /// Its own.
        ticket: String,
        outcome: Outcome,
    },
}

/// Opens the dialog at the desk that runs, or at one that is started for it.
pub(super) fn reach(role: &Role, place: &Endpoint) -> Result<(DeskConnection, Found), ClientError> {
    for _ in 0..MOST_LOSSES {
        if let Some(seat) = find_desk(place)?
            && let Some(joined) = join(seat, role)?
        {
            return Ok(joined);
        }
    }
    Err(ClientError::Lost { last_words: String::new() })
}

/// The desk of another machine may be out of reach: then there is still that of this one.
fn find_desk(place: &Endpoint) -> Result<Option<DeskConnection>, ClientError> {
    if let Some(seat) = DeskConnection::find(place)? {
        return Ok(Some(seat));
    }
    let here = Endpoint::on_this_machine();
    if place.is_foreign()
        && let Some(seat) = DeskConnection::find(&here)?
    {
        return Ok(Some(seat));
    }
    DeskConnection::start(&here)
}

/// Returns when an app listens that takes the place of another desk, or should have.
pub(super) fn await_app(place: &Endpoint) {
    let begun = Instant::now();
    while place.connect().is_err() && begun.elapsed() < TAKE_OVER {
        thread::sleep(Duration::from_millis(10));
    }
}

/// Takes part in the dialog. Nothing if the desk is gone meanwhile.
fn join(
    mut seat: DeskConnection,
    role: &Role,
) -> Result<Option<(DeskConnection, Found)>, ClientError> {
    let call = match role {
        Role::Asker { ask } => Call::Ask(Box::new((*ask).clone())).acknowledged(),
        Role::Responder { ticket } => Call::Join { ticket: (*ticket).into() },
    };
    let called = seat.send(call)?;
    let found = seat.await_first(|heard| match heard {
        DeskMessage::News(News::Joined(joined))
        | DeskMessage::Reply { reply: Reply::Joined(joined), .. } => {
            Break(Ok(Some(Found::Open(joined))))
        }
        DeskMessage::Reply { reply: Reply::Ended(ended), .. } => {
            Break(Ok(Some(Found::Ended { ticket: ended.ticket, outcome: ended.outcome })))
        }
        DeskMessage::Refusal { to, error } if to == called => {
            Break(Err(ClientError::of_app(error)))
        }
        DeskMessage::Closed => Break(Ok(None)),
        other => Continue(other),
    });
    Ok(found?.map(|found| (seat, found)))
}

#[cfg(test)]
mod tests {
    use std::{io::Write, os::unix::net::UnixStream};

    use serde_json::json;

    use super::*;
    use askdeck_core::{asking, dialog::Caller, session::Saved};

    #[test]
    fn what_comes_in_one_breath_with_the_dialog_is_heard() {
        let payload = json!({ "askdeck": 1, "questions": [{ "question": "Which?" }] });
        let ask = Ask { payload, ..Ask::default() };
        let asked = asking::check(&ask, "t".into(), |_, _| Caller::default()).unwrap();
        let joined = Joined {
            ticket: "t".into(),
            dialog: asked.dialog,
            draft: Saved::default(),
            spent_ms: 0,
            sets_aside: true,
            caller_left: false,
            warning: None,
        };
        let ended = json!({ "ticket": "t", "outcome": { "outcome": "withdrawn" } });
        let messages = [
            json!({ "jsonrpc": "2.0", "id": 1, "result": joined }),
            json!({ "jsonrpc": "2.0", "method": "ended", "params": ended }),
        ];
        let (here, mut app) = UnixStream::pair().unwrap();
        app.write_all(messages.map(|message| format!("{message}\n")).concat().as_bytes()).unwrap();
        let joined = join(DeskConnection::over(here), &Role::Responder { ticket: "t" }).unwrap();
        let Some((mut seat, Found::Open(_))) = joined else { panic!("not open") };
        assert!(seat.has_heard());
        assert!(matches!(seat.hear()[..], [DeskMessage::News(News::Ended { .. })]));
    }
}
