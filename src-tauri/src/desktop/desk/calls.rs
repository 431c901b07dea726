//! What callers can ask of the app.

use std::{sync::Arc, time::Instant};

use tauri::{Manager, async_runtime::spawn_blocking};

use super::{Desk, DeskService, State, Waiting, ended, keeping::End};
use crate::{
    asking::{self, Asked, Refusal},
    claim::{Claim, Taken},
    deck::{Effect, Waiter},
    desktop::{history_window, tray, window},
    dialect::Dialect,
    dialog::{Caller, Dialog},
    key::QuestionKey,
    outcome::Answer,
    payload::Payload,
    protocol::{Ask, Call, Hello, Pending, Reply, Ui, VERSION},
    server::{Peer, Replier, Serve, apart},
    store::{self, Happening, Store, StoreError},
};

impl Serve for DeskService {
    async fn call(&self, peer: &Peer, call: Call, replier: Replier) {
        let (call, asked) = checked(peer, call).await;
        self.0.call(peer, call, asked, replier);
    }

    fn opened(&self) {
        let mut state = self.0.lock();
        state.visited = true;
        state.connections += 1;
    }

    fn closed(&self, connection: u64, has_read_all: bool) {
        self.0.closed(connection, has_read_all);
    }
}

impl Desk {
    fn call(
        &self,
        peer: &Peer,
        call: Call,
        asked: Option<Result<Asked, Refusal>>,
        replier: Replier,
    ) {
        let mut state = self.lock();
        let received = state.hear(peer, &call);
        // Whoever comes too late sees the connection close, and finds or starts another app.
        if state.quitting && !matches!(call, Call::Received { .. }) {
            return;
        }
        let Some(replier) = state.allow(peer, &call, replier) else { return };
        match call {
            Call::Hello { desktop: true, .. } => {
                let hello = state.hello();
                // The bus may take its time, in which nobody must be held up.
                spawn_blocking(move || {
                    let tray_host = Some(window::has_tray_host());
                    replier.reply(Reply::Hello(Hello { tray_host, ..hello }))
                });
            }
            Call::Hello { .. } => {
                replier.reply(Reply::Hello(state.hello()));
            }
            Call::Ask(ask) => {
                let ui = ask.ui.unwrap_or_default();
                let Some(replier) = self.permit(&mut state, peer, ui, replier) else { return };
                if let Some((asked, replier)) = self.welcome(&mut state, peer, asked, replier) {
                    self.ask_and_wait(&mut state, peer, asked, ui, replier);
                }
            }
            Call::Submit(_) => {
                if let Some((asked, replier)) = self.welcome(&mut state, peer, asked, replier) {
                    match self.ask(&mut state, asked, Ui::Window, None) {
                        Ok(ticket) => {
                            replier.reply(Reply::Submitted { ticket, state: Pending::Pending })
                        }
                        Err(taken) => replier.refuse(taken.to_string()),
                    };
                }
            }
            Call::Result { ticket, wait, .. } => {
                let effects = state.result(peer, &ticket, wait, replier);
                self.carry_out(&mut state, effects);
            }
            Call::Received { .. } => {
                replier.reply(Reply::Done { done: received });
            }
            Call::Withdraw { ticket } => {
                let (withdrawn, effects) = state.deck.withdraw(&ticket, Instant::now());
                self.carry_out(&mut state, effects);
                replier.reply(Reply::Withdrawn { withdrawn });
            }
            Call::List {} => {
                replier.reply(Reply::Open { open: state.open_to(peer) });
            }
            Call::Answer { ticket, answers } => {
                self.answer(&mut state, &ticket, answers, replier);
            }
            Call::Join { ticket } => self.join(&mut state, peer, &ticket, replier),
            Call::Draft { ticket, draft } => {
                self.take_draft(&mut state, peer, &ticket, &draft, replier);
            }
            Call::End { ticket, outcome } => {
                self.end_at(&mut state, peer, &ticket, outcome, replier);
            }
            Call::Leave { ticket } => self.leave(&mut state, peer, &ticket, replier),
            Call::Subscribe { words } => state.subscribers.add(peer, words.as_deref(), replier),
            Call::Show { history: true, .. } => {
                drop(state);
                replier.reply(Reply::Done { done: history_window::bring(&self.app) });
            }
            Call::Show { ticket, .. } => {
                drop(state);
                replier.reply(Reply::Done { done: self.show_for_a_caller(ticket.as_deref()) });
            }
            Call::Ready {} => {
                state.unready.push(replier);
                state.tell_if_ready();
            }
            Call::History(newest) => self.look_up(replier, move |store| {
                store.history(&newest).map(|history| Reply::History { history })
            }),
            Call::Stats { since, until } => {
                self.look_up(replier, move |store| store.stats(since, until).map(Reply::Stats));
            }
            Call::Delete { which, preview } => self
                .reply_later(replier, move |desk| desk.delete(&which, preview).map(Reply::Deleted)),
            Call::Stay { at_login } => {
                drop(state);
                self.stay();
                let set = at_login.map_or(Ok(()), tray::set_start_at_login);
                self.draw_tray();
                match set {
                    Ok(()) => replier.reply(Reply::Done { done: true }),
                    Err(error) => {
                        replier.refuse(format!("Askdeck stays, but cannot start at login: {error}"))
                    }
                };
            }
            Call::Shutdown {} => {
                replier.reply(Reply::Done { done: true });
                drop(state);
                self.quit();
            }
        }
    }

    /// Replies with what is kept, once it is found.
    fn look_up(
        &self,
        replier: Replier,
        query: impl FnOnce(&Store) -> Result<Reply, StoreError> + Send + 'static,
    ) {
        self.reply_later(replier, move |desk| desk.read(query));
    }

    /// Replies once it is done, on a thread of its own: years of dialogs take a while to look through.
    fn reply_later(
        &self,
        replier: Replier,
        act: impl FnOnce(&Self) -> Result<Reply, StoreError> + Send + 'static,
    ) {
        let app = self.app.clone();
        spawn_blocking(move || match act(&app.state::<Arc<Self>>()) {
            Ok(reply) => replier.reply(reply),
            Err(error) => replier.refuse(error.to_string()),
        });
    }

    /// Gives back what the person is to be asked.
    fn welcome(
        &self,
        state: &mut State,
        peer: &Peer,
        asked: Option<Result<Asked, Refusal>>,
        replier: Replier,
    ) -> Option<(Asked, Replier)> {
        let (asked, replier) = self.consider(state, peer, asked, replier)?;
        let replier = state.make_room(peer, &asked, replier)?;
        Some((asked, replier))
    }

    /// Gives back what is asked unless it is answered already, or refused.
    fn consider(
        &self,
        state: &mut State,
        peer: &Peer,
        asked: Option<Result<Asked, Refusal>>,
        replier: Replier,
    ) -> Option<(Asked, Replier)> {
        let mut asked = match asked? {
            Ok(asked) => asked,
            Err(refusal) => {
                replier.refuse(refusal.to_string());
                return None;
            }
        };
        state.mark(peer, &mut asked);
        let ticket = &asked.dialog.id;
        // Also of one that has ended: its answer was not given to this question.
        let is_other = |(key, dialog): (QuestionKey, Arc<Dialog>)| {
            key != asked.key || !dialog.asks_the_same(&asked.dialog)
        };
        if state.find(ticket).is_some_and(is_other) {
            replier.refuse(Taken::Ticket(ticket.clone()).to_string());
            return None;
        }
        if let Some(outcome) = asked.answered.take() {
            let claim = Claim::of(&asked.dialog);
            replier.reply(Reply::Ended(ended(&claim, &asked.dialog, outcome)));
            return None;
        }
        // A command that lost its app asks again with the ticket that it had.
        if let Ok(Some(end)) = state.ending(ticket) {
            if end.outcome.is_whole() {
                let claim = Arc::new(Claim::of(&asked.dialog));
                state.deliver_end(replier, &End { claim, ..end });
                return None;
            }
            // The secret was lost with the app that had it.
            asked.dialog.id = asking::new_ticket();
        }
        if state.deck.pending(&asked.key).is_none()
            && let Some((dialog, outcome)) = state.undelivered(&asked, store::ago(self.reuse))
        {
            let claim = Claim::of(&asked.dialog);
            state.keep_late_claim(&dialog.id, &claim);
            if state.deliver_reused(replier, &claim, &dialog, &outcome) {
                self.tell_reused(state, &dialog);
                state.keep_note(&dialog.id, Happening::Reused);
            }
            return None;
        }
        Some((asked, replier))
    }

    fn ask_and_wait(&self, state: &mut State, peer: &Peer, asked: Asked, ui: Ui, replier: Replier) {
        let waiter = state.enlist(peer, replier);
        match self.ask(state, asked, ui, Some(waiter)) {
            Ok(ticket) => self.join_asked(state, peer, ui, &ticket),
            Err(taken) => {
                if let Some(waiting) = state.waiting.remove(&waiter) {
                    waiting.replier.refuse(taken.to_string());
                }
            }
        }
    }

    /// Returns the caller's own ticket.
    fn ask(
        &self,
        state: &mut State,
        asked: Asked,
        ui: Ui,
        waiter: Option<Waiter>,
    ) -> Result<String, Taken> {
        let Asked { dialog, key, .. } = asked;
        let ticket = dialog.id.clone();
        let asked = state.deck.ask(dialog, key, ui, waiter, store::now(), Instant::now());
        let (_, effects) = asked.inspect_err(|_| state.quota.remove(&ticket))?;
        self.carry_out(state, effects);
        Ok(ticket)
    }

    /// An agent must not be able to answer itself unnoticed.
    fn answer(&self, state: &mut State, ticket: &str, answers: Vec<Answer>, replier: Replier) {
        if !self.answers_over_socket {
            replier.refuse(
                "answers over the socket are not allowed; set `answers_over_socket = true` in config.toml",
            );
            return;
        }
        let ended = state.deck.answer(ticket, answers, Instant::now());
        self.reply_if_first(state, ended, replier);
    }

    fn closed(&self, connection: u64, has_read_all: bool) {
        let mut state = self.lock();
        state.connections -= 1;
        state.lost(connection, has_read_all);
        state.subscribers.remove(connection);
        state.front_ends.remove(&connection);
        state.owners.remove(&connection);
        state.unready.retain(|replier| replier.connection != connection);
        let gone: Vec<_> = state
            .waiting
            .iter()
            .filter(|(_, waiting)| waiting.connection == connection)
            .map(|(waiter, _)| *waiter)
            .collect();
        for waiter in gone {
            state.waiting.remove(&waiter);
            let effects = state.deck.forget(waiter, Instant::now());
            self.carry_out(&mut state, effects);
        }
        let effects = state.deck.forget_seat(connection);
        self.carry_out(&mut state, effects);
        self.quit_if_done(&mut state);
    }
}

impl State {
    fn result(&mut self, peer: &Peer, ticket: &str, wait: bool, replier: Replier) -> Vec<Effect> {
        match self.ending(ticket) {
            Ok(Some(end)) => {
                self.deliver_end(replier, &end);
            }
            // It is open even if it could not be kept.
            _ if self.deck.has_claim(ticket) => {
                if wait {
                    let waiter = self.enlist(peer, replier);
                    return self.deck.wait(ticket, waiter, Instant::now());
                }
                let ticket = ticket.into();
                replier.reply(Reply::Submitted { ticket, state: Pending::Pending });
            }
            Ok(_) => {
                replier.refuse(asking::unknown_ticket(ticket));
            }
            Err(error) => {
                replier.refuse(format!("cannot read what is kept: {error}"));
            }
        }
        Vec::new()
    }

    fn enlist(&mut self, peer: &Peer, replier: Replier) -> u64 {
        self.last_waiter += 1;
        let waiting = Waiting { connection: peer.connection, replier };
        self.waiting.insert(self.last_waiter, waiting);
        self.last_waiter
    }

    fn hello(&self) -> Hello {
        Hello {
            protocol: VERSION,
            version: env!("CARGO_PKG_VERSION").into(),
            web_view: format!("WebKitGTK {}", tauri::webview_version().unwrap_or_default()),
            tray_host: None,
            resident: self.deck.is_resident(),
            not_kept: self.warnings.why_not_kept(),
        }
    }
}

/// Reads and checks what is asked. That takes a while, in which nobody must be held up.
async fn checked(peer: &Peer, call: Call) -> (Call, Option<Result<Asked, Refusal>>) {
    if !matches!(call, Call::Ask(_) | Call::Submit(_)) {
        return (call, None);
    }
    let from = peer.clone();
    apart(peer, move || {
        let asked = match &call {
            Call::Ask(ask) | Call::Submit(ask) => Some(check(&from, ask)),
            _ => None,
        };
        (call, asked)
    })
    .await
}

fn check(peer: &Peer, ask: &Ask) -> Result<Asked, Refusal> {
    let ticket = ask.ticket.clone().unwrap_or_else(asking::new_ticket);
    let mut asked = asking::check(ask, ticket, |payload, dialect| caller(peer, payload, dialect))?;
    // Also where the caller says by itself who it is.
    asked.dialog.caller.origin = peer.origin;
    Ok(asked)
}

/// Who asks, if they did not say. The process that brings it from another machine is not who asks.
fn caller(peer: &Peer, payload: &Payload, dialect: &Dialect) -> Caller {
    let (pid, program) =
        if peer.is_remote { (None, None) } else { (peer.pid, peer.program.clone()) };
    let unnamed = || match (&program, pid) {
        (Some(program), _) => program.clone(),
        (None, Some(pid)) => format!("process {pid}"),
        (None, None) => "?".into(),
    };
    Caller {
        agent: asking::agent(payload, dialect).unwrap_or_else(unnamed),
        session: payload.session.clone(),
        cwd: payload.cwd.clone(),
        host: None,
        pid,
        program,
        ..Caller::default()
    }
}
