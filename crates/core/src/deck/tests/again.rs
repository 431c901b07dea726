//! The same question from several callers, and again and again.

use super::*;

#[test]
fn every_ticket_of_a_dialog_is_good_for_it() {
    let mut desk = Desk::resident();
    desk.ask_under("t1", "Which?", "a", 1);
    assert_eq!(desk.ask_under("t2", "Which?", "a", 2), "t1");
    let added = |effect: &Effect| matches!(effect, Effect::AddClaim { ticket, claim } if ticket == "t1" && claim.ticket == "t2");
    let kept = desk.position(added);
    let told = desk.position(|effect| matches!(effect, Effect::Happened { .. }));
    assert!(kept < told && kept.is_some());
    // Who lost the app asks again with the ticket that it has, which is no further one.
    desk.ask_under("t2", "Which?", "a", 3);
    assert_eq!(desk.position(added), None);

    assert!(desk.deck.is_open("t2"));
    assert_eq!(desk.deck.find("t2"), desk.deck.find("t1"));
    let (joined, _) = desk.deck.join("t2", 7, desk.now).unwrap();
    assert_eq!(joined.ticket, "t1");
    assert!(desk.deck.takes_part("t2", 7) && desk.deck.takes_part("t1", 7));
    desk.effects = desk.deck.take_draft("t2", 8, &joined.draft.since(None), desk.now);
    desk.effects = desk.deck.wait("t2", 4, desk.now);
    desk.close();
    assert_eq!(desk.on_stage(), None);
    desk.deck.show(Some("t2"));
    assert_eq!(desk.on_stage(), Some("Which?"));
    assert!(desk.end_at(desk.ending("t2", first_option()), Through::Terminal));
    assert_eq!(desk.replied(), [1, 2, 3, 4]);
    let with_all = |effect: &Effect| matches!(effect, Effect::End { ended, .. } if ended.claims.is_open("t1") && ended.claims.is_open("t2"));
    assert!(desk.position(with_all).is_some());
    assert!(!desk.deck.is_open("t1") && !desk.deck.is_open("t2"));
}

#[test]
fn restored_dialog_has_all_its_tickets() {
    let mut desk = Desk::resident();
    let mut pending = pending();
    pending.claims.open.push(Arc::new(Claim::under("t2", &pending.dialog)));
    pending.claims.open.push(Arc::new(Claim::under("t3", &pending.dialog)));
    pending.claims.withdraw("t3");
    desk.deck.restore(pending, desk.now);
    desk.deck.wait("t2", 1, desk.now);
    assert_eq!(desk.on_stage(), Some("Which?"));
    assert!(!desk.withdraw("t3"), "it was taken back before");
    assert!(desk.withdraw("t"));
    assert!(desk.withdraw("t2"));
    assert_eq!(desk.replied(), [1]);
}

#[test]
fn unanswered_outcome_has_no_through() {
    let through = |desk: &Desk| {
        desk.effects.iter().find_map(|effect| match effect {
            Effect::End { through, .. } => Some(*through),
            _ => None,
        })
    };
    let mut desk = Desk::new();
    let ticket = desk.ask("First?", "a", 1);
    desk.withdraw(&ticket);
    assert_eq!(through(&desk), Some(None));
    desk.ask_within(Some(5), "t", "Second?", "a", 1);
    desk.effects = desk.deck.tick(desk.now + Duration::from_secs(5));
    assert_eq!(through(&desk), Some(None));
    let ticket = desk.ask("Third?", "a", 1);
    desk.now += UNEXPECTED;
    desk.deck.tick(desk.now);
    desk.answer(&ticket);
    assert_eq!(through(&desk), Some(Some(Through::Window)));
}

#[test]
fn rate_limit_same_question() {
    let mut desk = Desk::resident();
    let first = desk.ask("First?", "other", 1);
    for n in 1..=20 {
        desk.ask("Same?", "chatty", n);
        assert!(desk.announces(), "{n}");
    }
    desk.ask("Same?", "chatty", 21);
    assert!(!desk.announces());
    desk.answer(&first);
    assert_eq!(desk.on_stage(), Some("Same?"), "it has its turn all the same");
}

/// The same caller, whatever it calls itself.
fn from_terminal(session: u32, name: &str) -> Asked {
    let mut asked = asked(name, name);
    asked.dialog.caller.origin = Origin::Terminal(session);
    asked.dialog.caller.session = Some(name.into());
    asked
}

#[test]
fn rate_limit_many_names() {
    let mut desk = Desk::resident();
    for n in 1..=20 {
        desk.give(from_terminal(1, &n.to_string()), Ui::Window, n);
        assert!(desk.announces(), "{n}");
    }
    desk.give(from_terminal(1, "another"), Ui::Window, 21);
    assert!(!desk.announces());
    desk.give(from_terminal(2, "honest"), Ui::Window, 22);
    assert!(desk.announces());
    desk.now += Duration::from_secs(61);
    desk.give(from_terminal(1, "later"), Ui::Window, 23);
    assert!(desk.announces());
}

#[test]
fn rate_limit_many_folders() {
    let mut desk = Desk::resident();
    for n in 1..=60 {
        desk.give(from_terminal(n, &n.to_string()), Ui::Window, n.into());
        assert!(desk.announces(), "{n}");
    }
    desk.give(from_terminal(61, "61"), Ui::Window, 61);
    assert!(!desk.announces());
}

#[test]
fn mute_covers_other_names_and_folders() {
    let mut desk = Desk::resident();
    let ticket = desk.give(from_terminal(1, "loud"), Ui::Window, 1);
    desk.deck.mute(&ticket, desk.now);
    let renamed = desk.give(from_terminal(1, "renamed"), Ui::Window, 2);
    assert!(!desk.announces());
    let mut elsewhere = from_terminal(2, "loud");
    elsewhere.key = QuestionKey::given("another");
    desk.give(elsewhere, Ui::Window, 3);
    assert!(!desk.announces());
    desk.give(from_terminal(2, "honest"), Ui::Window, 4);
    assert!(desk.announces());

    desk.deck.unmute(&renamed, desk.now);
    desk.give(from_terminal(1, "heard"), Ui::Window, 5);
    assert!(desk.announces(), "the terminal is heard again");
    assert!(desk.is_muted(&ticket), "and the agent is not");
    desk.deck.unmute(&ticket, desk.now);
    assert!(!desk.is_muted(&ticket));
}

#[test]
fn set_aside_dialog_stays_aside_when_asked_again() {
    let mut desk = Desk::resident();
    let ticket = desk.ask("Later?", "a", 1);
    let state = |desk: &Desk| desk.deck.list()[0].state;
    for n in 2..=20 {
        desk.deck.show(Some(&ticket));
        desk.close();
        assert_eq!(state(&desk), OpenState::SetAside);
        desk.ask("Later?", "a", n);
        assert_eq!((state(&desk), desk.on_stage()), (OpenState::Waiting, None), "{n}");
        assert!(desk.announces(), "{n}");
    }
    desk.deck.show(Some(&ticket));
    desk.close();
    desk.ask("Later?", "a", 21);
    assert_eq!(state(&desk), OpenState::SetAside, "it would flood the person");
    assert!(!desk.announces());
    desk.now += Duration::from_secs(61);
    desk.ask("Later?", "a", 22);
    assert_eq!((state(&desk), desk.on_stage()), (OpenState::Waiting, None));
}

#[test]
fn rate_limited_caller_pops_up_without_a_tray() {
    let mut desk = Desk::new();
    for n in 1..=20 {
        let ticket = desk.ask(&format!("{n}?"), "chatty", n);
        desk.withdraw(&ticket);
        desk.deck.tick(desk.now + UNEXPECTED);
    }
    assert_eq!(desk.on_stage(), None);
    let ticket = desk.ask("21?", "chatty", 21);
    assert_eq!(desk.on_stage(), Some("21?"));
    desk.ask("22?", "chatty", 22);
    assert!(!desk.announces());
    desk.answer(&ticket);
    assert_eq!(desk.on_stage(), Some("22?"));
}

#[test]
fn during_a_farewell_nobody_jumps_the_queue() {
    let mut desk = Desk::resident();
    let first = desk.ask("First?", "a", 1);
    desk.ask("Second?", "b", 2);
    desk.withdraw(&first);
    desk.ask("Third?", "c", 3);
    assert!(desk.announces());
    assert_eq!(desk.on_stage(), Some("First?"), "it says that the agent took it back");
    desk.deck.tick(desk.now + UNEXPECTED);
    assert_eq!(desk.on_stage(), Some("Second?"));
}

#[test]
fn news_stays_for_its_time_and_a_mere_farewell_makes_room() {
    let mut desk = Desk::resident();
    let ticket = desk.ask("First?", "a", 1);
    desk.withdraw(&ticket);
    let ticket = desk.ask("Second?", "b", 2);
    assert_eq!(desk.on_stage(), Some("First?"));
    desk.deck.tick(desk.now + UNEXPECTED);
    assert_eq!(desk.on_stage(), Some("Second?"));
    desk.answer(&ticket);
    assert_eq!(desk.on_stage(), Some("Second?"), "it was sent");
    desk.ask("Third?", "c", 3);
    assert_eq!(desk.on_stage(), Some("Third?"));
}
