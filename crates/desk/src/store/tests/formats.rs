//! What was stored once can be read by every later version.

use std::time::{Duration, Instant};

use askdeck_core::session::{Closing, Numbers, Saved, Session, Settings};

use super::*;

/// The same rows in every format that there has been.
const FORMATS: [&str; FORMAT as usize] = [include_str!("format_1.sql")];

fn stored(rows: &str) -> Store {
    let store = Store::in_memory();
    store.db.execute_batch(rows).unwrap();
    store
}

#[test]
fn open_dialog_of_every_format_is_read() {
    for rows in FORMATS {
        let store = stored(rows);
        let pending = store.pending().unwrap().pop().unwrap();
        assert!(pending.submitted && pending.set_aside && pending.key.as_str() == "given:key");
        let claims = &pending.claims;
        assert!(claims.is_open("further") && claims.is_withdrawn("left"));
        assert!(claims.is_withdrawn("open"));
        assert_eq!(claims.find("further").unwrap().metadata, json!({ "request": 2 }));
        let Dialog { caller, timeout, questions, .. } = &*pending.dialog;
        assert_eq!((caller.agent.as_str(), caller.pid), ("Tester", Some(7)));
        assert_eq!(*timeout, Some(Duration::from_secs(600)));
        assert_eq!((questions.len(), questions[0].options().len()), (9, 2));
        assert!(questions[3].consent && questions[4].schema.is_some() && !questions[7].notes);
        assert_eq!(store.quiet_until(), Ok(6));

        let now = Instant::now();
        let settings = Settings {
            arming: Duration::ZERO,
            closing: Closing::SetsAside,
            undo: Duration::ZERO,
            numbers: Numbers::Point,
        };
        let mut session = Session::new(pending.dialog, settings, now);
        session.restore(pending.draft);
        let view = session.view(now);
        let first = &view.questions[0];
        assert_eq!((first.other.as_str(), first.note.as_str()), ("Green", "Noted"));
        assert_eq!((first.chosen.as_slice(), view.step), (&[2][..], 2));
        assert_eq!(view.questions[2].text, "Typed");
        assert_eq!(session.save().asides().collect::<Vec<_>>(), ["No", "Why?"]);
        assert_eq!(session.spent(now), Duration::from_secs(120));
    }
}

#[test]
fn ended_dialogs_of_every_format_are_read() {
    let outcomes = [
        ("answered", json!([{ "selected": [1], "other": "Green", "note": "Noted" }])),
        ("skipped", json!([{ "skipped": true }])),
        ("value", json!([{ "value": "So" }])),
        ("secret", json!([{ "withheld": true }])),
    ];
    let answered = outcomes
        .map(|(ticket, answers)| (ticket, json!({ "outcome": "answered", "answers": answers })));
    let others = [
        json!({ "outcome": "declined", "reason": "Not now", "partial": [{ "selected": [0] }] }),
        json!({ "outcome": "dismissed" }),
        json!({ "outcome": "timed_out", "partial": [{ "note": "Noted" }] }),
        json!({ "outcome": "withdrawn" }),
        json!({ "outcome": "clarify", "text": "Why?", "partial": [] }),
    ];
    for rows in FORMATS {
        let store = stored(rows);
        for (ticket, expected) in &answered {
            let record = store.find(ticket).unwrap().unwrap();
            assert_eq!(record.outcome, Some(outcome(expected.clone())), "{ticket}");
        }
        for expected in &others {
            let ticket = expected["outcome"].as_str().unwrap();
            let record = store.find(ticket).unwrap().unwrap();
            assert_eq!(record.outcome, Some(outcome(expected.clone())));
        }
        let answered = store.find("answered").unwrap().unwrap();
        assert_eq!((answered.through, answered.delivered_at), (Some(Through::Window), Some(5)));
        assert!(answered.reused);
    }
}

/// Also a new field changes the format: an older version does not know it.
#[test]
fn what_is_stored_today_has_the_newest_format() {
    const CHANGED: &str = "its stored shape has changed; CONTRIBUTING.md says what to do";
    let store = stored(FORMATS[FORMATS.len() - 1]);
    let value = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    let texts = |sql: &str| -> Vec<(String, Option<String>)> {
        let mut rows = store.db.prepare(sql).unwrap();
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    for (ticket, dialog) in texts("SELECT ticket, dialog FROM dialogs") {
        let read = store.find(&ticket).unwrap().expect(CHANGED).dialog;
        assert_eq!(value(&json(&read)), value(&dialog.unwrap()), "{ticket}: {CHANGED}");
    }
    for (ticket, outcome) in texts("SELECT ticket, outcome FROM dialogs WHERE outcome NOT NULL") {
        let read = store.find(&ticket).unwrap().expect(CHANGED).outcome;
        assert_eq!(value(&json(&read)), value(&outcome.unwrap()), "{ticket}: {CHANGED}");
    }
    for (ticket, draft) in texts("SELECT ticket, draft FROM dialogs WHERE draft NOT NULL") {
        let draft = draft.unwrap();
        let read: Saved = serde_json::from_str(&draft).expect(CHANGED);
        assert_eq!(value(&json(&read)), value(&draft), "{ticket}: {CHANGED}");
    }
    for (ticket, claim) in texts("SELECT ticket, claim FROM tickets") {
        let read = store.claimed(&ticket).unwrap().expect(CHANGED).claim;
        assert_eq!(value(&json(&read)), value(&claim.unwrap()), "{ticket}: {CHANGED}");
    }
}

#[test]
fn rows_of_a_newer_format_are_left_alone() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    for ticket in ["open", "ended", "newer open", "newer ended"] {
        store.insert(&which(ticket), ticket, 1).unwrap();
        if ticket.ends_with("ended") {
            store.end(&which(ticket), &red(), Some(Through::Window), 2).unwrap();
            store.deliver(ticket, 3).unwrap();
        }
    }
    assert_eq!(store.has_newer_dialogs(), Ok(false));
    let newer = format!("UPDATE dialogs SET format = {} WHERE ticket GLOB 'newer *'", FORMAT + 1);
    store.db.execute(&newer, []).unwrap();
    let rows = |store: &Store| -> Vec<(String, u32, Option<Millis>)> {
        let sql = "SELECT ticket, format, ended_at FROM dialogs WHERE format > 1 ORDER BY ticket";
        let mut rows = store.db.prepare(sql).unwrap();
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = rows(&store);
    assert_eq!(before.len(), 2);

    assert_eq!(store.has_newer_dialogs(), Ok(true));
    assert_eq!(tickets(&store.pending().unwrap()), ["open"]);
    assert_eq!(store.find("newer ended"), Ok(None));
    assert_eq!(store.history(&all()).unwrap().len(), 1);
    assert_eq!(store.save_draft("newer open", "{}"), Err(StoreError::NotThere));
    let end = store.end(&which("newer open"), &red(), Some(Through::Window), 4);
    assert_eq!(end, Err(StoreError::NotThere));
    for which in
        [Selection::Tickets(vec!["newer ended".into()]), Selection::Matching(Filter::default())]
    {
        let mut deletion = store.plan_deletion(&which).unwrap();
        while deletion.step(&mut store).unwrap() {}
    }
    assert_eq!(store.find("ended"), Ok(None));
    // Its question can be asked here all the same.
    store.insert(&which("again"), "newer open", 5).unwrap();
    assert_eq!(rows(&store), before);
    // They also survive damage to the file.
    store.begin_afresh();
    assert_eq!(rows(&store), before);
}
