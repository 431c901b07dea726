//! A store in memory, or in a folder of its own.

#![expect(clippy::needless_pass_by_value, reason = "json!(…) reads better without a & before it")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use askdeck_core::{
    claim::Claim,
    dialect::askdeck,
    dialog::Caller,
    history::{Deleted, Filter, Newest, Selection},
    outcome::Answer,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

mod claims;
mod damage;
mod deletion;
mod formats;
mod history;
mod lock;
mod opening;
mod stats;

/// A folder that no store has been in, and the file that one would have there.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("askdeck.sqlite");
    (folder, file)
}

#[track_caller]
fn open(file: &Path) -> Store {
    let (store, notice) = Store::open(Some(file));
    assert_eq!(notice, None);
    store
}

fn ask(ticket: &str, questions: Value) -> Dialog {
    let dialect = &askdeck::DIALECT;
    let payload = (dialect.read)(&json!({ "askdeck": 1, "questions": questions }));
    let caller = Caller { agent: "test".into(), ..Caller::default() };
    Dialog::check(payload, &dialect.rules, ticket.into(), dialect.name, caller)
        .expect("a test asks proper questions")
}

fn which(ticket: &str) -> Dialog {
    ask(ticket, json!([{ "question": "Which?", "options": ["Red", "Blue"] }]))
}

fn outcome(outcome: Value) -> Outcome {
    serde_json::from_value(outcome).unwrap()
}

fn red() -> Outcome {
    outcome(json!({ "outcome": "answered", "answers": [{ "selected": [0] }] }))
}

fn tickets(pending: &[OpenDialog]) -> Vec<&str> {
    pending.iter().map(|pending| pending.dialog.id.as_str()).collect()
}

/// What happened to the dialog and when, in order.
fn journal(store: &Store, ticket: &str) -> Vec<(String, Millis)> {
    let sql = "SELECT what, at FROM events WHERE ticket = ?1 ORDER BY id";
    let mut events = store.db.prepare(sql).unwrap();
    let events = events.query_map([ticket], |row| Ok((row.get("what")?, row.get("at")?))).unwrap();
    events.map(Result::unwrap).collect()
}

#[test]
fn a_dialog_is_kept_from_asked_to_delivered() {
    let (_folder, file) = folder();
    let dialog = which("d");
    let mut store = open(&file);
    store.insert(&dialog, "k", 1).unwrap();
    store.save_draft("d", r#"{"step":1}"#).unwrap();
    store.save_draft("d", r#"{"step":2}"#).unwrap();
    let pending = OpenDialog {
        draft: serde_json::from_str(r#"{"step":2}"#).unwrap(),
        ..OpenDialog::new(Arc::new(dialog.clone()), QuestionKey::kept("k".into()), 1)
    };
    assert_eq!(store.pending(), Ok(vec![pending.clone()]));
    store.note("d", &DialogEvent::Submitted, 1).unwrap();
    assert_eq!(store.pending(), Ok(vec![OpenDialog { submitted: true, ..pending }]));

    for (what, at) in [(DialogEvent::Shown, 2), (DialogEvent::SetAside, 3), (DialogEvent::Shown, 4)]
    {
        store.note("d", &what, at).unwrap();
    }
    store.end(&dialog, &red(), Some(Through::Window), 5).unwrap();
    store.deliver("d", 6).unwrap();
    store.deliver("d", 7).unwrap();

    drop(store);
    let store = open(&file);
    let record = Record {
        dialog,
        key: "k".into(),
        draft: Some(r#"{"step":2}"#.into()),
        asked_at: 1,
        shown_at: Some(2),
        ended_at: Some(5),
        outcome: Some(red()),
        through: Some(Through::Window),
        delivered_at: Some(6),
        reused: false,
    };
    assert_eq!(store.find("d"), Ok(Some(record)));
    assert_eq!(store.find("other"), Ok(None));
    assert_eq!(store.pending(), Ok(vec![]));
    let events = journal(&store, "d");
    let events: Vec<_> = events.iter().map(|(what, at)| (what.as_str(), *at)).collect();
    let expected = [
        ("asked", 1),
        ("submitted", 1),
        ("shown", 2),
        ("set_aside", 3),
        ("shown", 4),
        ("answered", 5),
        ("delivered", 6),
        ("delivered", 7),
    ];
    assert_eq!(events, expected);
}

#[test]
fn every_outcome_comes_back_as_it_went() {
    let mut store = Store::in_memory();
    let outcomes = [
        json!({ "outcome": "answered", "answers": [{ "other": "Green", "note": "n" }] }),
        json!({ "outcome": "declined", "reason": "No.", "partial": [{ "selected": [1] }] }),
        json!({ "outcome": "dismissed" }),
        json!({ "outcome": "timed_out", "partial": [{ "skipped": true }] }),
        json!({ "outcome": "withdrawn" }),
        json!({ "outcome": "clarify", "text": "Why?", "partial": [] }),
    ];
    for (at, given) in (0..).zip(outcomes) {
        let dialog = which(&format!("d{at}"));
        let given = outcome(given);
        store.insert(&dialog, "k", at).unwrap();
        store.end(&dialog, &given, Some(Through::Window), at).unwrap();
        assert_eq!(store.find(&dialog.id).unwrap().unwrap().outcome, Some(given));
    }
}

#[test]
fn set_aside_lasts_until_seen_or_asked_for() {
    let mut store = Store::in_memory();
    store.insert(&which("d"), "k", 1).unwrap();
    let happenings = [
        (DialogEvent::Shown, false),
        (DialogEvent::SetAside, true),
        (DialogEvent::CallerLeft, true),
        (DialogEvent::AskedAgain, false),
        (DialogEvent::SetAside, true),
        (DialogEvent::Shown, false),
    ];
    for (at, (what, set_aside)) in (2..).zip(happenings) {
        store.note("d", &what, at).unwrap();
        assert_eq!(store.pending().unwrap()[0].set_aside, set_aside, "{what:?} at {at}");
    }
}

#[test]
fn do_not_disturb_moves_to_a_fresh_file() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    assert_eq!(store.quiet_until(), Ok(0));
    for until in [7, Millis::MAX] {
        store.set_quiet_until(until).unwrap();
        assert_eq!(store.quiet_until(), Ok(until));
    }
    store.begin_afresh();
    assert_eq!(store.quiet_until(), Ok(Millis::MAX));
}

#[test]
fn pending_dialogs_come_oldest_first() {
    let mut store = Store::in_memory();
    for (ticket, at) in [("b", 20), ("a", 10), ("c", 20)] {
        store.insert(&which(ticket), ticket, at).unwrap();
    }
    assert_eq!(tickets(&store.pending().unwrap()), ["a", "b", "c"]);
}

#[test]
fn a_key_is_pending_once() {
    let mut store = Store::in_memory();
    let first = which("d1");
    store.insert(&first, "k", 1).unwrap();
    assert_eq!(store.insert(&which("d2"), "k", 2), Err(StoreError::Duplicate));
    assert_eq!(store.find("d2"), Ok(None));
    store.insert(&which("d3"), "another", 3).unwrap();
    store.end(&first, &red(), Some(Through::Window), 4).unwrap();
    store.insert(&which("d4"), "k", 5).unwrap();
}

#[test]
fn ended_dialog_cannot_be_changed() {
    let mut store = Store::in_memory();
    let dialog = which("d");
    let not_there = Err(StoreError::NotThere);
    assert_eq!(store.save_draft("d", "{}"), not_there);
    assert_eq!(store.end(&dialog, &red(), Some(Through::Window), 1), not_there);
    assert_eq!(store.note("d", &DialogEvent::Shown, 1), not_there);
    assert_eq!(store.note("d", &DialogEvent::SetAside, 1), not_there);
    store.insert(&dialog, "k", 1).unwrap();
    assert_eq!(store.deliver("d", 2), not_there);
    store.end(&dialog, &red(), Some(Through::Window), 3).unwrap();
    let ended = store.find("d");
    assert_eq!(store.save_draft("d", "{}"), not_there);
    assert_eq!(store.end(&dialog, &Outcome::Dismissed, Some(Through::Terminal), 4), not_there);
    assert_eq!(store.find("d"), ended);
    assert_eq!(journal(&store, "d").len(), 2);
}

#[test]
fn an_answer_that_reached_nobody_is_found_by_its_key() {
    let mut store = Store::in_memory();
    let mut end = |ticket: &str, key: &str, how: Outcome, at| {
        let dialog = which(ticket);
        store.insert(&dialog, key, at).unwrap();
        store.end(&dialog, &how, Some(Through::Window), at).unwrap();
    };
    end("old", "k", red(), 10);
    end("new", "k", red(), 20);
    end("closed", "k", Outcome::Dismissed, 30);
    end("another", "other", red(), 40);
    let found = |store: &Store, since| {
        store.undelivered("k", &which("again"), since).unwrap().map(|record| record.dialog.id)
    };
    assert_eq!(found(&store, 0).as_deref(), Some("new"));
    assert_eq!(found(&store, 20).as_deref(), Some("new"));
    assert_eq!(found(&store, 21), None);
    store.deliver("new", 50).unwrap();
    assert_eq!(found(&store, 0).as_deref(), Some("old"));
    assert_eq!(found(&store, 11), None);
    store.note("new", &DialogEvent::Reused, 51).unwrap();
    let history = store.history(&all()).unwrap();
    let reused = history.iter().filter(|record| record.reused).map(|record| &record.dialog.id);
    assert_eq!(reused.collect::<Vec<_>>(), ["new"]);
}

#[test]
fn a_dialog_that_cannot_be_read_any_more_blocks_nothing() {
    let mut store = Store::in_memory();
    for ticket in ["a", "b", "c"] {
        store.insert(&which(ticket), ticket, 1).unwrap();
    }
    for (ticket, broken) in [("a", "'{\"from\":\"elsewhere\"}'"), ("b", "CAST(x'ff' AS TEXT)")] {
        let sql = format!("UPDATE dialogs SET dialog = {broken} WHERE ticket = '{ticket}'");
        store.db.execute(&sql, []).unwrap();
        assert_eq!(store.find(ticket), Ok(None));
    }
    assert_eq!(tickets(&store.pending().unwrap()), ["c"]);
    store.insert(&which("a2"), "a", 2).unwrap();
    assert_eq!(tickets(&store.pending().unwrap()), ["c", "a2"]);
    assert_eq!(store.insert(&which("a3"), "a", 3), Err(StoreError::Duplicate));
}

#[test]
fn a_secret_is_in_no_byte_of_the_files() {
    const CANARY: &str = "tr0ub4dor-canary";
    let (folder, file) = folder();
    let secret = json!([{ "question": "Token?", "type": "secret", "notes": true }]);
    let given = json!([{ "value": CANARY, "note": CANARY }]);
    let outcomes = [
        json!({ "outcome": "answered", "answers": given }),
        json!({ "outcome": "declined", "reason": null, "partial": given }),
        json!({ "outcome": "timed_out", "partial": given }),
        json!({ "outcome": "clarify", "text": "Why?", "partial": given }),
    ];
    let mut store = open(&file);
    for (at, given) in (0..).zip(outcomes) {
        let dialog = ask(&format!("d{at}"), secret.clone());
        store.insert(&dialog, "k", at).unwrap();
        store.save_draft(&dialog.id, "{}").unwrap();
        store.end(&dialog, &outcome(given), Some(Through::Window), at).unwrap();
        let kept = store.find(&dialog.id).unwrap().unwrap().outcome.unwrap();
        assert_eq!(kept.answers(), [Answer { withheld: true, ..Answer::default() }]);
        assert!(!kept.answers()[0].is_given());
    }
    assert_eq!(store.history(&found_by(CANARY)), Ok(vec![]));
    let again = ask("again", secret);
    assert_eq!(store.undelivered("k", &again, 0), Ok(None), "without the secret it is no answer");
    assert_absent(CANARY, folder.path(), 3);
    drop(store);
    assert_absent(CANARY, folder.path(), 1);
}

#[track_caller]
fn assert_absent(word: &str, folder: &Path, files: usize) {
    let paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(paths.len(), files, "{paths:?}");
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        let found = bytes.windows(word.len()).any(|part| part == word.as_bytes());
        assert!(!found, "{} holds it", path.display());
    }
}

#[test]
fn a_secret_that_was_not_given_is_not_called_withheld() {
    let mut store = Store::in_memory();
    let dialog = ask("d", json!([{ "question": "Token?", "type": "secret", "required": false }]));
    store.insert(&dialog, "k", 1).unwrap();
    let skipped = outcome(json!({ "outcome": "answered", "answers": [{ "skipped": true }] }));
    store.end(&dialog, &skipped, Some(Through::Window), 2).unwrap();
    assert_eq!(store.find("d").unwrap().unwrap().outcome, Some(skipped));
}

fn all() -> Newest {
    Newest::default()
}

fn found_by(search: &str) -> Newest {
    let filter = Filter { search: Some(search.into()), ..Filter::default() };
    Newest { filter, ..all() }
}
