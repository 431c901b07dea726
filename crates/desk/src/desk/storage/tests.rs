//! A disk that is full, or damaged.

use std::{fs, os::unix::fs::FileExt, path::Path};

use askdeck_core::{
    asking,
    claim::Claims,
    deck::Effect,
    dialog::Caller,
    outcome::Answer,
    protocol::{Ask, Ui},
    session::{Event, Saved, TextField},
};
use rusqlite::{Connection, config::DbConfig};

use super::{
    super::{Desk, NoScreen, Setup, inbox::Inbox},
    *,
};

use crate::config::Config;

fn actor(store: Store) -> Actor {
    let (config, _) = Config::read(None);
    let desk = Desk(Inbox::default());
    let setup = Setup::new(config, None, store, None);
    Actor::new(setup, desk, Box::new(NoScreen(|| {})))
}

fn dialog(ticket: &str) -> Dialog {
    let dialect = &askdeck_core::dialect::askdeck::DIALECT;
    let payload = (dialect.read)(&serde_json::json!({ "question": "Which?" }));
    let rules = &dialect.rules;
    Dialog::check(payload, rules, ticket.into(), dialect.name, Caller::default()).unwrap()
}

fn key() -> QuestionKey {
    QuestionKey::given("key")
}

/// The same question once more.
fn again() -> Asked {
    let ask = Ask {
        payload: serde_json::json!({ "question": "Which?" }),
        key: Some("key".into()),
        ..Ask::default()
    };
    asking::check(&ask, "again".into(), |_, _| Caller::default()).unwrap()
}

/// A state that keeps in this file, with an open dialog under the ticket `a`.
fn asked(file: &Path) -> Actor {
    let (store, _) = Store::open(Some(file));
    let mut state = actor(store);
    ask_as(&mut state, "a", Some(1));
    state
}

/// How that dialog ended.
fn ending() -> Ending {
    Ending {
        ended: OpenDialog::new(Arc::new(dialog("a")), key(), 1),
        outcome: Outcome::Dismissed,
        through: None,
        at: 2,
    }
}

/// Asks the question under this ticket.
fn ask_as(state: &mut Actor, ticket: &str, waiter: Option<u64>) {
    let now = Instant::now();
    let asked = state.deck.ask(dialog(ticket), key(), Ui::Window, waiter, 1, now);
    state.carry_out(asked.unwrap().1);
}

/// The outcome of that dialog has reached a caller.
fn deliver(state: &mut Actor) {
    state.write(SmallWrite::Delivery { ticket: "a".into(), at: 3 });
}

/// Somebody is given the outcome of that dialog who asks the same later.
fn claim_late(state: &mut Actor, claim: &Claim) {
    state.write(SmallWrite::Claim { ticket: "a".into(), claim: claim.clone() });
}

/// As if there were no room for such a change, until what is returned is called.
fn fill(file: &Path, change: &str) -> impl FnOnce() {
    let db = Connection::open(file).unwrap();
    let full = "BEGIN SELECT RAISE(ABORT, 'no room'); END";
    db.execute_batch(&format!("CREATE TRIGGER no_room BEFORE {change} {full}")).unwrap();
    move || db.execute_batch("DROP TRIGGER no_room").unwrap()
}

#[test]
fn a_further_ticket_that_could_not_be_kept_is_kept_once_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let mut state = asked(&file);
    let make_room = fill(&file, "INSERT ON tickets");
    ask_as(&mut state, "b", Some(2));
    assert!(state.warnings.why_not_kept().is_some());
    make_room();
    state.retry_writes();
    assert_eq!(state.warnings.why_not_kept(), None);
    assert_eq!(state.store.find("b").unwrap().unwrap().dialog.id, "a");
}

#[test]
fn full_disk_keeps_the_outcome_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let mut state = asked(&file);
    let make_room_to_end = fill(&file, "UPDATE ON dialogs");
    state.save_end(ending());
    deliver(&mut state);
    make_room_to_end();
    let make_room = fill(&file, "INSERT ON events WHEN new.what = 'delivered'");
    state.retry_writes();
    let stored = state.store.find("a").unwrap().unwrap();
    assert_eq!((stored.outcome, stored.delivered_at), (Some(Outcome::Dismissed), None));
    assert!(!state.writes.is_empty());
    make_room();
    state.retry_writes();
    assert!(state.writes.is_empty());
    assert_eq!(state.store.find("a").unwrap().unwrap().delivered_at, Some(3));
}

#[test]
fn draft_on_a_full_disk_is_kept_once_there_is_room() {
    for room_before_the_end in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("askdeck.sqlite");
        let mut state = asked(&file);
        let make_room = fill(&file, "UPDATE ON dialogs");
        let draft = type_text(&mut state, "a", "typed");
        assert!(state.warnings.why_not_kept().is_some());
        state.deck.withdraw("a", Instant::now());
        let ending = Ending { ended: OpenDialog { draft, ..ending().ended }, ..ending() };
        if room_before_the_end {
            make_room();
            state.save_end(ending);
        } else {
            state.save_end(ending);
            make_room();
            state.retry_writes();
        }
        assert_eq!(state.warnings.why_not_kept(), None);
        let kept = state.store.find("a").unwrap().unwrap();
        assert_eq!(kept.outcome, Some(Outcome::Dismissed));
        assert!(kept.draft.unwrap().contains("typed"));
    }
}

#[test]
fn submitted_dialog_is_known_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let (store, _) = Store::open(Some(&file));
    let mut state = actor(store);
    let make_room = fill(&file, "INSERT ON dialogs");
    ask_as(&mut state, "a", None);
    make_room();
    state.retry_writes();
    assert!(state.store.pending().unwrap()[0].submitted);
}

#[test]
fn an_answer_that_reached_somebody_is_not_given_to_another_though_that_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let mut state = asked(&file);
    let outcome = Outcome::Answered { answers: vec![Answer::default()] };
    state.save_end(Ending { outcome, ..ending() });
    assert!(state.undelivered(&again(), 0).is_some());
    let make_room = fill(&file, "INSERT ON events WHEN new.what = 'delivered'");
    deliver(&mut state);
    assert!(state.warnings.why_not_kept().is_some());
    assert!(state.undelivered(&again(), 0).is_none());
    make_room();
    state.retry_writes();
    assert_eq!(state.store.find("a").unwrap().unwrap().delivered_at, Some(3));
}

#[test]
fn unsaved_answer_is_known_by_each_ticket() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let (store, _) = Store::open(Some(&file));
    let mut state = actor(store);
    let _full = fill(&file, "INSERT ON dialogs");
    let mut claims = Claims::of(&dialog("a"));
    claims.open.push(Arc::new(Claim::of(&dialog("b"))));
    claims.withdraw("a");
    state.save_end(Ending { ended: OpenDialog { claims, ..ending().ended }, ..ending() });
    let keys = ["a", "b", "c"].map(|ticket| state.find(ticket).map(|(key, _)| key));
    assert_eq!(keys, [Some(key()), Some(key()), None]);
    let outcomes = ["a", "b"]
        .map(|ticket| state.ending(ticket).unwrap().map(|end| (end.outcome, end.is_withdrawn)));
    assert_eq!(outcomes, [Some((Outcome::Withdrawn, true)), Some((Outcome::Dismissed, false))],);
}

#[test]
fn unsaved_answer_has_a_ticket() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let mut state = asked(&file);
    let make_room = fill(&file, "UPDATE ON dialogs");
    state.save_end(ending());
    let claim = Claim::of(&dialog("late"));
    claim_late(&mut state, &claim);
    let end = state.ending("late").unwrap().unwrap();
    assert_eq!((&*end.claim, end.outcome), (&claim, Outcome::Dismissed));
    make_room();
    state.retry_writes();
    assert_eq!(state.store.claimed("late").unwrap().unwrap().claim, claim);
}

#[test]
fn a_withdrawal_that_could_not_be_kept_is_kept_once_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let mut state = asked(&file);
    ask_as(&mut state, "b", Some(2));
    let make_room = fill(&file, "INSERT ON tickets");
    let (withdrawn, effects) = state.deck.withdraw("a", Instant::now());
    assert!(withdrawn);
    state.carry_out(effects);
    assert!(state.warnings.why_not_kept().is_some());
    make_room();
    state.retry_writes();
    assert_eq!(state.warnings.why_not_kept(), None);
    assert!(state.store.claimed("a").unwrap().unwrap().withdrawn);
}

#[test]
fn pending_dialogs_of_a_damaged_file_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let (mut store, _) = Store::open(Some(&file));
    for ticket in ["a", "b"] {
        store.insert(&dialog(ticket), ticket, 1).unwrap();
    }
    drop(store);
    // It was closed in order, so that nothing but a query finds the damage.
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'pending'";
    let page: u32 = Connection::open(&file).unwrap().query_row(root, [], |row| row.get(0)).unwrap();
    let bytes = fs::OpenOptions::new().write(true).open(&file).unwrap();
    bytes.write_all_at(&[0xff; 4096], u64::from(page - 1) * 4096).unwrap();

    let (mut store, notice) = Store::open(Some(&file));
    assert_eq!((notice, store.pending()), (None, Err(StoreError::Damaged)));
    let mut warnings = Warnings::default();
    let pending = pending(&mut store, &mut warnings);
    let tickets: Vec<_> = pending.iter().map(|pending| pending.dialog.id.as_str()).collect();
    assert_eq!(tickets, ["a", "b"]);
    let warning = serde_json::to_value(warnings.first()).unwrap();
    assert_eq!(warning["word"], "store_damaged");
    assert_eq!(store.pending(), Ok(pending));
}

#[test]
fn locked_file_is_written_once_it_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let mut state = asked(&file);
    let lock = Connection::open(&file).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    type_text(&mut state, "a", "typed");
    ask_as(&mut state, "b", Some(2));
    state.save_event(&DialogEvent::SetAside, &dialog("a"));
    state.save_quiet(Quiet::OneHour);
    // It is asked and submitted for the first time.
    let (other, now) = (QuestionKey::given("other"), Instant::now());
    let (_, effects) = state.deck.ask(dialog("c"), other, Ui::Window, None, 3, now).unwrap();
    state.carry_out(effects);
    let locked = StoreError::Busy.to_string();
    assert_eq!(state.warnings.why_not_kept(), Some(locked));
    assert_eq!(serde_json::to_value(state.warnings.first()).unwrap()["word"], "not_kept_yet");
    drop(lock);
    state.store_at_last();
    assert_eq!(state.warnings.why_not_kept(), None);
    let pending = state.store.pending().unwrap();
    let [a, c] = &pending[..] else { panic!("{pending:?}") };
    assert!(a.set_aside && a.claims.is_open("b"));
    assert!(json(&a.draft).contains("typed"));
    assert!(c.submitted && !c.set_aside);
    assert!(state.store.quiet_until().unwrap() > store::now());
}

/// A state whose file cannot even be read, and holds the open dialog `a` with something typed into
/// it; and the lock.
fn asked_out_of_sight(file: &Path) -> (Actor, Connection) {
    let mut state = asked(file);
    type_text(&mut state, "a", "before");
    drop(state);
    // An app that was killed leaves something beside the file.
    let killed = Connection::open(file).unwrap();
    killed.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    killed.execute_batch("UPDATE dialogs SET search = search || ' '").unwrap();
    drop(killed);
    let lock = Connection::open(file).unwrap();
    lock.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let (store, _) = Store::open(Some(file));
    assert!(store.awaits_file() && store.pending().unwrap().is_empty());
    (actor(store), lock)
}

/// Types into the only box. What is to be stored of it.
fn type_text(state: &mut Actor, ticket: &str, text: &str) -> Saved {
    let text = Event::Text { question: 0, field: TextField::Text, text: text.into() };
    let (_, effects) = state.deck.apply(ticket, text, Instant::now());
    let [Effect::SaveDraft { draft, .. }] = &effects[..] else { panic!("{effects:?}") };
    let draft = draft.clone();
    state.carry_out(effects);
    draft
}

/// All that is pending in the file, once it is unlocked: the tickets and what was typed.
fn unlocked(mut state: Actor, lock: Connection) -> (Actor, Vec<(String, String)>) {
    drop(lock);
    state.store_at_last();
    assert!(!state.awaits_store());
    assert_eq!(state.warnings.why_not_kept(), None);
    let kept = state.store.pending().unwrap().into_iter().map(|pending| {
        let draft = serde_json::to_value(&pending.draft).unwrap();
        (
            pending.dialog.id.clone(),
            draft["drafts"][0]["text"].as_str().unwrap_or_default().to_owned(),
        )
    });
    let kept = kept.collect();
    (state, kept)
}

fn owned<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(ticket, text)| (ticket.to_owned(), text.to_owned())).into()
}

#[test]
fn question_asked_beside_its_unreadable_twin_is_kept_and_so_is_the_twin() {
    let folder = tempfile::tempdir().unwrap();
    let (mut state, lock) = asked_out_of_sight(&folder.path().join("askdeck.sqlite"));
    ask_as(&mut state, "b", Some(1));
    type_text(&mut state, "b", "since");
    let (mut state, kept) = unlocked(state, lock);
    assert_eq!(kept, owned([("a", "before"), ("b", "since")]));
    // Each is open for its caller, and the next who asks joins the newer.
    assert_eq!(state.deck.len(), 2);
    assert_eq!(state.deck.find("a").unwrap().1.id, "a");
    assert_eq!(state.deck.pending(&key()).unwrap().id, "b");
    let now = Instant::now();
    let back = state.deck.ask(dialog("a"), key(), Ui::Window, Some(2), 3, now).unwrap();
    assert_eq!(back.0, "a");
    for ticket in ["b", "a"] {
        let (withdrawn, effects) = state.deck.withdraw(ticket, now);
        assert!(withdrawn && matches!(effects[0], Effect::End { .. }), "{effects:?}");
    }
    assert_eq!(state.deck.pending(&key()), None);
}

#[test]
fn draft_that_could_not_be_read_is_added_to_what_its_caller_has_asked_again() {
    for (since, both) in [(None, "before"), (Some("since"), "before since")] {
        let folder = tempfile::tempdir().unwrap();
        let (mut state, lock) = asked_out_of_sight(&folder.path().join("askdeck.sqlite"));
        ask_as(&mut state, "a", Some(1));
        if let Some(since) = since {
            type_text(&mut state, "a", since);
        }
        let (state, kept) = unlocked(state, lock);
        assert_eq!(kept, owned([("a", both)]));
        assert_eq!(state.deck.len(), 1);
    }
}

#[test]
fn caller_that_comes_back_to_the_twin_of_its_unreadable_question_goes_on_with_that() {
    let folder = tempfile::tempdir().unwrap();
    let (mut state, lock) = asked_out_of_sight(&folder.path().join("askdeck.sqlite"));
    ask_as(&mut state, "b", Some(1));
    ask_as(&mut state, "a", Some(2));
    let (state, kept) = unlocked(state, lock);
    assert_eq!(kept, owned([("b", "before")]));
    assert_eq!(state.find("a").unwrap().1.id, "b");
    assert_eq!(state.store.claimed("a").unwrap().unwrap().record.dialog.id, "b");
    assert!(state.ending("a").unwrap().is_none());
}

#[test]
fn submitted_beside_an_unreadable_question_is_known_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let (mut state, lock) = asked_out_of_sight(&folder.path().join("askdeck.sqlite"));
    ask_as(&mut state, "b", None);
    let (state, _) = unlocked(state, lock);
    let pending = state.store.pending().unwrap();
    let submitted = pending.iter().map(|it| (it.dialog.id.as_str(), it.submitted));
    assert_eq!(submitted.collect::<Vec<_>>(), [("a", false), ("b", true)]);
}

#[test]
fn late_claim_that_waits_for_a_lock_is_found_by_its_ticket() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    let mut state = asked(&file);
    state.save_end(ending());
    let lock = Connection::open(&file).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let claim = Claim::of(&dialog("late"));
    claim_late(&mut state, &claim);
    assert_eq!(state.store.claimed("late").unwrap(), None);
    let end = state.ending("late").unwrap().unwrap();
    assert_eq!((&*end.claim, end.outcome), (&claim, Outcome::Dismissed));
    assert_eq!(state.find("late").unwrap().0, key());
    drop(lock);
    state.store_at_last();
    assert_eq!(state.store.claimed("late").unwrap().unwrap().claim, claim);
}
