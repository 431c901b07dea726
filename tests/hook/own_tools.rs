//! Askdeck's own tools need no permission, and those of another server by its name do.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};

use super::{decided, hook, permission};
use crate::support::{Home, Run, askdeck};

/// The permission for a tool of the server that Claude Code knows by this name, from this source.
fn request(tool: &str, name: &str, source: &str) -> Value {
    let mut request = permission(&format!("mcp__{name}__{tool}"), &json!({}));
    request["mcp_server"] = json!({ "name": name, "source": source });
    request
}

#[track_caller]
fn assert_allowed(home: &Home, request: &Value) {
    let allowed =
        json!({ "hookEventName": "PermissionRequest", "decision": { "behavior": "allow" } });
    assert_eq!(decided(&hook(request).ends(home)), allowed, "{request}");
}

/// It would be asked, if there were a display.
#[track_caller]
fn assert_asked(home: &Home, request: &Value) {
    let asked = hook(request).ends(home);
    assert_eq!(asked.stdout, "", "{request}");
    assert!(asked.stderr.contains("no display"), "{request}: {}", asked.stderr);
}

/// Makes this what Claude Code knows.
fn set_up(home: &Home, state: &Value) {
    fs::write(home.path(".claude.json"), state.to_string()).expect("the home is ours");
}

fn ours() -> Value {
    json!({ "command": askdeck(), "args": ["mcp"] })
}

#[test]
fn own_tools_need_no_permission_once_installed() {
    let home = Home::new();
    for tool in ["ask_user_question", "confirm_action", "get_answer"] {
        assert_asked(&home, &request(tool, "askdeck", "user"));
    }
    assert_eq!(Run::command(["install", "claude-code", "--yes"]).ends(&home).code, Some(0));
    for tool in ["ask_user_question", "confirm_action", "get_answer"] {
        assert_allowed(&home, &request(tool, "askdeck", "user"));
    }
    assert_asked(&home, &request("delete", "askdeck", "user"));
    assert_asked(&home, &request("get_answer", "other", "user"));
    // An older Claude Code does not say whose tool it is.
    assert_asked(&home, &permission("mcp__askdeck__get_answer", &json!({})));
}

#[test]
fn server_named_askdeck_needs_permission_unless_the_person_has_set_up_this_program() {
    let home = Home::new();
    // The project has one of this name, too, which Claude Code prefers.
    set_up(&home, &json!({ "mcpServers": { "askdeck": ours() } }));
    assert_allowed(&home, &request("get_answer", "askdeck", "user"));
    for source in ["project", "local", "dynamic", "plugin", "sdk", "something new"] {
        assert_asked(&home, &request("get_answer", "askdeck", source));
    }
    let renamed = home.path("askdeck-server");
    symlink(askdeck(), &renamed).expect("the home is ours");
    let with = |changes: Value| {
        let mut server = ours();
        for (name, value) in changes.as_object().expect("an object") {
            server[name] = value.clone();
        }
        json!({ "mcpServers": { "askdeck": server } })
    };
    for changes in [
        json!({ "command": renamed, "type": "stdio", "args": ["mcp", "--timeout", "1h"] }),
        json!({ "env": { "DISPLAY": ":0" } }),
    ] {
        set_up(&home, &with(changes));
        assert_allowed(&home, &request("get_answer", "askdeck", "user"));
    }
    for changes in [
        json!({ "command": "/bin/sh" }),
        json!({ "command": "askdeck" }),
        json!({ "command": "./askdeck" }),
        json!({ "args": ["-c", "mcp"] }),
        json!({ "args": null }),
        json!({ "type": "http", "url": "https://example.com" }),
    ] {
        set_up(&home, &with(changes));
        assert_asked(&home, &request("get_answer", "askdeck", "user"));
    }
    fs::write(home.path(".claude.json"), "{half").expect("the home is ours");
    assert_asked(&home, &request("get_answer", "askdeck", "user"));
}

#[test]
fn own_tools_of_one_project_need_no_permission_there() {
    let home = Home::new();
    let server = json!({ "mcpServers": { "askdeck": ours() } });
    set_up(&home, &json!({ "projects": { "/srv/shop": server } }));
    let from = |folder: &str| {
        let mut request = request("get_answer", "askdeck", "local");
        request["cwd"] = folder.into();
        request
    };
    assert_allowed(&home, &from("/srv/shop"));
    assert_allowed(&home, &from("/srv/shop/src"));
    assert_asked(&home, &from("/srv"));
    assert_asked(&home, &from("/srv/shop-2"));
    assert_asked(&home, &request("get_answer", "askdeck", "user"));
}

#[test]
fn own_tools_are_recognised_through_path() {
    let home = Home::new();
    set_up(
        &home,
        &json!({ "mcpServers": { "askdeck": { "command": "askdeck", "args": ["mcp"] } } }),
    );
    let request = request("get_answer", "askdeck", "user");
    let folder = home.path("bin");
    fs::create_dir(&folder).expect("the folder is new");
    let path = folder.display().to_string();
    let on_path = |program: &str| {
        let link = folder.join("askdeck");
        let _ = fs::remove_file(&link);
        symlink(program, link).expect("the folder is ours");
        hook(&request).env("PATH", path.clone()).ends(&home)
    };
    assert_eq!(decided(&on_path(askdeck()))["decision"], json!({ "behavior": "allow" }));
    let other = on_path("/bin/sh");
    assert!(other.stdout.is_empty() && other.stderr.contains("no display"), "{other:?}");
}
