//! The command: every way in for an agent, and the front end for a terminal.

pub mod command;
pub mod hook;
pub mod install;
pub mod mcp;
pub mod terminal;
