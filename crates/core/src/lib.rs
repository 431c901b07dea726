//! What agents ask, and how a person answers it.
//!
//! ```text
//! bytes → dialect::read → Payload → Dialog::check → Deck → Session ⇄ a front end → Outcome → dialect::write
//! ```
//!
//! Everything here decides and nothing here acts: no files, no network, no threads, no clock. It
//! compiles for `wasm32-unknown-unknown`, where there are none of these.
//!
//! - No joined strings inside: an [`outcome::Answer`] keeps selection, free text and note apart, and
//!   only a dialect's `write` puts them together.
//! - No answer that the person did not give: every other ending has its own [`outcome::Outcome`].

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "a test has to begin at some moment"))]

// What is asked, and how it ends.
pub mod dialect;
pub mod dialog;
pub mod diff;
pub mod outcome;
pub mod payload;
pub mod problem;
pub mod session;
pub mod sheet;
pub mod text;
pub mod tool;
pub mod words;

// All that is open, and whose it is.
pub mod claim;
pub mod deck;
pub mod history;
pub mod key;
pub mod origin;
pub mod record;

/// What must not end the program.
pub mod panics;

// What callers and front ends say to the desk.
pub mod asking;
pub mod protocol;
