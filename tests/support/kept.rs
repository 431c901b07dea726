//! What the app has kept, read beside it.

use std::{fs::File, os::unix::fs::FileExt, path::PathBuf, time::Duration};

use rusqlite::{Connection, OptionalExtension, config::DbConfig};
use serde_json::Value;

use super::{Home, until};

pub(crate) struct Kept {
    db: Connection,
}

impl Kept {
    pub(crate) fn file(home: &Home) -> PathBuf {
        home.path("askdeck/data/askdeck.sqlite")
    }

    /// Waits until something has been asked here.
    pub(crate) fn of(home: &Home) -> Self {
        until("a question to be kept", || {
            let db = Connection::open_with_flags(
                Self::file(home),
                rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE,
            );
            let db = db.ok()?;
            // The app finds the file as the app has left it.
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).ok()?;
            let kept = Self { db };
            kept.ask::<i64>("SELECT 1 FROM dialogs WHERE ?1 = ?1", "").map(|_| kept)
        })
    }

    /// Keeps all others from writing, as a program that makes a copy may, until this is dropped.
    pub(crate) fn lock(home: &Home) -> Connection {
        let kept = Self::of(home);
        until("the file to be locked", || kept.db.execute_batch("BEGIN EXCLUSIVE").ok());
        kept.db
    }

    /// Changes the file by hand. No app may run here.
    pub(crate) fn edit(home: &Home, sql: &str) {
        Self::of(home).db.execute_batch(sql).expect("nobody else writes");
    }

    /// Overwrites what pending dialogs are found by, as a failing disk would. No app may run here.
    pub(crate) fn damage(home: &Home) {
        let kept = Self::of(home);
        kept.db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("nobody else writes");
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        let page: i64 = kept.ask(root, "pending").expect("it is an index");
        let file = File::options().write(true).open(Self::file(home)).expect("the home is ours");
        let place = (page.unsigned_abs() - 1) * 4096;
        file.write_all_at(&[0xff; 4096], place).expect("the file is ours");
    }

    /// Writes something beside the file, which is left there as by an app that was killed.
    pub(crate) fn leave_open(home: &Home) {
        let kept = Self::of(home);
        kept.db
            .execute_batch("UPDATE dialogs SET search = search || ' '")
            .expect("nobody else writes");
    }

    /// Sets the clock back for all that is asked, so that it has waited longer.
    pub(crate) fn wait(&self, time: Duration) {
        let earlier = "UPDATE dialogs SET asked_at = asked_at - ?1";
        let time = i64::try_from(time.as_millis()).expect("a short time");
        self.db.execute(earlier, [time]).expect("nobody else writes");
    }

    /// How many dialogs there have been.
    pub(crate) fn dialogs(&self) -> i64 {
        self.ask("SELECT count(*) FROM dialogs WHERE ?1 = ?1", "").unwrap_or_default()
    }

    /// The ticket of what this agent asked last.
    pub(crate) fn ticket(&self, agent: &str) -> String {
        until(format!("a question of {agent}"), || {
            self.ask(
                "SELECT ticket FROM dialogs WHERE agent = ?1 ORDER BY asked_at DESC LIMIT 1",
                agent,
            )
        })
    }

    /// What stands in the first text box of what this agent asked.
    pub(crate) fn typed(&self, agent: &str) -> String {
        let draft: Value = serde_json::from_str(&self.draft(agent)).unwrap_or_default();
        draft["drafts"][0]["text"].as_str().unwrap_or_default().to_owned()
    }

    /// All that has been given to what this agent asked, as JSON.
    pub(crate) fn draft(&self, agent: &str) -> String {
        let sql = "SELECT coalesce(draft, '') FROM dialogs
             WHERE agent = ?1 ORDER BY asked_at DESC LIMIT 1";
        self.ask(sql, agent).unwrap_or_default()
    }

    /// How often this happened to the dialog.
    pub(crate) fn count(&self, ticket: &str, what: &str) -> usize {
        let mut events = self.db.prepare("SELECT what FROM events WHERE ticket = ?1").expect("SQL");
        let events = events.query_map([ticket], |row| row.get::<_, String>(0)).expect("a journal");
        events.filter(|noted| noted.as_ref().is_ok_and(|noted| noted == what)).count()
    }

    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        let found: String = self
            .db
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .expect("it can be checked");
        assert_eq!(found, "ok");
    }

    /// Nothing if the app is just about to write.
    fn ask<T: rusqlite::types::FromSql>(&self, sql: &str, about: &str) -> Option<T> {
        self.db.query_row(sql, [about], |row| row.get(0)).optional().ok().flatten()
    }
}
