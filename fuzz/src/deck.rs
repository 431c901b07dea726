//! A deck to which anything happens.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
    time::{Duration, Instant},
};

use askdeck_core::{
    deck::{Deck, Effect, Quiet, Waiter},
    dialog::Dialog,
    key::QuestionKey,
    outcome::{Outcome, Through},
    protocol::Ui,
    record::OpenDialog,
    session::{CheckedOutcome, Event},
};

use super::{
    script::{Script, sends},
    session::{assert_given, assert_secret_free, pass},
};

const ARMING: Duration = Duration::from_millis(400);

/// Whoever waits is told once, after it is kept; only the person answers, and no secret is kept.
pub fn deck(script: &mut Script) -> BTreeSet<&'static str> {
    let mut desk = Desk::new();
    while !script.is_over() {
        desk.happens(script);
        let _ = (desk.deck.next_tick(), desk.deck.list(), desk.deck.on_stage());
    }
    desk.end()
}

struct Desk {
    deck: Deck,
    now: Instant,
    /// The dialogs, by their own tickets.
    dialogs: BTreeMap<String, &'static Dialog>,
    /// All tickets, of dialogs that are open or were.
    tickets: Vec<String>,
    ended: BTreeSet<String>,
    endings: BTreeSet<&'static str>,
    /// The dialog for which each waits that has not been told yet.
    waiting: BTreeMap<Waiter, String>,
    waiters: Waiter,
    /// When each was last painted, or got the keyboard after that.
    seen: HashMap<String, Instant>,
}

impl Desk {
    fn new() -> Self {
        Self {
            deck: Deck::new(ARMING),
            now: Instant::now(),
            dialogs: BTreeMap::new(),
            tickets: Vec::new(),
            ended: BTreeSet::new(),
            endings: BTreeSet::new(),
            waiting: BTreeMap::new(),
            waiters: 0,
            seen: HashMap::new(),
        }
    }

    fn happens(&mut self, script: &mut Script) {
        let now = self.now;
        let mut answers = false;
        let effects = match script.letter(22) {
            b'a' => self.ask(script),
            b'b' => self.restore(script),
            b'c' | b'd' => {
                let Some(own) = self.own(script) else { return };
                let event = script.event(self.dialogs[&own]);
                answers = sends(&event) && self.is_armed(&own);
                self.apply(&own, event)
            }
            b'e' => {
                pass(&mut self.now, script.time());
                Vec::new()
            }
            b'f' => self.deck.tick(now),
            b'g' => self.wait(script),
            b'h' => {
                let ticket = self.any(script);
                self.deck.withdraw(&ticket, now).1
            }
            b'i' => {
                let places = self.waiting.len().max(1);
                let gone = self.waiting.keys().nth(script.digit(places)).copied();
                self.waiting.remove(&gone.unwrap_or(0));
                self.deck.forget(gone.unwrap_or(0), now)
            }
            b'j' => {
                let (ticket, seat) = (self.any(script), seat(script));
                let joined = self.deck.join(&ticket, seat, now);
                joined.map_or_else(Vec::new, |(joined, effects)| {
                    assert_secret_free(&joined);
                    effects
                })
            }
            b'k' => {
                let Some(own) = self.own(script) else { return };
                let (seat, draft) = (seat(script), script.draft(self.dialogs[&own]));
                let Ok(draft) = serde_json::from_str(&draft) else { return };
                self.deck.take_draft(&own, seat, &draft, now)
            }
            b'l' => {
                let Some(own) = self.own(script) else { return };
                answers = true;
                let outcome = script.outcome(self.dialogs[&own]);
                self.end_at(&own, outcome, Through::Terminal)
            }
            b'm' => {
                let Some(own) = self.own(script) else { return };
                answers = true;
                let answers = script.answers(self.dialogs[&own]);
                self.end_at(&own, Outcome::Answered { answers }, Through::Socket)
            }
            b'n' => {
                let ticket = self.any(script);
                self.deck.leave(&ticket, seat(script))
            }
            b'o' => self.deck.forget_front_end(seat(script)),
            b'p' => {
                let ticket = script.yes().then(|| self.any(script));
                self.deck.show(ticket.as_deref())
            }
            b'q' => self.deck.close(now),
            b'r' => {
                let ticket = self.any(script);
                if script.yes() {
                    self.deck.mute(&ticket, now)
                } else {
                    self.deck.unmute(&ticket, now)
                }
            }
            b's' => {
                let quiet = script.one_of(&[Quiet::Off, Quiet::UntilISay, Quiet::OneHour]);
                self.deck.set_quiet(quiet, now)
            }
            b't' => self.deck.stay(now),
            b'u' => {
                let ticket = self.any(script);
                self.deck.shown(&ticket)
            }
            _ => {
                let _ = self.deck.staged(now);
                Vec::new()
            }
        };
        self.follow(effects, answers);
    }

    /// Everybody takes back what they asked: nobody may be left waiting.
    fn end(mut self) -> BTreeSet<&'static str> {
        let endings = self.endings.clone();
        let open = self.deck.tickets().filter_map(|own| self.deck.to_keep(own));
        open.for_each(|kept| assert_secret_free(&kept.draft));
        for ticket in self.tickets.clone() {
            let (_, effects) = self.deck.withdraw(&ticket, self.now);
            self.follow(effects, false);
        }
        assert_eq!((self.deck.len(), self.waiting), (0, BTreeMap::new()));
        endings
    }

    fn ask(&mut self, script: &mut Script) -> Vec<Effect> {
        let dialog = script.dialog();
        let ticket = format!("t{}", self.tickets.len());
        let key = if script.yes() { script.one_of(&["k", "l"]) } else { &ticket };
        let key = QuestionKey::given(key);
        let ui = script.one_of(&[Ui::Window, Ui::Auto, Ui::Terminal]);
        let waiter = script.yes().then(|| self.waiter());
        // Whoever comes back has the ticket of the first time.
        let again = self.deck.pending(&key).filter(|_| script.yes()).map(|open| open.id.clone());
        let ticket = again.unwrap_or(ticket);
        let asked = under(&ticket, dialog);
        // A key that stands for another question is refused.
        let Ok((own, effects)) = self.deck.ask(asked, key, ui, waiter, 0, self.now) else {
            return Vec::new();
        };
        self.know(ticket);
        let open = *self.dialogs.entry(own.clone()).or_insert(dialog);
        assert_eq!(open.questions, dialog.questions, "an answer to what nobody saw");
        self.waiting.extend(waiter.map(|waiter| (waiter, own)));
        effects
    }

    fn restore(&mut self, script: &mut Script) -> Vec<Effect> {
        let dialog = script.dialog();
        let ticket = format!("t{}", self.tickets.len());
        self.know(ticket.clone());
        self.dialogs.insert(ticket.clone(), dialog);
        let asked = under(&ticket, dialog);
        let draft = script.yes().then(|| script.draft(dialog));
        let pending = OpenDialog {
            draft: draft.and_then(|draft| serde_json::from_str(&draft).ok()).unwrap_or_default(),
            submitted: script.yes(),
            set_aside: script.yes(),
            ..OpenDialog::new(Arc::new(asked), QuestionKey::given(&ticket), 0)
        };
        self.deck.restore(pending, self.now);
        Vec::new()
    }

    fn apply(&mut self, own: &str, event: Event) -> Vec<Effect> {
        let is_open = self.deck.is_open(own);
        match event {
            Event::Shown => drop(self.seen.insert(own.into(), self.now)),
            Event::WindowFocused => {
                self.seen.entry(own.into()).and_modify(|seen| *seen = self.now);
            }
            _ => {}
        }
        let (_, effects) = self.deck.apply(own, event, self.now);
        assert!(is_open || effects.is_empty(), "{effects:?}");
        effects
    }

    fn end_at(&mut self, own: &str, outcome: Outcome, through: Through) -> Vec<Effect> {
        let Some((_, dialog)) = self.deck.find(own) else { return Vec::new() };
        let ending = CheckedOutcome::new(Arc::clone(dialog), outcome);
        ending.map_or_else(|_| Vec::new(), |ending| self.deck.end_at(ending, through, self.now))
    }

    /// Whether the person can have seen what they do.
    fn is_armed(&self, own: &str) -> bool {
        self.seen.get(own).is_some_and(|seen| self.now >= *seen + ARMING)
    }

    fn wait(&mut self, script: &mut Script) -> Vec<Effect> {
        let ticket = self.any(script);
        let waiter = self.waiter();
        // The first ticket of a dialog is that under which it is known.
        let open = self.deck.list().into_iter().find(|open| {
            open.ticket == ticket || self.deck.find(&open.ticket) == self.deck.find(&ticket)
        });
        if let Some(open) = open.filter(|_| self.deck.is_open(&ticket)) {
            self.waiting.insert(waiter, open.ticket);
        }
        self.deck.wait(&ticket, waiter, self.now)
    }

    fn waiter(&mut self) -> Waiter {
        self.waiters += 1;
        self.waiters
    }

    fn know(&mut self, ticket: String) {
        if !self.tickets.contains(&ticket) {
            self.tickets.push(ticket);
        }
    }

    /// A dialog that is open or was.
    fn own(&self, script: &mut Script) -> Option<String> {
        let place = script.digit(self.dialogs.len().max(1));
        self.dialogs.keys().nth(place).cloned()
    }

    fn any(&self, script: &mut Script) -> String {
        let place = script.digit(self.tickets.len() + 1);
        self.tickets.get(place).map_or("unknown", String::as_str).to_owned()
    }

    fn follow(&mut self, effects: Vec<Effect>, answers: bool) {
        for effect in effects {
            match effect {
                Effect::End { ended: OpenDialog { dialog, draft, .. }, outcome, .. } => {
                    assert!(self.ended.insert(dialog.id.clone()), "{outcome:?} once more");
                    assert_given(&dialog, &outcome);
                    self.endings.insert(outcome.name());
                    assert!(answers || !matches!(outcome, Outcome::Answered { .. }), "{outcome:?}");
                    assert_secret_free(&draft);
                    assert_secret_free(&outcome.without_secrets(&dialog));
                }
                Effect::Reply { waiter, dialog, .. } => {
                    assert!(self.ended.contains(&dialog.id), "told before it is kept");
                    assert_eq!(self.waiting.remove(&waiter).as_ref(), Some(&dialog.id));
                }
                Effect::LetGo { waiter, dialog, .. } => {
                    assert_eq!(self.waiting.remove(&waiter).as_ref(), Some(&dialog.id));
                }
                Effect::SaveDraft { ticket, draft } => {
                    assert!(!self.ended.contains(&ticket), "it had ended");
                    assert_secret_free(&draft);
                }
                Effect::Check { ticket, checks } => {
                    let effects = self.deck.checked(&ticket, checks.run(), self.now);
                    self.follow(effects, answers);
                }
                Effect::Tell { news, .. } => assert_secret_free(&news),
                _ => {}
            }
        }
    }
}

/// One of the terminals that may take part.
fn seat(script: &mut Script) -> u64 {
    u64::from(script.yes())
}

/// The same question under a ticket of its own.
fn under(ticket: &str, dialog: &Dialog) -> Dialog {
    let mut dialog = dialog.clone();
    dialog.id = ticket.into();
    dialog
}
