//! What was stored once can be read by every later version.

use std::time::{Duration, Instant};

use askdeck_core::session::{Closing, Numbers, Session, Settings};

use super::*;
use crate::store::file::migrate;

/// Renaming anything that is stored fails here: give it the old name, or a migration.
#[test]
fn rows_that_were_stored_by_version_4_are_read() {
    let (_folder, file) = folder();
    fs::write(&file, "").unwrap();
    let mut db = Connection::open(&file).unwrap();
    migrate(&mut db, 4).unwrap();
    db.execute_batch(include_str!("stored.sql")).unwrap();
    drop(db);

    let store = open(&file);
    let pending = store.pending().unwrap().pop().unwrap();
    assert!(pending.submitted && !pending.set_aside);
    assert!(pending.key == "given:key" && pending.claims.is_open("further"));
    let Dialog { caller, timeout, questions, .. } = &pending.dialog;
    assert_eq!((caller.agent.as_str(), caller.pid), ("Tester", Some(7)));
    assert_eq!(*timeout, Some(Duration::from_secs(600)));
    assert_eq!((questions.len(), questions[0].options().len()), (8, 2));
    assert!(questions[4].schema.is_some() && !questions[7].notes);

    let now = Instant::now();
    let settings = Settings {
        arming: Duration::ZERO,
        closing: Closing::SetsAside,
        undo: Duration::ZERO,
        numbers: Numbers::Point,
    };
    let mut session = Session::new(pending.dialog, settings, now);
    session.restore(serde_json::from_str(&pending.draft.unwrap()).unwrap());
    let view = session.view(now);
    let first = &view.questions[0];
    assert_eq!((first.other.as_str(), first.note.as_str()), ("Green", "Noted"));
    assert_eq!((first.chosen.as_slice(), view.step), (&[2][..], 2));
    assert_eq!(view.questions[2].text, "Typed");
    assert_eq!(session.save().asides().collect::<Vec<_>>(), ["No", "Why?"]);
    assert_eq!(session.spent(now), Duration::from_secs(120));

    let ended = store.find("ended").unwrap().unwrap();
    let answer =
        json!({ "outcome": "answered", "answers": [{ "selected": [1], "note": "Noted" }] });
    assert_eq!(ended.outcome, Some(outcome(answer)));
    assert_eq!((ended.through, ended.delivered_at), (Some(Through::Window), Some(5)));
    assert_eq!(store.quiet_until(), Ok(6));
}
