//! Front ends that take part beside the window.

use super::*;

#[test]
fn terminal_question_brings_no_window() {
    let mut desk = Desk::resident();
    let ticket = desk.ask_at("Which?", "a", 1, Ui::Terminal);
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    assert_eq!((desk.on_stage(), desk.deck.list().len()), (None, 1));
    assert!(desk.position(|effect| matches!(effect, Effect::Announce { .. })).is_none());
    let other = desk.ask("Another?", "b", 2);
    desk.answer(&other);
    desk.deck.tick(desk.now + FAREWELL);
    assert_eq!(desk.on_stage(), None, "somebody is at it in a terminal");
    desk.deck.show(Some(&ticket));
    assert_eq!(desk.on_stage(), Some("Which?"));
    let both = desk.ask_at("Both?", "c", 3, Ui::Auto);
    assert!(desk.position(|effect| matches!(effect, Effect::Announce { .. })).is_some(), "{both}");
}

#[test]
fn a_dialog_has_one_draft_wherever_it_is_typed() {
    let mut desk = Desk::resident();
    let ticket = desk.ask("Which?", "a", 1);
    desk.event(&ticket, Event::Shown);
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    desk.deck.join(&ticket, 8, desk.now).unwrap();
    desk.event(&ticket, Event::Text { question: 0, field: TextField::Other, text: "me".into() });
    let [News::Draft { draft, .. }] = desk.told(7)[..] else { panic!("{:?}", desk.effects) };
    let draft = draft.clone();
    assert_eq!(desk.told(8).len(), 1);

    let typed = serde_json::to_string(&draft).unwrap().replace("\"me\"", "\"me too\"");
    let typed = serde_json::from_str(&typed).unwrap();
    desk.effects = desk.deck.take_draft(&ticket, 7, &typed, desk.now);
    assert_eq!((desk.told(7).len(), desk.told(8).len()), (0, 1));
    assert!(desk.position(|effect| matches!(effect, Effect::SaveDraft { .. })).is_some());
    assert_eq!(desk.deck.staged(desk.now).unwrap().view.questions[0].other, "me too");
    desk.effects = desk.deck.take_draft(&ticket, 8, &typed, desk.now);
    assert!(desk.told(7).is_empty(), "what is known is no news");
}

#[test]
fn front_ends_that_type_at_the_same_instant_lose_no_letter() {
    let question = |text: &str| json!({ "question": text, "type": "text", "notes": true });
    let mut desk = Desk::resident();
    let payload = json!({ "questions": [question("One?"), question("Two?")] });
    let ticket = desk.put(payload, "a", 1);
    desk.event(&ticket, Event::Shown);
    let (joined, _) = desk.deck.join(&ticket, 7, desk.now).unwrap();
    // Two people at two front ends, none of which has heard of the other's last letter.
    let (mut here, mut there) = (String::new(), String::new());
    for letter in 'a'..='t' {
        here.push(letter);
        there.push(letter.to_ascii_uppercase());
        let text = here.clone();
        desk.event(&ticket, Event::Text { question: 0, field: TextField::Text, text });
        let mut terminal = Session::new(joined.dialog.clone(), desk.deck.settings(), desk.now);
        for (question, field) in [(1, TextField::Text), (0, TextField::Note)] {
            terminal.apply(Event::Text { question, field, text: there.clone() }, desk.now);
        }
        let typed = terminal.save().since(Some(&joined.draft));
        desk.effects = desk.deck.take_draft(&ticket, 7, &typed, desk.now);
    }
    let questions = desk.deck.staged(desk.now).unwrap().view.questions;
    assert_eq!((&questions[0].text, &questions[0].note), (&here, &there));
    assert_eq!(questions[1].text, there);
}

#[test]
fn the_first_front_end_that_ends_a_dialog_has_ended_it_for_all() {
    let mut desk = Desk::resident();
    let ticket = desk.ask("Which?", "a", 1);
    desk.event(&ticket, Event::Shown);
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    let late = desk.ending(&ticket, Outcome::Dismissed);
    assert!(desk.end_at(desk.ending(&ticket, first_option()), Through::Terminal));
    let kept = desk
        .position(|effect| matches!(effect, Effect::End { through: Some(Through::Terminal), .. }));
    let told = desk.position(|effect| matches!(effect, Effect::Reply { .. }));
    assert!(kept < told && kept.is_some());
    assert!(matches!(desk.told(7)[..], [News::Ended { .. }]));
    let view = desk.position(|effect| {
        matches!(effect, Effect::View { view, .. } if view.phase == Phase::AnsweredElsewhere)
    });
    assert!(view.is_some(), "the window says so");
    assert!(!desk.end_at(late, Through::Terminal), "it has ended already");

    let ticket = desk.ask("What?", "a", 2);
    desk.deck.tick(desk.now + UNEXPECTED);
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    desk.answer(&ticket);
    assert!(matches!(desk.told(7)[..], [.., News::Ended { .. }]));
    assert!(desk.deck.join(&ticket, 7, desk.now).is_none());
}

#[test]
fn dialog_set_aside_in_a_terminal_stays_open() {
    let mut desk = Desk::resident();
    let ticket = desk.ask_at("Which?", "a", 1, Ui::Terminal);
    let (joined, _) = desk.deck.join(&ticket, 7, desk.now).unwrap();
    assert!(joined.sets_aside && !joined.caller_left);
    desk.deck.leave(&ticket, 7);
    assert_eq!((desk.on_stage(), desk.deck.list()[0].state), (None, OpenState::SetAside));
    assert!(!desk.deck.takes_part(&ticket, 7));
    // Who still has it before them keeps it there.
    desk.deck.show(Some(&ticket));
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    desk.deck.leave(&ticket, 7);
    assert_eq!(desk.on_stage(), Some("Which?"));
}

#[test]
fn only_a_front_end_that_joined_sets_aside() {
    let mut desk = Desk::resident();
    desk.ask("First?", "a", 1);
    let second = desk.ask("Second?", "b", 2);
    assert_eq!(desk.deck.leave(&second, 7), []);
    assert_eq!(desk.deck.list()[1].state, OpenState::Waiting);
}

#[test]
fn a_front_end_hears_that_the_caller_left_and_came_back() {
    let mut desk = Desk::resident();
    let ticket = desk.ask("Which?", "a", 1);
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    desk.effects = desk.deck.forget(1, desk.now);
    assert!(matches!(desk.told(7)[..], [News::CallerLeft { .. }]));
    desk.ask("Which?", "a", 2);
    assert!(matches!(desk.told(7)[..], [News::CallerBack { .. }]));
    desk.deck.forget(2, desk.now);
    desk.effects = desk.deck.wait(&ticket, 3, desk.now);
    assert!(matches!(desk.told(7)[..], [News::CallerBack { .. }]), "by its ticket");
    desk.deck.forget_front_end(7);
    desk.effects = desk.deck.forget(3, desk.now);
    assert!(desk.told(7).is_empty());
}

#[test]
fn dialog_left_by_a_front_end_comes_to_the_window() {
    let mut desk = Desk::new();
    let first = desk.ask("First?", "a", 1);
    let second = desk.ask("Second?", "b", 2);
    desk.deck.join(&second, 7, desk.now).unwrap();
    desk.answer(&first);
    desk.deck.tick(desk.now + FAREWELL);
    assert_eq!(desk.on_stage(), None, "somebody is at it in a terminal");
    desk.deck.forget_front_end(7);
    assert_eq!(desk.on_stage(), Some("Second?"));

    let third = desk.ask_at("Third?", "c", 3, Ui::Terminal);
    desk.deck.join(&third, 8, desk.now).unwrap();
    desk.answer(&second);
    desk.deck.tick(desk.now + FAREWELL);
    desk.deck.leave(&third, 8);
    assert_eq!(desk.on_stage(), Some("Third?"), "there is no tray to find it in");
}

#[test]
fn dialog_left_by_its_only_asker_does_not_come_to_the_window() {
    let mut desk = Desk::resident();
    let ticket = desk.ask_at("Which?", "a", 1, Ui::Terminal);
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    desk.deck.forget(1, desk.now);
    desk.deck.forget_front_end(7);
    assert_eq!(desk.on_stage(), None);
}

#[test]
fn set_aside_dialog_is_shown_by_a_front_end() {
    let mut desk = Desk::resident();
    let ticket = desk.ask("Which?", "a", 1);
    desk.deck.shown(&ticket);
    desk.close();
    assert_eq!(desk.deck.list()[0].state, OpenState::SetAside);
    desk.effects = desk.deck.join(&ticket, 7, desk.now).unwrap().1;
    let shown = |effect: &_| matches!(effect, Effect::Happened { event: DialogEvent::Shown, .. });
    assert!(desk.position(shown).is_some());
    assert_eq!(desk.deck.list()[0].state, OpenState::Shown);
}

#[test]
fn a_deadline_waits_for_the_person_at_every_front_end() {
    let mut desk = Desk::resident();
    let ticket = desk.ask_within(Some(600), "t", "Which?", "a", 1);
    desk.event(&ticket, Event::Shown);
    desk.deck.join(&ticket, 7, desk.now).unwrap();
    desk.event(&ticket, Event::Stirred);
    assert!(matches!(desk.told(7)[..], [News::Draft { .. }]), "they read in the window");
    for _ in 0..90 {
        desk.event(&ticket, Event::Tick);
        assert!(desk.told(7).is_empty(), "nobody did anything");
    }
}
