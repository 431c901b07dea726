//! The way from a path to a file that can be written, in the newest version.

use std::{
    fs::{DirBuilder, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, TransactionBehavior, config::DbConfig};

use super::{
    StoreError, damage,
    lock::{AT_START, WHILE_SERVING},
};

/// The version of a file is the number of these that it has been through.
pub(super) const MIGRATIONS: [&str; 1] = [include_str!("0001_dialogs.sql")];

pub(super) fn in_memory() -> Result<Connection, StoreError> {
    let mut db = Connection::open_in_memory()?;
    prepare(&mut db)?;
    Ok(db)
}

/// `patience` is how long a lock of another program is waited for.
pub(super) fn connect(file: &Path, patience: Duration) -> Result<Connection, StoreError> {
    if damage::is_no_file(file) {
        return Err(StoreError::Damaged);
    }
    create(file)?;
    let was_left_open = damage::was_left_open(file);
    let mut db = open(file, was_left_open, patience)?;
    if version(&db)? > MIGRATIONS.len() {
        return Err(StoreError::Newer);
    }
    if was_left_open {
        // First the lock, which is tried again and again.
        db.execute_batch("BEGIN IMMEDIATE; ROLLBACK")?;
    }
    // Half a second at 100,000 dialogs, so only where damage is likely; elsewhere it is told by
    // the first call that meets it.
    if was_left_open && !damage::is_sound(&db)? {
        return Err(StoreError::Damaged);
    }
    prepare(&mut db)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    db.busy_timeout(WHILE_SERVING)?;
    Ok(db)
}

/// For a file that another program has locked, if it can be read and is in the newest version.
pub(super) fn connect_locked(file: &Path) -> Option<Connection> {
    let db = open(file, damage::was_left_open(file), WHILE_SERVING).ok()?;
    if version(&db).ok()? != MIGRATIONS.len() {
        return None;
    }
    settle(&db).ok()?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).ok()?;
    Some(db)
}

/// Opened for writing too, without which SQLite could not clear away what it puts beside the file.
pub(super) fn connect_to_read(file: &Path) -> Option<Connection> {
    if damage::is_no_file(file) {
        return None;
    }
    let db = open(file, damage::was_left_open(file), AT_START).ok()?;
    db.pragma_update(None, "query_only", true).ok()?;
    let version = version(&db).ok()?;
    (version == MIGRATIONS.len()).then_some(db)
}

/// For reading where nothing can be written, not even what SQLite puts beside a file that is read.
pub(super) fn connect_unwritable(file: &Path) -> Option<Connection> {
    connect_to_read(file).or_else(|| {
        let path = file.to_str().filter(|path| !path.contains(['?', '#', '%']))?;
        if damage::is_no_file(file) || damage::was_left_open(file) {
            return None;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(format!("file:{path}?immutable=1"), flags).ok()?;
        (version(&db).ok()? == MIGRATIONS.len()).then_some(db)
    })
}

/// For reading what can still be read.
pub(super) fn open_damaged(file: &Path) -> Result<Connection, StoreError> {
    let db = open(file, true, AT_START)?;
    db.pragma_update(None, "query_only", true)?;
    Ok(db)
}

/// What was left beside the file stays there when the connection is closed again, as a sign for
/// the next one and for an inspection of the damage.
fn open(file: &Path, was_left_open: bool, patience: Duration) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, was_left_open)?;
    db.busy_timeout(patience)?;
    Ok(db)
}

fn version(db: &Connection) -> Result<usize, StoreError> {
    let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(version as usize)
}

fn prepare(db: &mut Connection) -> Result<(), StoreError> {
    db.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")?;
    settle(db)?;
    migrate(db)
}

fn settle(db: &Connection) -> Result<(), StoreError> {
    db.set_prepared_statement_cache_capacity(32);
    // What is deleted or typed over is overwritten, too.
    Ok(db.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")?)
}

/// Writes the version even if nothing is to be done: that the file can be written is known then.
fn migrate(db: &mut Connection) -> Result<(), StoreError> {
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in MIGRATIONS.iter().skip(version(&transaction)?) {
        transaction.execute_batch(migration)?;
    }
    transaction.execute_batch(&format!("PRAGMA user_version = {}", MIGRATIONS.len()))?;
    Ok(transaction.commit()?)
}

/// Nobody else may read what was asked and answered.
fn create(file: &Path) -> Result<(), StoreError> {
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    let mut new = OpenOptions::new();
    new.write(true).create_new(true);
    folder.mode(0o700);
    new.mode(0o600);
    if let Some(path) = file.parent() {
        folder.create(path)?;
    }
    match new.open(file) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}
