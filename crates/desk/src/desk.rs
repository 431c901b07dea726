//! The desk: one thread owns deck and store, and all others post work to it instead of locking them.
//!
//! Reading, checking and looking up happen in the task of the caller. What the person does goes before
//! what callers want.

use std::{
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Instant,
};

use askdeck_core::{
    deck::{Deck, Quiet},
    protocol::Open,
    session::{Checks, Event, Verdicts, View},
};
use tokio::sync::oneshot;

use crate::{
    config::{Config, Unusable},
    store::{Store, StoreNotice},
};

mod actor;
mod calls;
mod checks;
mod deleting;
mod delivery;
mod front_ends;
mod inbox;
mod pending_writes;
mod quota;
mod remote_callers;
mod screen;
mod storage;
mod subscribers;
mod warnings;

pub use screen::{Exit, NoScreen, Notify, Screen};

use actor::Actor;
use inbox::{Inbox, PostedBy};
use warnings::Warnings;

/// What a desk begins with.
pub struct Setup {
    config: Config,
    store: Store,
    warnings: Warnings,
}

impl Setup {
    /// `wrong` and `notice` are what the person should know of their files.
    pub fn new(
        config: Config,
        wrong: Option<Unusable>,
        store: Store,
        notice: Option<StoreNotice>,
    ) -> Self {
        Self { config, store, warnings: Warnings::new(wrong, notice) }
    }
}

/// Where to post what is to be done at the desk.
#[derive(Clone)]
pub struct Desk(Inbox);

impl Desk {
    /// Starts the desk's thread, with what was pending when the last one ended.
    pub fn start(setup: Setup, screen: impl FnOnce(&Self) -> Box<dyn Screen>) -> Self {
        let desk = Self(Inbox::default());
        let kept_for = setup.config.history();
        let mut actor = Actor::new(setup, desk.clone(), screen(&desk));
        let inbox = desk.0.clone();
        thread::spawn(move || {
            loop {
                match inbox.pop(actor.next_tick()) {
                    Some(work) => work(&mut actor),
                    None => actor.tick(),
                }
            }
        });
        if let Some(time) = kept_for {
            desk.keep_history_for(time);
        }
        desk
    }

    /// Has it done in its turn, without waiting for it.
    fn post(&self, from: PostedBy, work: impl FnOnce(&mut Actor) + Send + 'static) {
        self.0.push(from, Box::new(work));
    }

    /// Has it done in its turn, and waits for what comes of it.
    async fn ask<T: Send + 'static>(
        &self,
        from: PostedBy,
        work: impl FnOnce(&mut Actor) -> T + Send + 'static,
    ) -> T {
        let (tell, told) = oneshot::channel();
        // The caller may be gone.
        self.post(from, move |desk| drop(tell.send(work(desk))));
        told.await.expect("the desk does everything that is posted")
    }

    /// The same on a thread that may wait.
    fn wait<T: Send + 'static>(
        &self,
        from: PostedBy,
        work: impl FnOnce(&mut Actor) -> T + Send + 'static,
    ) -> T {
        let (tell, told) = mpsc::channel();
        self.post(from, move |desk| drop(tell.send(work(desk))));
        told.recv().expect("the desk does everything that is posted")
    }

    /// From now on the desk stays when nothing is open.
    pub fn stay(&self) {
        self.post(PostedBy::Person, Actor::stay);
    }

    /// The person wants to see a dialog, or any, or else what was answered.
    pub fn show(&self, ticket: Option<String>) {
        self.post(PostedBy::Person, move |desk| desk.show(ticket.as_deref()));
    }

    /// The person clicked what they were told about a dialog.
    pub fn clicked(&self, ticket: String) {
        self.post(PostedBy::Person, move |desk| desk.clicked(&ticket));
    }

    /// The person closes the window. The session decides what that means.
    pub fn close(&self) {
        self.post(PostedBy::Person, |desk| desk.with(Deck::close));
    }

    pub fn set_quiet(&self, quiet: Quiet) {
        self.post(PostedBy::Person, move |desk| desk.set_quiet(quiet));
    }

    /// Whether the person wants to hear nothing from this dialog's caller for an hour.
    pub fn mute(&self, ticket: String, muted: bool) {
        self.post(PostedBy::Person, move |desk| {
            desk.with(
                |deck, now| {
                    if muted { deck.mute(&ticket, now) } else { deck.unmute(&ticket, now) }
                },
            );
        });
    }

    /// Applies an event of the window, and returns what it draws then. The window waits for it before
    /// it sends the next one, so that keys keep their order.
    pub async fn apply(&self, ticket: String, event: Event) -> Option<View> {
        let (own, came) = (ticket.clone(), Instant::now());
        let applied = self.ask(PostedBy::Person, move |desk| desk.apply(&own, event, came)).await;
        match applied {
            Ok(view) => view,
            Err(checks) => {
                let verdicts = run(checks).await;
                self.ask(PostedBy::Person, move |desk| desk.take_verdicts(&ticket, verdicts)).await
            }
        }
    }

    /// Draws everything, for a window that knows nothing yet.
    pub fn redraw(&self) {
        self.post(PostedBy::Person, Actor::redraw);
    }

    /// The window can draw the open dialogs again.
    pub fn list_again(&self) {
        self.post(PostedBy::Person, Actor::draw_list);
    }

    /// The window shows nothing any more.
    pub fn wiped(&self) {
        self.post(PostedBy::Person, Actor::wiped);
    }

    /// Tells the person something about a dialog, unless it has ended meanwhile.
    pub fn notify(&self, ticket: String, what: Notify) {
        self.post(PostedBy::Person, move |desk| desk.notify(&ticket, what));
    }

    /// What is open, oldest first, and whether the person does not want to be disturbed.
    pub fn describe(&self, tell: impl FnOnce(Vec<Open>, Quiet) + Send + 'static) {
        self.post(PostedBy::Person, move |desk| tell(desk.deck.list(), desk.deck.quiet()));
    }

    /// The person has looked back enough, which may be all that the desk was there for.
    pub fn history_closed(&self) {
        self.post(PostedBy::Person, Actor::quit_if_done);
    }

    /// Nobody has connected since the desk was started: it ends, unless it is needed.
    pub fn go_if_unneeded(&self) {
        self.post(PostedBy::Person, |desk| {
            desk.visited = true;
            desk.quit_if_done();
        });
    }

    /// Ends the program; what is pending stays pending.
    pub fn quit(&self) {
        self.post(PostedBy::Person, Actor::quit);
    }

    /// The program ends, for whatever reason: returns when everything is kept that can be.
    pub fn take_no_more(&self) {
        self.wait(PostedBy::Person, Actor::take_no_more);
    }

    pub fn is_quitting(&self) -> bool {
        self.wait(PostedBy::Person, |desk| desk.quitting)
    }

    /// Reads what is kept without holding up the desk, unless it is kept in memory alone. Waits.
    pub fn read<T: Send + 'static>(&self, query: impl FnOnce(&Store) -> T + Send + 'static) -> T {
        let file: Option<PathBuf> =
            self.wait(PostedBy::Person, |desk| desk.store.file().map(Path::to_owned));
        match file.and_then(|file| Store::open_to_read(&file)) {
            Some(beside) => query(&beside),
            None => self.wait(PostedBy::Person, |desk| query(&desk.store)),
        }
    }
}

/// Runs checks on a thread that may block.
async fn run(checks: Checks) -> Verdicts {
    tokio::task::spawn_blocking(|| checks.run()).await.expect("checking does not panic")
}
