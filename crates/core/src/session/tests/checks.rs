//! Schemas are evaluated elsewhere, and their verdicts may take their time.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    answered,
    person::{ONCE, dialog},
    unchecked,
};
use crate::{
    dialog::{Dialog, Form},
    outcome::Outcome,
    session::{
        Action, AsideKind, Checks, Closing, Event, Progress, Session, Settings, TextField, View,
    },
};

/// A session whose verdicts come when the test lets them.
struct Slow {
    session: Session,
    now: Instant,
}

impl Slow {
    fn at(asked: Dialog) -> Self {
        let now = Instant::now();
        let settings = Settings { arming: Duration::ZERO, closing: Closing::SetsAside, ..ONCE };
        let mut session = Session::new(asked, settings, now);
        session.apply(Event::Shown, now);
        Self { session, now }
    }

    fn types(&mut self, question: usize, text: &str) -> View {
        let text = text.to_owned();
        self.session.apply(Event::Text { question, field: TextField::Text, text }, self.now)
    }

    fn does(&mut self, action: Action) -> View {
        self.session.apply(Event::Do { action, pointer: false }, self.now)
    }

    #[track_caller]
    fn checks(&mut self) -> Checks {
        self.session.take_checks().expect("there is something to check")
    }

    fn hears(&mut self, checks: Checks) -> View {
        self.session.take_verdicts(checks.run(), self.now)
    }

    fn outcome(&self) -> Option<Value> {
        self.session.outcome().map(|outcome| serde_json::to_value(outcome).unwrap())
    }
}

fn number(text: &str) -> Value {
    json!({ "id": text, "question": text, "type": "number", "max": 10 })
}

fn one() -> Dialog {
    dialog(json!([number("a")]))
}

fn two() -> Dialog {
    dialog(json!([number("a"), number("b")]))
}

/// Two numbers, of which the second is at most 5 as far as only the form knows.
fn form() -> Dialog {
    let mut asked = two();
    asked.form = Some(Form::Object(json!({ "properties": { "b": { "maximum": 5 } } })));
    unchecked(asked)
}

fn word_at(view: &View, step: usize) -> Option<&'static str> {
    view.questions[step].error.as_ref().map(|error| error.word)
}

#[test]
fn sending_waits_for_its_verdict() {
    let mut slow = Slow::at(one());
    slow.types(0, "7");
    let view = slow.does(Action::SendNow);
    assert_eq!((slow.outcome(), word_at(&view, 0)), (None, None));
    assert_eq!(view.questions[0].progress, Progress::Open, "nobody knows yet");
    let checks = slow.checks();
    assert_eq!(slow.session.take_checks(), None, "they are handed out once");
    slow.hears(checks);
    assert_eq!(slow.outcome(), Some(answered(json!([{ "value": 7 }]))));
}

#[test]
fn answer_without_a_schema_is_sent_at_once() {
    let mut slow = Slow::at(dialog(json!([{ "question": "What?", "type": "text" }])));
    slow.types(0, "this");
    assert_eq!(slow.session.take_checks(), None);
    slow.does(Action::SendNow);
    assert_eq!(slow.outcome(), Some(answered(json!([{ "value": "this" }]))));
}

#[test]
fn a_bad_verdict_leads_to_its_question() {
    let mut slow = Slow::at(two());
    slow.types(0, "1");
    slow.types(1, "11");
    slow.does(Action::SendNow);
    let checks = slow.checks();
    let view = slow.hears(checks);
    assert_eq!((view.step, word_at(&view, 1), slow.outcome()), (1, Some("at_most"), None));
    slow.types(1, "2");
    slow.does(Action::SendNow);
    slow.session.settle(slow.now);
    assert_eq!(slow.outcome(), Some(answered(json!([{ "value": 1 }, { "value": 2 }]))));
}

#[test]
fn going_on_waits_for_its_verdict() {
    for (text, step, word) in [("7", 1, None), ("11", 0, Some("at_most"))] {
        let mut slow = Slow::at(two());
        slow.types(0, text);
        assert_eq!(slow.does(Action::GoOn).step, 0);
        let checks = slow.checks();
        let view = slow.hears(checks);
        assert_eq!((view.step, word_at(&view, 0)), (step, word), "{text}");
    }
}

#[test]
fn the_form_as_a_whole_is_checked_when_it_is_sent() {
    for (text, sent) in [("4", true), ("6", false)] {
        let mut slow = Slow::at(form());
        slow.types(0, "1");
        slow.types(1, text);
        // These were handed out before anybody wanted to send.
        let checks = slow.checks();
        slow.does(Action::SendNow);
        slow.hears(checks);
        assert_eq!(slow.outcome(), None, "all that is known is that each one fits");
        let checks = slow.checks();
        let view = slow.hears(checks);
        assert_eq!(slow.outcome().is_some(), sent);
        if !sent {
            assert_eq!((view.step, word_at(&view, 1)), (1, Some("at_most")));
        }
    }
}

#[test]
fn action_during_a_check_cancels_sending() {
    type Act = fn(&mut Slow);
    let meanwhile: [(&str, Act); 5] = [
        ("change", |slow| drop(slow.types(0, "8"))),
        ("leave", |slow| drop(slow.does(Action::Go { step: 1 }))),
        ("decline", |slow| drop(slow.does(Action::OpenAside { aside: AsideKind::Decline }))),
        ("close", |slow| drop(slow.does(Action::Close))),
        ("change elsewhere", |slow| {
            let update = json!({ "drafts": [{ "text": "8" }, {}] });
            slow.session.adopt(&serde_json::from_value(update).unwrap());
        }),
    ];
    for (name, act) in meanwhile {
        let mut slow = Slow::at(two());
        slow.types(0, "1");
        slow.types(1, "2");
        slow.does(Action::SendNow);
        let checks = slow.checks();
        act(&mut slow);
        slow.hears(checks);
        slow.session.settle(slow.now);
        assert_eq!(slow.outcome(), None, "{name}");
        slow.does(Action::CloseAside);
        slow.does(Action::SendNow);
        slow.session.settle(slow.now);
        assert!(slow.outcome().is_some(), "{name}: it can be sent again");
    }
}

#[test]
fn a_question_that_is_taken_back_is_not_sent_any_more() {
    let mut slow = Slow::at(one());
    slow.types(0, "7");
    slow.does(Action::SendNow);
    let checks = slow.checks();
    slow.session.apply(Event::Withdrawn, slow.now);
    slow.hears(checks);
    assert_eq!(slow.outcome(), Some(json!({ "outcome": "withdrawn" })));
}

#[test]
fn a_verdict_about_what_has_changed_since_means_nothing() {
    for (before, now, word) in [("11", "7", None), ("7", "11", Some("at_most"))] {
        let mut slow = Slow::at(two());
        slow.types(0, before);
        slow.does(Action::GoOn);
        let stale = slow.checks();
        slow.types(0, now);
        assert_eq!(slow.session.take_checks(), None, "one at a time, however much is typed");
        let view = slow.hears(stale);
        assert_eq!((view.step, word_at(&view, 0)), (0, None), "{before}, then {now}");
        let checks = slow.checks();
        let view = slow.hears(checks);
        assert_eq!((view.step, word_at(&view, 0)), (0, word), "{before}, then {now}");
    }
}

#[test]
fn a_deadline_does_not_end_what_is_being_sent() {
    for (text, ends) in [("7", "answered"), ("11", "timed_out")] {
        let mut asked = one();
        asked.timeout = Some(Duration::from_secs(5));
        let mut slow = Slow::at(asked);
        slow.types(0, text);
        slow.does(Action::SendNow);
        let checks = slow.checks();
        slow.now += Duration::from_secs(3600);
        slow.session.apply(Event::Tick, slow.now);
        assert_eq!(slow.outcome(), None, "the person was in time");
        let due = slow.session.next_tick().filter(|due| *due <= slow.now);
        assert_eq!(due, None, "nothing is due before the verdict");
        slow.hears(checks);
        slow.session.apply(Event::Tick, slow.now);
        assert_eq!(slow.session.outcome().map(Outcome::name), Some(ends));
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Type(usize, &'static str),
    Send,
    GoOn,
    Go(usize),
    /// Somebody takes what there is to check.
    Take,
    /// And tells the verdicts.
    Tell,
}

fn any_step() -> impl Strategy<Value = Step> {
    let text = prop::sample::select(vec!["7", "8", "11", "x", ""]);
    prop_oneof![
        3 => (0..2_usize, text).prop_map(|(question, text)| Step::Type(question, text)),
        2 => Just(Step::Send),
        1 => Just(Step::GoOn),
        1 => (0..3_usize).prop_map(Step::Go),
        3 => Just(Step::Take),
        3 => Just(Step::Tell),
    ]
}

proptest! {
    #[test]
    fn late_verdicts_never_answer_what_was_not_sent(
        steps in prop::collection::vec(any_step(), 0..40),
    ) {
        let mut slow = Slow::at(two());
        let mut texts = [""; 2];
        let mut sent = false;
        let mut taken = None;
        for step in steps {
            match step {
                Step::Type(question, text) => {
                    texts[question] = text;
                    sent = false;
                    slow.types(question, text);
                }
                Step::Send => {
                    sent = true;
                    slow.does(Action::SendNow);
                }
                Step::GoOn => {
                    // In the review it sends.
                    sent |= slow.session.view(slow.now).step == 2;
                    slow.does(Action::GoOn);
                }
                Step::Go(step) => drop(slow.does(Action::Go { step })),
                Step::Take => taken = taken.or(slow.session.take_checks()),
                Step::Tell => {
                    taken.take().map(|checks| slow.hears(checks));
                }
            }
            if let Some(outcome) = slow.outcome() {
                let values = texts.map(|text| json!({ "value": text.parse::<u8>().ok() }));
                prop_assert!(sent && texts.iter().all(|text| ["7", "8"].contains(text)));
                prop_assert_eq!(outcome, answered(json!(values)));
                return Ok(());
            }
        }
        slow.types(0, "7");
        slow.types(1, "8");
        slow.does(Action::SendNow);
        taken.map(|checks| slow.hears(checks));
        slow.session.settle(slow.now);
        prop_assert_eq!(slow.outcome(), Some(answered(json!([{ "value": 7 }, { "value": 8 }]))));
    }
}
