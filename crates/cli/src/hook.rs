//! Hooks: what an agent's own program would ask in its terminal, asked in the window.
//!
//! A hook reads one event and may answer with one decision. Where it has none, and whenever
//! something goes wrong here, it stays silent, and the agent's program asks by itself.

pub mod claude_code;

mod cancellation;
mod file_change;
mod inquiry;
mod regular_file;

pub use inquiry::HookError;
