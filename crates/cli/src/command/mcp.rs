//! `askdeck mcp`: the tools of the Model Context Protocol, over stdio.

use std::time::Duration;

use clap::Args;

use super::{CliError, ask, caller};
use crate::mcp::{self, Settings};

#[derive(Args)]
pub(super) struct McpArgs {
    /// End each call with a ticket after this long instead of shortly before the client gives up: 90,
    /// 45s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = ask::time)]
    return_after: Option<Duration>,
    /// Time out after this long without user activity: 90, 45s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = ask::timeout)]
    timeout: Option<u64>,
}

/// Serves until the client hangs up.
pub(super) fn run(args: &McpArgs) -> Result<u8, CliError> {
    let &McpArgs { return_after, timeout: timeout_ms } = args;
    mcp::serve(Settings { caller: caller::here(), return_after, timeout_ms })?;
    Ok(0)
}
