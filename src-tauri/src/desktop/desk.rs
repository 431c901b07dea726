//! The deck at work: its store, the page that draws it, and everyone who waits.

use std::{
    collections::HashMap,
    mem,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    thread,
    time::{Duration, Instant},
};

use tauri::{AppHandle, Manager, ipc::Channel};

use super::{
    attention::Attention,
    commands, history_window,
    page::{PageMessage, Spoken, Staging, Warning},
    ticker::Ticker,
    tray::{self, Tray, TrayState},
    window,
};
use crate::{
    config::Config,
    deck::{Deck, Effect, Quiet, Seat, Waiter, What},
    dialect,
    dialog::Dialog,
    outcome::Outcome,
    protocol::{Ended, Open, Reply},
    server::Replier,
    session::{Event, View},
    store::{self, Store},
};

mod calls;
mod elsewhere;
mod front_ends;
mod keeping;
mod subscribers;
mod tray_choices;

use front_ends::FrontEnd;
use keeping::Ending;
use subscribers::Subscribers;

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
    /// What the person should know about how their questions are kept.
    warning: Option<Warning>,
    page: Option<Channel<PageMessage>>,
    list: List,
    waiting: HashMap<Waiter, Waiting>,
    /// Who wants to know when the window shows what it should.
    unready: Vec<Replier>,
    last_waiter: Waiter,
    subscribers: Subscribers,
    /// Who takes part in dialogs beside the window.
    front_ends: HashMap<Seat, FrontEnd>,
    /// Whose the questions are that come over a connection from another machine.
    owners: HashMap<u64, String>,
    /// What the window's title says.
    title: String,
    /// Somebody has been here, so an empty deck means that it is over.
    visited: bool,
    connections: usize,
    quitting: bool,
}

/// How far the page is with drawing the open dialogs. A thousand of them take it a while, and it
/// must not be sent more lists than it can draw.
#[derive(PartialEq)]
enum List {
    Drawn,
    BeingDrawn,
    /// It is drawing one that is not the last any more.
    Outdated,
}

struct Waiting {
    connection: u64,
    replier: Replier,
}

impl Desk {
    pub(super) fn new(
        app: AppHandle,
        config: Config,
        store: Store,
        warning: Option<Warning>,
    ) -> Self {
        let mut deck = Deck::new(config.arming());
        let now = Instant::now();
        for pending in store.pending().unwrap_or_default() {
            deck.restore(pending, now);
        }
        let state = State {
            deck,
            store,
            unkept: Vec::new(),
            warning,
            page: None,
            list: List::Drawn,
            waiting: HashMap::new(),
            unready: Vec::new(),
            last_waiter: 0,
            subscribers: Subscribers::default(),
            front_ends: HashMap::new(),
            owners: HashMap::new(),
            title: String::new(),
            visited: false,
            connections: 0,
            quitting: false,
        };
        let reuse = config.reuse();
        let answers_over_socket = config.answers_over_socket;
        let clicked = app.clone();
        let attention = Attention::new(config, move |ticket| {
            clicked.state::<Arc<Self>>().show(Some(&ticket));
        });
        let state = Mutex::new(state);
        let ticker = Ticker::default();
        Self { app, state, ticker, attention, tray: OnceLock::new(), reuse, answers_over_socket }
    }

    /// From now on the app stays, in the tray.
    pub(super) fn stay(&self) {
        self.lock().deck.stay();
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

    /// The person wants to see a dialog, or any. Whether there is one.
    pub(super) fn show(&self, ticket: Option<&str>) -> bool {
        self.attention.want();
        let mut state = self.lock();
        let effects = state.deck.show(ticket);
        let any = !effects.is_empty();
        self.carry_out(&mut state, effects);
        any
    }

    /// The page is ready to be seen.
    pub(super) fn show_window(&self, width: f64, height: f64) {
        let Some(window) = window::get(&self.app) else { return };
        let Some(dialog) = self.lock().deck.on_stage().cloned() else { return };
        window::fit(&window, width, height);
        // What cannot be shown now waits in the list.
        let _unshown = self.attention.show(&window, &dialog);
    }

    pub(super) fn set_quiet(&self, quiet: Quiet) {
        self.with(|deck, now| deck.set_quiet(quiet, now));
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
    }

    /// Applies an event of the page, which draws what is returned.
    pub(super) fn apply(&self, ticket: &str, event: Event) -> Option<View> {
        let mut state = self.lock();
        let is_shown = event == Event::Shown;
        let (view, mut effects) = state.deck.apply(ticket, event, Instant::now());
        if is_shown {
            effects.extend(state.deck.shown(ticket));
        }
        self.carry_out(&mut state, effects);
        if let Some(view) = &view {
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
        let mut state = self.lock();
        if mem::replace(&mut state.list, List::Drawn) == List::Outdated {
            state.draw_list();
        }
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
                "Askdeck was quit; the question stays pending",
            );
        }
        self.app.exit(0);
    }

    /// The app ends, for whatever reason.
    pub(super) fn take_no_more(&self) {
        self.lock().quitting = true;
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

    pub(super) fn next_tick(&self) -> Option<Instant> {
        self.lock().deck.next_tick(Instant::now())
    }

    fn quit_if_done(&self, state: &mut State) {
        // What is still pending is kept, and comes back with the next app.
        let done = state.deck.is_stage_empty()
            && state.connections == 0
            && state.visited
            && !state.holds_an_answer()
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
        for effect in effects {
            match effect {
                Effect::Insert { dialog, key, asked_at } => {
                    state.return_to_file();
                    let kept = state.store.insert(&dialog, &key, asked_at);
                    state.tell_if_not_kept(kept);
                }
                Effect::SaveDraft { ticket, draft } => {
                    let draft = serde_json::to_string(&draft).unwrap_or_default();
                    state.keep_draft(&ticket, &draft);
                }
                Effect::End { dialog, key, asked_at, outcome, through } => {
                    self.attention.forget(&dialog.id);
                    state.return_to_file();
                    let outcome = outcome.without_secrets(&dialog);
                    let (at, delivered_at) = (store::now(), None);
                    state.keep_end(Ending {
                        dialog,
                        key,
                        asked_at,
                        outcome,
                        through,
                        at,
                        delivered_at,
                    });
                }
                Effect::Reply { waiter, dialog, outcome } => {
                    state.reply(waiter, &dialog, &outcome);
                }
                Effect::Open { address } => {
                    // A browser may take its time to start.
                    thread::spawn(move || commands::open_link(&address));
                }
                Effect::Tell { seat, news } => state.tell_front_end(seat, &news),
                Effect::Happened { what, dialog, outcome } => {
                    if let Some(name) = noted(what) {
                        let kept = state.store.note(&dialog.id, name, store::now());
                        state.tell_if_not_kept(kept);
                    }
                    state.subscribers.tell(what, &dialog, outcome.as_ref());
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

    fn draw_stage(&self, state: &mut State) {
        let staged = state.deck.staged(Instant::now());
        if let Some(staged) = &staged {
            self.retitle(state, &staged.view);
        }
        let staged = staged.map(Staging::new).map(Box::new);
        let open = state.deck.len();
        state.send(PageMessage::Stage { staged, open });
    }

    fn retitle(&self, state: &mut State, view: &View) {
        let Some(dialog) = state.deck.on_stage() else { return };
        let title = window::title(dialog, view);
        if title != state.title {
            window::set_title(&self.app, title.clone());
            state.title = title;
        }
    }

    /// A dialog that is about to be on the stage is announced by the window itself.
    fn announce(&self, state: &State, dialog: Arc<Dialog>) {
        if state.deck.on_stage().is_some_and(|staged| staged.id == dialog.id) {
            return;
        }
        let app = self.app.clone();
        let _ending = self.app.run_on_main_thread(move || {
            if !window::is_focused(&app) {
                app.state::<Arc<Self>>().attention.notify(&dialog);
            }
        });
    }

    /// Without a tray, nothing on the screen tells that the app is still there.
    fn tell_where_it_went(&self, dialog: Arc<Dialog>) {
        let app = self.app.clone();
        // The bus may take its time.
        thread::spawn(move || {
            if !window::has_tray_host() {
                app.state::<Arc<Self>>().attention.tell_where_it_went(&dialog);
            }
        });
    }

    fn draw_tray(&self) {
        let Some(tray) = self.tray.get() else { return };
        let app = self.app.clone();
        tray.draw_soon(&self.app, move || app.state::<Arc<Self>>().tray_state());
    }

    fn tray_state(&self) -> TrayState {
        let state = self.lock();
        let label = |open: Open| (open.ticket, format!("{}: {}", open.agent, open.about));
        TrayState {
            waiting: state.deck.list().into_iter().map(label).collect(),
            quiet: state.deck.quiet(),
            starts_at_login: tray::starts_at_login(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("a deck that panicked has ended the program")
    }
}

impl State {
    fn send(&self, message: PageMessage) {
        if let Some(page) = &self.page {
            // A page that is being reloaded binds anew, and is then told everything.
            let _reloading = page.send(message);
        }
    }

    /// Lists what is open beside the dialog on the stage. With none there, nobody sees a list, and
    /// it comes with the next dialog.
    fn draw_list(&mut self) {
        if self.page.is_none() || self.deck.is_stage_empty() {
            return;
        }
        if self.list != List::Drawn {
            self.list = List::Outdated;
            return;
        }
        self.list = List::BeingDrawn;
        let now = Instant::now();
        let is_muted = |ticket: &str| self.deck.is_muted(ticket, now);
        let message = PageMessage::list(self.deck.list(), is_muted, self.warning.clone());
        self.send(message);
    }

    fn tell_if_ready(&mut self) {
        if self.page.is_some() && self.deck.is_stage_painted() {
            for replier in self.unready.drain(..) {
                replier.reply(Reply::Done { done: true });
            }
        }
    }

    fn reply(&mut self, waiter: Waiter, dialog: &Dialog, outcome: &Outcome) {
        let Some(waiting) = self.waiting.remove(&waiter) else { return };
        self.deliver(waiting.replier, dialog, outcome, false);
    }
}

fn ended(dialog: &Dialog, outcome: Outcome, reused: bool) -> Reply {
    let dialect = dialect::by_name(&dialog.dialect);
    let written = dialect.map(|dialect| (dialect.write)(dialog, &outcome)).unwrap_or_default();
    Reply::Ended(Ended { ticket: dialog.id.clone(), reused, written, outcome })
}

/// How the store calls what it does not know by itself.
fn noted(what: What) -> Option<&'static str> {
    match what {
        What::Submitted => Some("submitted"),
        What::AskedAgain => Some("asked_again"),
        What::Shown => Some("shown"),
        What::SetAside => Some("set_aside"),
        What::CallerLeft => Some("caller_left"),
        What::Asked | What::Ended | What::Delivered => None,
    }
}

/// Lets the server call a desk that lives in tauri's state.
#[derive(Clone)]
pub(super) struct DeskService(pub(super) Arc<Desk>);
