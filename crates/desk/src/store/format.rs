//! The format of the JSON in a row: of a dialog, a draft, an outcome or a claim.
//!
//! What an older version has written is read all the same. What a newer one has written is left alone:
//! it is neither shown nor changed nor deleted.

use rusqlite::Row;

/// The format that this version writes. CONTRIBUTING.md says when to raise it.
pub(super) const FORMAT: u32 = 1;

/// JSON in this format as `FORMAT` has it; nothing if the format is unknown. A row has the format that
/// was last written to it, so an upgrade must leave JSON alone that needs none.
pub(super) fn upgrade(json: String, format: u32) -> Option<String> {
    match format {
        FORMAT => Some(json),
        _ => None,
    }
}

pub(super) fn is_newer(row: &Row) -> bool {
    row.get::<_, u32>("format").is_ok_and(|format| format > FORMAT)
}
