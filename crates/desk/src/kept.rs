//! What is done to a dialog where it is kept, while no app runs that would do it.

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
    let withdrawn = without_app(|| {
        let (mut store, notice) = Store::open(paths::store().as_deref());
        store.wait_for_lock();
        match notice {
            // A lock may be gone by then.
            Some(Notice::NotKept { why }) if why != StoreError::Busy => Err(why),
            _ => store.withdraw(ticket, store::now()),
        }
    });
    withdrawn.transpose()
}

/// Nothing if an app runs. What an app on another machine has is not kept here.
fn without_app<T>(act: impl FnOnce() -> T) -> Option<T> {
    let place = Place::of_user();
    if place.is_foreign() { None } else { place.without_app(act).ok().flatten() }
}
