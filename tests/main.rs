//! The real programs, the real window, the real formats.

/// Roles, names and states in the tree of the screen reader.
mod accessibility;
/// The tools inside the real command lines of other agents.
mod agents;
/// A short run of the fuzzer's checks.
mod any_bytes;
/// The command line of the app.
mod arguments;
/// Opening is not stealing.
mod attention;
/// What axe-core finds in the window.
mod axe;
/// Flags, exit codes, and that only the answer goes to stdout.
mod cli;
/// No input whatever breaks a dialect.
mod dialect_properties;
/// The programs in `examples/`, with the real packages.
mod examples;
/// The question before is never seen again.
mod flash;
/// Forms that a JSON Schema describes.
mod forms;
/// What must hold for any bytes that come from outside.
#[path = "../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "it is a crate of its own for the fuzzer")]
mod fuzz;
/// Looking back.
mod history;
/// Claude Code's hooks, alone and in Claude Code itself.
mod hook;
/// What an agent sends is never more than text.
mod hostile;
/// Several agents at one window.
mod inbox;
/// Connecting agents, and disconnecting them without a trace.
mod install;
/// Nothing typed is lost, whoever dies.
mod kept;
/// Real keys and a real mouse, as X11 delivers them.
mod keyboard;
/// Both themes, every size, every language.
mod look;
/// The tools of the Model Context Protocol, called by its official clients.
mod mcp;
/// Every way a dialog can end, and its exit code.
mod outcomes;
/// The .deb, the .rpm and the tarball, in systems where nothing else is.
mod packages;
/// What the person reads before they answer: long texts, commands, diffs.
mod reading;
/// What the README tells people to type.
mod readme;
/// Agents on other machines, over a real ssh.
mod remote;
/// The desk without a window.
mod serve;
/// Many programs, one app, one socket.
mod socket;
/// Keys that were meant for something else.
mod strays;
/// What the tests stand on.
mod support;
/// The same dialogs in a real pseudo-terminal.
mod terminal;
/// What must not stand anywhere.
mod tidy;
/// The icon, its menu and its count.
mod tray;
/// The window where a Wayland compositor decides.
mod wayland;
/// Every kind of question and every part of the page, by WebDriver.
mod window;
