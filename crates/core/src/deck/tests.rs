use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use crate::{
    asking::{self, Asked},
    dialog::Caller,
    origin::Origin,
    outcome::{Answer, Outcome},
    protocol::{Ask, OpenState},
    session::{CheckedOutcome, Key, Phase, TextField},
};

use serde_json::{Value, json};

use super::{
    stage::{FAREWELL, UNEXPECTED},
    *,
};

mod again;
mod checks;
mod claims;
mod front_ends;
mod time;

/// A deck on a desk: time passes, and what follows is remembered.
struct Desk {
    deck: Deck,
    now: Instant,
    effects: Vec<Effect>,
}

impl Desk {
    /// That of an app which goes when its deck is empty.
    fn new() -> Self {
        let deck = Deck::new(Duration::from_millis(400));
        Self { deck, now: Instant::now(), effects: Vec::new() }
    }

    fn resident() -> Self {
        let mut desk = Self::new();
        desk.deck.stay(desk.now);
        desk
    }

    fn is_muted(&self, ticket: &str) -> bool {
        self.deck.list().iter().any(|open| open.ticket == ticket && open.muted)
    }

    /// A question of this text, asked by this agent, with this waiter.
    fn ask(&mut self, text: &str, agent: &str, waiter: Waiter) -> String {
        self.give(asked(text, agent), Ui::Window, waiter)
    }

    fn ask_at(&mut self, text: &str, agent: &str, waiter: Waiter, ui: Ui) -> String {
        self.give(asked(text, agent), ui, waiter)
    }

    fn put(&mut self, payload: Value, agent: &str, waiter: Waiter) -> String {
        self.give(asked_of(payload, agent), Ui::Window, waiter)
    }

    fn give(&mut self, asked: Asked, ui: Ui, waiter: Waiter) -> String {
        let (ticket, effects) = self
            .deck
            .ask(asked.dialog, asked.key, ui, Some(waiter), 0, self.now)
            .expect("nothing else has the key");
        self.effects = effects;
        ticket
    }

    /// The same question under a ticket of its own.
    fn ask_under(&mut self, ticket: &str, text: &str, agent: &str, waiter: Waiter) -> String {
        self.ask_within(None, ticket, text, agent, waiter)
    }

    /// The same with a limit.
    fn ask_within(
        &mut self,
        seconds: Option<u64>,
        ticket: &str,
        text: &str,
        agent: &str,
        waiter: Waiter,
    ) -> String {
        let mut asked = asked(text, agent);
        asked.dialog.id = ticket.into();
        asked.dialog.timeout = seconds.map(Duration::from_secs);
        self.give(asked, Ui::Window, waiter)
    }

    fn withdraw(&mut self, ticket: &str) -> bool {
        let (withdrawn, effects) = self.deck.withdraw(ticket, self.now);
        self.effects = effects;
        withdrawn
    }

    fn announces(&self) -> bool {
        self.position(|effect| matches!(effect, Effect::Announce { .. })).is_some()
    }

    fn event(&mut self, ticket: &str, event: Event) {
        self.now += Duration::from_secs(1);
        self.effects = self.deck.apply(ticket, event, self.now).1;
    }

    fn press(&mut self, ticket: &str, key: &str) {
        self.event(ticket, Event::Key(Key { key: key.into(), ..Key::default() }));
    }

    /// The person sees what is on the stage, and closes the window.
    fn close(&mut self) {
        if let Some(ticket) = self.deck.on_stage().map(|dialog| dialog.id.clone()) {
            self.event(&ticket, Event::Shown);
        }
        self.now += Duration::from_secs(1);
        self.effects = self.deck.close(self.now);
    }

    fn answer(&mut self, ticket: &str) {
        self.event(ticket, Event::Shown);
        self.press(ticket, "1");
        self.press(ticket, "Enter");
    }

    fn on_stage(&self) -> Option<&str> {
        self.deck.on_stage().map(|dialog| dialog.about())
    }

    fn replied(&self) -> Vec<Waiter> {
        let waiter = |effect: &Effect| match effect {
            Effect::Reply { waiter, .. } => Some(*waiter),
            _ => None,
        };
        self.effects.iter().filter_map(waiter).collect()
    }

    /// What this front end is told.
    fn told(&self, front_end: FrontEndId) -> Vec<&News> {
        let news = |effect| match effect {
            &Effect::Tell { front_end: to, ref news } if to == front_end => Some(news),
            _ => None,
        };
        self.effects.iter().filter_map(news).collect()
    }

    /// How the open dialog of a ticket could end.
    fn ending(&self, ticket: &str, outcome: Outcome) -> CheckedOutcome {
        let (_, dialog) = self.deck.find(ticket).expect("it is open");
        CheckedOutcome::new(Arc::clone(dialog), outcome).expect("it can end so")
    }

    fn end_at(&mut self, ending: CheckedOutcome, through: Through) -> bool {
        self.effects = self.deck.end_at(ending, through, self.now);
        !self.effects.is_empty()
    }

    fn position(&self, wanted: impl Fn(&Effect) -> bool) -> Option<usize> {
        self.effects.iter().position(wanted)
    }
}

fn asked(text: &str, agent: &str) -> Asked {
    let payload = json!({
        "askdeck": 1,
        "questions": [{ "question": text, "options": ["a", "b"] }],
    });
    asked_of(payload, agent)
}

/// What was asked by `a` when the last app ran, under the ticket `t`.
fn pending() -> OpenDialog {
    let Asked { dialog, key, .. } = asked("Which?", "a");
    let dialog = Arc::new(Dialog { id: "t".into(), ..dialog });
    OpenDialog { submitted: true, ..OpenDialog::new(dialog, key, 0) }
}

fn asked_of(payload: Value, agent: &str) -> Asked {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    // Each agent in a terminal of its own.
    let origin = Origin::Terminal(agent.bytes().map(u32::from).sum());
    let caller = Caller { agent: agent.into(), origin, ..Caller::default() };
    let ask = Ask { payload, caller: Some(caller), ..Ask::default() };
    let ticket = format!("ticket-{}", ASKED.fetch_add(1, Ordering::Relaxed));
    asking::check(&ask, ticket, |_, _| Caller::default()).unwrap()
}

fn first_option() -> Outcome {
    serde_json::from_value(json!({ "outcome": "answered", "answers": [{ "selected": [0] }] }))
        .unwrap()
}

#[test]
fn a_dialog_is_kept_before_it_is_shown_and_its_outcome_before_anyone_hears_of_it() {
    let mut desk = Desk::new();
    let ticket = desk.ask("Which?", "a", 1);
    let kept = desk.position(|effect| matches!(effect, Effect::Insert { .. }));
    let shown = desk.position(|effect| matches!(effect, Effect::Stage));
    assert!(kept < shown && shown.is_some());
    desk.answer(&ticket);
    let kept = desk.position(|effect| matches!(effect, Effect::End { .. }));
    let told = desk.position(|effect| matches!(effect, Effect::Reply { .. }));
    assert!(kept < told && kept.is_some());
}

#[test]
fn a_new_dialog_never_replaces_the_one_on_the_stage() {
    let mut desk = Desk::new();
    let first = desk.ask("First?", "a", 1);
    let second = desk.ask("Second?", "b", 2);
    assert_eq!(desk.on_stage(), Some("First?"));
    desk.answer(&first);
    assert_eq!((desk.replied(), desk.on_stage()), (vec![1], Some("Second?")));
    desk.answer(&second);
    assert_eq!(desk.replied(), [2]);
}

#[test]
fn the_same_question_is_one_dialog_and_all_who_wait_hear() {
    let mut desk = Desk::new();
    let first = desk.ask("Which?", "a", 1);
    let again = desk.ask("Which?", "a", 2);
    assert_eq!((first == again, desk.deck.list().len()), (true, 1));
    desk.ask("Which?", "b", 3);
    assert_eq!(desk.deck.list().len(), 2);
    desk.answer(&first);
    assert_eq!(desk.replied(), [1, 2]);
}

#[test]
fn dialog_stays_when_the_last_waiter_disconnects() {
    let mut desk = Desk::new();
    let ticket = desk.ask("Which?", "a", 1);
    desk.effects = desk.deck.forget(1, desk.now);
    assert_eq!(desk.deck.list()[0].state, OpenState::CallerLeft);
    assert!(desk.position(|effect| matches!(effect, Effect::View { .. })).is_some());
    assert_eq!(desk.ask("Which?", "a", 2), ticket);
    desk.answer(&ticket);
    assert_eq!(desk.replied(), [2]);
}

#[test]
fn restored_dialog_says_that_its_caller_left() {
    let mut desk = Desk::new();
    let caller_left = |desk: &mut Desk, act: &dyn Fn(&mut Desk)| {
        act(desk);
        let state = desk.deck.list()[0].state;
        let notice = desk.deck.staged(desk.now).unwrap().view.notice;
        let left = notice.is_some_and(|notice| notice.phrase.word == "caller_left");
        assert_eq!(left, state == OpenState::CallerLeft);
        left
    };
    let restore = |submitted| {
        move |desk: &mut Desk| {
            desk.deck.restore(OpenDialog { submitted, ..pending() }, desk.now);
            desk.deck.show(None);
        }
    };
    assert!(caller_left(&mut desk, &restore(false)));
    // By its question, or by its ticket.
    assert!(!caller_left(&mut desk, &|desk| drop(desk.ask("Which?", "a", 1))));
    assert!(caller_left(&mut desk, &|desk| drop(desk.deck.forget(1, desk.now))));
    assert!(!caller_left(&mut desk, &|desk| drop(desk.deck.wait("t", 2, desk.now))));

    let mut desk = Desk::new();
    assert!(!caller_left(&mut desk, &restore(true)), "nobody had waited for it");
}

#[test]
fn pending_dialog_comes_when_somebody_waits() {
    for (mut desk, set_aside, comes) in [
        (Desk::new(), false, true),
        (Desk::resident(), false, true),
        // There is no tray from which it could be brought back.
        (Desk::new(), true, true),
        (Desk::resident(), true, false),
    ] {
        desk.deck.restore(OpenDialog { set_aside, ..pending() }, desk.now);
        assert_eq!(desk.on_stage(), None);
        desk.deck.wait("t", 1, desk.now);
        assert_eq!(desk.on_stage().is_some(), comes, "set aside: {set_aside}");
        desk.deck.show(None);
        assert_eq!(desk.on_stage(), Some("Which?"));
    }
}

#[test]
fn set_aside_dialog_comes_back_by_show() {
    let mut desk = Desk::resident();
    let ticket = desk.ask("Which?", "a", 1);
    desk.event(&ticket, Event::Shown);
    desk.event(&ticket, Event::Text { question: 0, field: TextField::Other, text: "me".into() });
    assert!(desk.position(|effect| matches!(effect, Effect::SaveDraft { .. })).is_some());
    desk.close();
    assert_eq!((desk.on_stage(), desk.deck.list()[0].state), (None, OpenState::SetAside));
    desk.deck.show(None);
    assert_eq!(desk.on_stage(), Some("Which?"));
    let seen = desk.deck.shown(&ticket);
    assert!(seen.iter().any(|it| matches!(it, Effect::Happened { event: DialogEvent::Shown, .. })));
    let staged = desk.deck.staged(desk.now).unwrap();
    assert_eq!(staged.view.questions[0].other, "me");
}

#[test]
fn do_not_disturb_shows_nothing() {
    let mut desk = Desk::resident();
    desk.deck.set_quiet(Quiet::UntilISay, desk.now);
    desk.ask("Which?", "a", 1);
    assert_eq!((desk.on_stage(), desk.deck.list().len()), (None, 1));
    assert!(desk.position(|effect| matches!(effect, Effect::Announce { .. })).is_none());
    desk.deck.set_quiet(Quiet::Off, desk.now);
    assert_eq!(desk.on_stage(), Some("Which?"));
}

#[test]
fn do_not_disturb_survives_a_restart() {
    for (left, lasts) in [(None, true), (Some(Duration::from_secs(60)), false)] {
        let mut desk = Desk::resident();
        desk.deck.stay_quiet(left, desk.now);
        desk.ask("Which?", "a", 1);
        assert_eq!(desk.on_stage(), None);
        desk.now += Duration::from_secs(61);
        desk.deck.tick(desk.now);
        assert_eq!(desk.on_stage().is_none(), lasts);
        assert_eq!(desk.deck.quiet() == Quiet::UntilISay, lasts);
    }
}

#[test]
fn rate_limit_one_caller() {
    let mut desk = Desk::resident();
    for n in 1..=20 {
        desk.ask(&format!("{n}?"), "chatty", n);
        assert!(desk.announces(), "{n}");
    }
    desk.ask("21?", "chatty", 21);
    assert!(!desk.announces());
    desk.ask("1?", "another", 22);
    assert!(desk.announces());
    desk.now += Duration::from_secs(61);
    let late = desk.ask("22?", "chatty", 23);
    assert!(desk.announces());
    desk.deck.mute(&late, desk.now);
    assert!(desk.is_muted(&late));
    desk.ask("23?", "chatty", 24);
    assert!(!desk.announces());
    desk.deck.unmute(&late, desk.now);
    assert!(!desk.is_muted(&late));
    desk.ask("again?", "chatty", 30);
    assert!(desk.announces());
    assert_eq!(desk.deck.list().len(), 25);
}

#[test]
fn mute_ends_after_an_hour() {
    let mut desk = Desk::resident();
    let first = desk.ask("First?", "chatty", 1);
    let second = desk.ask("Second?", "chatty", 2);
    desk.deck.mute(&second, desk.now);
    desk.answer(&first);
    desk.deck.tick(desk.now + FAREWELL);
    assert_eq!(desk.on_stage(), None);
    desk.now += Duration::from_secs(60 * 60);
    assert!(desk.deck.next_tick().is_some_and(|next| next <= desk.now));
    desk.deck.tick(desk.now);
    assert_eq!(desk.on_stage(), Some("Second?"));
    assert!(!desk.is_muted(&second));
}

#[test]
fn withdrawing_says_so_and_makes_room() {
    let mut desk = Desk::new();
    let ticket = desk.ask("Which?", "a", 1);
    let (withdrawn, effects) = desk.deck.withdraw(&ticket, desk.now);
    desk.effects = effects;
    assert_eq!((withdrawn, desk.replied()), (true, vec![1]));
    assert!(!desk.deck.is_empty(), "it says that the question is gone");
    desk.deck.tick(desk.now + UNEXPECTED);
    assert!(desk.deck.is_empty());
    assert!(!desk.deck.withdraw(&ticket, desk.now).0);
}

#[test]
fn an_address_is_opened_when_the_person_agrees_and_not_otherwise() {
    let address = "https://a.example/login";
    let payload = json!({ "mode": "url", "message": "Sign in", "url": address });
    let opened = |desk: &Desk| {
        let open = Effect::Open { address: address.into() };
        desk.effects.iter().filter(|effect| **effect == open).count()
    };
    let mut desk = Desk::new();
    let ticket = desk.put(payload.clone(), "a", 1);
    desk.event(&ticket, Event::Shown);
    desk.press(&ticket, "1");
    assert_eq!(opened(&desk), 0);
    desk.press(&ticket, "Enter");
    assert_eq!(opened(&desk), 1);

    let ticket = desk.put(payload.clone(), "b", 2);
    desk.event(&ticket, Event::Shown);
    desk.press(&ticket, "2");
    desk.press(&ticket, "Enter");
    assert_eq!(opened(&desk), 0);

    // Another program that answers cannot send the person's browser anywhere.
    let ticket = desk.put(payload, "c", 3);
    let yes = Answer { value: Some(true.into()), ..Answer::default() };
    let yes = desk.ending(&ticket, Outcome::Answered { answers: vec![yes] });
    assert!(desk.end_at(yes, Through::Socket));
    assert!(desk.effects.iter().any(|effect| matches!(effect, Effect::End { .. })));
    assert_eq!(opened(&desk), 0);
}

#[test]
fn becoming_resident_changes_what_closing_does() {
    let mut desk = Desk::new();
    desk.ask("Which?", "a", 1);
    desk.effects = desk.deck.stay(desk.now);
    let sets_aside = |view: &View| view.hints.iter().any(|hint| hint.word == "key_set_aside");
    let view = |effect: &_| matches!(effect, Effect::View { view, .. } if sets_aside(view));
    assert!(desk.position(view).is_some());
}
