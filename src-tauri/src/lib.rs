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

// What is asked, and how it ends.
pub mod dialect;
pub mod dialog;
pub mod diff;
pub mod outcome;
pub mod payload;
pub mod problem;
pub mod session;
pub mod text;
pub mod words;

// All that is open, and what is kept of it.
pub mod claim;
pub mod deck;
pub mod kept;
pub mod key;
pub mod store;

// The wire.
pub mod asking;
pub mod client;
pub mod protocol;
#[cfg(feature = "desktop")]
pub mod server;
pub mod socket;

// Where the person sees it.
#[cfg(feature = "desktop")]
pub mod desktop;
pub mod terminal;

// The ways in.
pub mod cli;
pub mod hook;
pub mod install;
pub mod mcp;

// The machine around it.
pub mod config;
pub mod files;
pub mod folder;
pub mod paths;
pub mod watch;
