//! Small writes that could not be made, to be made later.

use askdeck_core::{claim::Claim, record::Millis};

use super::{Happening, Store, StoreError};

/// A dialog itself, its draft and its end are not among them: whoever has those knows their newest
/// state, and writes that.
#[derive(Debug, Clone, PartialEq)]
pub enum Later {
    Claim { ticket: String, claim: Claim },
    Note { ticket: String, what: Happening, at: Millis },
    Quiet { until: Millis },
}

impl Later {
    fn make(&self, store: &mut Store) -> Result<(), StoreError> {
        match self {
            Self::Claim { ticket, claim } => store.add_claim(ticket, claim),
            Self::Note { ticket, what, at } => store.note(ticket, *what, *at),
            Self::Quiet { until } => store.set_quiet_until(*until),
        }
    }

    /// Makes this write, or adds it to those that wait. It never overtakes them.
    pub fn write(self, store: &mut Store, waiting: &mut Vec<Self>) -> Result<(), StoreError> {
        let written = Self::write_all(store, waiting).and_then(|()| self.make(store));
        match written {
            // What went with a damaged file needs none.
            Ok(()) | Err(StoreError::NotThere) => Ok(()),
            Err(error) => {
                waiting.push(self);
                Err(error)
            }
        }
    }

    /// Makes those that wait, in their order, as far as that is possible.
    pub fn write_all(store: &mut Store, waiting: &mut Vec<Self>) -> Result<(), StoreError> {
        while let Some(first) = waiting.first() {
            match first.make(store) {
                // What went with a damaged file needs none.
                Ok(()) | Err(StoreError::NotThere) => drop(waiting.remove(0)),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
