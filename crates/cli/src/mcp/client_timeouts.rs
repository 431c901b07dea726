//! How long a client waits for a tool, as far as that is known.
//!
//! The client gives up on a call that takes longer, so the call must return a ticket before that.

use std::time::Duration;

/// What a client waits at least, if nothing better is known of it: the default of the official
/// TypeScript SDK, which most clients are made with.
const COMMON: Duration = Duration::from_secs(60);

/// How long before the client's limit the ticket goes out.
const MARGIN: Duration = Duration::from_secs(10);

struct Client {
    /// How its name begins; some put the server's name behind it.
    name: &'static str,
    limit: Duration,
    /// Whether a progress notification makes it wait as long again.
    progress_extends: bool,
}

/// The clients whose limits are known and are not the common one.
const CLIENTS: [Client; 4] = [
    Client { name: "claude-code", limit: Duration::from_secs(30 * 60), progress_extends: true },
    Client { name: "opencode", limit: COMMON, progress_extends: true },
    Client { name: "codex-mcp-client", limit: Duration::from_secs(300), progress_extends: false },
    Client {
        name: "gemini-cli-mcp-client",
        limit: Duration::from_secs(600),
        progress_extends: false,
    },
];

/// How long a call of this client may last; `None` for as long as it takes.
pub(super) fn call_limit(client: &str, gets_progress: bool) -> Option<Duration> {
    let known = CLIENTS.iter().find(|known| client.starts_with(known.name));
    match known {
        Some(known) if known.progress_extends && gets_progress => None,
        known => Some(known.map_or(COMMON, |known| known.limit).saturating_sub(MARGIN)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_goes_out_before_the_client_gives_up() {
        for (client, gets_progress, seconds) in [
            ("claude-code", true, None),
            ("claude-code", false, Some(1790)),
            ("opencode", true, None),
            ("opencode", false, Some(50)),
            ("codex-mcp-client", true, Some(290)),
            ("gemini-cli-mcp-client-askdeck", true, Some(590)),
            ("cursor-vscode", true, Some(50)),
            ("", false, Some(50)),
        ] {
            let expected = seconds.map(Duration::from_secs);
            assert_eq!(call_limit(client, gets_progress), expected, "{client} {gets_progress}");
        }
    }
}
