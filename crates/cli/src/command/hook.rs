//! `askdeck hook`: an agent's hook event in, a decision out, or nothing.

use askdeck_core::{asking::Refusal, dialect};
use askdeck_desk::{client::Receipt, paths};
use clap::{Args, ValueEnum};
use serde_json::Value;

use super::{CliError, caller, print, source, tell};
use crate::hook::{self, Hook};

#[derive(Args)]
pub(super) struct HookArgs {
    /// Agent whose hook this is
    client: Client,
}

#[derive(Clone, Copy, ValueEnum)]
enum Client {
    ClaudeCode,
    Codex,
    Opencode,
    Gemini,
    Qwen,
}

impl Client {
    fn hook(self) -> &'static Hook {
        match self {
            Self::ClaudeCode => &hook::CLAUDE_CODE,
            Self::Codex => &hook::CODEX,
            Self::Opencode => &hook::OPENCODE,
            Self::Gemini => &hook::GEMINI,
            Self::Qwen => &hook::QWEN,
        }
    }
}

/// Whatever goes wrong, the agent's own program then asks by itself, as if there were no hook.
pub(super) fn run(args: &HookArgs) -> Result<u8, CliError> {
    match decide(args.client) {
        Ok((decision, receipt)) => {
            if let Some(decision) = decision {
                print(&decision.to_string())?;
            }
            receipt.send();
        }
        Err(error) => tell(&error.to_string().replace('\n', "; ")),
    }
    Ok(0)
}

fn decide(client: Client) -> Result<(Option<Value>, Receipt), CliError> {
    let event = dialect::parse(&source::read(Some("-"))?).map_err(Refusal::Read)?;
    let words = paths::language().words();
    Ok(client.hook().answer(&event, caller::here(), words)?)
}
