//! The formats in which agents ask: one file each, `read` and `write` side by side.
//!
//! A dialect's own words stop at its file: past it there are only `Payload`, `Dialog` and
//! `Outcome`. CONTRIBUTING.md has the steps to add one.

use serde_json::Value;
use thiserror::Error;

use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{MAX_BYTES, Payload, Rules},
    problem::{Problem, no_json},
};

pub mod a2a;
pub mod acp;
pub mod adk;
pub mod ag_ui;
pub mod agent_framework;
pub mod agent_inbox;
pub mod agno;
pub mod askdeck;
pub mod augment;
pub mod claude;
pub mod cline;
pub mod codex;
pub mod continue_cli;
pub mod copilot;
pub mod crewai;
pub mod cursor;
pub mod deepagents;
pub mod droid;
pub mod gemini;
pub mod gencode;
pub mod grok;
pub mod hermes;
pub mod kimi;
pub mod langchain;
pub mod mastra;
pub mod mcp;
pub mod mistral;
pub mod nova;
pub mod openai_agents;
pub mod opencode;
pub mod pi;
pub mod pydantic_ai;
pub mod roo;
pub mod sema;
pub mod strands;
pub mod text;
pub mod vercel;
pub mod vscode;
pub mod zed;

// What they share: `fields` reads any JSON, `call` what a question comes wrapped in, `questions`
// Claude's list, `single` one question, `form` a JSON Schema and `side_fields` the text beside its
// choices, `elicitation` what MCP and ACP make of both, `action` a tool call that has to be approved
// and `approvals` the list of those for which a run waits; `answers` is for writing.
mod action;
mod answers;
mod approvals;
mod call;
mod elicitation;
mod fields;
mod form;
mod questions;
mod side_fields;
mod single;

/// All dialects, in the order in which detection tries them.
pub static ALL: [&Dialect; 39] = [
    &langchain::DIALECT,
    &agent_inbox::DIALECT,
    &vercel::DIALECT,
    &ag_ui::DIALECT,
    &acp::DIALECT,
    &agno::DIALECT,
    &deepagents::DIALECT,
    &nova::DIALECT,
    &sema::DIALECT,
    &gencode::DIALECT,
    &mcp::DIALECT,
    &codex::DIALECT,
    &opencode::DIALECT,
    &gemini::DIALECT,
    &vscode::DIALECT,
    &cursor::DIALECT,
    &copilot::DIALECT,
    &grok::DIALECT,
    &mistral::DIALECT,
    &kimi::DIALECT,
    &zed::DIALECT,
    &roo::DIALECT,
    &cline::DIALECT,
    &a2a::DIALECT,
    &adk::DIALECT,
    &agent_framework::DIALECT,
    &augment::DIALECT,
    &continue_cli::DIALECT,
    &crewai::DIALECT,
    &droid::DIALECT,
    &hermes::DIALECT,
    &mastra::DIALECT,
    &openai_agents::DIALECT,
    &pi::DIALECT,
    &pydantic_ai::DIALECT,
    &strands::DIALECT,
    &askdeck::DIALECT,
    &claude::DIALECT,
    &text::DIALECT,
];

#[derive(Debug)]
pub struct Dialect {
    pub name: &'static str,
    /// One line for `askdeck dialects`.
    pub about: &'static str,
    /// The name under which the agent is shown when nothing else tells it.
    pub agent: Option<&'static str>,
    /// What this dialect has room for.
    pub carries: &'static [Carry],
    pub rules: Rules,
    /// The JSON Schema of what it reads; `None` for a dialect that is only written.
    pub schema: Option<&'static str>,
    /// Whether a payload has this dialect's shape, however faulty.
    pub detect: fn(&Value) -> bool,
    pub read: fn(&Value) -> Payload,
    pub write: fn(&Dialog, &Outcome) -> String,
    /// The dialect's own shape for a payload that was refused, where it has one.
    pub refuse: fn(&[Problem]) -> Option<String>,
}

/// Something that not every format has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carry {
    /// Free text in place of an option.
    Other,
    /// A note beside the answer.
    Notes,
    /// Several options of one question.
    Multi,
    /// A preview beside an option.
    Previews,
    /// Why the person declined, or what they want to know.
    Reason,
    /// What had been given when the dialog ended without an answer.
    Partial,
}

#[derive(Debug, Error)]
pub enum ReadError {
    #[error("the payload is too large: at most {MAX_BYTES} bytes are allowed")]
    TooLarge,
    #[error("the payload is empty, expected JSON")]
    Empty,
    #[error("the payload is not JSON: {}", no_json(.0))]
    NotJson(#[from] serde_json::Error),
    #[error("cannot detect the dialect; pass --dialect NAME (see `askdeck dialects`)")]
    UnknownShape,
}

/// The JSON in `bytes`, of any dialect.
pub fn parse(bytes: &[u8]) -> Result<Value, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooLarge);
    }
    // Windows tools put a byte order mark in front.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(ReadError::Empty);
    }
    Ok(serde_json::from_slice(bytes)?)
}

/// The dialect that the payload's shape speaks.
pub fn detect(payload: &Value) -> Result<&'static Dialect, ReadError> {
    ALL.into_iter().find(|dialect| (dialect.detect)(payload)).ok_or(ReadError::UnknownShape)
}

pub fn by_name(name: &str) -> Option<&'static Dialect> {
    ALL.into_iter().find(|dialect| dialect.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(bytes: &[u8], expected: &str) {
        assert_eq!(parse(bytes).unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_is_not_json_is_told_plainly() {
        case(b"", "the payload is empty, expected JSON");
        case(b" \n", "the payload is empty, expected JSON");
        case(b"yes", "the payload is not JSON: expected value at line 1 column 1");
        let large = vec![b' '; MAX_BYTES + 1];
        case(&large, "the payload is too large: at most 1048576 bytes are allowed");
        let deep = "[".repeat(1000);
        case(
            deep.as_bytes(),
            "the payload is not JSON: recursion limit exceeded at line 1 column 128",
        );
        assert_eq!(parse("\u{feff}[]".as_bytes()).unwrap(), Value::Array(Vec::new()));
    }

    #[test]
    fn names_are_unique() {
        for dialect in ALL {
            assert!(std::ptr::eq(by_name(dialect.name).unwrap(), dialect), "{}", dialect.name);
        }
    }
}
