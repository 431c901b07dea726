//! Another program has locked the file.

use std::time::{Duration, Instant};

use super::*;

/// Until it is dropped.
fn lock(file: &Path) -> Connection {
    let other = Connection::open(file).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    other
}

/// For other programs not even reading is possible.
fn keep_to_oneself(file: &Path) -> Connection {
    let other = Connection::open(file).unwrap();
    other.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    other
}

const NOT_KEPT: Option<StoreNotice> = Some(StoreNotice::NotKept { why: StoreError::Busy });

#[test]
fn a_locked_file_is_read_and_holds_up_no_write() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    store.insert(&which("d"), "k", 1).unwrap();
    let other = lock(&file);
    let begun = Instant::now();
    for _ in 0..1_000 {
        assert_eq!(store.save_draft("d", "typed"), Err(StoreError::Busy));
        assert_eq!(store.note("d", &DialogEvent::Shown, 2), Err(StoreError::Busy));
        assert_eq!(store.end(&which("d"), &red(), None, 2), Err(StoreError::Busy));
        assert_eq!(store.find("d").unwrap().unwrap().draft, None);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(other);
    store.wait_for_lock();
    store.save_draft("d", "typed").unwrap();
}

#[test]
fn a_file_that_is_locked_at_the_start_is_used_once_it_is_unlocked() {
    let (_folder, file) = folder();
    open(&file).insert(&which("d"), "k", 1).unwrap();
    let other = lock(&file);
    let (mut store, notice) = Store::open(Some(&file));
    assert_eq!((notice, store.file()), (NOT_KEPT, Some(file.as_path())));
    assert_eq!(tickets(&store.pending().unwrap()), ["d"]);
    drop(other);
    store.wait_for_lock();
    store.save_draft("d", "typed").unwrap();
    drop(store);
    assert_eq!(open(&file).find("d").unwrap().unwrap().draft.as_deref(), Some("typed"));
}

#[test]
fn dialog_asked_while_the_file_is_unreadable_is_kept_later() {
    for is_new in [true, false] {
        let (_folder, file) = folder();
        if is_new {
            let db = Connection::open(&file).unwrap();
            db.execute_batch("PRAGMA journal_mode = WAL").unwrap();
        } else {
            drop(open(&file));
        }
        let other = keep_to_oneself(&file);
        let (mut store, notice) = Store::open(Some(&file));
        assert_eq!((notice, store.awaits_file()), (NOT_KEPT, true), "is new: {is_new}");
        store.insert(&which("d"), "k", 1).unwrap();
        assert_eq!(store.return_to_file(), None);
        drop(other);
        store.wait_for_lock();
        assert_eq!(store.return_to_file(), Some(Vec::new()), "is new: {is_new}");
        drop(store);
        assert_eq!(tickets(&open(&file).pending().unwrap()), ["d"]);
    }
}
