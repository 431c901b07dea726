use super::*;

fn insert(text: &str, program: &str) -> Result<String, JsonError> {
    CLAUDE_CODE.insert(text, program)
}

fn remove(text: &str, before: Option<&str>) -> Result<String, JsonError> {
    CLAUDE_CODE.remove(text, before)
}

fn programs(text: &str) -> Result<Vec<String>, JsonError> {
    CLAUDE_CODE.programs(text)
}

const OTHERS: &str = r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "check" }] // mine
      }
    ],
    "Stop": []
  }
}
"#;

#[test]
fn install_writes_a_hook_for_each_event() {
    let with = insert(OTHERS, "/usr/bin/askdeck").unwrap();
    let root = json::read(&with).unwrap();
    let hook = json!({ "type": "command", "command": "/usr/bin/askdeck hook claude-code", "timeout": 86400 });
    let groups = &root["hooks"]["PreToolUse"];
    assert_eq!(groups[0]["matcher"], "Bash");
    assert_eq!(groups[1], json!({ "matcher": "AskUserQuestion|ExitPlanMode", "hooks": [hook] }));
    assert_eq!(root["hooks"]["PermissionRequest"], json!([{ "hooks": [hook] }]));
    assert_eq!(root["hooks"]["Elicitation"], json!([{ "hooks": [hook] }]));
    assert_eq!(insert(&with, "/usr/bin/askdeck").unwrap(), with);
    assert_eq!(programs(&with).unwrap(), ["/usr/bin/askdeck"]);
    assert_eq!(remove(&with, Some(OTHERS)).unwrap(), OTHERS);
}

#[test]
fn a_newer_path_leaves_the_rest_to_the_person() {
    let changed = insert("{}", "/old/askdeck")
        .unwrap()
        .replace("AskUserQuestion|ExitPlanMode", "AskUserQuestion")
        .replace("86400", "60");
    let newer = insert(&changed, "/new place/it's/askdeck").unwrap();
    let command = r"'/new place/it'\\''s/askdeck' hook claude-code";
    assert_eq!(newer, changed.replace("/old/askdeck hook claude-code", command));
    assert_eq!(programs(&newer).unwrap(), ["/new place/it's/askdeck"]);
}

#[test]
fn what_shares_a_group_stays() {
    let shared = r#"{"hooks": {"PreToolUse": [{"hooks": [{"command": "a"}, {"command": "/x/askdeck hook claude-code"}]}]}}"#;
    assert_eq!(
        remove(shared, None).unwrap(),
        r#"{"hooks": {"PreToolUse": [{"hooks": [{"command": "a"}]}]}}"#
    );
    assert_eq!(remove(&insert("{}", "/x/askdeck").unwrap(), None).unwrap(), "{}");
}

#[test]
fn others_are_not_taken_for_ours() {
    for command in ["askdeck", "/x/askdeck hook codex", "/x/mydeck hook claude-code", ""] {
        let text = json!({ "hooks": { "Elicitation": [{ "hooks": [{ "command": command }] }] } });
        assert!(programs(&text.to_string()).unwrap().is_empty(), "{command}");
    }
    for text in ["{}", "", r#"{"hooks": 1}"#, r#"{"hooks": {"Elicitation": {"a": 1}}}"#] {
        assert!(programs(text).unwrap().is_empty());
    }
}

#[test]
fn hooks_of_each_client_are_its_own() {
    let both = CODEX.insert(&insert("{}", "/x/askdeck").unwrap(), "/y/askdeck").unwrap();
    assert_eq!(programs(&both).unwrap(), ["/x/askdeck"]);
    assert_eq!(CODEX.programs(&both).unwrap(), ["/y/askdeck"]);
    let root = json::read(&both).unwrap();
    assert_eq!(root["hooks"]["PreToolUse"][1]["matcher"], "request_user_input");
    assert_eq!(CODEX.remove(&both, None).unwrap(), insert("{}", "/x/askdeck").unwrap());
}
