//! Who keeps the dialog that is on the terminal: the app if one runs, otherwise this process.
//!
//! An app may come and go meanwhile, and the dialog with it. What an app finds when it starts is in
//! the store, and what was given since is told to it.

use std::{
    os::fd::{AsFd, BorrowedFd},
    time::{Duration, Instant},
};

use askdeck_core::{
    dialog::Dialog,
    outcome::Outcome,
    protocol::{Call, Ended, News, Reply},
    session::{Closing, Saved, Update},
};
use askdeck_desk::{
    client::{ClientError, Heard, Seat},
    socket::Place,
    store::{Notice, StoreError},
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::SIGTSTP;

use super::{
    TerminalError,
    alone::not_kept,
    opening::{self, By, Found, MOST_LOSSES, Role},
    signals::Signals,
};

/// How often it is worth saying that the person is still there.
const STIR_EVERY: Duration = Duration::from_secs(1);
/// How long what could not be kept waits, if nothing else happens.
const TRY_AGAIN: Duration = Duration::from_secs(1);

pub(super) struct Keeper<'a> {
    role: Role<'a>,
    place: Place,
    reuse: Duration,
    by: By,
    ticket: String,
    /// The draft as it was last kept, and when.
    saved: Option<(Saved, Instant)>,
    /// What the app was told, but has not confirmed yet.
    sent: Vec<(u64, Update)>,
    /// When what could not be kept here is tried again.
    try_at: Option<Instant>,
}

/// What happened to the dialog without this terminal's doing.
pub(super) enum Told {
    Draft(Update),
    Ended(Outcome),
    CallerLeft,
    /// With so much time from now on, if it is limited.
    CallerBack(Option<Duration>),
    /// Somebody else keeps it now, with whom closing has this meaning.
    Moved(Closing),
    NotKept(Notice),
    /// All is kept again.
    Kept,
}

/// What became of ending a dialog.
pub(super) enum Ending {
    First,
    /// It had ended otherwise before.
    TooLate(Outcome),
    /// It has ended, but nobody will know of it later.
    NotKept(Notice),
}

/// What waiting for a dialog that is not on the terminal came to.
pub(super) enum Waited {
    Ended(Outcome),
    /// A signal wants the program to end.
    Signal(i32),
}

impl<'a> Keeper<'a> {
    pub(super) fn open(role: Role<'a>, reuse: Duration) -> Result<(Self, Found), TerminalError> {
        let place = Place::of_user();
        let (by, found) = opening::reach(&role, &place, reuse)?;
        let mut keeper = Self {
            role,
            place,
            reuse,
            by,
            ticket: String::new(),
            saved: None,
            sent: Vec::new(),
            try_at: None,
        };
        keeper.note_ticket(&found);
        Ok((keeper, found))
    }

    /// The dialog is on the screen.
    pub(super) fn shown(&mut self) -> Option<Told> {
        match &mut self.by {
            By::Alone(alone) => {
                let kept = alone.shown();
                self.judge(kept, Instant::now())
            }
            By::App(_) | By::Nobody(_) => None,
        }
    }

    /// When [`keep`](Self::keep) is worth another try.
    pub(super) fn next_try(&self) -> Option<Instant> {
        self.try_at
    }

    /// What a write here came to, and whether there is more to be kept later.
    fn judge(&mut self, kept: Result<(), StoreError>, now: Instant) -> Option<Told> {
        let told = told(kept);
        let is_kept = told.is_none() && matches!(&self.by, By::Alone(alone) if alone.is_all_kept());
        if is_kept {
            return self.try_at.take().map(|_| Told::Kept);
        }
        self.try_at = Some(now + TRY_AGAIN);
        told
    }

    /// Keeps what has been given so far. If the person is `stirring`, that is told now and then even
    /// if nothing has changed.
    pub(super) fn keep(&mut self, draft: &Saved, stirring: bool, now: Instant) -> Option<Told> {
        let due = |at: &Instant| stirring && now.saturating_duration_since(*at) >= STIR_EVERY;
        // The app counts the time itself, and takes a draft for a sign of the person.
        let same = |saved: &Saved| match self.by {
            By::App(_) => saved.gives_the_same(draft),
            By::Alone(_) | By::Nobody(_) => saved == draft,
        };
        let again = self.try_at.is_some_and(|at| now >= at);
        if !again && self.saved.as_ref().is_some_and(|(saved, at)| same(saved) && !due(at)) {
            return None;
        }
        let update = draft.since(self.saved.as_ref().map(|(saved, _)| saved));
        self.saved = Some((draft.clone(), now));
        match &mut self.by {
            By::Alone(alone) => {
                let kept = alone.save_draft(draft);
                self.judge(kept, now)
            }
            By::App(seat) => {
                let call = Call::Draft { ticket: self.ticket.clone(), draft: update.clone() };
                match seat.send(call) {
                    Ok(call) => {
                        self.sent.push((call, update));
                        None
                    }
                    Err(error) => Some(Told::NotKept(not_kept(&refused(&error)))),
                }
            }
            By::Nobody(_) => None,
        }
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

    /// This draft came from whoever keeps it.
    pub(super) fn is_kept(&mut self, draft: Saved, now: Instant) {
        self.saved = Some((draft, now));
    }

    /// What to wait for, to hear what happens elsewhere.
    pub(super) fn file(&self) -> Option<BorrowedFd<'_>> {
        match &self.by {
            By::Alone(alone) => alone.watched(),
            By::App(seat) => Some(seat.as_fd()),
            By::Nobody(_) => None,
        }
    }

    /// Whether something was heard while something else was waited for.
    pub(super) fn has_heard(&self) -> bool {
        matches!(&self.by, By::App(seat) if seat.has_heard())
    }

    /// What happened elsewhere.
    pub(super) fn hear(&mut self) -> Vec<Told> {
        let heard = match &mut self.by {
            By::Nobody(_) => Vec::new(),
            By::App(seat) => seat.hear(),
            By::Alone(alone) => {
                alone.look_up();
                let outcome = alone.outcome();
                return match outcome {
                    Some(outcome) => vec![Told::Ended(outcome)],
                    None => self.look_for_app(),
                };
            }
        };
        heard.into_iter().flat_map(|heard| self.understand(heard)).collect()
    }

    /// Ends the dialog, on disk before anybody hears of it.
    pub(super) fn end(&mut self, dialog: &Dialog, outcome: &Outcome) -> Ending {
        for _ in 0..MOST_LOSSES {
            let ended = match &mut self.by {
                By::Alone(alone) => {
                    // An app that starts at the same moment must find it ended, or be told.
                    match self.place.without_app(|| alone.end(outcome)) {
                        Ok(None) => None,
                        Ok(Some(kept)) => Some(kept),
                        Err(_) => Some(alone.end(outcome)),
                    }
                }
                By::App(seat) => end_at(seat, &self.ticket, outcome),
                By::Nobody(_) => None,
            };
            let told = match ended {
                Some(Ok(())) => return Ending::First,
                Some(Err(StoreError::NotThere)) => self.hear(),
                Some(Err(error)) => return Ending::NotKept(not_kept(&error)),
                None => self.recover(),
            };
            match outcome_of(told) {
                // It was this terminal's own, and whoever kept it is gone since.
                Some(kept) if kept == outcome.without_secrets(dialog) => return Ending::First,
                Some(other) => return Ending::TooLate(other),
                None => {}
            }
        }
        Ending::NotKept(not_kept(&StoreError::Silent))
    }

    /// The person wants to answer later.
    pub(super) fn set_aside(&mut self) {
        match &mut self.by {
            // It stays open in any case.
            By::Alone(alone) => drop(alone.set_aside()),
            By::App(seat) => drop(seat.send(Call::Leave { ticket: self.ticket.clone() })),
            By::Nobody(_) => {}
        }
    }

    /// This command takes its question back. The person may have answered at the same moment.
    pub(super) fn withdraw(&mut self) -> Outcome {
        // Under its own ticket: others may have asked the same.
        let ticket = self.role.ticket().unwrap_or(&self.ticket).to_owned();
        for _ in 0..MOST_LOSSES {
            let told = match &mut self.by {
                By::Nobody(_) => break,
                By::App(seat) => {
                    let call = Call::Withdraw { ticket: ticket.clone() };
                    match seat.send(call).and_then(|call| seat.await_reply(call)) {
                        // How it ended was told before.
                        Ok(Some(_)) if seat.has_heard() => self.hear(),
                        Ok(None) => self.recover(),
                        Ok(Some(_)) | Err(_) => break,
                    }
                }
                By::Alone(alone) => {
                    let withdrawn = self.place.without_app(|| alone.withdraw());
                    match withdrawn.unwrap_or_else(|_| Some(alone.withdraw())) {
                        Some(Ok(false)) => self.hear(),
                        Some(_) => break,
                        // An app has come.
                        None => self.recover(),
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
    pub(super) fn wait(
        &mut self,
        dialog: &Dialog,
        signals: &mut Signals,
    ) -> Result<Waited, TerminalError> {
        let mut deadline = self.deadline(dialog);
        loop {
            if let By::Nobody(why) = &self.by {
                return Err(TerminalError::NotKept(why.clone()));
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                let outcome = Outcome::TimedOut { partial: Vec::new() };
                return Ok(Waited::Ended(self.end_as(dialog, outcome)));
            }
            let mut files = vec![PollFd::new(signals, PollFlags::IN)];
            files.extend(self.file().map(|file| PollFd::from_borrowed_fd(file, PollFlags::IN)));
            if !self.has_heard() {
                // Interrupted by a signal, it finds that in the next round.
                let left = left.and_then(|left| Timespec::try_from(left).ok());
                let _interrupted = poll(&mut files, left.as_ref());
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
                    Told::Moved(_) => {
                        // It is not on this terminal, whoever keeps it.
                        self.set_aside();
                        deadline = self.deadline(dialog);
                    }
                    _ => {}
                }
            }
        }
    }

    /// The caller has got the answer. Should that not be noted, whoever asks the same again gets it
    /// once more.
    pub(super) fn delivered(&mut self) {
        match &mut self.by {
            By::Alone(alone) => drop(alone.delivered()),
            By::App(seat) => drop(seat.send(Call::Received { ticket: self.ticket.clone() })),
            By::Nobody(_) => {}
        }
    }

    pub(super) fn is_guest(&self) -> bool {
        matches!(self.role, Role::Guest { .. })
    }

    pub(super) fn is_at_app(&self) -> bool {
        matches!(self.by, By::App(_))
    }

    pub(super) fn ticket(&self) -> &str {
        &self.ticket
    }

    /// How it has ended: so, unless otherwise before.
    fn end_as(&mut self, dialog: &Dialog, outcome: Outcome) -> Outcome {
        match self.end(dialog, &outcome) {
            Ending::TooLate(other) => other,
            Ending::First | Ending::NotKept(_) => outcome,
        }
    }

    /// When the person's time is over, unless an app counts it. How much of it they had used up was
    /// known to the app alone.
    fn deadline(&self, dialog: &Dialog) -> Option<Instant> {
        match self.by {
            By::App(_) => None,
            By::Alone(_) | By::Nobody(_) => {
                dialog.timeout.and_then(|time| Instant::now().checked_add(time))
            }
        }
    }

    fn understand(&mut self, heard: Heard) -> Vec<Told> {
        let told = match heard {
            Heard::News(News::Draft { draft, .. }) => Told::Draft(draft),
            Heard::News(News::CallerLeft { .. }) => Told::CallerLeft,
            Heard::News(News::CallerBack { left_ms, .. }) => {
                Told::CallerBack(left_ms.map(Duration::from_millis))
            }
            // An asker waits for the reply, which has the secrets in it.
            Heard::News(News::Ended { outcome, .. }) if self.is_guest() => Told::Ended(outcome),
            Heard::Reply { reply: Reply::Ended(Ended { ticket, outcome, .. }), .. } => {
                self.ticket = ticket;
                Told::Ended(outcome)
            }
            Heard::Closed => return self.recover(),
            Heard::Reply { to, .. } | Heard::Refusal { to, .. } => {
                self.sent.retain(|(call, _)| *call > to);
                return Vec::new();
            }
            Heard::News(_) => return Vec::new(),
        };
        vec![told]
    }

    /// An app has come, or only something in its folder has changed.
    fn look_for_app(&mut self) -> Vec<Told> {
        match Seat::find(&self.place) {
            Ok(Some(seat)) => match opening::join(seat, &self.role) {
                Ok(Some((by, found))) => self.move_to(by, found),
                // It is kept here as before.
                Ok(None) | Err(_) => Vec::new(),
            },
            Ok(None) | Err(_) => Vec::new(),
        }
    }

    /// Whoever kept it is gone, or has given way to another.
    fn recover(&mut self) -> Vec<Told> {
        match opening::reach(&self.role, &self.place, self.reuse) {
            Ok((by, found)) => self.move_to(by, found),
            Err(error) => {
                let why = match error {
                    TerminalError::Store(why) => why,
                    error => StoreError::Other(error.to_string()),
                };
                let notice = not_kept(&why);
                self.by = By::Nobody(why);
                vec![Told::NotKept(notice)]
            }
        }
    }

    fn move_to(&mut self, by: By, found: Found) -> Vec<Told> {
        self.by = by;
        self.try_at = None;
        self.sent.clear();
        // Here is the newest draft: it is kept anew.
        self.saved = None;
        self.note_ticket(&found);
        match found {
            Found::Over { outcome, .. } => vec![Told::Ended(outcome)],
            Found::Open(opened) => {
                let notice = opened.notice.map(Told::NotKept);
                [Told::Moved(opened.closing)].into_iter().chain(notice).collect()
            }
        }
    }

    fn note_ticket(&mut self, found: &Found) {
        match found {
            Found::Open(opened) => self.ticket.clone_from(&opened.dialog.id),
            Found::Over { ticket, .. } => self.ticket.clone_from(ticket),
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

/// Ends the dialog through the app. Nothing if it is gone.
fn end_at(seat: &mut Seat, ticket: &str, outcome: &Outcome) -> Option<Result<(), StoreError>> {
    let call = Call::End { ticket: ticket.into(), outcome: outcome.clone() };
    match seat.send(call).and_then(|call| seat.await_reply(call)) {
        Ok(Some(Reply::Done { done: true })) => Some(Ok(())),
        Ok(Some(_)) => Some(Err(StoreError::NotThere)),
        Ok(None) => None,
        Err(error) => Some(Err(refused(&error))),
    }
}

fn refused(error: &ClientError) -> StoreError {
    StoreError::Other(error.to_string())
}

fn told(kept: Result<(), StoreError>) -> Option<Told> {
    match kept {
        // That it has ended elsewhere is told when that is heard.
        Ok(()) | Err(StoreError::NotThere) => None,
        Err(error) => Some(Told::NotKept(not_kept(&error))),
    }
}
