//! The desk without a window: what is kept, the socket that callers and front ends speak to, and both of
//! its ends.

// What is open, and what is kept of it.
pub mod desk;
pub mod store;

// The socket.
pub mod client;
pub mod limits;
pub mod reception;
pub mod server;
pub mod socket;
pub mod ticket;

// The machine around it.
pub mod config;
pub mod files;
pub mod folder;
pub mod origin;
pub mod panics;
pub mod paths;
pub mod watch;
