//! The open dialogs and the callers that wait for them: events in, effects out.
//!
//! No I/O and no clock: the desk says what time it is and carries the effects out, in their order. That order is the promise: a dialog is kept before it is shown, and its outcome
//! before anybody hears of it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    claim::{Claim, Taken},
    dialog::Dialog,
    key::QuestionKey,
    outcome::{PublicOutcome, Through},
    protocol::{News, Open, Ui},
    record::{Millis, OpenDialog},
    session::{Closing, Event, Numbers, Session, Settings, Verdicts, View},
};

mod caller_limits;
mod callers;
mod effect;
mod entries;
mod entry;
mod front_ends;
mod quiet;
mod stage;

#[cfg(test)]
mod tests;

pub use effect::{DialogEvent, Effect};
pub use front_ends::FrontEndId;
pub use quiet::Quiet;
pub use stage::Staged;

use caller_limits::CallerLimits;
use entries::Entries;
use entry::Entry;
use stage::Stage;

/// How long a decline can be taken back, where there is a tray to come back to.
const UNDO: Duration = Duration::from_secs(10);

/// A tick that comes so much later than it should says that the program was stopped.
const LATE: Duration = Duration::from_millis(250);

/// Someone who waits for the outcome of a dialog.
pub type Waiter = u64;

pub struct Deck {
    entries: Entries,
    stage: Stage,
    /// Whether there is a window to put anything on stage.
    has_window: bool,
    resident: bool,
    /// Nothing appears by itself while the person does not want to be disturbed.
    quiet: Quiet,
    quiet_until: Option<Instant>,
    arming: Duration,
    numbers: Numbers,
    caller_limits: CallerLimits,
}

impl Deck {
    /// For an app that goes when its deck is empty. Keys and clicks do nothing for `arming` after a
    /// dialog has appeared.
    pub fn new(arming: Duration) -> Self {
        Self {
            entries: Entries::default(),
            stage: Stage::Nothing,
            has_window: true,
            resident: false,
            quiet: Quiet::Off,
            quiet_until: None,
            arming,
            numbers: Numbers::Point,
            caller_limits: CallerLimits::default(),
        }
    }

    /// From now on nothing comes on stage: the person has terminals alone.
    pub fn do_without_window(&mut self) {
        self.has_window = false;
    }

    /// How the person writes numbers in the dialogs that come from now on.
    pub fn set_numbers(&mut self, numbers: Numbers) {
        self.numbers = numbers;
    }

    /// From now on the app stays, so there is a place to come back to. A dialog that is
    /// shown now says that closing it sets it aside.
    pub fn stay(&mut self, now: Instant) -> Vec<Effect> {
        self.resident = true;
        let settings = self.settings();
        for entry in self.entries.iter_mut() {
            entry.session.set_settings(settings);
        }
        let staged = self.staged(now).into_iter();
        staged
            .map(|Staged { dialog, view }| Effect::View {
                ticket: dialog.id.clone(),
                view: Box::new(view),
            })
            .collect()
    }

    pub fn is_resident(&self) -> bool {
        self.resident
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.is_stage_empty()
    }

    /// How many dialogs are open.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Brings back a dialog that was pending when the app last ran. Nobody waits for it, until its
    /// caller comes back.
    pub fn restore(&mut self, kept: OpenDialog, now: Instant) {
        let mut session = Session::new(Arc::clone(&kept.dialog), self.settings(), now);
        session.restore(kept.draft.clone());
        let mut awaited = Vec::new();
        if !kept.submitted {
            session.apply(Event::CallerLeft, now);
            awaited.extend(kept.claims.open.iter().map(|claim| claim.ticket.clone()));
        }
        let muted = self.caller_limits.is_muted(&kept.dialog.caller, now);
        self.entries.push(Entry { awaited, muted, restored: true, ..Entry::new(session, kept) });
    }

    /// The pending dialog with this key.
    pub fn pending(&self, key: &QuestionKey) -> Option<&Arc<Dialog>> {
        self.entries.with_key(key).map(|entry| entry.session.dialog())
    }

    /// Takes a new dialog, or joins the pending one with its key if that asks the same. Returns the
    /// ticket that the dialog had first.
    pub fn ask(
        &mut self,
        dialog: Dialog,
        key: QuestionKey,
        ui: Ui,
        waiter: Option<Waiter>,
        at: Millis,
        now: Instant,
    ) -> Result<(String, Vec<Effect>), Taken> {
        // One that has left its key to another is known by its ticket alone.
        let known = self.entries.get(&dialog.id).filter(|entry| entry.kept.key.is_same(&key));
        let pending = known.or_else(|| self.entries.with_key(&key));
        if let Some(pending) = pending {
            if !pending.session.dialog().asks_the_same(&dialog) {
                return Err(Taken::Key);
            }
            let ticket = pending.ticket().to_owned();
            let effects = self.ask_again(&ticket, &dialog, ui, waiter, now);
            return Ok((ticket, effects));
        }
        let ticket = dialog.id.clone();
        let muted = self.caller_limits.is_muted(&dialog.caller, now);
        let unobtrusive = self.caller_limits.asks_too_much(&dialog.caller, now);
        let session = Session::new(dialog, self.settings(), now);
        let dialog = Arc::clone(session.dialog());
        let event = if waiter.is_some() { DialogEvent::Asked } else { DialogEvent::Submitted };
        let mut effects = vec![
            Effect::Insert { dialog: Arc::clone(&dialog), key: key.clone(), asked_at: at },
            Effect::Happened { event, dialog },
        ];
        let claim = Arc::new(Claim::of(session.dialog()));
        let kept = OpenDialog::new(Arc::clone(session.dialog()), key, at);
        let mut entry = Entry { unobtrusive, muted, ..Entry::new(session, kept) };
        if let Some(waiter) = waiter {
            entry.enlist(waiter, claim);
        }
        self.entries.push(entry);
        self.appear(&ticket, ui, &mut effects);
        Ok((ticket, effects))
    }

    fn ask_again(
        &mut self,
        ticket: &str,
        again: &Dialog,
        ui: Ui,
        waiter: Option<Waiter>,
        now: Instant,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        let claim = Arc::new(Claim::of(again));
        let too_much = self.caller_limits.asks_too_much(&again.caller, now);
        let is_new = self.entries.add_claim(ticket, &claim);
        if is_new {
            let claim = Arc::clone(&claim);
            effects.push(Effect::AddClaim { ticket: ticket.into(), claim });
        }
        let Some(entry) = self.entries.get_mut(ticket) else { return effects };
        if entry.kept.claims.is_withdrawn(&again.id) {
            let dialog = Arc::clone(entry.session.dialog());
            effects.extend(waiter.map(|waiter| Effect::LetGo { waiter, claim, dialog }));
            return effects;
        }
        // A caller that only comes back has the time that was left.
        if is_new || entry.session.dialog().timeout != again.timeout {
            entry.renew_time(again.timeout, now);
        }
        if let Some(waiter) = waiter {
            entry.enlist(waiter, claim);
        }
        // What the person wants to see later is in line again, and they are told of it; where there
        // is a tray it brings no window, and nothing at all if they would be flooded.
        let can_wait = entry.kept.set_aside && self.resident;
        entry.unobtrusive = too_much;
        entry.kept.set_aside &= too_much;
        let dialog = Arc::clone(entry.session.dialog());
        let view = Box::new(entry.session.apply(Event::CallerBack, now));
        effects.push(Effect::Happened { event: DialogEvent::AskedAgain, dialog });
        entry.tell_of_return(&mut effects, now);
        if self.is_on_stage(ticket) {
            effects.push(Effect::View { ticket: ticket.into(), view });
            effects.push(Effect::List);
        } else if can_wait {
            self.announce(ticket, ui, &mut effects);
        } else {
            self.appear(ticket, ui, &mut effects);
        }
        effects
    }

    /// Whether the dialog of a ticket is open for anybody.
    pub fn is_open(&self, ticket: &str) -> bool {
        self.entries.get(ticket).is_some()
    }

    /// The ticket that an open dialog had first, by any that it has.
    fn own_ticket(&self, ticket: &str) -> Option<String> {
        self.entries.get(ticket).map(|entry| entry.ticket().to_owned())
    }

    /// The key and the dialog of a ticket, as long as that is open for anybody.
    pub fn find(&self, ticket: &str) -> Option<(&QuestionKey, &Arc<Dialog>)> {
        let entry = self.entries.get(ticket)?;
        Some((&entry.kept.key, entry.session.dialog()))
    }

    /// The person, or the page on their behalf, does something in a dialog.
    pub fn apply(
        &mut self,
        ticket: &str,
        event: Event,
        now: Instant,
    ) -> (Option<View>, Vec<Effect>) {
        let slept = self.entries.get(ticket).is_some_and(|entry| self.has_slept(entry, now));
        let Some(entry) = self.entries.get_mut(ticket) else {
            return (self.farewell_of(ticket).cloned(), Vec::new());
        };
        let is_there = event.is_of_the_person();
        // Nothing is checked that no front end has shown yet: there may be thousands.
        let checks = is_there || event == Event::Shown;
        if slept {
            entry.session.forgive_deadline(now);
        }
        let view = entry.session.apply(event, now);
        let effects = self.follow(ticket, &view, is_there, checks, now);
        (Some(view), effects)
    }

    /// What was handed out for a dialog in an [`Effect::Check`] was checked. As with
    /// [`Deck::apply`], the page draws what is returned.
    pub fn take_verdicts(
        &mut self,
        ticket: &str,
        verdicts: Verdicts,
        now: Instant,
    ) -> (Option<View>, Vec<Effect>) {
        let Some(entry) = self.entries.get_mut(ticket) else {
            return (self.farewell_of(ticket).cloned(), Vec::new());
        };
        let view = entry.session.take_verdicts(verdicts, now);
        let effects = self.follow(ticket, &view, false, true, now);
        (Some(view), effects)
    }

    /// What follows from what was done to a session, which looks so now.
    fn follow(
        &mut self,
        ticket: &str,
        view: &View,
        is_there: bool,
        checks: bool,
        now: Instant,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        let Some(entry) = self.entries.get_mut(ticket) else { return effects };
        let draft = entry.session.save();
        // A deadline waits for the person at every front end; that time has passed is no sign of
        // them.
        let is_news =
            !draft.gives_the_same(&entry.kept.draft) || is_there && view.countdown.is_some();
        let update = draft.since(Some(&entry.kept.draft));
        if draft != entry.kept.draft {
            entry.kept.draft.clone_from(&draft);
            effects.push(Effect::SaveDraft { ticket: ticket.into(), draft });
        }
        if is_news {
            entry.tell_front_ends(
                &mut effects,
                &News::Draft { ticket: ticket.into(), draft: update },
            );
        }
        if entry.session.take_set_aside() {
            entry.kept.set_aside = true;
            let dialog = Arc::clone(entry.session.dialog());
            effects.push(Effect::Happened { event: DialogEvent::SetAside, dialog });
            self.clear_stage(ticket, &mut effects);
            effects.push(Effect::List);
        } else if entry.session.outcome().is_some() {
            self.end(ticket, view.clone(), Through::Window, now, &mut effects);
        } else if checks && let Some(checks) = entry.session.take_checks() {
            effects.push(Effect::Check { ticket: ticket.into(), checks });
        }
        effects
    }

    /// Applies an event that did not come from the page.
    fn tell(&mut self, ticket: &str, event: Event, now: Instant) -> Vec<Effect> {
        let applied = self.apply(ticket, event, now);
        self.and_draw(ticket, applied)
    }

    /// Takes verdicts for which the page does not wait.
    pub fn checked(&mut self, ticket: &str, verdicts: Verdicts, now: Instant) -> Vec<Effect> {
        let taken = self.take_verdicts(ticket, verdicts, now);
        self.and_draw(ticket, taken)
    }

    /// Lets the page draw a view of which it does not know.
    fn and_draw(
        &self,
        ticket: &str,
        (view, mut effects): (Option<View>, Vec<Effect>),
    ) -> Vec<Effect> {
        if let Some(view) = view
            && self.is_on_stage(ticket)
        {
            effects.push(Effect::View { ticket: ticket.into(), view: Box::new(view) });
        }
        effects
    }

    /// When the deck wants its next [`Deck::tick`].
    pub fn next_tick(&self) -> Option<Instant> {
        let farewell = match &self.stage {
            Stage::Farewell { until, .. } => Some(*until),
            _ => None,
        };
        let sessions = self.entries.iter().filter_map(|entry| self.next_tick_of(entry));
        sessions.chain(farewell).chain(self.quiet_until).chain(self.caller_limits.next_end()).min()
    }

    /// Only the person who sees a dialog needs to be told every second how much time is left.
    fn next_tick_of(&self, entry: &Entry) -> Option<Instant> {
        if self.is_on_stage(entry.ticket()) {
            entry.session.next_tick()
        } else {
            entry.session.next_tick_unseen()
        }
    }

    /// Whether the program was stopped: a tick that the dialog wanted has not come. What the person
    /// did meanwhile is on its way.
    fn has_slept(&self, entry: &Entry, now: Instant) -> bool {
        self.next_tick_of(entry).is_some_and(|due| now.saturating_duration_since(due) > LATE)
    }

    pub fn tick(&mut self, now: Instant) -> Vec<Effect> {
        let due: Vec<String> = self
            .entries
            .iter()
            .filter(|entry| self.next_tick_of(entry).is_some_and(|next| now >= next))
            .map(|entry| entry.ticket().to_owned())
            .collect();
        let mut effects: Vec<Effect> =
            due.iter().flat_map(|ticket| self.tell(ticket, Event::Tick, now)).collect();
        if matches!(&self.stage, Stage::Farewell { until, .. } if now >= *until) {
            effects.extend(self.end_farewell());
        }
        if self.quiet_until.is_some_and(|until| now >= until) {
            effects.extend(self.set_quiet(Quiet::Off, now));
        }
        effects.extend(self.end_mutes(now));
        effects
    }

    /// The tickets that the open dialogs had first, oldest first.
    pub fn tickets(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(Entry::ticket)
    }

    /// All that is to be kept of the open dialog of a ticket.
    pub fn to_keep(&self, ticket: &str) -> Option<OpenDialog> {
        self.entries.get(ticket).map(Entry::to_keep)
    }

    /// The open dialogs, oldest first.
    pub fn list(&self) -> Vec<Open> {
        self.entries.iter().map(Entry::open).collect()
    }

    fn end(
        &mut self,
        ticket: &str,
        view: View,
        through: Through,
        now: Instant,
        effects: &mut Vec<Effect>,
    ) {
        let Some(entry) = self.entries.remove(ticket) else { return };
        let dialog = Arc::clone(entry.session.dialog());
        let Some(outcome) = entry.session.outcome().cloned() else { return };
        let news = News::Ended { ticket: ticket.into(), outcome: outcome.without_secrets(&dialog) };
        effects.push(Effect::End {
            ended: entry.to_keep(),
            outcome: outcome.clone(),
            through: outcome.is_of_the_person().then_some(through),
        });
        effects.push(Effect::Happened {
            event: DialogEvent::Ended { outcome: PublicOutcome::of(&outcome, &dialog) },
            dialog: Arc::clone(&dialog),
        });
        // A program that answers for the person cannot make their browser open anything.
        if through != Through::Socket {
            let agreed = dialog.agreed(&outcome);
            effects.extend(agreed.map(|address| Effect::Open { address: address.into() }));
        }
        entry.tell_front_ends(effects, &news);
        effects.extend(entry.waiters.into_iter().map(|(waiter, claim)| Effect::Reply {
            waiter,
            claim,
            dialog: Arc::clone(&dialog),
            outcome: outcome.clone(),
        }));
        self.bid_farewell(dialog, view, now, effects);
        effects.push(Effect::List);
    }

    fn settings(&self) -> Settings {
        let (arming, numbers) = (self.arming, self.numbers);
        if self.resident {
            Settings { arming, closing: Closing::SetsAside, undo: UNDO, numbers }
        } else {
            Settings { arming, closing: Closing::Dismisses, undo: Duration::ZERO, numbers }
        }
    }
}
