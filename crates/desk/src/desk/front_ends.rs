//! Front ends other than the window: who may take part in a dialog, and what they do there.
//!
//! An agent must not be able to answer itself unnoticed. What tells a person at a terminal from a
//! program that speaks to the socket is that it is our own command, at the front of a terminal.
//! docs/protocol.md says what that does not keep out.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use askdeck_core::{
    asking,
    deck::FrontEndId,
    outcome::Through,
    protocol::{Joined, News, Reply, Ui},
    session::Update,
    words::{self, Language},
};

use crate::{
    files, origin,
    server::{Peer, Replier},
};

use super::{
    actor::{Actor, ended},
    calls::CheckedEnd,
    storage::CallerEnd,
};

/// Someone who takes part.
pub(super) struct FrontEnd {
    peer: Peer,
    through: Through,
}

impl Actor {
    /// Gives the replier back if the caller may show the question as it wants to.
    pub(super) fn permit(&mut self, peer: &Peer, ui: Ui, replier: Replier) -> Option<Replier> {
        if ui == Ui::Window || self.admit(peer) {
            return Some(replier);
        }
        refuse(replier);
        None
    }

    /// The caller takes part in what it has asked.
    pub(super) fn join_asked(&mut self, peer: &Peer, ui: Ui, ticket: &str) {
        if ui == Ui::Window {
            return;
        }
        let joined = self.deck.join(ticket, peer.connection, Instant::now());
        if let Some((joined, effects)) = joined {
            let joined = self.warn(joined);
            self.tell_front_end(peer.connection, &News::Joined(joined));
            self.carry_out(effects);
        }
    }

    pub(super) fn join(&mut self, peer: &Peer, ticket: &str, replier: Replier) {
        if !self.admit(peer) {
            return refuse(replier);
        }
        let joined = self.deck.join(ticket, peer.connection, Instant::now());
        if let Some((joined, effects)) = joined {
            replier.reply(Reply::Joined(self.warn(joined)));
            return self.carry_out(effects);
        }
        // It may have ended in the same moment. This is the person, so it is not delivered.
        match self.ending(ticket) {
            Ok(Some(CallerEnd { claim, dialog, outcome, .. })) => {
                replier.reply(Reply::Ended(ended(&claim, &dialog, outcome)));
            }
            _ => {
                replier.refuse(asking::unknown_ticket(ticket));
            }
        }
    }

    pub(super) fn take_draft(
        &mut self,
        peer: &Peer,
        ticket: &str,
        draft: &Update,
        replier: Replier,
    ) {
        let seated = self.deck.takes_part(ticket, peer.connection);
        if seated {
            self.with(|deck, now| deck.take_draft(ticket, peer.connection, draft, now));
        }
        replier.reply(Reply::Done { done: seated });
    }

    pub(super) fn end_at(
        &mut self,
        peer: &Peer,
        ticket: &str,
        ending: Option<CheckedEnd>,
        replier: Replier,
    ) {
        let through = self.front_ends.get(&peer.connection).map(|front_end| front_end.through);
        let through = through.filter(|_| self.deck.takes_part(ticket, peer.connection));
        self.end(ending.zip(through), replier);
    }

    pub(super) fn leave(&mut self, peer: &Peer, ticket: &str, replier: Replier) {
        let effects = self.deck.leave(ticket, peer.connection);
        let done = !effects.is_empty();
        self.carry_out(effects);
        replier.reply(Reply::Done { done });
    }

    /// Ends a dialog, and says whether this was the first end, or what is wrong with it.
    pub(super) fn end(&mut self, ending: Option<(CheckedEnd, Through)>, replier: Replier) {
        match ending {
            None => {
                replier.reply(Reply::Done { done: false });
            }
            Some((Ok(outcome), through)) => {
                let effects = self.deck.end_at(outcome, through, Instant::now());
                let done = !effects.is_empty();
                self.carry_out(effects);
                replier.reply(Reply::Done { done });
            }
            Some((Err((step, error)), _)) => {
                let values = error.values.into_iter();
                let why = words::say(Language::ENGLISH.words(), error.word, values);
                let at = step.map(|step| format!("answers[{step}]: ")).unwrap_or_default();
                replier.refuse(format!("{at}{why}"));
            }
        }
    }

    /// Whether the peer may take part.
    fn admit(&mut self, peer: &Peer) -> bool {
        let through = if peer.pid.is_some_and(is_command_at_a_terminal) {
            Through::Terminal
        } else if self.answers_over_socket {
            Through::Socket
        } else {
            return false;
        };
        let front_end = FrontEnd { peer: peer.clone(), through };
        self.front_ends.insert(peer.connection, front_end);
        true
    }
}

impl Actor {
    pub(super) fn tell_front_end(&self, id: FrontEndId, news: &News) {
        if let Some(front_end) = self.front_ends.get(&id) {
            front_end.peer.tell(news);
        }
    }

    /// Tells everyone who takes part in anything.
    pub(super) fn tell_front_ends(&self, news: &News) {
        for id in self.front_ends.keys() {
            self.tell_front_end(*id, news);
        }
    }

    fn warn(&self, joined: Joined) -> Box<Joined> {
        Box::new(Joined { warning: self.warnings.first(), ..joined })
    }

    /// What the person should know has changed.
    pub(super) fn tell_warning(&mut self) {
        self.draw_list();
        self.tell_front_ends(&News::Warning { warning: self.warnings.first() });
    }
}

fn refuse(replier: Replier) {
    replier.refuse(
        "only the `askdeck` command installed next to the app may join, from a local terminal; \
         set `answers_over_socket = true` in config.toml to allow other programs",
    );
}

/// Whether the process is the command that lies beside this program, or this program itself, and has
/// the keyboard of its terminal.
fn is_command_at_a_terminal(pid: u32) -> bool {
    let this = Path::new("/proc/self/exe");
    let command = fs::read_link(this).unwrap_or_default().with_file_name("askdeck");
    let program = PathBuf::from(format!("/proc/{pid}/exe"));
    let is_command = files::is_same(&program, &command) || files::is_same(&program, this);
    is_command && origin::is_at_terminal(pid)
}
