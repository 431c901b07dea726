//! Codex shows its model the result as data, with a line before it on how long it took.

use serde_json::json;

use super::{Agent, CLOSED, data};
use crate::support::{Model, Run, Screen, foreign};

const CODEX: Agent = Agent {
    client: "codex",
    config: ".codex/config.toml",
    name: "Codex",
    tool: |name| format!("mcp__askdeck.{name}"),
};

fn config(model: &Model) -> String {
    format!(
        "model = \"scripted\"\n\
         model_provider = \"loopback\"\n\
         check_for_update_on_startup = false\n\
         \n\
         [features]\n\
         plugins = false\n\
         \n\
         [analytics]\n\
         enabled = false\n\
         \n\
         [model_providers.loopback]\n\
         name = \"loopback\"\n\
         base_url = \"{}/v1\"\n\
         wire_api = \"responses\"\n",
        model.url()
    )
}

#[test]
fn codex_tells_its_model_what_the_person_chose() {
    let screen = Screen::without_arming();
    let mut model = CODEX.model();
    CODEX.connect(&screen, &config(&model));
    let run = Run::program(foreign::codex(), ["exec", "--skip-git-repo-check", "Go"]);
    let told = CODEX.ask(&screen, &mut model, run);
    let [answered, dismissed] = told.map(|text| {
        let (_, output) = text.split_once("\nOutput:\n").expect("it tells the output last");
        data(output)
    });
    assert_eq!(answered["outcome"], "answered");
    assert_eq!(answered["answers"][0]["question"], "Which framework?");
    assert_eq!(answered["answers"][0]["selected"], json!(["Vue"]));
    assert_eq!(dismissed, json!({ "outcome": "dismissed", "message": CLOSED }));
}
