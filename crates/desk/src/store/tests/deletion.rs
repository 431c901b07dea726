//! What is deleted is gone, and what must not be is not.

use super::*;

const WORD: &str = "zanzibar-canary";

/// Ends a dialog of which something is kept in every table; its answer has reached a caller.
fn ended(store: &mut Store, ticket: &str, at: Millis) {
    undelivered(store, ticket, red(), at);
    store.deliver(ticket, at).unwrap();
}

fn undelivered(store: &mut Store, ticket: &str, outcome: Outcome, at: Millis) {
    let dialog =
        ask(ticket, json!([{ "question": format!("{WORD}?"), "options": ["Red", "Blue"] }]));
    store.insert(&dialog, &format!("key of {ticket} {WORD}"), at).unwrap();
    store.note(ticket, &DialogEvent::Shown, at).unwrap();
    for length in [10, 2_000, 9_000] {
        store.save_draft(ticket, &format!("{WORD} ").repeat(length / WORD.len())).unwrap();
    }
    store.add_claim(ticket, &Claim::under(&format!("{ticket}-too"), &dialog)).unwrap();
    store.end(&dialog, &outcome, Some(Through::Window), at).unwrap();
}

fn everything() -> Selection {
    Selection::Matching(Filter::default())
}

fn named(tickets: &[&str]) -> Selection {
    Selection::Tickets(tickets.iter().map(ToString::to_string).collect())
}

fn delete(store: &mut Store, which: &Selection) -> Result<Deleted, StoreError> {
    let mut deletion = store.plan_deletion(which)?;
    while deletion.step(store)? {}
    Ok(deletion.outlook)
}

fn rows(store: &Store) -> [u32; 3] {
    ["dialogs", "events", "tickets"].map(|table| {
        store.db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    })
}

#[test]
fn no_byte_of_what_was_deleted_is_left() {
    let (folder, file) = folder();
    let mut store = open(&file);
    for at in 0..100 {
        ended(&mut store, &format!("d{at}"), at);
    }
    let size = || fs::metadata(&file).unwrap().len();
    store.db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let before = size();
    // It stands in the writes beside the file, as long as those are not taken into it.
    ended(&mut store, "last", 100);
    assert_eq!(delete(&mut store, &everything()).unwrap().deleted, 101);
    assert_eq!(rows(&store), [0, 0, 0]);
    // Also beside the app that has just deleted it.
    assert_absent(WORD, folder.path(), 3);
    assert!(size() < before / 4, "{} of {before} bytes", size());
    drop(store);
    let store = open(&file);
    assert_eq!((store.find("d0"), store.find("d0-too")), (Ok(None), Ok(None)));
    assert_eq!(store.claimed("d0-too"), Ok(None));
    drop(store);
    assert_absent(WORD, folder.path(), 1);
}

#[test]
fn open_dialogs_are_not_deleted() {
    let mut store = Store::in_memory();
    store.insert(&which("open"), "k", 1).unwrap();
    ended(&mut store, "over", 2);
    let stays = Deleted { still_open: vec!["open".into()], ..Deleted::default() };
    assert_eq!(delete(&mut store, &named(&["open"])), Ok(stays.clone()));
    assert_eq!(delete(&mut store, &everything()), Ok(Deleted { deleted: 1, ..stays }));
    assert_eq!(tickets(&store.pending().unwrap()), ["open"]);
    let refused = store.db.execute("DELETE FROM dialogs", []).map_err(StoreError::from);
    assert_eq!(refused, Err(StoreError::Other("open dialogs stay".into())));
}

#[test]
fn undelivered_answer_is_not_deleted_unless_named() {
    let mut store = Store::in_memory();
    let said = [
        ("answered", red()),
        ("declined", outcome(json!({ "outcome": "declined", "reason": "No." }))),
        ("clarify", outcome(json!({ "outcome": "clarify", "text": "Why?" }))),
    ];
    let silent = [
        ("dismissed", Outcome::Dismissed),
        ("timed_out", Outcome::TimedOut { partial: Vec::new() }),
        ("withdrawn", Outcome::Withdrawn),
    ];
    for (at, (ticket, outcome)) in (1..).zip(said.into_iter().chain(silent)) {
        undelivered(&mut store, ticket, outcome, at);
        let record = store.find(ticket).unwrap().unwrap();
        assert_eq!(record.is_undelivered(), at <= 3, "{ticket}");
    }
    let undelivered = ["clarify", "declined", "answered"].map(String::from).to_vec();
    let done = Deleted { deleted: 3, undelivered, ..Deleted::default() };
    assert_eq!(delete(&mut store, &everything()), Ok(done));
    store.deliver("declined", 9).unwrap();
    assert_eq!(delete(&mut store, &everything()).unwrap().deleted, 1);
    assert_eq!(delete(&mut store, &named(&["answered-too", "answered"])).unwrap().deleted, 1);
    assert_eq!(rows(&store)[0], 1);
}

#[test]
fn a_caller_that_comes_back_in_the_middle_changes_only_its_own() {
    let mut store = Store::in_memory();
    ended(&mut store, "a", 1);
    ended(&mut store, "b", 1);
    let mut deletion = store.plan_deletion(&everything()).unwrap();
    assert_eq!(delete(&mut store, &named(&["a"])).unwrap().deleted, 1);
    while deletion.step(&mut store).unwrap() {}
    assert_eq!(deletion.outlook.deleted, 1);
}

#[test]
fn deletion_removes_only_matching_dialogs() {
    let mut store = Store::in_memory();
    for (ticket, at) in [("old", 10), ("middle", 20), ("new", 30)] {
        ended(&mut store, ticket, at);
    }
    let before = |time| Selection::Matching(Filter { before: Some(time), ..Filter::default() });
    assert_eq!(delete(&mut store, &before(20)).unwrap().deleted, 1);
    let other = Filter { agent: Some("nobody".into()), ..Filter::default() };
    assert_eq!(delete(&mut store, &Selection::Matching(other)), Ok(Deleted::default()));
    let unknown = delete(&mut store, &named(&["old", "middle"])).unwrap();
    assert_eq!((unknown.deleted, unknown.unknown), (1, vec!["old".into()]));
    assert!(store.find("new").unwrap().is_some());
}

#[test]
fn events_are_only_ever_added_and_go_with_their_dialog() {
    let mut store = Store::in_memory();
    ended(&mut store, "d", 1);
    let refused = |sql| store.db.execute(sql, []).map_err(StoreError::from).unwrap_err();
    let (delete, update) = (refused("DELETE FROM events"), refused("UPDATE events SET at = 0"));
    assert_eq!(delete, StoreError::Other("events go only with their dialog".into()));
    assert_eq!(update, StoreError::Other("events are only ever added".into()));
    store.db.execute("DELETE FROM dialogs", []).unwrap();
    assert_eq!(rows(&store), [0, 0, 0]);
}

#[test]
fn deletion_fails_on_an_unwritable_file() {
    let (_folder, file) = folder();
    ended(&mut open(&file), "d", 1);
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let (mut store, _) = Store::open(Some(&file));
    assert_eq!(delete(&mut store, &everything()), Err(StoreError::Busy));
    drop((store, other));
    assert!(open(&file).find("d").unwrap().is_some());
}
