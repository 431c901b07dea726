//! Askdeck: the window that AI agents ask their human through.
//!
//! The way of a question, one direction, no detours:
//!
//! ```text
//! bytes → dialect::read → Payload → Dialog::check → client ═socket═ server → deck → store
//!       → Session ⇄ window or terminal → Outcome → store ═socket═ client → dialect::write
//!       → stdout, MCP, hook
//! ```
//!
//! Dialects run at the edge: in the command, and where the app takes a call. The deck knows only
//! [`dialog::Dialog`] and [`outcome::Outcome`].
//!
//! What is deliberately absent:
//! - no tauri outside `desktop/`, so the command never loads the web view;
//! - no I/O and no clock in `payload`, `dialog`, `session`, `deck`, `outcome` and `dialect`;
//! - no joined strings inside: an [`outcome::Answer`] keeps selection, free text and note
//!   apart, and only a dialect's `write` puts them together;
//! - no answer that the person did not give: every other ending has its own [`outcome::Outcome`].

pub mod asking;
pub mod cli;
pub mod client;
pub mod config;
pub mod deck;
#[cfg(feature = "desktop")]
pub mod desktop;
pub mod dialect;
pub mod dialog;
pub mod diff;
pub mod folder;
pub mod hook;
pub mod install;
pub mod mcp;
pub mod outcome;
pub mod paths;
pub mod payload;
pub mod problem;
pub mod protocol;
#[cfg(feature = "desktop")]
pub mod server;
pub mod session;
pub mod socket;
pub mod store;
pub mod terminal;
pub mod text;
pub mod watch;
pub mod words;
