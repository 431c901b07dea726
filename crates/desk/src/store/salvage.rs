//! Copies what can be read of one file to another: from a damaged file to a new one, from a file that
//! cannot be written into memory, and from memory to the file once it can be written.
//!
//! Damage is mostly to a page or two, and each dialog is in one. Rows are looked up by their number: a
//! search would end at the first page that cannot be read.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, Row, TransactionBehavior, params_from_iter, types::Value};

use super::{StoreError, damage, file, format, record};

/// So many of the newest, and as far is counted where the last number cannot be read. It takes about
/// a second.
const MOST: i64 = 100_000;

/// The damaged file stays as it is: SQLite might change it while it reads, and reads a copy.
pub(super) fn take_over(damaged: &Path, fresh: &mut Connection) -> Result<(), StoreError> {
    let copy = damage::copy(damaged)?;
    let taken = file::open_damaged(&copy).and_then(|damaged| take_all(&damaged, fresh));
    damage::remove(&copy);
    taken
}

/// What is there already is brought up to date; a row that does not fit is left out.
pub(super) fn take_all(from: &Connection, to: &mut Connection) -> Result<(), StoreError> {
    let transaction = to.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let is_sound = |row: &Row| record::read(row).is_some() || format::is_newer(row);
    copy(from, &transaction, "dialogs", is_sound)?;
    for table in ["events", "quiet", "tickets"] {
        copy(from, &transaction, table, |_| true)?;
    }
    Ok(transaction.commit()?)
}

fn copy(
    from: &Connection,
    to: &Connection,
    table: &str,
    is_sound: impl Fn(&Row) -> bool,
) -> Result<(), StoreError> {
    let last = from.query_row(&format!("SELECT max(rowid) FROM {table}"), [], |row| row.get(0));
    let last: i64 = last.ok().flatten().unwrap_or(MOST);
    // A damaged file may not have the table.
    let read = from.prepare(&format!("SELECT * FROM {table} WHERE rowid = ?1"));
    let Ok(mut read) = read else { return Ok(()) };
    let columns = columns(to, table)?;
    let places: Vec<String> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
    let updates: Vec<String> =
        columns[1..].iter().map(|column| format!("{column} = excluded.{column}")).collect();
    let (names, places) = (columns.join(", "), places.join(", "));
    let known = match table {
        // They are only ever added, and have other numbers in each file.
        "events" => format!("NOT EXISTS (SELECT 1 FROM events WHERE ({names}) = ({places}))"),
        _ => format!("true ON CONFLICT ({}) DO UPDATE SET {}", columns[0], updates.join(", ")),
    };
    let mut write =
        to.prepare(&format!("INSERT INTO {table} ({names}) SELECT {places} WHERE {known}"))?;
    for number in (last - MOST).max(0) + 1..=last {
        let values = read.query_row([number], |row| {
            if !is_sound(row) {
                return Ok(None);
            }
            let values = columns.iter().map(|column| row.get::<_, Value>(column.as_str()));
            values.collect::<rusqlite::Result<Vec<_>>>().map(Some)
        });
        if let Ok(Some(values)) = values {
            match write.execute(params_from_iter(values)) {
                // A number that was damaged may lead to a row twice.
                Err(error) if !is_refused(&error) => return Err(error.into()),
                _ => {}
            }
        }
    }
    Ok(())
}

/// All of a table but the numbers of events, which each file has of its own.
fn columns(db: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let mut names = db.prepare("SELECT name FROM pragma_table_info(?1) WHERE name <> 'id'")?;
    let names = names.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// Whether it is the row that does not fit, and not the file that takes nothing.
fn is_refused(error: &rusqlite::Error) -> bool {
    let refusals = [ErrorCode::ConstraintViolation, ErrorCode::TypeMismatch];
    error.sqlite_error_code().is_some_and(|code| refusals.contains(&code))
}
