//! Codex runs a hook only once the person has trusted it. It asks for that when it starts, and keeps
//! in its `config.toml` what was trusted: the place of each hook, with a hash of what it does.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    InstallError, file,
    hooks::CODEX,
    json::{self, Step},
    toml,
};

/// What the person must do before Codex runs our hooks, if they are there.
pub(super) fn still_to_do(folder: &Path) -> Result<Option<String>, InstallError> {
    let path = folder.join("hooks.json");
    let hooks = file::read(&path)?.unwrap_or_default();
    let hooks = json::read(hooks.trim_start_matches('\u{feff}')).unwrap_or_default();
    let config = file::read(&folder.join("config.toml"))?.unwrap_or_default();
    let state = toml::read(config.trim_start_matches('\u{feff}'), ["hooks", "state"]);
    let state = state.ok().flatten().unwrap_or_default();
    // Codex names the file as it found its folder, and that may have been by a link.
    let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
    let is_trusted = |hook: &Vec<Step>| {
        let Some((place, hash)) = identity(&hooks, hook) else { return false };
        [&path, &real].into_iter().any(|path| {
            let state = &state[format!("{}:{place}", path.display())];
            state["trusted_hash"] == hash && state["enabled"] != false
        })
    };
    Ok((!CODEX.all(&hooks).iter().all(is_trusted)).then(|| {
        format!(
            "Codex does not run the hooks in {} before you trust them; start `codex`, which says \
             \"Hooks need review\", and trust those of askdeck",
            path.display()
        )
    }))
}

/// How Codex knows a hook: its place in the file, and the hash of what it does.
fn identity(hooks: &Value, hook: &[Step]) -> Option<(String, String)> {
    let [_, Step::Key(event), Step::Item(group), _, Step::Item(index)] = hook else { return None };
    let event = snake_case(event);
    let found = json::find(hooks, hook)?;
    let mut handler = json!({
        "type": "command",
        "command": found["command"],
        "timeout": found["timeout"].as_u64().unwrap_or(600).max(1),
        "async": found["async"] == true,
    });
    if let Some(message) = found.get("statusMessage") {
        handler["statusMessage"] = message.clone();
    }
    let mut all = json!({ "event_name": event, "hooks": [handler] });
    if let Some(matcher) = json::find(hooks, &hook[..3]).and_then(|group| group.get("matcher")) {
        all["matcher"] = matcher.clone();
    }
    let hash = format!("sha256:{:x}", Sha256::digest(sorted(&all).to_string()));
    Some((format!("{event}:{group}:{index}"), hash))
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Codex 0.169.0 has them; the real one is asked in `tests/agents/codex.rs`.
    #[test]
    fn hashes_are_those_of_codex() {
        let command = "/usr/bin/askdeck hook codex";
        let hook = json!({ "type": "command", "command": command, "timeout": 86400 });
        let hooks = json!({ "hooks": {
            "PreToolUse": [{ "matcher": "request_user_input", "hooks": [hook] }],
            "PermissionRequest": [{ "hooks": [hook] }],
        }});
        let path = |event: &str| {
            let key = |name: &str| Step::Key(name.into());
            vec![key("hooks"), key(event), Step::Item(0), key("hooks"), Step::Item(0)]
        };
        let known = |place: &str, hash: &str| Some((place.to_owned(), format!("sha256:{hash}")));
        assert_eq!(
            identity(&hooks, &path("PreToolUse")),
            known(
                "pre_tool_use:0:0",
                "d4095b0ac26d58144be8c78d8ec26774414bce1d7458a660283d87415900d4f7"
            )
        );
        assert_eq!(
            identity(&hooks, &path("PermissionRequest")),
            known(
                "permission_request:0:0",
                "5fedf6ac146bf07057f0997881eb638eaa69e505b67ca4630e30f93bdab3cff7"
            )
        );
    }
}
