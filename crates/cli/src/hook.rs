//! Hooks: what an agent's own program would ask in its terminal, asked in the window.
//!
//! A hook reads one event and may answer with one decision. Where it has none, and whenever
//! something goes wrong here, it stays silent, and the agent's program asks by itself.

mod cancellation;
mod claude_code;
mod codex;
mod event;
mod file_change;
mod gemini;
mod inquiry;
mod opencode;
mod patch;
mod permission;
mod qwen;
mod refusal;
mod regular_file;

pub use claude_code::HOOK as CLAUDE_CODE;
pub use codex::HOOK as CODEX;
pub use event::{Decide, Hook, Question, Reaction};
pub use gemini::HOOK as GEMINI;
pub use inquiry::HookError;
pub use opencode::HOOK as OPENCODE;
pub use qwen::HOOK as QWEN;

/// The hooks of all agents.
pub static ALL: [&Hook; 5] = [&CLAUDE_CODE, &CODEX, &OPENCODE, &GEMINI, &QWEN];
