//! Taking a question back when no app has done it: it was quit, or does not answer.

use super::tell;
use crate::{
    outcome::Outcome,
    paths,
    socket::Place,
    store::{self, Store, StoreError},
};

/// Takes the question back where it is kept, or says that it is still open.
pub(super) fn without_app(ticket: &str) {
    let place = Place::of_user();
    let closed = if place.is_foreign() {
        None
    } else {
        // An app that has come meanwhile keeps it.
        place.without_app(|| withdraw(ticket)).ok().flatten()
    };
    if !matches!(closed, Some(Ok(true))) {
        tell(&format!(
            "the question may still be open; `askdeck withdraw {ticket}` takes it back once Askdeck runs"
        ));
    }
}

/// Whether it is not open any more, if it ever was. Others who asked the same still wait for it.
fn withdraw(ticket: &str) -> Result<bool, StoreError> {
    let (mut store, _) = Store::open(paths::store().as_deref());
    let Some(record) = store.find(ticket)?.filter(|record| record.outcome.is_none()) else {
        return Ok(true);
    };
    if store.file().is_none() || store.is_shared(ticket)? {
        return Ok(false);
    }
    store.end(&record.dialog, &Outcome::Withdrawn, None, store::now()).map(|()| true)
}
