use super::*;
use crate::store::file::MIGRATIONS;

#[test]
fn a_file_of_a_newer_version_is_left_alone() {
    for was_left_open in [false, true] {
        let (folder, file) = folder();
        let mut store = open(&file);
        store.insert(&which("d"), "k", 1).unwrap();
        let newer = MIGRATIONS.len() + 1;
        store.db.execute_batch(&format!("PRAGMA user_version = {newer}")).unwrap();
        if was_left_open {
            leave_open(&store, &file);
        }
        drop(store);
        let files = || {
            let mut files: Vec<_> = fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| !path.ends_with("askdeck.sqlite-shm"))
                .map(|path| (path.clone(), fs::read(path).unwrap()))
                .collect();
            files.sort();
            files
        };
        let before = files();
        let (mut store, notice) = Store::open(Some(&file));
        assert_eq!(notice, Some(StoreNotice::NotKept { why: StoreError::Newer }));
        store.insert(&which("d"), "k", 1).unwrap();
        assert!(Store::open_to_read(&file).is_none());
        assert!(files() == before, "left open: {was_left_open}");
    }
}

#[test]
fn unwritable_store_still_asks() {
    let (folder, _) = folder();
    let blocked = folder.path().join("a file");
    fs::write(&blocked, "mine").unwrap();
    let cases = [
        (None, StoreError::Nowhere),
        (Some(blocked.join("askdeck.sqlite")), StoreError::NoFolder),
        (Some(blocked.join("deeper/askdeck.sqlite")), StoreError::NoFolder),
    ];
    for (file, why) in cases {
        let (mut store, notice) = Store::open(file.as_deref());
        assert_eq!(notice, Some(StoreNotice::NotKept { why }));
        let dialog = which("d");
        store.insert(&dialog, "k", 1).unwrap();
        store.end(&dialog, &red(), Some(Through::Window), 2).unwrap();
        assert_eq!(store.begin_afresh(), None);
        assert_eq!(store.history(&all()).unwrap().len(), 1);
    }
    assert_eq!(fs::read(&blocked).unwrap(), b"mine");
}

#[test]
fn a_full_disk_is_told_and_what_was_kept_stays() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    store.insert(&which("d"), "k", 1).unwrap();
    store.db.execute_batch("PRAGMA max_page_count = 1").unwrap();
    let full = (0..1000).find_map(|at| {
        let dialog = which(&format!("d{at}"));
        store.insert(&dialog, &dialog.id, at).err()
    });
    assert_eq!(
        full.map(|error| error.to_string()).as_deref(),
        Some("the disk is full; make room on it")
    );
    assert!(store.find("d").unwrap().is_some());
    store.db.execute_batch("PRAGMA max_page_count = 1000000").unwrap();
    store.insert(&which("later"), "later", 2).unwrap();
}

#[cfg(unix)]
#[test]
fn only_the_person_can_read_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let (outer, _) = folder();
    let folder = outer.path().join("data/askdeck");
    let file = folder.join("askdeck.sqlite");
    let mut store = open(&file);
    store.insert(&which("d"), "k", 1).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn reading_makes_nothing() {
    let (folder, file) = folder();
    let names = || fs::read_dir(folder.path()).unwrap().count();
    assert!(Store::open_to_read(&file).is_none());
    assert!(Store::open_to_read(&folder.path().join("none/askdeck.sqlite")).is_none());
    assert_eq!(names(), 0);
    fs::write(&file, "").unwrap();
    assert!(Store::open_to_read(&file).is_none());
    assert_eq!(fs::read(&file).unwrap(), b"");

    let mut store = open(&file);
    store.insert(&which("d"), "k", 1).unwrap();
    drop(store);
    let bytes = fs::read(&file).unwrap();
    let mut reader = Store::open_to_read(&file).unwrap();
    assert!(reader.find("d").unwrap().is_some());
    assert_eq!(reader.insert(&which("e"), "e", 1), Err(StoreError::ReadOnly));
    drop(reader);
    assert_eq!(names(), 1);
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[test]
fn a_reader_sees_what_a_running_app_writes() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    let reader = Store::open_to_read(&file).unwrap();
    for at in 0..50 {
        let dialog = which(&format!("d{at}"));
        store.insert(&dialog, &dialog.id, at).unwrap();
        assert_eq!(reader.pending().unwrap().len(), usize::try_from(at).unwrap() + 1);
    }
}

/// Keeps the writes beside the file when the store is closed, as they are after a kill.
pub(super) fn leave_open(store: &Store, file: &Path) {
    store.db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    assert!(crate::store::damage::was_left_open(file));
}

#[test]
fn unsaved_dialogs_are_written_later() {
    let (_folder, place) = folder();
    let file = place.join("askdeck.sqlite");
    // Nobody, not even root, can make a folder in a file.
    fs::write(&place, "").unwrap();
    let (mut store, notice) = Store::open(Some(&file));
    assert!(matches!(notice, Some(StoreNotice::NotKept { .. })));
    for (ticket, key) in [("open", "a"), ("ended", "b")] {
        store.insert(&which(ticket), key, 1).unwrap();
    }
    store.end(&which("ended"), &red(), Some(Through::Window), 3).unwrap();
    store.deliver("ended", 4).unwrap();
    assert_eq!(store.return_to_file(), None);

    fs::remove_file(&place).unwrap();
    assert_eq!(store.return_to_file(), Some(Vec::new()));
    assert_eq!(store.return_to_file(), None, "it is there already");
    let kept = (store.find("ended"), journal(&store, "ended"));
    drop(store);
    let store = open(&file);
    assert_eq!(tickets(&store.pending().unwrap()), ["open"]);
    assert_eq!((store.find("ended"), journal(&store, "ended")), kept);
    assert_eq!(kept.1.len(), 3, "asked, answered, delivered");
}
