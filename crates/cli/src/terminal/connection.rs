//! The connection to the desk that has the dialog of this terminal.
//!
//! It may end meanwhile: another one is found or started, which has what was kept, and what was given
//! since is told to it.

use std::{
    os::fd::{AsFd, BorrowedFd},
    time::{Duration, Instant},
};

use askdeck_core::{
    dialog::Dialog,
    outcome::Outcome,
    protocol::{Call, Ended, News, Reply, Warning},
    session::{Closing, Saved, Update},
};
use askdeck_desk::{
    client::{ClientError, DeskConnection, DeskMessage},
    paths,
    socket::Endpoint,
    store::StoreError,
};
use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::SIGTSTP;

use super::{
    TerminalError,
    opening::{self, Found, MOST_LOSSES, Role},
    signals::Signals,
};

/// How often it is worth saying that the person is still there.
const STIR_EVERY: Duration = Duration::from_secs(1);
/// How long to wait before a desk is looked for again, if nothing else happens.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// The warning that what is given is lost with the desk.
const NOT_KEPT: &str = "not_kept";

pub(super) struct Connection<'a> {
    role: Role<'a>,
    place: Endpoint,
    desk: Desk,
    ticket: String,
    /// The draft as it was last told, and when.
    saved: Option<(Saved, Instant)>,
    /// What the desk was told, but has not confirmed yet.
    sent: Vec<(u64, Update)>,
    /// What the desk has said last that the person should know.
    warning: Option<Warning>,
    /// The desk has said that an app takes its place.
    awaits_app: bool,
}

enum Desk {
    Connected(DeskConnection),
    /// No desk can be found or started, for this reason. It is tried again then.
    Lost {
        why: String,
        try_at: Instant,
    },
}

/// What happened to the dialog without this terminal's doing.
pub(super) enum Told {
    Draft(Update),
    Ended(Outcome),
    CallerLeft,
    /// With so much time from now on, if it is limited.
    CallerBack(Option<Duration>),
    /// Another desk keeps it now, with which closing has this meaning.
    Moved(Closing),
    /// What the person should know from now on, if anything.
    Warning(Option<Warning>),
}

/// What became of ending a dialog.
pub(super) enum Ending {
    First,
    /// It had ended otherwise before.
    TooLate(Outcome),
    /// It has ended, but nobody will know of it later.
    NotKept(Warning),
}

/// What waiting for a dialog that is not on the terminal came to.
pub(super) enum Waited {
    Ended(Outcome),
    /// A signal wants the program to end.
    Signal(i32),
}

impl<'a> Connection<'a> {
    pub(super) fn open(role: Role<'a>) -> Result<(Self, Found), TerminalError> {
        let place = Endpoint::of_user();
        let (seat, found) = opening::reach(&role, &place)?;
        let mut connection = Self {
            role,
            place,
            desk: Desk::Connected(seat),
            ticket: String::new(),
            saved: None,
            sent: Vec::new(),
            warning: None,
            awaits_app: false,
        };
        connection.note(&found);
        Ok((connection, found))
    }

    /// When [`keep`](Self::keep) is worth another try.
    pub(super) fn next_try(&self) -> Option<Instant> {
        match self.desk {
            Desk::Connected(_) => None,
            Desk::Lost { try_at, .. } => Some(try_at),
        }
    }

    /// Keeps what has been given so far. If the person is `stirring`, that is told now and then even
    /// if nothing has changed.
    pub(super) fn keep(&mut self, draft: &Saved, stirring: bool, now: Instant) -> Vec<Told> {
        let mut told = Vec::new();
        if self.next_try().is_some_and(|at| now >= at) {
            told = self.recover();
        }
        let Desk::Connected(seat) = &mut self.desk else { return told };
        let due = |at: &Instant| stirring && now.saturating_duration_since(*at) >= STIR_EVERY;
        // The desk counts the time itself, and takes a draft for a sign of the person.
        let is_kept = |(saved, at): &(Saved, Instant)| saved.gives_the_same(draft) && !due(at);
        if self.saved.as_ref().is_some_and(is_kept) {
            return told;
        }
        let update = draft.since(self.saved.as_ref().map(|(saved, _)| saved));
        self.saved = Some((draft.clone(), now));
        let call = Call::Draft { ticket: self.ticket.clone(), draft: update.clone() };
        match seat.send(call) {
            Ok(call) => self.sent.push((call, update)),
            Err(error) => told.push(Told::Warning(Some(not_kept(error.to_string())))),
        }
        told
    }

    /// What there is to take over of what was changed elsewhere, with this draft here. Where both
    /// have changed the same, the app hears of what was changed here later: it counts.
    pub(super) fn reconcile(&mut self, mut news: Update, here: &Saved) -> Update {
        if let Some((saved, _)) = &mut self.saved {
            news.leave_out(&here.since(Some(saved)));
            for (_, sent) in &self.sent {
                news.leave_out(sent);
            }
            saved.take(&news);
        }
        news
    }

    /// The desk has this draft.
    pub(super) fn is_kept(&mut self, draft: Saved, now: Instant) {
        self.saved = Some((draft, now));
    }

    /// What to wait for, to hear what happens elsewhere.
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        match &self.desk {
            Desk::Connected(seat) => Some(seat.as_fd()),
            Desk::Lost { .. } => None,
        }
    }

    /// Whether something was heard while something else was waited for.
    pub(super) fn has_heard(&self) -> bool {
        matches!(&self.desk, Desk::Connected(seat) if seat.has_heard())
    }

    /// What happened elsewhere.
    pub(super) fn hear(&mut self) -> Vec<Told> {
        let Desk::Connected(seat) = &mut self.desk else { return Vec::new() };
        let heard = seat.hear();
        heard.into_iter().flat_map(|heard| self.understand(heard)).collect()
    }

    /// Ends the dialog, on disk before anybody hears of it.
    pub(super) fn end(&mut self, dialog: &Dialog, outcome: &Outcome) -> Ending {
        for _ in 0..MOST_LOSSES {
            let ended = match &mut self.desk {
                Desk::Connected(seat) => end_at(seat, &self.ticket, outcome),
                Desk::Lost { .. } => Ok(None),
            };
            let told = match ended {
                Ok(Some(true)) => return self.ended_first(),
                Ok(Some(false)) => self.hear(),
                Ok(None) => self.recover(),
                Err(error) => return Ending::NotKept(not_kept(error.to_string())),
            };
            match outcome_of(told) {
                // It was this terminal's own, and the desk is gone since.
                Some(kept) if kept == outcome.without_secrets(dialog) => return Ending::First,
                Some(other) => return Ending::TooLate(other),
                None => {}
            }
        }
        Ending::NotKept(not_kept(StoreError::Silent.in_words(paths::language().words())))
    }

    /// The desk may have said in the same breath that it could not keep it.
    fn ended_first(&mut self) -> Ending {
        if self.has_heard() {
            self.hear();
        }
        match &self.warning {
            Some(warning) if warning.word == NOT_KEPT => Ending::NotKept(warning.clone()),
            _ => Ending::First,
        }
    }

    /// The person wants to answer later.
    pub(super) fn set_aside(&mut self) {
        self.tell(Call::Leave { ticket: self.ticket.clone() });
    }

    /// This command takes its question back. The person may have answered at the same moment.
    pub(super) fn withdraw(&mut self) -> Outcome {
        // Under its own ticket: others may have asked the same.
        let ticket = self.role.ticket().unwrap_or(&self.ticket).to_owned();
        for _ in 0..MOST_LOSSES {
            let told = match &mut self.desk {
                Desk::Lost { .. } => self.recover(),
                Desk::Connected(seat) => {
                    let call = Call::Withdraw { ticket: ticket.clone() };
                    match seat.send(call).and_then(|call| seat.await_reply(call)) {
                        // How it ended was told before.
                        Ok(Some(_)) if seat.has_heard() => self.hear(),
                        Ok(None) => self.recover(),
                        Ok(Some(_)) | Err(_) => break,
                    }
                }
            };
            if let Some(outcome) = outcome_of(told) {
                return outcome;
            }
        }
        Outcome::Withdrawn
    }

    /// Waits until the dialog has ended elsewhere, or the person's time is over.
    pub(super) fn wait(&mut self, signals: &mut Signals) -> Result<Waited, TerminalError> {
        loop {
            if let Desk::Lost { why, .. } = &self.desk {
                return Err(TerminalError::NotKept(why.clone()));
            }
            let mut files = vec![PollFd::new(signals, PollFlags::IN)];
            files.extend(self.file().map(|file| PollFd::from_borrowed_fd(file, PollFlags::IN)));
            if !self.has_heard() {
                // Interrupted by a signal, it finds that in the next round.
                let _ = poll(&mut files, None);
            }
            let heard =
                self.has_heard() || files.get(1).is_some_and(|file| !file.revents().is_empty());
            drop(files);
            match signals.take() {
                Some(SIGTSTP) => Signals::stop(),
                Some(signal) => return Ok(Waited::Signal(signal)),
                None => {}
            }
            for told in if heard { self.hear() } else { Vec::new() } {
                match told {
                    Told::Ended(outcome) => return Ok(Waited::Ended(outcome)),
                    // It is not on this terminal, whichever desk keeps it.
                    Told::Moved(_) => self.set_aside(),
                    _ => {}
                }
            }
        }
    }

    /// The caller has got the answer. Should that not be noted, whoever asks the same again gets it
    /// once more.
    pub(super) fn delivered(&mut self) {
        self.tell(Call::Received { ticket: self.ticket.clone() });
    }

    /// What closing the dialog means here.
    pub(super) fn closing(&self, sets_aside: bool) -> Closing {
        self.role.closing(sets_aside)
    }

    pub(super) fn is_responder(&self) -> bool {
        matches!(self.role, Role::Responder { .. })
    }

    /// Whether the desk opens an address to which the person has agreed.
    pub(super) fn opens_addresses(&self) -> bool {
        matches!(&self.desk, Desk::Connected(seat) if seat.has_window)
    }

    pub(super) fn ticket(&self) -> &str {
        &self.ticket
    }

    /// That the desk is gone is noticed when it is listened to.
    fn tell(&mut self, call: Call) {
        if let Desk::Connected(seat) = &mut self.desk {
            let _ = seat.send(call);
        }
    }

    fn understand(&mut self, heard: DeskMessage) -> Vec<Told> {
        let told = match heard {
            DeskMessage::News(News::Draft { draft, .. }) => Told::Draft(draft),
            DeskMessage::News(News::CallerLeft { .. }) => Told::CallerLeft,
            DeskMessage::News(News::CallerBack { left_ms, .. }) => {
                Told::CallerBack(left_ms.map(Duration::from_millis))
            }
            // An asker waits for the reply, which has the secrets in it.
            DeskMessage::News(News::Ended { outcome, .. }) if self.is_responder() => {
                Told::Ended(outcome)
            }
            DeskMessage::Reply { reply: Reply::Ended(Ended { ticket, outcome, .. }), .. } => {
                self.ticket = ticket;
                Told::Ended(outcome)
            }
            DeskMessage::News(News::Warning { warning }) => {
                self.warning.clone_from(&warning);
                Told::Warning(warning)
            }
            DeskMessage::News(News::MakesWay {}) => {
                self.awaits_app = true;
                return Vec::new();
            }
            DeskMessage::Closed => return self.recover(),
            DeskMessage::Reply { to, .. } | DeskMessage::Refusal { to, .. } => {
                self.sent.retain(|(call, _)| *call > to);
                return Vec::new();
            }
            DeskMessage::News(_) | DeskMessage::Unreadable(_) => return Vec::new(),
        };
        vec![told]
    }

    /// The desk is gone: finds another, or starts it.
    fn recover(&mut self) -> Vec<Told> {
        if std::mem::take(&mut self.awaits_app) {
            opening::await_app(&self.place);
        }
        match opening::reach(&self.role, &self.place) {
            Ok((seat, found)) => self.move_to(seat, found),
            Err(error) => {
                let why = error.to_string();
                let warning = not_kept(why.clone());
                self.desk = Desk::Lost { why, try_at: Instant::now() + TRY_AGAIN };
                vec![Told::Warning(Some(warning))]
            }
        }
    }

    fn move_to(&mut self, seat: DeskConnection, found: Found) -> Vec<Told> {
        self.desk = Desk::Connected(seat);
        self.sent.clear();
        // Here is the newest draft: it is kept anew.
        self.saved = None;
        self.note(&found);
        match found {
            Found::Ended { outcome, .. } => vec![Told::Ended(outcome)],
            Found::Open(joined) => {
                let closing = self.closing(joined.sets_aside);
                vec![Told::Moved(closing), Told::Warning(joined.warning)]
            }
        }
    }

    fn note(&mut self, found: &Found) {
        match found {
            Found::Open(joined) => {
                self.ticket.clone_from(&joined.dialog.id);
                self.warning.clone_from(&joined.warning);
            }
            Found::Ended { ticket, .. } => self.ticket.clone_from(ticket),
        }
    }
}

/// How the dialog has ended, if that was told.
fn outcome_of(told: Vec<Told>) -> Option<Outcome> {
    told.into_iter().find_map(|told| match told {
        Told::Ended(outcome) => Some(outcome),
        _ => None,
    })
}

/// Ends the dialog, and tells whether it was open. Nothing if the desk is gone.
fn end_at(
    seat: &mut DeskConnection,
    ticket: &str,
    outcome: &Outcome,
) -> Result<Option<bool>, ClientError> {
    let call = seat.send(Call::End { ticket: ticket.into(), outcome: outcome.clone() })?;
    let reply = seat.await_reply(call)?;
    Ok(reply.map(|reply| reply == Reply::Done { done: true }))
}

fn not_kept(why: String) -> Warning {
    Warning::new(NOT_KEPT, [("why", why)])
}
