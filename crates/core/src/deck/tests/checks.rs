//! What the deck has checked, and when.

use super::*;
use crate::session::Checks;

fn number() -> Value {
    json!({ "question": "How many?", "type": "number", "max": 10, "default": 3 })
}

fn ask(desk: &mut Desk, agent: &str, waiter: Waiter) -> String {
    desk.put(json!({ "askdeck": 1, "questions": [number()] }), agent, waiter)
}

/// As it comes from the store: nothing in it is compiled.
fn from_store(agent: &str) -> OpenDialog {
    let Asked { dialog, key, .. } =
        asked_of(json!({ "askdeck": 1, "questions": [number()] }), agent);
    let dialog = serde_json::to_value(Dialog { id: "t".into(), ..dialog }).unwrap();
    let dialog: Dialog = serde_json::from_value(dialog).unwrap();
    OpenDialog { submitted: true, ..OpenDialog::new(Arc::new(dialog), key, 0) }
}

fn checks(desk: &Desk) -> Option<Checks> {
    let check = |effect: &Effect| match effect {
        Effect::Check { checks, .. } => Some(checks.clone()),
        _ => None,
    };
    desk.effects.iter().find_map(check)
}

fn types(desk: &mut Desk, ticket: &str, text: &str) {
    desk.event(ticket, Event::Text { question: 0, field: TextField::Text, text: text.into() });
}

#[test]
fn schemas_are_checked_only_once_shown() {
    let mut desk = Desk::resident();
    let ticket = ask(&mut desk, "a", 1);
    assert!(checks(&desk).is_none());
    desk.effects = desk.deck.tick(desk.now + Duration::from_secs(1));
    assert!(checks(&desk).is_none());
    desk.effects = desk.deck.forget(1, desk.now);
    assert!(checks(&desk).is_none());
    desk.event(&ticket, Event::Shown);
    assert!(checks(&desk).is_some(), "what stands in the box from the start");
    desk.event(&ticket, Event::Shown);
    assert!(checks(&desk).is_none(), "once is enough");
}

#[test]
fn a_verdict_sends_what_waited_for_it_and_the_window_draws_it() {
    let mut desk = Desk::new();
    let ticket = ask(&mut desk, "a", 1);
    desk.event(&ticket, Event::Shown);
    let first = checks(&desk).unwrap();
    types(&mut desk, &ticket, "7");
    desk.press(&ticket, "Enter");
    assert!(desk.replied().is_empty() && checks(&desk).is_none(), "the first is not back yet");
    desk.effects = desk.deck.checked(&ticket, first.run(), desk.now);
    assert!(desk.replied().is_empty(), "it was about what stood there before");
    let verdicts = checks(&desk).unwrap().run();
    desk.effects = desk.deck.checked(&ticket, verdicts, desk.now);
    let kept = desk.position(|effect| matches!(effect, Effect::End { .. }));
    let told = desk.position(|effect| matches!(effect, Effect::Reply { .. }));
    assert!(kept < told && kept.is_some());
    let drawn =
        |effect: &Effect| matches!(effect, Effect::View { view, .. } if view.phase == Phase::Sent);
    assert!(desk.position(drawn).is_some());
}

#[test]
fn a_verdict_that_comes_after_the_end_changes_nothing() {
    let mut desk = Desk::new();
    let ticket = ask(&mut desk, "a", 1);
    desk.event(&ticket, Event::Shown);
    let late = checks(&desk).unwrap().run();
    desk.withdraw(&ticket);
    let (view, effects) = desk.deck.take_verdicts(&ticket, late, desk.now);
    assert_eq!((view.map(|view| view.phase), effects), (Some(Phase::Withdrawn), Vec::new()));
}

/// To evaluate a schema one has to compile it, and the deck does not even that.
#[test]
fn the_deck_evaluates_nothing() {
    let are_compiled = |desk: &Desk| desk.deck.find("t").unwrap().1.schemas.are_compiled();
    let mut desk = Desk::resident();
    desk.deck.restore(from_store("a"), desk.now);
    desk.deck.wait("t", 1, desk.now);
    desk.deck.show(Some("t"));
    desk.event("t", Event::Shown);
    let checks = checks(&desk).unwrap();
    for text in ["7", "11", "many"] {
        types(&mut desk, "t", text);
        desk.press("t", "Enter");
    }
    desk.deck.join("t", 1, desk.now).unwrap();
    let update = serde_json::from_value(json!({ "drafts": [{ "text": "8" }] })).unwrap();
    desk.deck.take_draft("t", 1, &update, desk.now);
    desk.deck.staged(desk.now).unwrap();
    desk.deck.tick(desk.now + Duration::from_secs(1));
    desk.press("t", "Enter");
    assert!(!are_compiled(&desk));
    let verdicts = checks.run();
    assert!(are_compiled(&desk), "whoever runs the checks does");
    desk.deck.checked("t", verdicts, desk.now);
}
