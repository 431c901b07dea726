//! The deck at work: its store, the page that draws it, and everyone who waits.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    thread,
    time::{Duration, Instant},
};

use tauri::{AppHandle, Manager, ipc::Channel};

use super::{
    attention::Attention,
    commands, history_window,
    page::{PageMessage, Spoken},
    rehearsal,
    ticker::Ticker,
    tray::Tray,
    warnings::Warnings,
    window,
};
use crate::{
    claim::Claim,
    config::Config,
    deck::{Deck, Effect, Quiet, Seat, Waiter, What},
    dialog::Dialog,
    key::{Owner, QuestionKey},
    outcome::Outcome,
    paths,
    protocol::{Ended, Reply},
    server::Replier,
    session::{Event, View},
    store::{self, Later, Millis, Store},
};

mod calls;
mod deleting;
mod delivery;
mod drawing;
mod elsewhere;
mod front_ends;
mod keeping;
mod quota;
mod subscribers;
mod tray_choices;

use delivery::InFlight;
use drawing::List;
use front_ends::FrontEnd;
use keeping::Ending;
use quota::Quota;
use subscribers::Subscribers;

/// How long what could not be kept waits, if nothing else happens.
const TRY_AGAIN: Duration = Duration::from_secs(1);

pub(super) struct Desk {
    app: AppHandle,
    state: Mutex<State>,
    pub(super) ticker: Ticker,
    pub(super) attention: Attention,
    /// Once the app stays.
    tray: OnceLock<Tray>,
    /// For how long an answer that reached nobody can be used.
    reuse: Duration,
    /// Whether other programs may answer.
    answers_over_socket: bool,
}

struct State {
    deck: Deck,
    store: Store,
    /// How dialogs ended that could not be kept.
    unkept: Vec<Ending>,
    /// The tickets of open dialogs that are not kept, or not with all that was given.
    unsaved: Vec<String>,
    /// Those of kept answers that reached somebody, and when, as long as that is not kept.
    unnoted: Vec<(String, Millis)>,
    /// Small writes that could not be made.
    later: Vec<Later>,
    in_flight: Vec<InFlight>,
    quota: Quota,
    warnings: Warnings,
    page: Option<Channel<PageMessage>>,
    list: List,
    /// The page has been sent a dialog, and has not said that it is painted.
    is_painting: bool,
    waiting: HashMap<Waiter, Waiting>,
    /// Who wants to know when the window shows what it should.
    unready: Vec<Replier>,
    last_waiter: Waiter,
    subscribers: Subscribers,
    /// Who takes part in dialogs beside the window.
    front_ends: HashMap<Seat, FrontEnd>,
    /// Whose the questions are that come over a connection from another machine.
    owners: HashMap<u64, Owner>,
    /// What the window's title says.
    title: String,
    /// Somebody has been here, so an empty deck means that it is over.
    visited: bool,
    connections: usize,
    /// How many deletions are on their way.
    deleting: usize,
    quitting: bool,
}

struct Waiting {
    connection: u64,
    replier: Replier,
}

impl Desk {
    pub(super) fn new(app: AppHandle, config: Config, store: Store, warnings: Warnings) -> Self {
        let state = Mutex::new(State::new(config.arming(), store, warnings));
        let reuse = config.reuse();
        let answers_over_socket = config.answers_over_socket;
        let clicked = app.clone();
        let attention = Attention::new(config, move |ticket| {
            clicked.state::<Arc<Self>>().clicked(&ticket);
        });
        let ticker = Ticker::default();
        Self { app, state, ticker, attention, tray: OnceLock::new(), reuse, answers_over_socket }
    }

    /// From now on the app stays, in the tray.
    pub(super) fn stay(&self) {
        let mut state = self.lock();
        let effects = state.stay();
        self.carry_out(&mut state, effects);
        drop(state);
        let app = self.app.clone();
        let _ending = self.app.run_on_main_thread(move || {
            let desk = app.state::<Arc<Self>>();
            if desk.tray.get().is_some() {
                return;
            }
            // Where trays cannot be had, `askdeck show` and a second launch bring the window back.
            if let Ok(tray) = Tray::create(&app, tray_choices::take) {
                let _first = desk.tray.set(tray);
                desk.draw_tray();
            }
        });
    }

    /// The person wants to see a dialog, or any: it gets the keyboard. Whether there is one.
    pub(super) fn show(&self, ticket: Option<&str>) -> bool {
        self.bring(ticket, || self.attention.want())
    }

    /// Another program wants the person to see a dialog, or any. It may be an agent's, so the
    /// keyboard goes there only if a new question would get it. Whether there is one.
    pub(super) fn show_for_a_caller(&self, ticket: Option<&str>) -> bool {
        self.bring(ticket, || {})
    }

    fn bring(&self, ticket: Option<&str>, prepare: impl FnOnce()) -> bool {
        let mut state = self.lock();
        let effects = state.deck.show(ticket);
        let any = !effects.is_empty();
        // With nothing to show, the next question would take the keyboard instead.
        if any {
            prepare();
        }
        self.carry_out(&mut state, effects);
        any
    }

    /// The person clicked a notification. What has ended is in the history.
    fn clicked(&self, ticket: &str) {
        if self.lock().deck.is_open(ticket) {
            self.show(Some(ticket));
        } else {
            history_window::open(&self.app);
        }
    }

    /// The page is ready to be seen.
    pub(super) fn show_window(&self, width: f64, height: f64) {
        let Some(window) = window::get(&self.app) else { return };
        let Some(dialog) = self.lock().deck.on_stage().cloned() else { return };
        window::fit(&window, width, height);
        // What cannot be shown now waits in the list.
        if self.attention.show(&window).unwrap_or(false) {
            self.notify(&dialog);
        }
    }

    pub(super) fn set_quiet(&self, quiet: Quiet) {
        let mut state = self.lock();
        state.keep_quiet(quiet);
        let effects = state.deck.set_quiet(quiet, Instant::now());
        self.carry_out(&mut state, effects);
    }

    /// The page is loaded and draws from now on.
    pub(super) fn bind(&self, page: Channel<PageMessage>) {
        let mut state = self.lock();
        state.page = Some(page);
        state.list = List::Drawn;
        state.send(PageMessage::Words(Spoken::to_the_person()));
        self.draw_stage(&mut state);
        state.draw_list();
        state.tell_if_ready();
        if state.deck.is_stage_empty()
            && let Some(question) = rehearsal::question()
        {
            state.send(PageMessage::Rehearsal(Box::new(question)));
        }
    }

    /// Applies an event of the page, which draws what is returned.
    pub(super) fn apply(&self, ticket: &str, mut event: Event) -> Option<View> {
        let came = Instant::now();
        let mut state = self.lock();
        let now = Instant::now();
        if let Event::Key(key) = &mut event {
            let waited = now.duration_since(came).as_millis();
            key.age_ms = key.age_ms.saturating_add(waited.try_into().unwrap_or(u64::MAX));
        }
        let is_shown = event == Event::Shown;
        let (view, mut effects) = state.deck.apply(ticket, event, now);
        if is_shown {
            effects.extend(state.deck.shown(ticket));
            state.painted(ticket);
        }
        self.carry_out(&mut state, effects);
        // Once it has ended, or the person went on to another, the title is that one's.
        let is_staged = state.deck.on_stage().is_some_and(|staged| staged.id == ticket);
        if let Some(view) = view.as_ref().filter(|_| is_staged) {
            self.retitle(&mut state, view);
        }
        view
    }

    /// Does something to the deck, and what follows from it.
    pub(super) fn with(&self, act: impl FnOnce(&mut Deck, Instant) -> Vec<Effect>) {
        let mut state = self.lock();
        let effects = act(&mut state.deck, Instant::now());
        self.carry_out(&mut state, effects);
    }

    /// The page has drawn the open dialogs.
    pub(super) fn listed(&self) {
        self.lock().listed();
    }

    /// The page has wiped off what was there: the window can go without leaving it behind.
    pub(super) fn wiped(&self) {
        let mut state = self.lock();
        if state.deck.is_stage_empty() {
            window::hide(&self.app);
            self.quit_if_done(&mut state);
        }
    }

    /// Ends the app; what is pending stays pending.
    pub(super) fn quit(&self) {
        let mut state = self.lock();
        state.quitting = true;
        for (_, waiting) in state.waiting.drain() {
            waiting.replier.fail(
                crate::protocol::Error::QUITTING,
                "Askdeck was quit; the question stays open until it runs again",
            );
        }
        self.app.exit(0);
    }

    /// The app ends, for whatever reason.
    pub(super) fn take_no_more(&self) {
        let mut state = self.lock();
        state.quitting = true;
        state.keep_at_last();
    }

    pub(super) fn is_quitting(&self) -> bool {
        self.lock().quitting
    }

    /// The person has looked back enough, which may be all that the app was there for.
    pub(super) fn history_closed(&self) {
        self.quit_if_done(&mut self.lock());
    }

    /// Reads what is kept without holding up the deck, unless it is kept in memory alone.
    pub(super) fn read<T>(&self, query: impl FnOnce(&Store) -> T) -> T {
        let file = self.lock().store.file().map(Path::to_owned);
        match file.and_then(|file| Store::open_to_read(&file)) {
            Some(beside) => query(&beside),
            None => query(&self.lock().store),
        }
    }

    /// When the deck wants to know the time, or what could not be kept is tried again.
    pub(super) fn next_tick(&self) -> Option<Instant> {
        let state = self.lock();
        let waits = !state.is_all_kept() || state.store.awaits_file();
        let again = waits.then(|| Instant::now() + TRY_AGAIN);
        state.deck.next_tick().into_iter().chain(again).min()
    }

    pub(super) fn tick(&self) {
        let mut state = self.lock();
        let held = state.holds_something();
        state.return_to_file();
        let effects = state.deck.tick(Instant::now());
        self.carry_out(&mut state, effects);
        // It may have stayed for that alone.
        if held {
            self.quit_if_done(&mut state);
        }
    }

    fn quit_if_done(&self, state: &mut State) {
        // What is still pending is kept, and comes back with the next app.
        let done = state.deck.is_stage_empty()
            && state.connections == 0
            && state.visited
            && state.deleting == 0
            && !state.holds_something()
            && !history_window::is_open();
        if done && !state.deck.is_resident() {
            state.quitting = true;
            let app = self.app.clone();
            self.attention.once_told(move || app.exit(0));
        }
    }

    /// Carries the effects out in their order. Nothing in here waits for the main thread, which
    /// may be waiting for the lock.
    fn carry_out(&self, state: &mut State, effects: Vec<Effect>) {
        let mut stage_changed = false;
        let mut list_changed = false;
        let mut further = Vec::new();
        for effect in effects {
            match effect {
                Effect::Insert { dialog, key, asked_at } => {
                    state.keep_dialog(&dialog, &key, asked_at);
                }
                Effect::AddClaim { ticket, claim } => state.keep_claim(&ticket, &claim),
                Effect::WithdrawClaim { ticket, claim } => {
                    state.quota.remove(&claim.ticket);
                    state.keep_withdrawal(&ticket, &claim);
                }
                Effect::SaveDraft { ticket, draft } => {
                    let draft = serde_json::to_string(&draft).unwrap_or_default();
                    state.keep_draft(&ticket, &draft);
                }
                Effect::End { dialog, key, asked_at, claims, draft, outcome, through } => {
                    self.attention.forget(&dialog.id);
                    claims.all().for_each(|claim| state.quota.remove(&claim.ticket));
                    state.return_to_file();
                    let outcome = outcome.without_secrets(&dialog);
                    let (at, delivered_at) = (store::now(), None);
                    state.keep_end(Ending {
                        dialog,
                        key,
                        asked_at,
                        claims,
                        draft,
                        outcome,
                        through,
                        at,
                        delivered_at,
                    });
                }
                Effect::Reply { waiter, claim, dialog, outcome } => {
                    state.reply(waiter, &claim, &dialog, &outcome);
                }
                Effect::LetGo { waiter, claim, dialog } => {
                    further.extend(state.let_go(waiter, &claim, &dialog));
                }
                Effect::Open { address } => {
                    // A browser may take its time to start.
                    thread::spawn(move || commands::open_link(&address));
                }
                Effect::Tell { seat, news } => state.tell_front_end(seat, &news),
                Effect::Happened { what, dialog } => {
                    state.keep_happening(&what, &dialog);
                    state.subscribers.tell(&what, &dialog);
                    if what == What::SetAside && state.deck.is_stage_empty() {
                        self.tell_where_it_went(dialog);
                    }
                }
                Effect::Announce { dialog } => self.announce(state, dialog),
                Effect::Stage => stage_changed = true,
                Effect::View { ticket, view } => {
                    self.retitle(state, &view);
                    state.send(PageMessage::View { ticket, view });
                }
                Effect::List => list_changed = true,
            }
        }
        if !further.is_empty() {
            self.carry_out(state, further);
        }
        // First what the person waits for.
        if stage_changed {
            self.draw_stage(state);
        }
        if stage_changed || list_changed {
            state.draw_list();
        }
        if list_changed {
            self.draw_tray();
        }
        state.keep_unkept();
        state.tell_if_ready();
        self.ticker.wake();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("a deck that panicked has ended the program")
    }
}

impl State {
    fn new(arming: Duration, mut store: Store, mut warnings: Warnings) -> Self {
        let mut deck = Deck::new(arming);
        let mut quota = Quota::default();
        deck.set_numbers(paths::language().numbers);
        let now = Instant::now();
        for pending in keeping::pending(&mut store, &mut warnings) {
            quota.restore(&pending.dialog, &QuestionKey::kept(pending.key.clone()));
            deck.restore(pending, now);
        }
        Self {
            deck,
            store,
            unkept: Vec::new(),
            unsaved: Vec::new(),
            unnoted: Vec::new(),
            later: Vec::new(),
            in_flight: Vec::new(),
            quota,
            warnings,
            page: None,
            list: List::Drawn,
            is_painting: false,
            waiting: HashMap::new(),
            unready: Vec::new(),
            last_waiter: 0,
            subscribers: Subscribers::default(),
            front_ends: HashMap::new(),
            owners: HashMap::new(),
            title: String::new(),
            visited: false,
            connections: 0,
            deleting: 0,
            quitting: false,
        }
    }

    /// Without a tray nobody could see that they are not to be disturbed, and change it.
    fn stay(&mut self) -> Vec<Effect> {
        if self.deck.is_resident() {
            return Vec::new();
        }
        self.stay_quiet();
        self.deck.stay(Instant::now())
    }

    fn tell_if_ready(&mut self) {
        if self.page.is_some() && self.deck.is_stage_painted() {
            for replier in self.unready.drain(..) {
                replier.reply(Reply::Done { done: true });
            }
        }
    }

    fn reply(&mut self, waiter: Waiter, claim: &Claim, dialog: &Dialog, outcome: &Outcome) {
        let Some(waiting) = self.waiting.remove(&waiter) else { return };
        self.deliver(waiting.replier, claim, dialog, outcome);
    }

    /// It does not take part in the dialog any more, either: it could end it, and be told so twice.
    fn let_go(&mut self, waiter: Waiter, claim: &Claim, dialog: &Dialog) -> Vec<Effect> {
        let Some(waiting) = self.waiting.remove(&waiter) else { return Vec::new() };
        waiting.replier.reply(Reply::Ended(ended(claim, dialog, Outcome::Withdrawn)));
        self.deck.unseat(&dialog.id, waiting.connection)
    }
}

/// How the dialog ended, for the caller that has this claim to it.
fn ended(claim: &Claim, dialog: &Dialog, outcome: Outcome) -> Ended {
    let written = claim.write(dialog, &outcome);
    Ended { ticket: claim.ticket.clone(), reused: false, written, outcome }
}

/// Lets the server call a desk that lives in tauri's state.
#[derive(Clone)]
pub(super) struct DeskService(pub(super) Arc<Desk>);
