//! Whose question is whose: each caller hears the outcome of its own question, and takes back its
//! own alone.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

impl Desk {
    fn let_go(&self) -> Vec<Waiter> {
        let waiter = |effect: &Effect| match effect {
            Effect::LetGo { waiter, .. } => Some(*waiter),
            _ => None,
        };
        self.effects.iter().filter_map(waiter).collect()
    }

    fn submit(&mut self, ticket: &str, text: &str) {
        let Asked { dialog, key, .. } = asked(text, "a");
        let dialog = Dialog { id: ticket.into(), ..dialog };
        let asked = self.deck.ask(dialog, key, Ui::Window, None, 0, self.now);
        self.effects = asked.unwrap().1;
    }

    fn state(&self) -> OpenState {
        self.deck.list()[0].state
    }
}

#[test]
fn withdraw_takes_the_question_from_nobody_else() {
    let mut desk = Desk::new();
    desk.ask_under("t1", "Which?", "a", 1);
    desk.ask_under("t2", "Which?", "a", 2);
    desk.deck.wait("t1", 3, desk.now);
    assert!(desk.withdraw("t1"));
    let kept = desk.position(|effect| matches!(effect, Effect::WithdrawClaim { ticket, claim } if ticket == "t1" && claim.ticket == "t1"));
    assert_eq!((kept, desk.let_go()), (Some(0), vec![1, 3]), "kept before it is told");
    assert_eq!((desk.on_stage(), desk.effects.len()), (Some("Which?"), 3));
    assert!(!desk.deck.has_claim("t1") && desk.deck.withdrawn("t1").is_some());
    assert_eq!(desk.deck.open_ticket("t1"), Some("t2"));
    assert!(!desk.withdraw("t1"), "it was taken back before");
    assert!(desk.withdraw("t2"));
    assert_eq!(desk.replied(), [2]);
    assert!(!desk.withdraw("t1") && !desk.withdraw("t2"));
}

#[test]
fn withdraw_leaves_the_question_to_who_submitted_it_or_has_left() {
    let mut desk = Desk::new();
    desk.submit("t1", "Which?");
    desk.submit("t2", "Which?");
    assert!(desk.withdraw("t2"));
    assert!(desk.deck.has_claim("t1"));

    let mut desk = Desk::new();
    desk.ask_under("t1", "Which?", "a", 1);
    desk.ask_under("t2", "Which?", "a", 2);
    desk.deck.forget(1, desk.now);
    assert!(desk.withdraw("t2"));
    assert_eq!((desk.let_go(), desk.state()), (vec![2], OpenState::CallerLeft));
    assert!(desk.position(|effect| matches!(effect, Effect::View { .. })).is_some());
    assert!(desk.deck.has_claim("t1"));
    assert!(desk.withdraw("t1"));
    assert_eq!(desk.deck.list().len(), 0);
}

#[test]
fn a_caller_that_took_its_question_back_has_not_left() {
    let mut desk = Desk::new();
    desk.submit("t1", "Which?");
    desk.ask_under("t2", "Which?", "a", 2);
    desk.withdraw("t2");
    assert_ne!(desk.state(), OpenState::CallerLeft, "nobody else has waited");
}

#[test]
fn a_ticket_that_was_taken_back_stays_so() {
    let mut desk = Desk::new();
    desk.ask_under("t1", "Which?", "a", 1);
    desk.ask_under("t2", "Which?", "a", 2);
    desk.withdraw("t1");
    desk.ask_under("t1", "Which?", "a", 3);
    assert_eq!(desk.let_go(), [3]);
    desk.effects = desk.deck.wait("t1", 4, desk.now);
    assert_eq!(desk.let_go(), [4]);
    desk.answer("t1");
    assert_eq!(desk.replied(), [2]);
}

#[test]
fn a_key_joins_only_what_asks_the_same() {
    let mut desk = Desk::new();
    let mut ask = |ticket: &str, text: &str, key: &str| {
        let dialog = Dialog { id: ticket.into(), ..asked(text, "a").dialog };
        let asked = desk.deck.ask(dialog, QuestionKey::given(key), Ui::Window, None, 0, desk.now);
        asked.map(|(ticket, _)| ticket)
    };
    assert_eq!(ask("t1", "Staging?", "k"), Ok("t1".into()));
    assert_eq!(ask("t2", "Production?", "k"), Err(Taken::Key));
    assert_eq!(ask("t3", "Staging?", "k"), Ok("t1".into()));
    assert_eq!(ask("t4", "Production?", "other"), Ok("t4".into()));
    assert!(!desk.deck.has_claim("t2"));
}

#[derive(Debug, Clone)]
enum Step {
    Ask { key: usize, question: usize, waits: bool },
    Answer(usize),
    Withdraw(usize),
    Forget(usize),
    Wait(usize),
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let ticket = 0..40usize;
    prop_oneof![
        4 => (0..3usize, 0..3usize, any::<bool>())
            .prop_map(|(key, question, waits)| Step::Ask { key, question, waits }),
        2 => ticket.clone().prop_map(Step::Answer),
        2 => ticket.clone().prop_map(Step::Withdraw),
        1 => ticket.clone().prop_map(Step::Forget),
        1 => ticket.prop_map(Step::Wait),
        1 => Just(Step::Restart),
    ]
}

const QUESTIONS: [&str; 3] = ["Staging?", "Production?", "Both?"];

/// What each caller asked, and what each ticket was told.
#[derive(Default)]
struct Heard {
    asked: HashMap<String, &'static str>,
    waiters: HashMap<Waiter, String>,
    told: HashMap<String, Outcome>,
}

impl Heard {
    fn take(&mut self, effects: &[Effect]) -> Result<(), TestCaseError> {
        for effect in effects {
            let (waiter, claim, dialog, outcome) = match effect {
                Effect::Reply { waiter, claim, dialog, outcome } => {
                    (waiter, claim, dialog, outcome)
                }
                Effect::LetGo { waiter, claim, dialog } => {
                    (waiter, claim, dialog, &Outcome::Withdrawn)
                }
                _ => continue,
            };
            let ticket = self.waiters.remove(waiter).expect("each is told once");
            prop_assert_eq!(&ticket, &claim.ticket);
            prop_assert_eq!(self.asked[&ticket], dialog.about());
            let before = self.told.insert(ticket, outcome.clone());
            prop_assert!(before.is_none_or(|before| before == *outcome), "one ticket, one outcome");
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn a_waiter_hears_only_of_the_question_that_it_asked(
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let mut desk = Desk::resident();
        let mut heard = Heard::default();
        let mut tickets: Vec<String> = Vec::new();
        let mut waiters = 0;
        for step in steps {
            let pick = |n: usize| tickets.get(n % tickets.len().max(1)).cloned();
            let mut effects = Vec::new();
            match step {
                Step::Ask { key, question, waits } => {
                    let ticket = format!("t{}", tickets.len());
                    let dialog = asked(QUESTIONS[question], "a").dialog;
                    let dialog = Dialog { id: ticket.clone(), ..dialog };
                    waiters += 1;
                    let waiter = waits.then_some(waiters);
                    let key = QuestionKey::given(&key.to_string());
                    let other = desk.deck.pending(&key).is_some_and(|it| it.about() != QUESTIONS[question]);
                    match desk.deck.ask(dialog, key, Ui::Window, waiter, 0, desk.now) {
                        Ok((_, followed)) => {
                            prop_assert!(!other);
                            effects = followed;
                            heard.asked.insert(ticket.clone(), QUESTIONS[question]);
                            heard.waiters.extend(waiter.map(|waiter| (waiter, ticket.clone())));
                            tickets.push(ticket);
                        }
                        Err(_) => prop_assert!(other),
                    }
                }
                Step::Answer(n) => if let Some(ticket) = pick(n).filter(|ticket| desk.deck.is_open(ticket)) {
                    let ending = desk.ending(&ticket, first_option());
                    effects = desk.deck.end_at(ending, Through::Socket, desk.now);
                },
                Step::Withdraw(n) => if let Some(ticket) = pick(n) {
                    let was_open = desk.deck.has_claim(&ticket);
                    let (withdrawn, followed) = desk.deck.withdraw(&ticket, desk.now);
                    prop_assert_eq!(withdrawn, was_open);
                    prop_assert!(!desk.deck.has_claim(&ticket));
                    effects = followed;
                },
                Step::Forget(n) => {
                    let gone = heard.waiters.keys().copied().nth(n % heard.waiters.len().max(1));
                    if let Some(waiter) = gone {
                        heard.waiters.remove(&waiter);
                        effects = desk.deck.forget(waiter, desk.now);
                    }
                }
                Step::Wait(n) => if let Some(ticket) = pick(n).filter(|it| desk.deck.is_open(it)) {
                    waiters += 1;
                    heard.waiters.insert(waiters, ticket.clone());
                    effects = desk.deck.wait(&ticket, waiters, desk.now);
                },
                Step::Restart => {
                    let open = desk.deck.tickets();
                    let kept: Vec<_> = open.filter_map(|own| desk.deck.to_keep(own)).collect();
                    desk = Desk::resident();
                    heard.waiters.clear();
                    for pending in kept {
                        desk.deck.restore(pending, desk.now);
                    }
                }
            }
            heard.take(&effects)?;
        }
    }
}
