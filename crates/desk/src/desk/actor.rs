//! The actor: owns deck and store, and does in turn what is posted to the desk.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use askdeck_core::{
    claim::Claim,
    deck::{Deck, DialogEvent, Effect, FrontEndId, Quiet, Waiter},
    dialog::Dialog,
    key::Owner,
    outcome::Outcome,
    protocol::{Ended, Error, Reply},
    session::{Checks, Event, Verdicts, View},
};

use super::{
    Desk, Setup,
    checks::Checker,
    delivery::InFlight,
    front_ends::FrontEnd,
    pending_writes::{Ending, PendingWrites, json},
    quota::Quota,
    screen::{Exit, Notify, Screen},
    storage,
    subscribers::Subscribers,
    warnings::Warnings,
};
use crate::{
    paths,
    server::Replier,
    store::{self, Store},
};

/// When to try again to store what could not be stored, if nothing else happens.
const TRY_AGAIN: Duration = Duration::from_secs(1);

pub(super) struct Actor {
    pub(super) deck: Deck,
    pub(super) store: Store,
    pub(super) screen: Box<dyn Screen>,
    checker: Checker,
    /// Where to post what takes a while elsewhere and ends here.
    pub(super) desk: Desk,
    /// For how long an answer that reached nobody can be used.
    pub(super) reuse: Duration,
    /// Whether other programs may answer.
    pub(super) answers_over_socket: bool,
    pub(super) writes: PendingWrites,
    pub(super) in_flight: Vec<InFlight>,
    pub(super) quota: Quota,
    pub(super) warnings: Warnings,
    pub(super) waiting: HashMap<Waiter, Waiting>,
    /// Callers that wait until the window shows what it should.
    pub(super) unready: Vec<Replier>,
    pub(super) last_waiter: Waiter,
    pub(super) subscribers: Subscribers,
    /// The front ends beside the window.
    pub(super) front_ends: HashMap<FrontEndId, FrontEnd>,
    /// The owner of the questions that come over a connection from another machine.
    pub(super) owners: HashMap<u64, Owner>,
    /// Somebody has been here, so an empty deck means that it is over.
    pub(super) visited: bool,
    pub(super) connections: usize,
    /// How many deletions are on their way.
    pub(super) deleting: usize,
    pub(super) quitting: bool,
}

pub(super) struct Waiting {
    pub(super) connection: u64,
    pub(super) replier: Replier,
    /// The ticket of a question that goes with the connection.
    pub(super) passing: Option<String>,
}

impl Actor {
    /// `own` is where to post to this one.
    pub(super) fn new(setup: Setup, own: Desk, screen: Box<dyn Screen>) -> Self {
        let Setup { config, mut store, mut warnings } = setup;
        let mut deck = Deck::new(config.arming());
        let mut quota = Quota::default();
        deck.set_numbers(paths::language().numbers);
        if screen.web_view().is_none() {
            deck.do_without_window();
        }
        let now = Instant::now();
        for pending in storage::pending(&mut store, &mut warnings) {
            quota.restore(&pending.dialog, &pending.key);
            deck.restore(pending, now);
        }
        Self {
            deck,
            store,
            screen,
            checker: Checker::start(own.clone()),
            desk: own,
            reuse: config.reuse(),
            answers_over_socket: config.answers_over_socket,
            writes: PendingWrites::default(),
            in_flight: Vec::new(),
            quota,
            warnings,
            waiting: HashMap::new(),
            unready: Vec::new(),
            last_waiter: 0,
            subscribers: Subscribers::default(),
            front_ends: HashMap::new(),
            owners: HashMap::new(),
            visited: false,
            connections: 0,
            deleting: 0,
            quitting: false,
        }
    }

    /// From now on the desk stays. Without a tray nobody could see that they are not to be disturbed,
    /// and change it.
    pub(super) fn stay(&mut self) {
        if !self.deck.is_resident() {
            self.stay_quiet();
            self.with(Deck::stay);
        }
        self.screen.stay();
    }

    /// The person wants to see a dialog, or any: it gets the keyboard. With nothing to answer, what was
    /// answered.
    pub(super) fn show(&mut self, ticket: Option<&str>) {
        let effects = self.deck.show(ticket);
        if !effects.is_empty() {
            self.screen.want();
            self.carry_out(effects);
        } else if ticket.is_none() {
            self.screen.history(true, Box::new(|_| {}));
        }
    }

    /// Another program wants the person to see a dialog, or any. It may be an agent's, so the keyboard
    /// goes there only if a new question would get it. Whether there is one.
    pub(super) fn show_for_a_caller(&mut self, ticket: Option<&str>) -> bool {
        let effects = self.deck.show(ticket);
        let any = !effects.is_empty();
        self.carry_out(effects);
        any
    }

    /// The person clicked a notification. What has ended is in the history.
    pub(super) fn clicked(&mut self, ticket: &str) {
        if self.deck.is_open(ticket) {
            self.show(Some(ticket));
        } else {
            self.screen.history(true, Box::new(|_| {}));
        }
    }

    pub(super) fn set_quiet(&mut self, quiet: Quiet) {
        self.save_quiet(quiet);
        self.with(|deck, now| deck.set_quiet(quiet, now));
    }

    /// Applies an event of the window, which draws what is returned. If there is something to check,
    /// it draws what [`take_verdicts`](Self::take_verdicts) returns.
    pub(super) fn apply(
        &mut self,
        ticket: &str,
        mut event: Event,
        came: Instant,
    ) -> Result<Option<View>, Checks> {
        let now = Instant::now();
        if let Event::Key(key) = &mut event {
            let waited = now.duration_since(came).as_millis();
            key.age_ms = key.age_ms.saturating_add(waited.try_into().unwrap_or(u64::MAX));
        }
        let is_shown = event == Event::Shown;
        let (view, mut effects) = self.deck.apply(ticket, event, now);
        if is_shown {
            effects.extend(self.deck.shown(ticket));
        }
        let checks = Effect::take_checks(&mut effects);
        self.carry_out(effects);
        if is_shown && self.screen.painted(ticket) {
            self.draw_list();
        }
        checks.map_or(Ok(view), Err)
    }

    /// Takes what the window had checked, and returns what it draws then.
    pub(super) fn take_verdicts(&mut self, ticket: &str, verdicts: Verdicts) -> Option<View> {
        let (view, effects) = self.deck.take_verdicts(ticket, verdicts, Instant::now());
        self.carry_out(effects);
        view
    }

    /// Does something to the deck, and what follows from it.
    pub(super) fn with(&mut self, act: impl FnOnce(&mut Deck, Instant) -> Vec<Effect>) {
        let effects = act(&mut self.deck, Instant::now());
        self.carry_out(effects);
    }

    /// Draws everything, for a window that knows nothing yet.
    pub(super) fn redraw(&mut self) {
        self.draw_stage();
        self.draw_list();
        self.tell_if_ready();
    }

    /// The window has wiped off what was there: it can go without leaving it behind.
    pub(super) fn wiped(&mut self) {
        if self.deck.is_stage_empty() {
            self.screen.hide();
            self.quit_if_done();
        }
    }

    /// Tells the person something about a dialog, unless it has ended meanwhile.
    pub(super) fn notify(&mut self, ticket: &str, what: Notify) {
        if let Some((_, dialog)) = self.deck.find(ticket) {
            self.screen.notify(dialog, what);
        }
    }

    /// Ends the program; what is pending stays pending.
    pub(super) fn quit(&mut self) {
        self.quitting = true;
        for (_, waiting) in self.waiting.drain() {
            waiting.replier.fail(
                Error::QUITTING,
                "Askdeck was quit; the question stays open until it runs again",
            );
        }
        self.screen.exit(Exit::Now);
    }

    /// The program ends, for whatever reason.
    pub(super) fn take_no_more(&mut self) {
        self.quitting = true;
        self.store_at_last();
    }

    /// When the deck wants to know the time, or what could not be stored is tried again.
    pub(super) fn next_tick(&self) -> Option<Instant> {
        let again = self.awaits_store().then(|| Instant::now() + TRY_AGAIN);
        self.deck.next_tick().into_iter().chain(again).min()
    }

    pub(super) fn tick(&mut self) {
        let held = self.holds_something();
        let mut effects = self.return_to_file();
        effects.extend(self.deck.tick(Instant::now()));
        self.carry_out(effects);
        // It may have stayed for that alone.
        if held {
            self.quit_if_done();
        }
    }

    pub(super) fn quit_if_done(&mut self) {
        // What is still pending is kept, and comes back with the next desk.
        let done = self.deck.is_stage_empty()
            && self.connections == 0
            && self.visited
            && self.deleting == 0
            && !self.holds_something()
            && !self.screen.is_in_use();
        if done && !self.deck.is_resident() {
            self.quitting = true;
            self.screen.exit(Exit::OnceTold);
        }
    }

    /// Carries the effects out in their order.
    pub(super) fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut stage_changed = false;
        let mut list_changed = false;
        let mut further = Vec::new();
        for effect in effects {
            match effect {
                Effect::Insert { dialog, key, asked_at } => {
                    let saved = self.store.insert(&dialog, key.as_str(), asked_at);
                    self.saved(&dialog.id, saved);
                    further.extend(self.return_to_file());
                }
                Effect::AddClaim { ticket, claim } => {
                    let saved = self.store.add_claim(&ticket, &claim);
                    self.saved(&ticket, saved);
                }
                Effect::WithdrawClaim { ticket, claim } => {
                    self.quota.remove(&claim.ticket);
                    let saved = self.store.withdraw_claim(&ticket, &claim, store::now());
                    self.saved(&ticket, saved);
                }
                Effect::SaveDraft { ticket, draft } => {
                    let saved = self.store.save_draft(&ticket, &json(&draft));
                    self.saved(&ticket, saved);
                }
                Effect::End { ended, outcome, through } => {
                    self.screen.forget(&ended.dialog.id);
                    ended.claims.all().for_each(|claim| self.quota.remove(&claim.ticket));
                    further.extend(self.return_to_file());
                    let outcome = outcome.without_secrets(&ended.dialog);
                    self.save_end(Ending { ended, outcome, through, at: store::now() });
                }
                Effect::Reply { waiter, claim, dialog, outcome } => {
                    if let Some(waiting) = self.waiting.remove(&waiter) {
                        let ended = ended(&claim, &dialog, outcome);
                        self.deliver(waiting.replier, &dialog, ended);
                    }
                }
                Effect::LetGo { waiter, claim, dialog } => {
                    further.extend(self.let_go(waiter, &claim, &dialog));
                }
                Effect::Check { ticket, checks } => self.checker.take(ticket, checks),
                Effect::Open { address } => self.screen.open(address),
                Effect::Tell { front_end, news } => self.tell_front_end(front_end, &news),
                Effect::Happened { event, dialog } => {
                    self.save_event(&event, &dialog);
                    self.subscribers.tell(&event, &dialog);
                    if event == DialogEvent::SetAside && self.deck.is_stage_empty() {
                        self.screen.set_aside(&dialog);
                    }
                }
                Effect::Announce { dialog } => self.announce(&dialog),
                Effect::Stage => stage_changed = true,
                Effect::View { view, .. } => {
                    if let Some(dialog) = self.deck.on_stage() {
                        self.screen.view(dialog, view);
                    }
                }
                Effect::List => list_changed = true,
            }
        }
        if !further.is_empty() {
            self.carry_out(further);
        }
        // First what the person waits for.
        if stage_changed {
            self.draw_stage();
        }
        if stage_changed || list_changed {
            self.draw_list();
        }
        if list_changed {
            self.screen.changed();
        }
        self.retry_writes();
        self.tell_if_ready();
    }

    fn draw_stage(&mut self) {
        let staged = self.deck.staged(Instant::now());
        self.screen.stage(staged, self.deck.len());
    }

    /// Lists what is open beside the dialog on the stage. With none there, nobody sees a list, and it
    /// comes with the next dialog.
    pub(super) fn draw_list(&mut self) {
        if self.deck.is_stage_empty() || !self.screen.takes_list(self.deck.len()) {
            return;
        }
        self.screen.list(self.deck.list(), self.warnings.first());
    }

    /// A dialog that is about to be on the stage is announced by the window itself.
    fn announce(&mut self, dialog: &Dialog) {
        if self.deck.on_stage().is_none_or(|staged| staged.id != dialog.id) {
            self.screen.announce(dialog);
        }
    }

    /// An answer that the person gave earlier was used. Who does not want to be disturbed finds it in
    /// the history.
    pub(super) fn tell_reused(&mut self, dialog: &Dialog) {
        if self.deck.quiet() == Quiet::Off {
            self.screen.notify(dialog, Notify::Reused);
        }
    }

    pub(super) fn tell_if_ready(&mut self) {
        if self.screen.is_ready() && self.deck.is_stage_painted() {
            for replier in self.unready.drain(..) {
                replier.reply(Reply::Done { done: true });
            }
        }
    }

    /// It does not take part in the dialog any more, either: it could end it, and be told so twice.
    fn let_go(&mut self, waiter: Waiter, claim: &Claim, dialog: &Dialog) -> Vec<Effect> {
        let Some(waiting) = self.waiting.remove(&waiter) else { return Vec::new() };
        waiting.replier.reply(Reply::Ended(ended(claim, dialog, Outcome::Withdrawn)));
        self.deck.remove_front_end(&dialog.id, waiting.connection)
    }
}

/// How the dialog ended, for the caller that has this claim to it.
pub(super) fn ended(claim: &Claim, dialog: &Dialog, outcome: Outcome) -> Ended {
    let written = claim.write(dialog, &outcome);
    Ended { ticket: claim.ticket.clone(), reused: false, written, outcome }
}
