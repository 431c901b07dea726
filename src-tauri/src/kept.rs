//! What is done to a dialog where it is kept, while no app runs that would do it.

use crate::{
    outcome::Outcome,
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

/// Takes the question back. Whether it is not open any more, if it ever was: an app that has come
/// meanwhile keeps it.
pub fn withdraw(ticket: &str) -> bool {
    matches!(without_app(|| try_withdraw(ticket)), Some(Ok(true)))
}

/// Others who asked the same still wait for it.
fn try_withdraw(ticket: &str) -> Result<bool, StoreError> {
    let (mut store, _) = Store::open(paths::store().as_deref());
    store.wait_for_lock();
    let Some(record) = store.find(ticket)?.filter(|record| record.outcome.is_none()) else {
        return Ok(true);
    };
    if store.file().is_none() || store.is_shared(ticket)? {
        return Ok(false);
    }
    store.end(&record.dialog, &Outcome::Withdrawn, None, store::now()).map(|()| true)
}

/// Nothing if an app runs. What an app on another machine has is not kept here.
fn without_app<T>(act: impl FnOnce() -> T) -> Option<T> {
    let place = Place::of_user();
    if place.is_foreign() { None } else { place.without_app(act).ok().flatten() }
}
