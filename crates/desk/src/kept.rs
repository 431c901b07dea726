//! What is done to a dialog where it is kept, while no app runs that would do it.

use std::{path::PathBuf, time::Duration};

use askdeck_core::history::{Deleted, Selection};

use crate::{
    paths,
    socket::Place,
    store::{self, Notice, Store, StoreError},
};

/// Notes that the outcome reaches a caller, as the app would: whoever asks the same later must not be
/// given this answer. Where nothing can be written, or an app has come meanwhile, it is given all the
/// same. What the person should know of the store, if anything.
pub fn deliver(ticket: &str) -> Option<Notice> {
    let noted = without_app(|| {
        let (mut store, notice) = Store::open(paths::store().as_deref());
        store.wait_for_lock();
        let _unnoted = store.deliver(ticket, store::now());
        notice
    });
    noted.flatten()
}

/// Takes the question of a ticket back, as the app would: for the caller who has it alone. Whether it
/// was open; nothing if an app runs, which has to be asked.
pub fn withdraw(ticket: &str) -> Result<Option<bool>, StoreError> {
    change(|store| store.withdraw(ticket, store::now()))
}

/// Deletes past dialogs for good, as the app would; as a preview, only tells what that would come to.
/// Nothing if an app runs, or has come meanwhile, which has to be asked.
pub fn delete(which: &Selection, preview: bool) -> Result<Option<Deleted>, StoreError> {
    let Some(mut deletion) = change(|store| store.plan_deletion(which))? else { return Ok(None) };
    let mut is_left = !preview;
    while is_left {
        // An app that is started meanwhile waits for one step, and not for all.
        match change(|store| deletion.step(store))? {
            Some(more) => is_left = more,
            None => return Ok(None),
        }
    }
    Ok(Some(deletion.outlook))
}

/// Deletes a few of the past dialogs that are older than the person wants to keep them: so many each
/// time that nobody notices.
pub fn delete_some_older_than(time: Duration) {
    let _next_time = change(|store| store.plan_deletion(&store::older_than(time))?.step(store));
}

/// What was set aside because it was damaged. It is not looked into, so it may hold what was deleted.
pub fn set_aside() -> Vec<PathBuf> {
    paths::store().map(|file| Store::set_aside_before(&file)).unwrap_or_default()
}

/// Nothing if an app runs.
fn change<T>(
    act: impl FnOnce(&mut Store) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let changed = without_app(|| {
        let (mut store, notice) = Store::open(paths::store().as_deref());
        store.wait_for_lock();
        match notice {
            // A lock may be gone by then.
            Some(Notice::NotKept { why }) if why != StoreError::Busy => Err(why),
            _ => act(&mut store),
        }
    });
    changed.transpose()
}

/// Nothing if an app runs. What an app on another machine has is not kept here.
fn without_app<T>(act: impl FnOnce() -> T) -> Option<T> {
    let place = Place::of_user();
    if place.is_foreign() { None } else { place.without_app(act).ok().flatten() }
}
