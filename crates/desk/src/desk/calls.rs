//! What callers can ask of the desk.

use std::{sync::Arc, time::Instant};

use askdeck_core::{
    asking::{self, Asked, Refusal},
    claim::{self, Claim, Taken},
    deck::{DialogEvent, Effect, Waiter},
    dialect::Dialect,
    dialog::{Caller, Dialog},
    key::QuestionKey,
    outcome::{Outcome, Through},
    payload::Payload,
    protocol::{Ask, Call, Ended, Error, Hello, News, Reply, TicketState, Ui, VERSION},
    session::{CheckedOutcome, FormError},
};
use tokio::{runtime::Handle, task::spawn_blocking};

use super::{
    Desk,
    actor::{Actor, Waiting, ended},
    inbox::PostedBy,
    pending_writes::SmallWrite,
    storage::CallerEnd,
};
use crate::{
    server::{Peer, Replier, Serve, apart},
    store::{self, StoreError},
    ticket,
};

const NO_WINDOW: &str = "this desk has no window, because it runs without a display; \
    ask in a terminal, or start `askdeck resident` in a desktop session";

/// How a dialog would end, or what is wrong with that.
pub(super) type CheckedEnd = Result<CheckedOutcome, FormError>;

/// What the caller's own task has found out about a call.
#[derive(Default)]
struct Findings {
    asked: Option<Result<Asked, Refusal>>,
    /// Nothing if the dialog is not open.
    ending: Option<CheckedEnd>,
}

impl Serve for Desk {
    /// No further call of this caller is read until the desk has taken this one, so that a flood of
    /// calls holds up only its sender.
    async fn call(&self, peer: &Peer, call: Call, replier: Replier) {
        let (call, findings) = self.look_at(peer, call).await;
        let (peer, runtime) = (peer.clone(), Handle::current());
        self.ask(PostedBy::Caller, move |desk| {
            // Some of it takes long, and is done in tasks of the runtime.
            let _guard = runtime.enter();
            desk.call(&peer, call, findings, replier);
        })
        .await;
    }

    fn opened(&self) {
        self.post(PostedBy::Caller, |desk| {
            desk.visited = true;
            desk.connections += 1;
        });
    }

    fn closed(&self, connection: u64, has_read_all: bool) {
        self.post(PostedBy::Caller, move |desk| desk.closed(connection, has_read_all));
    }
}

impl Desk {
    /// Reads and checks a call in the task of its caller, since it may take a while.
    async fn look_at(&self, peer: &Peer, call: Call) -> (Call, Findings) {
        match call {
            Call::Ask(_) | Call::Submit(_) => {
                let from = peer.clone();
                apart(peer, move || {
                    let asked = match &call {
                        Call::Ask(ask) | Call::Submit(ask) => Some(check(&from, ask)),
                        _ => None,
                    };
                    (call, Findings { asked, ..Findings::default() })
                })
                .await
            }
            Call::Answer { ref ticket, ref answers } => {
                let outcome = Outcome::Answered { answers: answers.clone() };
                let ending = self.check_ending(peer, ticket, outcome).await;
                (call, Findings { ending, ..Findings::default() })
            }
            Call::End { ref ticket, ref outcome } => {
                let ending = self.check_ending(peer, ticket, outcome.clone()).await;
                (call, Findings { ending, ..Findings::default() })
            }
            call => (call, Findings::default()),
        }
    }

    async fn check_ending(
        &self,
        peer: &Peer,
        ticket: &str,
        outcome: Outcome,
    ) -> Option<CheckedEnd> {
        let ticket = ticket.to_owned();
        let find = move |desk: &mut Actor| Some(Arc::clone(desk.deck.find(&ticket)?.1));
        let dialog = self.ask(PostedBy::Caller, find).await?;
        let is_quick = !dialog.has_schemas();
        let check = move || CheckedOutcome::new(dialog, outcome);
        Some(if is_quick { check() } else { apart(peer, check).await })
    }
}

impl Actor {
    fn call(&mut self, peer: &Peer, call: Call, findings: Findings, replier: Replier) {
        let Findings { asked, ending } = findings;
        let received = self.hear(peer, &call);
        // A caller that comes too late sees the connection close, and finds or starts another desk.
        if self.quitting && !matches!(call, Call::Received { .. }) {
            return;
        }
        let Some(replier) = self.allow(peer, &call, replier) else { return };
        if needs_window(&call) && self.screen.web_view().is_none() {
            replier.fail(Error::NO_WINDOW, NO_WINDOW);
            return;
        }
        match call {
            Call::Hello { desktop: true, .. } => {
                let hello = self.hello();
                self.screen.tray_host(Box::new(move |tray_host| {
                    replier.reply(Reply::Hello(Hello { tray_host, ..hello }));
                }));
            }
            Call::Hello { .. } => {
                replier.reply(Reply::Hello(self.hello()));
            }
            Call::Ask(ask) => {
                let ui = ask.ui.unwrap_or_default();
                let Some(replier) = self.permit(peer, ui, replier) else { return };
                if let Some((asked, replier)) = self.welcome(peer, asked, replier) {
                    let passing = ask.passing.then(|| asked.dialog.id.clone());
                    let waiter = self.enlist(peer, replier, passing);
                    self.ask_and_wait(peer, asked, ui, waiter);
                }
            }
            Call::Submit(_) => {
                if let Some((asked, replier)) = self.welcome(peer, asked, replier) {
                    match self.ask(asked, Ui::Window, None) {
                        Ok(ticket) => {
                            replier.reply(Reply::Submitted { ticket, state: TicketState::Pending })
                        }
                        Err(taken) => replier.refuse(taken.to_string()),
                    };
                }
            }
            Call::Result { ticket, wait, .. } => {
                let effects = self.result(peer, &ticket, wait, replier);
                self.carry_out(effects);
            }
            Call::Received { .. } => {
                replier.reply(Reply::Done { done: received });
            }
            Call::Withdraw { ticket } => {
                let ticket = self.current_ticket(ticket);
                let (withdrawn, effects) = self.deck.withdraw(&ticket, Instant::now());
                self.carry_out(effects);
                replier.reply(Reply::Withdrawn { withdrawn });
            }
            Call::List {} => {
                replier.reply(Reply::Open { open: self.open_to(peer) });
            }
            Call::Answer { .. } => self.answer(ending, replier),
            Call::Join { ticket } => self.join(peer, &ticket, replier),
            Call::Draft { ticket, draft } => {
                self.take_draft(peer, &ticket, &draft, replier);
            }
            Call::End { ticket, .. } => self.end_at(peer, &ticket, ending, replier),
            Call::Leave { ticket } => self.leave(peer, &ticket, replier),
            Call::Subscribe { words } => self.subscribers.add(peer, words.as_deref(), replier),
            Call::Show { history: true, .. } => {
                let told = move |done| {
                    replier.reply(Reply::Done { done });
                };
                self.screen.history(false, Box::new(told));
            }
            Call::Show { ticket, .. } => {
                replier.reply(Reply::Done { done: self.show_for_a_caller(ticket.as_deref()) });
            }
            Call::Ready {} => {
                self.unready.push(replier);
                self.tell_if_ready();
            }
            Call::History(newest) => self.reply_later(replier, move |desk| {
                let found = desk.read(move |store| store.history(&newest));
                found.map(|history| Reply::History { history })
            }),
            Call::Stats { since, until } => self.reply_later(replier, move |desk| {
                desk.read(move |store| store.stats(since, until)).map(Reply::Stats)
            }),
            Call::Delete { which, preview } => self
                .reply_later(replier, move |desk| desk.delete(which, preview).map(Reply::Deleted)),
            Call::Stay { at_login } => self.stay_for_a_caller(at_login, replier),
            Call::Shutdown { for_window } => {
                replier.reply(Reply::Done { done: true });
                if for_window {
                    self.tell_front_ends(&News::MakesWay {});
                }
                self.quit();
            }
        }
    }

    fn stay_for_a_caller(&mut self, at_login: Option<bool>, replier: Replier) {
        self.stay();
        let set = at_login.map_or(Ok(()), |on| self.screen.start_at_login(on));
        self.screen.changed();
        match set {
            Ok(()) => replier.reply(Reply::Done { done: true }),
            Err(error) => {
                replier.refuse(format!("Askdeck stays, but cannot start at login: {error}"))
            }
        };
    }

    /// Replies once this is done: years of dialogs take a while to look through.
    fn reply_later(
        &self,
        replier: Replier,
        work: impl FnOnce(&Desk) -> Result<Reply, StoreError> + Send + 'static,
    ) {
        let desk = self.desk.clone();
        spawn_blocking(move || match work(&desk) {
            Ok(reply) => replier.reply(reply),
            Err(error) => replier.refuse(error.to_string()),
        });
    }

    /// Gives back what the person is to be asked.
    fn welcome(
        &mut self,
        peer: &Peer,
        asked: Option<Result<Asked, Refusal>>,
        replier: Replier,
    ) -> Option<(Asked, Replier)> {
        let (asked, replier) = self.consider(peer, asked, replier)?;
        let replier = self.make_room(peer, &asked, replier)?;
        Some((asked, replier))
    }

    /// Gives back what is asked unless it is answered already, or refused.
    fn consider(
        &mut self,
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
        self.mark(peer, &mut asked);
        loop {
            let ticket = &asked.dialog.id;
            // Also if it has ended: its answer was not given to this question.
            let is_other = |(key, dialog): (QuestionKey, Arc<Dialog>)| {
                !key.is_same(&asked.key) || !dialog.asks_the_same(&asked.dialog)
            };
            if self.find(ticket).is_some_and(is_other) {
                replier.refuse(Taken::Ticket(ticket.clone()).to_string());
                return None;
            }
            if let Some(outcome) = asked.answered.take() {
                let claim = Claim::of(&asked.dialog);
                replier.reply(Reply::Ended(ended(&claim, &asked.dialog, outcome)));
                return None;
            }
            // A command that lost its app asks again with the ticket that it had.
            let Ok(Some(end)) = self.ending(ticket) else { break };
            if end.outcome.is_whole() {
                let claim = Arc::new(Claim::of(&asked.dialog));
                self.deliver_end(replier, &CallerEnd { claim, ..end });
                return None;
            }
            // The secret was lost with the app that had it.
            asked.dialog.id = claim::ticket_after(ticket);
        }
        if self.deck.pending(&asked.key).is_none()
            && let Some((dialog, outcome)) = self.undelivered(&asked, store::ago(self.reuse))
        {
            let claim = Claim::of(&asked.dialog);
            let ticket = dialog.id.clone();
            self.write(SmallWrite::Claim { ticket, claim: claim.clone() });
            let ended = Ended { reused: true, ..ended(&claim, &dialog, outcome) };
            if self.deliver(replier, &dialog, ended) {
                self.tell_reused(&dialog);
                self.save_event(&DialogEvent::Reused, &dialog);
            }
            return None;
        }
        Some((asked, replier))
    }

    fn ask_and_wait(&mut self, peer: &Peer, asked: Asked, ui: Ui, waiter: Waiter) {
        match self.ask(asked, ui, Some(waiter)) {
            Ok(ticket) => self.join_asked(peer, ui, &ticket),
            Err(taken) => {
                if let Some(waiting) = self.waiting.remove(&waiter) {
                    waiting.replier.refuse(taken.to_string());
                }
            }
        }
    }

    /// Returns the caller's own ticket.
    fn ask(&mut self, asked: Asked, ui: Ui, waiter: Option<Waiter>) -> Result<String, Taken> {
        let Asked { dialog, key, .. } = asked;
        let ticket = dialog.id.clone();
        let asked = self.deck.ask(dialog, key, ui, waiter, store::now(), Instant::now());
        let (_, effects) = asked.inspect_err(|_| self.quota.remove(&ticket))?;
        self.carry_out(effects);
        Ok(ticket)
    }

    /// An agent must not be able to answer itself unnoticed.
    fn answer(&mut self, ending: Option<CheckedEnd>, replier: Replier) {
        if !self.answers_over_socket {
            replier.refuse(
                "answers over the socket are not allowed; set `answers_over_socket = true` in config.toml",
            );
            return;
        }
        self.end(ending.map(|ending| (ending, Through::Socket)), replier);
    }

    fn closed(&mut self, connection: u64, has_read_all: bool) {
        self.connections -= 1;
        self.lost(connection, has_read_all);
        self.subscribers.remove(connection);
        self.front_ends.remove(&connection);
        self.owners.remove(&connection);
        self.unready.retain(|replier| replier.connection != connection);
        let gone: Vec<_> = self
            .waiting
            .iter()
            .filter(|(_, waiting)| waiting.connection == connection)
            .map(|(waiter, _)| *waiter)
            .collect();
        for waiter in gone {
            let passing = self.waiting.remove(&waiter).and_then(|waiting| waiting.passing);
            // While the app quits, all connections close, and the callers wait for its return.
            let passing = passing.filter(|_| !self.quitting);
            self.with(|deck, now| deck.forget(waiter, now));
            if let Some(ticket) = passing {
                self.with(|deck, now| deck.withdraw(&ticket, now).1);
            }
        }
        self.with(|deck, _| deck.forget_front_end(connection));
        self.quit_if_done();
    }
}

impl Actor {
    fn result(&mut self, peer: &Peer, ticket: &str, wait: bool, replier: Replier) -> Vec<Effect> {
        match self.ending(ticket) {
            Ok(Some(end)) => {
                self.deliver_end(replier, &end);
            }
            // It is open even if it could not be kept.
            _ if self.deck.has_claim(ticket) => {
                if wait {
                    let waiter = self.enlist(peer, replier, None);
                    return self.deck.wait(ticket, waiter, Instant::now());
                }
                let ticket = ticket.into();
                replier.reply(Reply::Submitted { ticket, state: TicketState::Pending });
            }
            Ok(_) => {
                replier.refuse(asking::unknown_ticket(ticket));
            }
            Err(error) => {
                replier.refuse(format!("cannot read the database: {error}"));
            }
        }
        Vec::new()
    }

    fn enlist(&mut self, peer: &Peer, replier: Replier, passing: Option<String>) -> Waiter {
        self.last_waiter += 1;
        let waiting = Waiting { connection: peer.connection, replier, passing };
        self.waiting.insert(self.last_waiter, waiting);
        self.last_waiter
    }

    fn hello(&self) -> Hello {
        Hello {
            protocol: VERSION,
            version: env!("CARGO_PKG_VERSION").into(),
            web_view: self.screen.web_view().unwrap_or_default(),
            tray_host: None,
            resident: self.deck.is_resident(),
            not_kept: self.warnings.why_not_kept(),
            damaged: self.warnings.damaged(),
        }
    }
}

fn needs_window(call: &Call) -> bool {
    match call {
        Call::Ask(ask) => ask.ui.unwrap_or_default() == Ui::Window,
        Call::Submit(_) | Call::Show { .. } | Call::Stay { .. } => true,
        _ => false,
    }
}

fn check(peer: &Peer, ask: &Ask) -> Result<Asked, Refusal> {
    let ticket = ask.ticket.clone().unwrap_or_else(ticket::fresh);
    let mut asked = asking::check(ask, ticket, |payload, dialect| caller(peer, payload, dialect))?;
    // Also where the caller says by itself who it is.
    asked.dialog.caller.origin = peer.origin;
    Ok(asked)
}

/// The caller, if it did not say who it is. A process that forwards the socket is not the caller.
fn caller(peer: &Peer, payload: &Payload, dialect: &Dialect) -> Caller {
    let (pid, program) =
        if peer.is_remote { (None, None) } else { (peer.pid, peer.program.clone()) };
    let unnamed = || match (&program, pid) {
        (Some(program), _) => program.clone(),
        (None, Some(pid)) => format!("process {pid}"),
        (None, None) => Caller::UNKNOWN.into(),
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
