//! What outlives a caller, a closed window and the process.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    answered, one,
    person::{Person, dialog},
};
use crate::{
    outcome::Outcome,
    session::{
        Action, AsideKind, CheckedOutcome, Closing, Event, Focus, Key, Numbers, Phase, Session,
        Settings, TextField, View,
    },
};

const RESIDENT: Settings = Settings {
    arming: Duration::ZERO,
    closing: Closing::SetsAside,
    undo: Duration::from_secs(10),
    numbers: Numbers::Point,
};

#[test]
fn when_the_caller_leaves_the_answer_can_still_be_given() {
    let person = Person::at(one()).press(&["1"]).event(Event::CallerLeft).goes_on();
    person.hears("caller_left").press(&["Enter"]).ends_with(answered(json!([{ "selected": [0] }])));
}

#[test]
fn a_deadline_does_not_pass_when_nobody_waits() {
    let mut dialog = dialog(one());
    dialog.timeout = Some(Duration::from_secs(1));
    let person = Person::at_dialog(dialog).event(Event::CallerLeft);
    (0..60).fold(person, |person, _| person.event(Event::Tick)).goes_on();
}

#[test]
fn a_deadline_does_not_come_nearer_while_nobody_waits() {
    let mut dialog = dialog(one());
    dialog.timeout = Some(Duration::from_secs(30));
    let person = Person::at_dialog(dialog).waits(Duration::from_secs(10));
    let person = person.event(Event::CallerLeft).waits(Duration::from_secs(60));
    let person = person.event(Event::CallerBack);
    let left = person.view.countdown.as_ref().map(|countdown| &countdown.text.values["time"][..]);
    assert_eq!(left, Some("0:19"));
    person.waits(Duration::from_secs(18)).goes_on().event(Event::Tick).ends_with(json!({
        "outcome": "timed_out",
        "partial": [{ "skipped": true }],
    }));
}

#[test]
fn the_next_tick_is_the_same_whenever_it_is_looked_up() {
    let mut dialog = dialog(one());
    dialog.timeout = Some(Duration::from_secs(30));
    let now = Instant::now();
    let later = |seconds| now + Duration::from_secs(seconds);
    let mut session = Session::new(dialog, RESIDENT, now);
    assert_eq!(
        (session.next_tick(), session.next_tick_unseen()),
        (Some(later(1)), Some(later(30)))
    );
    session.apply(Event::Tick, later(3));
    assert_eq!(
        (session.next_tick(), session.next_tick_unseen()),
        (Some(later(4)), Some(later(30)))
    );
    session.apply(Event::Stirred, later(10));
    assert_eq!(session.next_tick_unseen(), Some(later(45)));
    session.set_limit(Some(Duration::from_secs(5)), later(12));
    assert_eq!(session.next_tick_unseen(), Some(later(17)));
    session.apply(Event::CallerLeft, later(13));
    assert_eq!((session.next_tick(), session.next_tick_unseen()), (None, None));
    session.set_limit(None, later(14));
    session.apply(Event::CallerBack, later(14));
    assert_eq!(session.next_tick(), None);
}

#[test]
fn closing_sets_aside_where_there_is_a_place_to_come_back_to() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), RESIDENT, now);
    session.apply(Event::CloseButton, now);
    assert_eq!(session.outcome(), None);
    assert!(session.take_set_aside());
    assert!(!session.take_set_aside());
}

#[test]
fn a_text_question_that_was_set_aside_has_the_keyboard_in_its_box() {
    let now = Instant::now();
    let ask = json!([{ "question": "What?", "type": "text" }]);
    let mut session = Session::new(dialog(ask), RESIDENT, now);
    session.apply(Event::Shown, now);
    let escape = || Event::Key(Key { key: "Escape".into(), ..Key::default() });
    assert_eq!(session.apply(escape(), now).focus, Focus::Primary);
    assert_eq!(session.apply(escape(), now).focus, Focus::Text);
    assert!(session.take_set_aside());
}

#[test]
fn a_decline_can_be_taken_back_for_ten_seconds() {
    let later = |seconds| Duration::from_secs(seconds);
    let decline = || {
        let now = Instant::now();
        let mut session = Session::new(dialog(one()), RESIDENT, now);
        session.apply(Event::Shown, now);
        let open = Action::OpenAside { aside: AsideKind::Decline };
        session.apply(Event::Do { action: open, pointer: false }, now);
        session.apply(Event::Do { action: Action::SendAside, pointer: false }, now);
        (session, now)
    };
    let (mut session, now) = decline();
    let view = session.apply(Event::Tick, now + later(9));
    assert_eq!((view.phase, view.undo, session.outcome()), (Phase::Declined, true, None));
    let undo = Event::Do { action: Action::Undo, pointer: false };
    let view = session.apply(undo, now + later(9));
    assert_eq!((view.phase, view.undo), (Phase::Asking, false));
    assert_eq!((view.aside, view.focus), (None, Focus::Card { index: 0 }));

    let (mut session, now) = decline();
    session.apply(Event::Tick, now + later(10));
    assert_eq!(session.outcome().map(Outcome::name), Some("declined"));

    let (mut session, now) = decline();
    session.apply(Event::CloseButton, now + later(1));
    assert_eq!(session.outcome().map(Outcome::name), Some("declined"));
}

#[test]
fn draft_is_restored_without_secrets() {
    let questions = json!([
        { "question": "Which?", "options": ["a", "b"], "notes": true },
        { "question": "Why?", "type": "text" },
        { "question": "Password?", "type": "secret" },
    ]);
    let now = Instant::now();
    let mut session = Session::new(dialog(questions.clone()), RESIDENT, now);
    session.apply(Event::Shown, now);
    let text = |question, field, text: &str| Event::Text { question, field, text: text.into() };
    session.apply(text(0, TextField::Other, "mine"), now);
    session.apply(text(1, TextField::Text, "because"), now);
    session.apply(text(2, TextField::Text, "hunter2"), now);
    session.apply(text(0, TextField::Decline, "not now"), now);
    session.apply(Event::Do { action: Action::Go { step: 1 }, pointer: false }, now);
    let saved = serde_json::to_string(&session.save()).unwrap();
    assert!(!saved.contains("hunter2"), "{saved}");

    let mut again = Session::new(dialog(questions), RESIDENT, now);
    again.restore(serde_json::from_str(&saved).unwrap());
    let view = again.view(now);
    assert_eq!(view.step, 1);
    assert_eq!((view.questions[0].other.as_str(), &view.questions[0].chosen), ("mine", &vec![2]));
    assert_eq!(view.questions[1].text, "because");
    assert_eq!(view.questions[2].text, "");
    assert_eq!(serde_json::to_string(&again.save()).unwrap(), saved);
}

#[test]
fn answers_can_come_all_at_once_and_are_checked_like_typed_ones() {
    let questions = json!([
        { "question": "Which?", "options": ["a", "b"] },
        { "question": "How many?", "type": "number" },
        { "question": "Go?", "type": "confirm" },
    ]);
    let now = Instant::now();
    let mut session = Session::new(dialog(questions), RESIDENT, now);
    let wrong = json!([{ "selected": [7] }, { "value": 3 }, { "value": true }]);
    assert_eq!(answer(&mut session, wrong), Err((Some(0), "answer_needed")));
    assert_eq!(session.outcome(), None);
    let right = json!([{ "other": "c" }, { "value": 3 }, { "value": false }]);
    assert_eq!(answer(&mut session, right.clone()), Ok(()));
    let outcome = serde_json::to_value(session.outcome()).unwrap();
    assert_eq!(outcome, answered(right));
}

fn answer(session: &mut Session, answers: Value) -> Result<(), (Option<usize>, &'static str)> {
    let answers: Vec<_> = serde_json::from_value(answers).unwrap();
    end(session, Outcome::Answered { answers })
}

fn end(session: &mut Session, outcome: Outcome) -> Result<(), (Option<usize>, &'static str)> {
    let ending = CheckedOutcome::new(session.dialog().clone(), outcome);
    ending.map(|ending| session.end_elsewhere(ending)).map_err(|(at, error)| (at, error.word))
}

#[test]
fn a_default_that_was_agreed_to_elsewhere_is_an_answer() {
    let questions = json!([
        { "question": "What name?", "type": "text", "default": "deck" },
        { "question": "How many?", "type": "number", "default": 3 },
        { "question": "Why?", "type": "text" },
    ]);
    for step in 0..4 {
        let now = Instant::now();
        let mut session = Session::new(dialog(questions.clone()), RESIDENT, now);
        session.apply(Event::Shown, now);
        session.apply(Event::Do { action: Action::Go { step }, pointer: false }, now);
        let given = json!([{ "value": "deck" }, { "value": 3 }, { "value": "so" }]);
        assert_eq!(answer(&mut session, given.clone()), Ok(()), "at step {step}");
        assert_eq!(serde_json::to_value(session.outcome()).unwrap(), answered(given));
    }
}

#[test]
fn impossible_answer_is_refused() {
    let questions = json!([
        { "question": "Which?", "options": ["a", "b"], "required": false },
        { "question": "Which ones?", "type": "multi", "options": ["a", "b"], "other": false },
    ]);
    let mut session = Session::new(dialog(questions), RESIDENT, Instant::now());
    for (first, second, at, word) in [
        (json!({ "selected": [0, 1] }), json!({ "selected": [0] }), 0, "choose_at_most"),
        (json!({ "selected": [0], "other": "c" }), json!({ "selected": [0] }), 0, "choose_at_most"),
        (json!({ "selected": [2] }), json!({ "selected": [0] }), 0, "answer_needed"),
        (json!({}), json!({ "selected": [0, 2] }), 1, "answer_needed"),
        (json!({}), json!({ "selected": [0], "other": "c" }), 1, "answer_needed"),
    ] {
        assert_eq!(answer(&mut session, json!([first, second])), Err((Some(at), word)));
    }
    assert_eq!(answer(&mut session, json!([{}, { "selected": [0, 1] }])), Ok(()));
}

#[test]
fn a_refused_answer_moves_nothing_here() {
    let questions = json!([
        { "question": "Which?", "options": ["a", "b"] },
        { "question": "How many?", "type": "number" },
    ]);
    let now = Instant::now();
    let mut session = Session::new(dialog(questions), RESIDENT, now);
    session.apply(Event::Shown, now);
    let aside = Action::OpenAside { aside: AsideKind::Decline };
    let before = session.apply(Event::Do { action: aside, pointer: false }, now);
    let many = json!([{ "selected": [0] }, { "value": "many" }]);
    assert_eq!(answer(&mut session, many), Err((Some(1), "not_a_number")));
    let after = session.view(now);
    assert_eq!(after, View { turn: after.turn, ..before });
}

#[test]
fn a_draft_tells_all_that_was_given_and_nothing_that_was_not() {
    let questions = json!([
        { "question": "Which?", "options": ["Red", "Blue"] },
        { "question": "How many?", "type": "number" },
        { "question": "What name?", "type": "text", "default": "as it stood" },
    ]);
    let now = Instant::now();
    let mut session = Session::new(dialog(questions.clone()), RESIDENT, now);
    session.apply(Event::Shown, now);
    let texts = [(0, TextField::Other, "Green"), (1, TextField::Text, "ten or so")];
    for (question, field, text) in texts {
        session.apply(Event::Text { question, field, text: text.into() }, now);
    }
    let choose = Action::Choose { card: 1 };
    session.apply(Event::Do { action: choose, pointer: false }, now);
    let given = session.save().everything(&dialog(questions));
    assert_eq!(
        serde_json::to_value(given).unwrap(),
        json!([
            { "selected": [1], "other": "Green" },
            { "value": "ten or so", "skipped": true },
            {},
        ])
    );
}

#[test]
fn draft_of_another_front_end_is_taken_over() {
    let questions = json!([
        { "question": "Which?", "options": ["a", "b"] },
        { "question": "Why?", "type": "text" },
        { "question": "Token?", "type": "secret" },
    ]);
    let now = Instant::now();
    let session = || Session::new(dialog(questions.clone()), RESIDENT, now);
    let (mut here, mut there) = (session(), session());
    let type_text = |session: &mut Session, question, text: &str| {
        let text = text.to_owned();
        session.apply(Event::Text { question, field: TextField::Text, text }, now)
    };
    let turn = type_text(&mut here, 2, "hunter2").text_turn;
    let before = there.save();
    type_text(&mut there, 1, "because");
    here.adopt(&there.save().since(Some(&before)));
    let view = here.view(now);
    assert_ne!(view.text_turn, turn, "even a box that is being typed in must take it over");
    assert_eq!((view.questions[1].text.as_str(), view.step), ("because", 0));
    assert_eq!(view.questions[2].text, "hunter2", "no draft holds a secret, so none replaces it");
    let saved = |session: &Session| serde_json::to_value(session.save()).unwrap();
    assert_eq!(saved(&here), saved(&there), "so that neither has news for the other");
}

#[test]
fn an_end_elsewhere_is_about_what_was_asked() {
    let question = json!([{ "question": "Which?", "options": ["a", "b"], "other": false }]);
    let now = Instant::now();
    let mut session = Session::new(dialog(question), RESIDENT, now);
    for partial in [json!([{ "selected": [7] }]), json!([{ "other": "c" }]), json!([{}, {}])] {
        for name in ["declined", "timed_out"] {
            let mut outcome = json!({ "outcome": name, "partial": partial });
            if name == "declined" {
                outcome["reason"] = Value::Null;
            }
            let outcome = serde_json::from_value(outcome).unwrap();
            assert!(end(&mut session, outcome).is_err(), "{partial}");
            assert_eq!(session.outcome(), None);
        }
    }
}

#[test]
fn what_has_ended_here_does_not_end_elsewhere() {
    let question = json!([{ "question": "Which?", "options": ["a", "b"] }]);
    let now = Instant::now();
    let mut session = Session::new(dialog(question), RESIDENT, now);
    session.apply(Event::Withdrawn, now);
    let before = (session.view(now).phase, session.outcome().cloned());
    for late in [json!({ "outcome": "dismissed" }), answered(json!([{ "selected": [1] }]))] {
        end(&mut session, serde_json::from_value(late).unwrap()).unwrap();
        assert_eq!((session.view(now).phase, session.outcome().cloned()), before);
    }
    // A farewell that said `elsewhere` of what was sent here would be wrong.
    let question = json!([{ "question": "Which?", "options": ["a", "b"] }]);
    let mut session = Session::new(dialog(question), RESIDENT, now);
    session.apply(Event::Shown, now);
    for action in [Action::Choose { card: 0 }, Action::SendNow] {
        session.apply(Event::Do { action, pointer: false }, now);
    }
    end(&mut session, Outcome::Dismissed).unwrap();
    assert_eq!(session.view(now).phase, Phase::Sent);
}

#[test]
fn an_end_elsewhere_is_told_as_one() {
    let question = json!([{ "question": "Which?", "options": ["a", "b"] }]);
    let now = Instant::now();
    let end = |outcome: Value| {
        let mut session = Session::new(dialog(question.clone()), RESIDENT, now);
        end(&mut session, serde_json::from_value(outcome).unwrap()).unwrap();
        session.view(now).phase
    };
    let answers = json!([{ "selected": [1] }]);
    assert_eq!(end(answered(answers)), Phase::AnsweredElsewhere);
    assert_eq!(end(json!({ "outcome": "declined", "reason": null })), Phase::EndedElsewhere);
    assert_eq!(end(json!({ "outcome": "dismissed" })), Phase::EndedElsewhere);
    assert_eq!(end(json!({ "outcome": "timed_out" })), Phase::TimedOut);
}

/// All kinds of questions.
fn every_kind() -> Value {
    json!([
        { "question": "One?", "options": ["a", "b"], "required": false },
        { "question": "Some?", "type": "multi", "options": ["a", "b", "c"], "notes": true },
        { "question": "No other?", "options": ["a", "b"], "other": false },
        { "question": "Sure?", "type": "confirm" },
        { "question": "On?", "type": "boolean" },
        { "question": "Why?", "type": "text", "default": "so" },
        { "question": "How many?", "type": "number" },
        { "question": "What?", "type": "json" },
        { "question": "Token?", "type": "secret" },
    ])
}

/// A draft as a file or a program may have it.
fn any_draft() -> impl Strategy<Value = Value> {
    let index = || prop_oneof![0..4_usize, Just(99), Just(usize::MAX)];
    let text = || prop_oneof![Just(String::new()), "\\PC{0,8}"];
    let choice = (prop::collection::vec(index(), 0..4), any::<bool>());
    let texts = (text(), text(), text());
    let question = (choice, texts, any::<bool>(), any::<bool>()).prop_map(
        |((chosen, other_chosen), (other, text, note), note_open, tried)| {
            json!({ "chosen": chosen, "other_chosen": other_chosen, "other": other, "text": text,
                "note": note, "note_open": note_open, "tried": tried })
        },
    );
    let seconds = prop_oneof![Just(0), Just(3_600), Just(u64::MAX)];
    (index(), prop::collection::vec(question, 8..=10), seconds, text()).prop_map(
        |(step, drafts, secs, aside)| {
            json!({ "step": step, "drafts": drafts, "spent": { "secs": secs, "nanos": 0 },
                "asides": { "decline": aside, "clarify": aside } })
        },
    )
}

/// Whether what a session shows and sends names only what is there.
fn assert_possible(session: &mut Session, now: Instant) {
    let view = session.view(now);
    let cards = [3, 4, 2, 2, 2, 0, 0, 0, 0];
    for (step, cards) in cards.into_iter().enumerate() {
        let chosen = &view.questions[step].chosen;
        assert!(chosen.iter().all(|card| *card < cards), "{step}: {chosen:?}");
        assert!(chosen.len() <= if step == 1 { 4 } else { 1 }, "{step}: {chosen:?}");
    }
    assert!(view.step <= 9);
    assert_eq!(view.questions[8].text, "", "no draft holds a secret");
    let dialog = session.dialog().clone();
    for (question, answer) in dialog.questions.iter().zip(session.save().everything(&dialog)) {
        assert!(answer.selected.iter().all(|index| *index < question.options().len()));
    }
}

proptest! {
    #[test]
    fn restored_draft_is_always_valid(
        draft in any_draft(),
        secs in prop_oneof![Just(None), Just(Some(60)), Just(Some(u64::MAX))],
    ) {
        let now = Instant::now();
        let mut asked = dialog(every_kind());
        asked.timeout = secs.map(Duration::from_secs);
        let mut session = Session::new(asked, RESIDENT, now);
        session.restore(serde_json::from_value(draft.clone()).unwrap());
        assert_possible(&mut session, now);
        session.apply(Event::Shown, now);
        let mut later = now;
        for key in ["ArrowDown", "ArrowUp", "Enter", "Enter", "Escape", "Tab", "1", "Enter"] {
            later += Duration::from_secs(1);
            let key = Key { key: key.into(), ..Key::default() };
            session.apply(Event::Key(key), later);
            session.apply(Event::Tick, later);
        }
        session.next_tick();

        let mut other = Session::new(dialog(every_kind()), RESIDENT, now);
        other.adopt(&serde_json::from_value(draft).unwrap());
        assert_possible(&mut other, now);
    }
}

#[test]
fn an_update_changes_only_what_it_names() {
    let now = Instant::now();
    let mut session = Session::new(dialog(every_kind()), RESIDENT, now);
    let typed = Event::Text { question: 5, field: TextField::Text, text: "mine".into() };
    session.apply(typed, now);
    let mut drafts = vec![json!({}); 9];
    drafts[6] = json!({ "text": "7" });
    session.adopt(&serde_json::from_value(json!({ "drafts": drafts })).unwrap());
    session.adopt(&serde_json::from_value(json!({ "drafts": [{ "text": "too few" }] })).unwrap());
    let questions = session.view(now).questions;
    assert_eq!([&questions[5].text, &questions[6].text], ["mine", "7"]);
    assert_eq!(questions[0].other, "");
}
