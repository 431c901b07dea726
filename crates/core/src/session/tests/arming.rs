//! Keys and clicks that were meant for something else.

use std::time::{Duration, Instant};

use super::{
    one,
    person::{ONCE, dialog},
};
use crate::{
    outcome::Outcome,
    session::{Action, Event, Key, Session, Settings},
};

fn key(name: &str) -> Event {
    Event::Key(Key { key: name.into(), ..Key::default() })
}

#[test]
fn typing_on_as_the_dialog_appears_chooses_nothing() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    let at = |ms| now + Duration::from_millis(ms);
    session.apply(Event::Shown, at(0));
    for ms in (0..5_000).step_by(390) {
        let view = session.apply(key("1"), at(ms));
        assert!(!view.armed && !view.open && view.questions[0].chosen.is_empty(), "{ms}");
    }
    // After a pause the key is meant for it.
    assert_eq!(session.apply(key("1"), at(5_500)).questions[0].chosen, [0]);
    // The same when the window gets the keyboard later, though text boxes take text at once then.
    session.apply(Event::WindowFocused, at(6_000));
    for ms in (6_000..12_000).step_by(390) {
        let view = session.apply(key("2"), at(ms));
        assert!(!view.armed && view.open && view.questions[0].chosen == [0], "{ms}");
    }
    assert_eq!(session.apply(key("2"), at(12_500)).questions[0].chosen, [1]);
}

#[test]
fn a_key_that_is_held_down_starts_the_delay_over() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    let at = |ms| now + Duration::from_millis(ms);
    session.apply(Event::Shown, at(0));
    let held = Event::Key(Key { key: "1".into(), repeat: true, ..Key::default() });
    session.apply(held, at(300));
    assert!(session.apply(key("1"), at(600)).questions[0].chosen.is_empty());
}

#[test]
fn a_key_counts_when_it_was_pressed_and_not_when_it_is_heard_of() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    let at = |ms| now + Duration::from_millis(ms);
    session.apply(Event::Shown, at(0));
    let pressed = |age_ms| Event::Key(Key { key: "1".into(), age_ms, ..Key::default() });
    assert!(session.apply(pressed(300), at(600)).questions[0].chosen.is_empty());
    // A clock that makes no sense is not asked.
    assert_eq!(session.apply(pressed(4_000_000_000), at(1_100)).questions[0].chosen, [0]);
}

#[test]
fn closing_waits_like_a_key() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    let at = |ms| now + Duration::from_millis(ms);
    session.apply(Event::Shown, at(0));
    session.apply(Event::CloseButton, at(300));
    session.apply(Event::CloseButton, at(600));
    assert_eq!(session.outcome(), None);
    session.apply(Event::CloseButton, at(1_000));
    assert_eq!(session.outcome(), Some(&Outcome::Dismissed));
}

#[test]
fn a_dialog_that_is_never_painted_can_be_closed() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    let at = |ms| now + Duration::from_millis(ms);
    session.apply(Event::CloseButton, at(5_000));
    session.apply(Event::CloseButton, at(5_300));
    assert_eq!(session.outcome(), None);
    session.apply(Event::CloseButton, at(5_400));
    assert_eq!(session.outcome(), Some(&Outcome::Dismissed));
}

#[test]
fn an_interrupt_is_heard_at_any_time() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    session.apply(Event::Interrupt, now);
    assert_eq!(session.outcome(), Some(&Outcome::Dismissed));
}

#[test]
fn keys_and_clicks_do_nothing_before_the_dialog_is_armed() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    let choose = Event::Do { action: Action::Choose { card: 0 }, pointer: true };
    let at = |ms| now + Duration::from_millis(ms);
    // Not even painted yet.
    assert!(session.apply(key("1"), at(900)).questions[0].chosen.is_empty());
    session.apply(Event::Shown, at(1000));
    assert!(session.apply(key("1"), at(1399)).questions[0].chosen.is_empty());
    // The button went down too early, and up in time.
    session.apply(Event::Press, at(1399));
    assert!(session.apply(choose.clone(), at(1500)).questions[0].chosen.is_empty());
    // The click that focuses the window selects nothing.
    session.apply(Event::WindowFocused, at(5000));
    session.apply(Event::Press, at(5001));
    assert!(session.apply(choose.clone(), at(5600)).questions[0].chosen.is_empty());
    // Nor does it if the press is heard of before the focus.
    session.apply(Event::Press, at(5650));
    session.apply(Event::WindowFocused, at(5651));
    assert!(session.apply(choose.clone(), at(6400)).questions[0].chosen.is_empty());
    session.apply(Event::Press, at(6500));
    assert_eq!(session.apply(choose, at(6501)).questions[0].chosen, [0]);
}

#[test]
fn the_front_end_is_told_when_the_dialog_is_armed() {
    let now = Instant::now();
    let mut session = Session::new(dialog(one()), ONCE, now);
    session.apply(Event::Shown, now);
    let just_before = now + Duration::from_micros(399_990);
    let armed = now + Duration::from_millis(400);
    assert!(!session.apply(Event::Press, just_before).armed);
    assert_eq!(session.next_tick(), Some(armed));
    assert!(session.apply(Event::Tick, armed).armed);
    assert_eq!(session.next_tick(), None);
}

#[test]
fn keys_without_a_pause_do_nothing_however_short_the_delay_is() {
    let now = Instant::now();
    let settings = Settings { arming: Duration::from_millis(100), ..ONCE };
    let mut session = Session::new(dialog(one()), settings, now);
    let at = |ms| now + Duration::from_millis(ms);
    session.apply(Event::Shown, at(0));
    for ms in [50, 200, 590] {
        assert!(session.apply(key("1"), at(ms)).questions[0].chosen.is_empty(), "{ms}");
    }
    assert_eq!(session.apply(key("1"), at(990)).questions[0].chosen, [0]);
}
