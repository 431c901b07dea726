use super::*;
use crate::store::file::{MIGRATIONS, migrate};

fn schema(store: &Store) -> Vec<(String, Option<String>)> {
    let mut schema = store.db.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").unwrap();
    let schema = schema.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    schema.map(Result::unwrap).collect()
}

#[test]
fn a_file_of_every_earlier_version_is_brought_up_to_date() {
    let fresh = schema(&Store::in_memory());
    for version in 0..=MIGRATIONS.len() {
        let (_folder, file) = folder();
        fs::write(&file, "").unwrap();
        let dialog = json(&which("old"));
        if version > 0 {
            let mut db = Connection::open(&file).unwrap();
            migrate(&mut db, 1).unwrap();
            db.execute(
                "INSERT INTO dialogs (ticket, key, agent, asked_at, search, dialog)
                 VALUES ('old', 'k', 'test', 1, '', ?1)",
                [dialog],
            )
            .unwrap();
            migrate(&mut db, version).unwrap();
        }
        let mut store = open(&file);
        assert_eq!(schema(&store), fresh, "from version {version}");
        if version > 0 {
            store.add_claim("old", &Claim::under("older", &which("old"))).unwrap();
            assert!(store.find("older").unwrap().is_some(), "from version {version}");
        }
        assert_eq!(store.find("old").unwrap().is_some(), version > 0, "from version {version}");
        store.insert(&which("new"), "another", 2).unwrap();
        drop(store);
        assert_eq!(open(&file).pending().unwrap().len(), 1 + usize::from(version > 0));
    }
}

#[test]
fn keys_of_an_earlier_version_keep_their_kind() {
    let (_folder, file) = folder();
    fs::write(&file, "").unwrap();
    let mut db = Connection::open(&file).unwrap();
    migrate(&mut db, 4).unwrap();
    let hash = "0123456789abcdef".repeat(4);
    let (made, given) = (format!("{hash} {hash}"), format!("{hash} deploy"));
    let from_elsewhere = |ticket: &str| {
        let mut dialog = which(ticket);
        dialog.caller.host = Some("box".into());
        json(&dialog)
    };
    let local = |ticket: &str| json(&which(ticket));
    let rows = [
        ("a", &hash, local("a"), format!("made:{hash}")),
        ("b", &"deploy".into(), local("b"), "given:deploy".into()),
        ("c", &made, from_elsewhere("c"), format!("remote:{hash}:made:{hash}")),
        ("d", &given, from_elsewhere("d"), format!("remote:{hash}:given:deploy")),
        // What only looks like a key from another machine is nobody's there.
        ("e", &given, local("e"), format!("given:{given}")),
        ("f", &"broken".into(), "{".into(), "given:broken".into()),
    ];
    for (ticket, key, dialog, _) in &rows {
        db.execute(
            "INSERT INTO dialogs (ticket, key, agent, asked_at, ended_at, search, dialog)
             VALUES (?1, ?2, 'test', 1, 2, '', ?3)",
            [ticket, key.as_str(), dialog],
        )
        .unwrap();
    }
    drop(db);
    let store = open(&file);
    for (ticket, _, _, expected) in rows {
        let sql = "SELECT key FROM dialogs WHERE ticket = ?1";
        let key: String = store.db.query_row(sql, [ticket], |row| row.get(0)).unwrap();
        assert_eq!(key, expected, "{ticket}");
    }
}

#[test]
fn unanswered_outcome_has_no_through() {
    let (_folder, file) = folder();
    fs::write(&file, "").unwrap();
    let mut db = Connection::open(&file).unwrap();
    migrate(&mut db, 2).unwrap();
    let ends = [("answered", Some(Through::Window)), ("timed_out", None), ("withdrawn", None)];
    for (ended_as, _) in ends {
        db.execute(
            "INSERT INTO dialogs (ticket, key, agent, asked_at, ended_at, ended_as, through, search, dialog)
             VALUES (?1, ?1, 'test', 1, 2, ?1, 'window', '', ?2)",
            [ended_as, &json(&which(ended_as))],
        )
        .unwrap();
    }
    drop(db);
    let store = open(&file);
    for (ticket, through) in ends {
        assert_eq!(store.find(ticket).unwrap().unwrap().through, through, "{ticket}");
    }
}

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
        assert_eq!(notice, Some(Notice::NotKept { why: StoreError::Newer }));
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
        assert_eq!(notice, Some(Notice::NotKept { why }));
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
    assert!(matches!(notice, Some(Notice::NotKept { .. })));
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
