//! Keys that follow one another without a pause. Whatever they are, a burst that was meant for
//! something else chooses, sends and closes nothing.

use std::time::{Duration, Instant};

use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    one,
    person::{ONCE, dialog},
    several, *,
};

/// All kinds of dialogs that keys could answer.
fn dialogs() -> Vec<Value> {
    vec![
        one(),
        several(),
        json!([{ "question": "Go?", "type": "confirm" }]),
        json!([{ "question": "Go?", "type": "confirm", "default": true }]),
        json!([{ "question": "Run it?", "options": ["Allow", "Deny"], "consent": true }]),
        json!([{ "question": "Run it?", "options": ["Allow", "Deny"], "consent": true, "other": false }]),
        json!([{ "question": "Which ones?", "type": "multi", "options": ["A", "B", "C"] }]),
        json!([{ "question": "What?", "type": "text" }]),
        json!([{ "question": "What?", "type": "text", "required": false }]),
    ]
}

/// What a person does at a keyboard.
#[derive(Debug, Clone, Copy)]
enum Act {
    Key(&'static str),
    CtrlEnter,
    Held(&'static str),
    /// The window manager makes it of Alt+F4.
    Close,
    /// A button is pressed by a key.
    Button(Action),
}

const LETTERS: [&str; 6] = ["n", "o", "É", "中", "?", "0"];
const MOVES: [&str; 10] =
    ["1", "2", "3", "7", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Shift"];

fn anything() -> impl Strategy<Value = Act> {
    let keys = ["Enter", "Enter", "Escape", "Tab", "Backspace"];
    let keys: Vec<_> = keys.into_iter().chain(LETTERS).chain(MOVES).map(Act::Key).collect();
    let more = [
        Act::CtrlEnter,
        Act::Held("Enter"),
        Act::Held("1"),
        Act::Close,
        Act::Button(Action::GoOn),
        Act::Button(Action::SendNow),
        Act::Button(Action::Choose { card: 0 }),
    ];
    select(keys.into_iter().chain(more).collect::<Vec<_>>())
}

/// Less than a pause.
fn gap() -> impl Strategy<Value = u64> {
    prop_oneof![0..400_u64, Just(399)]
}

/// A dialog, what the keys do to it, and what stands in its boxes.
struct Typist {
    session: Session,
    start: Instant,
    view: View,
    /// How long every key is on its way.
    lag: u64,
}

impl Typist {
    fn at(questions: &Value, closing: Closing, lag: u64) -> Self {
        let start = Instant::now();
        let settings = Settings { closing, ..ONCE };
        let mut session = Session::new(dialog(questions.clone()), settings, start);
        let view = session.apply(Event::Shown, start);
        Self { session, start, view, lag }
    }

    fn event(&mut self, event: Event, ms: u64) {
        self.view = self.session.apply(event, self.start + Duration::from_millis(ms));
    }

    fn act(&mut self, act: Act, ms: u64) {
        let key = |name: &str, ctrl, repeat| {
            let age_ms = self.lag;
            Key { key: name.into(), ctrl, repeat, age_ms, ..Key::default() }
        };
        let (key, then) = match act {
            Act::Key(name) => (key(name, false, false), None),
            Act::CtrlEnter => (key("Enter", true, false), None),
            Act::Held(name) => (key(name, false, true), None),
            Act::Close => return self.event(Event::CloseButton, ms),
            Act::Button(action) => {
                (key("Shift", false, false), Some(Event::Do { action, pointer: false }))
            }
        };
        self.event(Event::Key(key.clone()), ms + self.lag);
        if self.view.open && key.key.chars().count() == 1 {
            self.write(&key.key, ms + self.lag);
        }
        if let Some(event) = then {
            self.event(event, ms + self.lag);
        }
    }

    /// The key goes into the text box that has the keyboard, if one has.
    fn write(&mut self, letter: &str, ms: u64) {
        let question = self.view.step;
        let Some(given) = self.view.questions.get(question) else { return };
        let (field, text) = match self.view.focus {
            Focus::Other => (TextField::Other, &given.other),
            Focus::Text => (TextField::Text, &given.text),
            _ => return,
        };
        let text = format!("{text}{letter}");
        self.event(Event::Text { question, field, text }, ms);
    }

    /// Whether nothing was sent, closed or chosen but Other.
    fn is_untouched(&mut self) -> bool {
        let other = |step: usize| other_card(&self.session.dialog.questions[step]);
        let chosen = self.view.questions.iter().enumerate();
        let only_other = chosen
            .flat_map(|(step, question)| question.chosen.iter().map(move |card| (step, *card)))
            .all(|(step, card)| other(step) == Some(card));
        only_other && self.session.outcome().is_none() && !self.session.take_set_aside()
    }
}

fn closing() -> impl Strategy<Value = Closing> {
    select(vec![Closing::Dismisses, Closing::SetsAside])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_burst_that_began_before_the_dialog_was_armed_does_nothing(
        questions in select(dialogs()),
        closing in closing(),
        lag in prop_oneof![Just(0), 0..2_000_u64],
        comes_back in any::<bool>(),
        first in 0..400_u64,
        burst in vec((anything(), gap()), 1..30),
    ) {
        let mut typist = Typist::at(&questions, closing, lag);
        let mut ms = first;
        if comes_back {
            typist.event(Event::Tick, 1_000);
            prop_assert!(typist.view.armed);
            typist.event(Event::WindowFocused, 60_000);
            ms += 60_000;
        }
        for (act, gap) in burst {
            // What has no time of its own cannot have been on its way.
            if lag > 0 && matches!(act, Act::Close | Act::Button(_)) {
                continue;
            }
            typist.act(act, ms);
            prop_assert!(typist.is_untouched(), "{act:?}: {:?}", typist.view);
            let chosen = typist.view.questions.iter().any(|question| !question.chosen.is_empty());
            prop_assert!(!chosen && typist.view.step == 0, "{act:?}: {:?}", typist.view);
            ms += gap;
        }
    }

    #[test]
    fn a_burst_with_a_letter_outside_of_a_box_does_nothing(
        questions in select(dialogs()),
        closing in closing(),
        before in vec((select(MOVES.to_vec()), gap()), 0..6),
        letter in select(LETTERS.to_vec()),
        after in vec((gap(), anything()), 0..20),
    ) {
        let mut typist = Typist::at(&questions, closing, 0);
        let mut ms = 60_000;
        for (key, gap) in before {
            typist.act(Act::Key(key), ms);
            ms += gap;
        }
        if typist.view.focus.is_text() {
            typist.event(Event::Moved { focus: Focus::Primary }, ms);
        }
        let step = typist.view.step;
        typist.act(Act::Key(letter), ms);
        prop_assert!(typist.is_untouched(), "{letter}: {:?}", typist.view);
        for (gap, act) in after {
            ms += gap;
            typist.act(act, ms);
            prop_assert!(typist.is_untouched(), "{act:?}: {:?}", typist.view);
            prop_assert_eq!(typist.view.step, step);
        }
    }

    #[test]
    fn a_digit_and_enter_answer_however_fast(gap in 0..1_000_u64, when in 400..5_000_u64) {
        for questions in [one(), json!([{ "question": "Go?", "type": "confirm" }])] {
            let mut typist = Typist::at(&questions, Closing::Dismisses, 0);
            typist.act(Act::Key("2"), when);
            typist.act(Act::Key("Enter"), when + gap);
            let answered = matches!(typist.session.outcome(), Some(Outcome::Answered { .. }));
            prop_assert!(answered, "{:?}", typist.view);
        }
    }
}

/// Types a text and Enter, a key every 100 ms, and waits for as long after it.
fn types(typist: &mut Typist, text: &str, from: u64) -> u64 {
    let keys = text.chars().map(|letter| letter.to_string()).chain(["Enter".to_owned()]);
    keys.fold(from, |ms, key| {
        typist.event(Event::Key(Key { key: key.clone(), ..Key::default() }), ms);
        if key.chars().count() == 1 {
            typist.write(&key, ms);
        }
        ms + 100
    })
}

#[test]
fn words_typed_at_a_question_stand_in_the_other_box_and_wait_for_another_enter() {
    let permission =
        json!([{ "question": "Run it?", "options": ["Allow", "Deny"], "consent": true }]);
    for questions in [permission, one()] {
        let mut typist = Typist::at(&questions, Closing::Dismisses, 0);
        let end = types(&mut typist, "do not run that 1 2 3", 1_000);
        assert!(typist.is_untouched());
        let QuestionView { other, chosen, .. } = &typist.view.questions[0];
        assert_eq!((other.as_str(), &chosen[..]), ("do not run that 1 2 3", &[2][..]));
        let said = typist.view.notice.as_ref().map(|notice| notice.phrase.word);
        assert_eq!(said, Some("enter_again"));
        typist.act(Act::Key("Enter"), end + 300);
        let sent = serde_json::to_value(typist.session.outcome()).unwrap();
        assert_eq!(sent, answered(json!([{ "other": "do not run that 1 2 3" }])));
    }
}

#[test]
fn words_typed_at_a_confirmation_answer_nothing_and_the_person_hears_how() {
    let confirm = json!([{ "question": "Delete 15 files?", "type": "confirm" }]);
    let mut typist = Typist::at(&confirm, Closing::Dismisses, 0);
    let end = types(&mut typist, "no wait 1", 1_000);
    assert!(typist.is_untouched() && !typist.view.armed);
    let said = typist.view.notice.clone().unwrap().phrase;
    assert_eq!((said.word, said.values["keys"].as_str()), ("choose_first", "1–2"));
    // After a pause keys count again.
    typist.act(Act::Key("2"), end + 300);
    typist.act(Act::Key("Enter"), end + 300);
    let sent = serde_json::to_value(typist.session.outcome()).unwrap();
    assert_eq!(sent, answered(json!([{ "value": false }])));
}

#[test]
fn a_letter_takes_back_what_its_burst_has_chosen_and_nothing_else() {
    let several = json!([
        { "question": "Which?", "options": ["A", "B"], "other": false },
        { "question": "Which ones?", "type": "multi", "options": ["C", "D"], "other": false },
    ]);
    let mut typist = Typist::at(&several, Closing::Dismisses, 0);
    typist.act(Act::Key("1"), 1_000);
    typist.act(Act::Key("2"), 2_000);
    typist.act(Act::Key("n"), 2_100);
    assert_eq!(typist.view.questions[0].chosen, [0], "what was chosen long before it stays");
    // An Enter confirms what came before it.
    typist.act(Act::Key("2"), 4_000);
    typist.act(Act::Key("Enter"), 4_100);
    typist.act(Act::Key("1"), 4_200);
    typist.act(Act::Key("n"), 4_300);
    let chosen: Vec<_> = typist.view.questions.iter().map(|given| given.chosen.clone()).collect();
    assert_eq!(chosen, [vec![1], vec![]]);
}

#[test]
fn stray_letter_delays_arming() {
    let mut typist =
        Typist::at(&json!([{ "question": "Go?", "type": "confirm" }]), Closing::Dismisses, 0);
    typist.act(Act::Key("n"), 1_000);
    typist.act(Act::Key("1"), 1_799);
    assert_eq!(typist.view.focus, Focus::Panel);
    typist.act(Act::Key("1"), 2_199);
    assert_eq!(typist.view.focus, Focus::Card { index: 0 });
}
