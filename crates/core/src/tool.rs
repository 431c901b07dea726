//! What a tool is about to do, so that a person can judge whether it may: for the hooks, and for the
//! dialects in which an agent asks for permission.

mod act;
mod input;
mod permission;
mod plan;

pub use act::{path, question};
pub use input::{FileChange, block, rows, to_markdown, without};
pub use permission::{Suggestion, Verdict, decided, rule_label, suggestions};
pub use plan::PlanDecision;
