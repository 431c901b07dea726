//! Deadlines, whoever else does what.

use super::*;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

impl Desk {
    /// Lets time pass as the app does: it ticks whenever the deck wants it, and only then.
    fn wait(&mut self, time: Duration) -> usize {
        let until = self.now + time;
        let mut ticks = 0;
        while let Some(next) = self.deck.next_tick().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            self.effects = self.deck.tick(self.now);
            ticks += 1;
        }
        self.now = until;
        ticks
    }
}

#[test]
fn a_deadline_passes_however_often_the_deck_is_asked_when() {
    let mut desk = Desk::resident();
    desk.ask_within(Some(10), "t", "Which?", "a", 1);
    let next = desk.deck.next_tick();
    desk.now += Duration::from_millis(700);
    desk.ask("Another?", "b", 2);
    assert_eq!(desk.deck.next_tick(), next, "whatever happens elsewhere");
    desk.wait(seconds(11));
    assert!(!desk.deck.is_open("t"));
}

#[test]
fn unseen_dialog_wakes_only_at_its_deadline() {
    let mut desk = Desk::resident();
    desk.ask("On stage?", "a", 1);
    for n in 2..100 {
        desk.ask_within(Some(60), &n.to_string(), &format!("{n}?"), &format!("agent {n}"), n);
    }
    assert_eq!(desk.wait(seconds(59)), 0);
    assert_eq!((desk.wait(seconds(1)), desk.deck.len()), (1, 1));
    desk.ask_within(Some(60), "t", "Seen?", "b", 200);
    desk.deck.show(Some("t"));
    assert_eq!(desk.wait(seconds(10)), 10, "who sees it sees how much is left");
}

#[test]
fn the_time_stands_still_while_the_caller_is_away() {
    let mut desk = Desk::resident();
    desk.ask_within(Some(10), "t", "Which?", "a", 1);
    desk.wait(seconds(4));
    desk.deck.forget(1, desk.now);
    assert_eq!(desk.wait(seconds(60 * 60)), 0);
    desk.event("t", Event::Stirred);
    desk.wait(seconds(60 * 60));
    // It comes back with the same ticket, and to what was left.
    desk.ask_within(Some(10), "t", "Which?", "a", 2);
    desk.wait(seconds(5));
    assert!(desk.deck.is_open("t"));
    desk.wait(seconds(1));
    assert!(!desk.deck.is_open("t"));
}

#[test]
fn asking_again_sets_its_own_deadline() {
    let mut desk = Desk::resident();
    desk.ask_within(Some(10), "t1", "Which?", "a", 1);
    desk.deck.join("t1", 7, desk.now).unwrap();
    desk.wait(seconds(8));
    desk.deck.forget(1, desk.now);
    desk.ask_within(Some(20), "t2", "Which?", "a", 2);
    let back = News::CallerBack { ticket: "t1".into(), left_ms: Some(20_000) };
    assert_eq!(desk.told(7), [&back], "a terminal counts by itself");
    desk.wait(seconds(19));
    assert!(desk.deck.is_open("t1"));
    // Nobody who waits gets less time because of another.
    desk.ask_within(Some(30), "t3", "Which?", "a", 3);
    desk.ask_within(Some(5), "t4", "Which?", "a", 4);
    desk.wait(seconds(29));
    assert!(desk.deck.is_open("t1"));
    desk.wait(seconds(1));
    assert!(!desk.deck.is_open("t1"));
    assert_eq!(desk.replied(), [2, 3, 4]);

    desk.ask_within(Some(10), "t5", "Which?", "a", 5);
    desk.ask_within(None, "t6", "Which?", "a", 6);
    assert_eq!(desk.wait(seconds(60 * 60)), 1, "only the farewell had to go");
    assert!(desk.deck.is_open("t5"));
}

#[test]
fn a_deadline_that_passed_while_the_program_was_stopped_waits_for_what_was_typed() {
    for on_stage in [true, false] {
        let mut desk = Desk::resident();
        if !on_stage {
            desk.ask("On stage?", "b", 9);
        }
        desk.ask_within(Some(60), "t", "Which?", "a", 1);
        desk.event("t", Event::Shown);
        desk.wait(seconds(50));
        // Nothing runs for 20 seconds, in which the person types.
        desk.now += seconds(20);
        desk.effects = desk.deck.tick(desk.now);
        assert!(desk.deck.is_open("t"));
        desk.wait(seconds(1));
        let text = Event::Text { question: 0, field: TextField::Other, text: "late".into() };
        desk.event("t", text);
        let kept = desk.position(|effect| matches!(effect, Effect::SaveDraft { .. }));
        assert!(kept.is_some(), "{on_stage}");
        desk.wait(seconds(30));
        assert!(!desk.deck.is_open("t"), "it ends when nothing more comes");
    }
}

#[test]
fn a_key_that_comes_before_the_late_tick_is_not_the_last_that_counts() {
    let mut desk = Desk::resident();
    desk.ask_within(Some(60), "t", "Which?", "a", 1);
    desk.event("t", Event::Shown);
    desk.now += seconds(90);
    for text in ["l", "la", "lat", "late"] {
        let text = Event::Text { question: 0, field: TextField::Other, text: text.into() };
        desk.event("t", text);
        desk.wait(seconds(2));
        assert!(desk.deck.is_open("t"));
    }
}

#[test]
fn a_limit_without_end_never_passes() {
    let mut desk = Desk::resident();
    let mut asked = asked("Which?", "a");
    asked.dialog.timeout = Some(Duration::MAX);
    let ticket = desk.give(asked, Ui::Window, 1);
    desk.event(&ticket, Event::Shown);
    desk.wait(seconds(60 * 60));
    assert!(desk.deck.is_open(&ticket));
}
