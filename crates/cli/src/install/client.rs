//! The clients that can be connected: where each keeps its configuration, and what it needs there.

use std::path::PathBuf;

use askdeck_desk::paths;
use serde_json::{Value, json};

use super::{ConfigFile, InstallError, PATIENCE_SECONDS, codex_trust, format::Format, hooks};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    ClaudeCode,
    Codex,
    OpenCode,
    Gemini,
    Qwen,
    Cursor,
    VsCode,
    Copilot,
}

const MILLISECONDS: u64 = PATIENCE_SECONDS * 1_000;
/// Askdeck ends a call with a ticket an hour before the client would end it with an error.
const PATIENT: [&str; 3] = ["mcp", "--return-after", "23h"];

impl Client {
    pub const ALL: [Self; 8] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::OpenCode,
        Self::Gemini,
        Self::Qwen,
        Self::Cursor,
        Self::VsCode,
        Self::Copilot,
    ];

    /// As it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
            Self::Qwen => "qwen",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Copilot => "copilot",
        }
    }

    /// As people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::OpenCode => "OpenCode",
            Self::Gemini => "Gemini CLI",
            Self::Qwen => "Qwen Code",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::Copilot => "Copilot CLI",
        }
    }

    /// Whether it is here: it has run, or its program can be found.
    pub fn is_here(self) -> bool {
        let program = match self {
            Self::ClaudeCode => "claude",
            Self::VsCode => "code",
            other => other.name(),
        };
        self.folder().is_some_and(|folder| folder.exists()) || paths::on_path(program).is_some()
    }

    /// What connects it.
    pub fn config_files(self) -> Result<Vec<ConfigFile>, InstallError> {
        let folder = self.folder().ok_or(InstallError::NoHome(self.title()))?;
        let file = |name: &str, format| ConfigFile { path: folder.join(name), format };
        let json = |name, at, entry| vec![file(name, Format::Json { at, entry })];
        let settings = |hooks| {
            let servers = Format::Json { at: &["mcpServers", "askdeck"], entry: gemini };
            vec![file("settings.json", Format::Several(vec![servers, Format::Hooks(hooks)]))]
        };
        Ok(match self {
            Self::ClaudeCode => {
                let state = paths::claude_state().ok_or(InstallError::NoHome(self.title()))?;
                let servers = Format::Json { at: &["mcpServers", "askdeck"], entry: claude_code };
                vec![
                    ConfigFile { path: state, format: servers },
                    file("settings.json", Format::Hooks(&hooks::CLAUDE_CODE)),
                ]
            }
            Self::Codex => {
                let format = Format::Toml { at: ["mcp_servers", "askdeck"], entry: codex };
                vec![file("config.toml", format), file("hooks.json", Format::Hooks(&hooks::CODEX))]
            }
            Self::OpenCode => {
                // It reads both; where there is none yet, it makes the first.
                let names = ["opencode.jsonc", "opencode.json"];
                let name = names.into_iter().find(|name| folder.join(name).exists());
                let servers = Format::Json { at: &["mcp", "askdeck"], entry: opencode };
                vec![
                    file(name.unwrap_or(names[0]), servers),
                    file("plugin/askdeck.js", Format::Script),
                ]
            }
            Self::Gemini => settings(&hooks::GEMINI),
            Self::Qwen => settings(&hooks::QWEN),
            Self::Cursor => json("mcp.json", &["mcpServers", "askdeck"], cursor),
            Self::VsCode => json("mcp.json", &["servers", "askdeck"], vscode),
            Self::Copilot => json("mcp-config.json", &["mcpServers", "askdeck"], copilot),
        })
    }

    /// What the person must still do in the client itself, once all files are written.
    pub fn still_to_do(self) -> Result<Option<String>, InstallError> {
        let folder = self.folder().ok_or(InstallError::NoHome(self.title()))?;
        match self {
            Self::Codex => codex_trust::still_to_do(&folder),
            _ => Ok(None),
        }
    }

    /// Where its configuration is.
    fn folder(self) -> Option<PathBuf> {
        match self {
            Self::ClaudeCode => paths::of_client("CLAUDE_CONFIG_DIR", ".claude"),
            Self::Codex => paths::of_client("CODEX_HOME", ".codex"),
            Self::OpenCode => Some(paths::config_home()?.join("opencode")),
            Self::Gemini => Some(paths::of_client("GEMINI_CLI_HOME", "")?.join(".gemini")),
            Self::Qwen => paths::of_client("QWEN_HOME", ".qwen"),
            Self::Cursor => Some(paths::user_home()?.join(".cursor")),
            Self::VsCode => Some(paths::config_home()?.join("Code/User")),
            Self::Copilot => paths::of_client("COPILOT_HOME", ".copilot"),
        }
    }
}

/// It waits as long as it hears of progress. Without `alwaysLoad` its model would have to search for
/// our tools, and the first request might go out before they are there.
fn claude_code(program: &str) -> Value {
    json!({ "type": "stdio", "command": program, "args": ["mcp"], "alwaysLoad": true })
}

/// It passes on only the variables that are named. Without these a window could neither be shown
/// nor typed into.
fn codex(program: &str) -> Value {
    let desktop = [
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "XDG_RUNTIME_DIR",
        "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_DATA_DIRS",
        "DBUS_SESSION_BUS_ADDRESS",
        "GTK_IM_MODULE",
        "XMODIFIERS",
        "LC_MESSAGES",
        "ASKDECK_HOME",
        "ASKDECK_SOCKET",
    ];
    json!({
        "command": program,
        "args": PATIENT,
        "env_vars": desktop,
        "tool_timeout_sec": PATIENCE_SECONDS,
    })
}

fn opencode(program: &str) -> Value {
    let command: Vec<_> = [program].into_iter().chain(PATIENT).collect();
    json!({ "type": "local", "command": command, "timeout": MILLISECONDS })
}

/// It, and Qwen Code after it, keeps back every variable with AUTH in its name, and so the one that X11 needs. Without trust
/// it would ask before each question whether it may, and where it cannot ask it hides the tools.
fn gemini(program: &str) -> Value {
    json!({
        "command": program,
        "args": PATIENT,
        "env": { "XAUTHORITY": "${XAUTHORITY:-$HOME/.Xauthority}" },
        "timeout": MILLISECONDS,
        "trust": true,
    })
}

/// How long it waits is not to be set, so each call ends with a ticket within its minute.
fn cursor(program: &str) -> Value {
    json!({ "command": program, "args": ["mcp"] })
}

/// It waits without a limit.
fn vscode(program: &str) -> Value {
    json!({ "type": "stdio", "command": program, "args": PATIENT })
}

fn copilot(program: &str) -> Value {
    json!({
        "type": "local",
        "command": program,
        "args": PATIENT,
        "tools": ["*"],
        "timeout": MILLISECONDS,
    })
}
