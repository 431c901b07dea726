use super::{opening::leave_open, *};

const PAGE: usize = 4096;

/// A file with some hundred dialogs, and the last writes beside it.
fn filled(file: &Path) {
    let mut store = open(file);
    for at in 0..300 {
        let dialog = which(&format!("d{at}"));
        store.insert(&dialog, &dialog.id, at).unwrap();
    }
    store.db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    store.save_draft("d0", "{}").unwrap();
    leave_open(&store, file);
}

type Harm = fn(&mut Vec<u8>);

#[test]
fn a_damaged_file_is_set_aside_whole_and_a_fresh_one_begun() {
    let harms: [(&str, Harm); 9] = [
        ("no SQLite at all", |bytes| *bytes = b"dear diary".repeat(1000)),
        ("a few bytes", |bytes| *bytes = b"SQ".to_vec()),
        ("flipped name", |bytes| bytes[3] ^= 0xff),
        ("flipped page size", |bytes| bytes[16] ^= 0xff),
        ("cut inside the header", |bytes| bytes.truncate(50)),
        ("cut in the middle", |bytes| bytes.truncate(bytes.len() / 2)),
        ("nothing left", Vec::clear),
        ("zeroed pages", |bytes| bytes[5 * PAGE..30 * PAGE].fill(0)),
        ("garbage pages", |bytes| {
            bytes[5 * PAGE..30 * PAGE].iter_mut().for_each(|byte| *byte ^= 0x5a);
        }),
    ];
    for (what, harm) in harms {
        let (folder, file) = folder();
        filled(&file);
        let mut bytes = fs::read(&file).unwrap();
        assert!(bytes.len() > 40 * PAGE);
        harm(&mut bytes);
        fs::write(&file, &bytes).unwrap();
        let wal = fs::read(folder.path().join("askdeck.sqlite-wal")).unwrap();

        let (mut store, notice) = Store::open(Some(&file));
        let aside = aside(notice, what);
        assert!(fs::read(&aside).unwrap() == bytes, "{what}");
        let beside = format!("{}-wal", aside.display());
        assert!(fs::read(beside).unwrap() == wal, "{what}");
        let saved = store.pending().unwrap();
        for pending in &saved {
            assert_eq!(*pending.dialog, which(&pending.dialog.id), "{what}");
        }
        // Of 40 pages 25 are gone.
        if what.ends_with("pages") {
            assert!(saved.len() > 50, "{what}: {}", saved.len());
        }
        store.insert(&which("d"), "k", 1).unwrap();
        drop(store);
        assert_eq!(open(&file).pending().unwrap().len(), saved.len() + 1, "{what}");
    }
}

#[track_caller]
fn aside(notice: Option<StoreNotice>, what: &str) -> PathBuf {
    let Some(StoreNotice::Damaged { file }) = notice else { panic!("{what}: {notice:?}") };
    let name = file.file_name().unwrap().to_str().unwrap();
    let date = name.strip_prefix("askdeck.sqlite.damaged-").unwrap();
    let shape: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert!(shape.starts_with("0000-00-00-000000"), "{name}");
    file
}

#[test]
fn store_opens_after_any_flipped_byte() {
    let (_whole, pattern) = folder();
    filled(&pattern);
    let whole = fs::read(&pattern).unwrap();
    for at in (0..100).step_by(3).chain((100..whole.len()).step_by(5003)) {
        let (_folder, file) = folder();
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        fs::write(&file, &bytes).unwrap();
        let (mut store, _) = Store::open(Some(&file));
        let dialog = which("new");
        let trouble = [
            store.insert(&dialog, "new", 1).err(),
            store.end(&dialog, &red(), Some(Through::Window), 2).err(),
            store.find("d7").err(),
            store.pending().err(),
            store.history(&all()).err(),
            store.stats(0, 1000).err(),
        ];
        if trouble.into_iter().flatten().any(|error| error == StoreError::Damaged) {
            assert!(aside(store.begin_afresh(), "met later").exists());
            // It may have been saved, pending or ended.
            store.insert(&dialog, "new", 1).ok();
            store.end(&dialog, &red(), Some(Through::Window), 2).ok();
            assert_eq!(store.history(&all()).unwrap().len(), 1, "byte {at}");
            assert!(store.pending().unwrap().len() > 200, "byte {at}");
        }
    }
}

#[test]
fn readable_rows_of_a_damaged_file_are_salvaged() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    for (ticket, key) in [("open", "a"), ("ended", "b")] {
        store.insert(&which(ticket), key, 1).unwrap();
        store.note(ticket, &DialogEvent::Submitted, 1).unwrap();
        let claim = Claim::under(&format!("{ticket} too"), &which(ticket));
        store.add_claim(ticket, &claim).unwrap();
    }
    store.end(&which("ended"), &red(), Some(Through::Window), 2).unwrap();
    store.db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    store.save_draft("open", r#"{"a":1}"#).unwrap();
    let kept = (store.pending(), store.find("ended too"), journal(&store, "open"));
    leave_open(&store, &file);
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'asked'";
    let page: u32 = store.db.query_row(root, [], |row| row.get(0)).unwrap();
    let page = page as usize;
    drop(store);
    let mut bytes = fs::read(&file).unwrap();
    bytes[(page - 1) * PAGE..page * PAGE].fill(0xff);
    fs::write(&file, &bytes).unwrap();

    let (store, notice) = Store::open(Some(&file));
    aside(notice, "an index");
    assert_eq!((store.pending(), store.find("ended too"), journal(&store, "open")), kept);
}

#[test]
fn an_outcome_that_the_disk_has_changed_is_no_answer() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    store.insert(&which("d"), "k", 1).unwrap();
    store.end(&which("d"), &red(), Some(Through::Window), 2).unwrap();
    drop(store);
    let mut bytes = fs::read(&file).unwrap();
    let selected = br#""selected":[0]"#;
    let found: Vec<_> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(selected)).collect();
    for at in found {
        bytes[at + selected.len() - 2] = b'1';
    }
    fs::write(&file, &bytes).unwrap();

    let store = open(&file);
    assert_eq!(store.find("d"), Ok(None));
    assert_eq!(store.undelivered("k", &which("d"), 0), Ok(None));
    assert_eq!(store.history(&all()).unwrap(), []);
}

#[test]
fn no_name_is_used_twice() {
    let (_folder, file) = folder();
    let asides: Vec<_> = (0..3)
        .map(|number| {
            let bytes = format!("garbage {number}").repeat(500);
            fs::write(&file, &bytes).unwrap();
            let (store, notice) = Store::open(Some(&file));
            drop(store);
            (aside(notice, "garbage"), bytes)
        })
        .collect();
    for (aside, bytes) in asides {
        assert_eq!(fs::read_to_string(aside).unwrap(), bytes);
    }
}

#[test]
fn a_folder_in_its_place_is_moved_with_all_it_holds() {
    let (_folder, file) = folder();
    fs::create_dir(&file).unwrap();
    fs::write(file.join("note"), "mine").unwrap();
    let (mut store, notice) = Store::open(Some(&file));
    assert_eq!(fs::read(aside(notice, "folder").join("note")).unwrap(), b"mine");
    store.insert(&which("d"), "k", 1).unwrap();
    assert!(file.is_file());
}

#[test]
fn damage_that_shows_later_is_told_and_a_fresh_file_can_be_begun() {
    let (_folder, file) = folder();
    filled(&file);
    drop(open(&file));
    let mut bytes = fs::read(&file).unwrap();
    bytes[PAGE..].fill(0);
    fs::write(&file, &bytes).unwrap();

    let (mut store, _) = Store::open(Some(&file));
    assert_eq!(store.insert(&which("d"), "k", 1), Err(StoreError::Damaged));
    let aside = aside(store.begin_afresh(), "zeroed");
    assert!(fs::read(aside).unwrap() == bytes);
    assert_eq!(store.pending(), Ok(vec![]));
    store.insert(&which("d"), "k", 1).unwrap();
}

#[test]
fn writes_survive_a_killed_app() {
    let (folder, file) = folder();
    let wal = folder.path().join("askdeck.sqlite-wal");
    let mut store = open(&file);
    let mut kept = Vec::new();
    for at in 0..20 {
        let dialog = which(&format!("d{at:02}"));
        store.insert(&dialog, &dialog.id, at).unwrap();
        store.save_draft(&dialog.id, "{}").unwrap();
        if at % 2 == 0 {
            store.end(&dialog, &red(), Some(Through::Window), at).unwrap();
        }
        kept.push((fs::metadata(&wal).unwrap().len(), store.history(&all()), store.pending()));
    }
    // What lies on the disk when the app is killed while it writes is the file, and a part of the
    // writes beside it.
    let (file, wal) = (fs::read(file).unwrap(), fs::read(wal).unwrap());
    let ends = kept.iter().map(|(end, ..)| *end);
    for cut in
        ends.flat_map(|end| [end, end + 1, end + 1000]).filter(|cut| *cut <= wal.len() as u64)
    {
        let (folder, copy) = super::folder();
        fs::write(&copy, &file).unwrap();
        let part = &wal[..usize::try_from(cut).unwrap()];
        fs::write(folder.path().join("askdeck.sqlite-wal"), part).unwrap();
        let store = open(&copy);
        let (_, history, pending) = kept.iter().rfind(|(end, ..)| *end <= cut).unwrap();
        assert_eq!(&store.history(&all()), history, "cut at {cut}");
        assert_eq!(&store.pending(), pending, "cut at {cut}");
    }
}

#[test]
fn three_newest_damaged_files_are_kept() {
    let (folder, file) = folder();
    let names = || {
        let names = fs::read_dir(folder.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name.contains("damaged")).collect();
        names.sort();
        names
    };
    let older = ["2020-01-01-000000", "2021-01-01-000000", "2021-01-01-000000-2"];
    // By number, not by letter; with what lies beside it; and whatever the clock said then.
    let newer = ["2021-01-01-000000-10", "2999-01-01-000000"];
    for date in older.into_iter().chain(newer) {
        for ending in ["", "-wal"] {
            let name = format!("askdeck.sqlite.damaged-{date}{ending}");
            fs::write(folder.path().join(name), "").unwrap();
        }
    }
    fs::create_dir(folder.path().join("askdeck.sqlite.damaged-2019-01-01-000000")).unwrap();
    fs::write(folder.path().join("askdeck.sqlite.damaged-by-me"), "mine").unwrap();
    fs::write(&file, "no database".repeat(500)).unwrap();
    let (store, notice) = Store::open(Some(&file));
    drop(store);
    let new = aside(notice, "garbage").file_name().unwrap().to_str().unwrap().to_owned();
    let mut expected = vec![new];
    expected.extend(newer.into_iter().flat_map(|date| {
        ["", "-wal"].map(|ending| format!("askdeck.sqlite.damaged-{date}{ending}"))
    }));
    // Neither a folder nor another's file is touched.
    expected.extend(
        ["2019-01-01-000000", "by-me"].map(|rest| format!("askdeck.sqlite.damaged-{rest}")),
    );
    expected.sort();
    assert_eq!(names(), expected);
}
