//! Opening a dialog on the terminal, wherever it is kept: at the app if one runs, otherwise here.

use std::{
    ops::ControlFlow::{Break, Continue},
    time::Duration,
};

use askdeck_core::{
    asking::Asked,
    dialog::Dialog,
    outcome::Outcome,
    protocol::{Ask, Call, Joined, News, Reply},
    session::{Closing, Saved},
};
use askdeck_desk::{
    client::{ClientError, Heard, Seat},
    socket::Place,
    store::{Notice, StoreError},
};

use super::{TerminalError, alone::Alone};

/// An app that is lost so often is not worth another try.
pub(super) const MOST_LOSSES: u32 = 3;

/// Why the dialog is on this terminal.
pub(super) enum Role<'a> {
    /// This command asks.
    Asker { ask: &'a Ask, asked: &'a Asked },
    /// The person wants to answer here what somebody else has asked.
    Guest { ticket: &'a str },
}

impl Role<'_> {
    /// Under which ticket this command asks, if it does.
    pub(super) fn ticket(&self) -> Option<&str> {
        match self {
            Self::Asker { ask, .. } => ask.ticket.as_deref(),
            Self::Guest { .. } => None,
        }
    }

    /// What closing means, where it would mean this to whoever asks. A guest only goes: the dialog is
    /// open wherever else it was.
    pub(super) fn closing(&self, to_asker: Closing) -> Closing {
        match self {
            Self::Asker { .. } => to_asker,
            Self::Guest { .. } => Closing::SetsAside,
        }
    }
}

/// Who keeps it.
pub(super) enum By {
    Alone(Box<Alone>),
    App(Seat),
    /// Nothing can be kept any more, for this reason.
    Nobody(StoreError),
}

/// What was found when the dialog was to be opened.
pub(super) enum Found {
    Open(Box<Opened>),
    Over {
        /// Its own.
        ticket: String,
        outcome: Outcome,
    },
}

/// A dialog as it is when it comes to the terminal.
pub(super) struct Opened {
    pub(super) dialog: Dialog,
    pub(super) draft: Option<Saved>,
    /// How much of its time is used up, if that is known better than the draft says.
    pub(super) spent: Option<Duration>,
    pub(super) closing: Closing,
    pub(super) caller_left: bool,
    pub(super) notice: Option<Notice>,
}

/// Opens the dialog wherever it is kept now.
pub(super) fn reach(
    role: &Role,
    place: &Place,
    reuse: Duration,
) -> Result<(By, Found), TerminalError> {
    for _ in 0..MOST_LOSSES {
        if let Some(seat) = Seat::find(place)?
            && let Some(joined) = join(seat, role)?
        {
            return Ok(joined);
        }
        let alone = place.without_app(|| Alone::open(role, place, reuse)).map_err(|error| {
            ClientError::NoPlace { directory: place.directory().to_owned(), error }
        })?;
        // If there is none, an app has come in between.
        if let Some(found) = alone {
            return match (found?, role) {
                (Some((alone, found)), _) => Ok((By::Alone(Box::new(alone)), found)),
                (None, Role::Guest { ticket }) => Err(TerminalError::NoTicket((*ticket).into())),
                (None, Role::Asker { .. }) => Err(StoreError::NotThere.into()),
            };
        }
    }
    Err(ClientError::Lost { last_words: String::new() }.into())
}

/// Takes part in the dialog at an app. Nothing if the app is gone meanwhile.
pub(super) fn join(mut seat: Seat, role: &Role) -> Result<Option<(By, Found)>, ClientError> {
    let call = match role {
        Role::Asker { ask, .. } => Call::Ask(Box::new((*ask).clone())).acknowledged(),
        Role::Guest { ticket } => Call::Join { ticket: (*ticket).into() },
    };
    let called = seat.send(call)?;
    let found = seat.await_first(|heard| match heard {
        Heard::News(News::Joined(joined)) | Heard::Reply { reply: Reply::Joined(joined), .. } => {
            Break(Ok(Some(opened(*joined, role))))
        }
        Heard::Reply { reply: Reply::Ended(ended), .. } => {
            Break(Ok(Some(Found::Over { ticket: ended.ticket, outcome: ended.outcome })))
        }
        Heard::Refusal { to, error } if to == called => Break(Err(ClientError::of_app(error))),
        Heard::Closed => Break(Ok(None)),
        other => Continue(other),
    });
    Ok(found?.map(|found| (By::App(seat), found)))
}

fn opened(joined: Joined, role: &Role) -> Found {
    let to_asker = if joined.sets_aside { Closing::SetsAside } else { Closing::Dismisses };
    Found::Open(Box::new(Opened {
        dialog: joined.dialog,
        draft: Some(joined.draft),
        spent: Some(Duration::from_millis(joined.spent_ms)),
        closing: role.closing(to_asker),
        caller_left: joined.caller_left,
        notice: None,
    }))
}

#[cfg(test)]
mod tests {
    use std::{io::Write, os::unix::net::UnixStream};

    use serde_json::json;

    use super::*;
    use askdeck_core::{asking, dialog::Caller};

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
        };
        let ended = json!({ "ticket": "t", "outcome": { "outcome": "withdrawn" } });
        let messages = [
            json!({ "jsonrpc": "2.0", "id": 1, "result": joined }),
            json!({ "jsonrpc": "2.0", "method": "ended", "params": ended }),
        ];
        let (here, mut app) = UnixStream::pair().unwrap();
        app.write_all(messages.map(|message| format!("{message}\n")).concat().as_bytes()).unwrap();
        let joined = join(Seat::over(here), &Role::Guest { ticket: "t" }).unwrap();
        let Some((By::App(mut seat), Found::Open(_))) = joined else { panic!("not open") };
        assert!(seat.has_heard());
        assert!(matches!(seat.hear()[..], [Heard::News(News::Ended { .. })]));
    }
}
