//! Gemini CLI shows its model the result as text, which it marks as not to be trusted.

use serde_json::json;

use super::{Agent, CLOSED};
use crate::support::{Run, Screen, foreign};

const GEMINI: Agent = Agent {
    client: "gemini",
    config: ".gemini/settings.json",
    name: "gemini-cli-mcp-client",
    tool: |name| format!("mcp_askdeck_{name}"),
};

fn config() -> String {
    let config = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
        "privacy": { "usageStatisticsEnabled": false },
        "telemetry": { "enabled": false },
    });
    config.to_string()
}

#[test]
fn gemini_tells_its_model_what_the_person_chose() {
    let screen = Screen::without_arming();
    let mut model = GEMINI.model();
    GEMINI.connect(&screen, &config());
    let run = Run::program(foreign::node(), [&foreign::gemini().display().to_string()])
        // With any model but a named one it would first ask which model to take.
        .args(["--model=scripted", "--skip-trust", "--prompt=Go"])
        .env("GEMINI_API_KEY", "none")
        .env("GOOGLE_GEMINI_BASE_URL", model.url());
    let told = GEMINI.ask(&screen, &mut model, run);
    let [answered, dismissed] = told.map(|text| {
        let text = text.strip_prefix("<untrusted_context>\n");
        let text = text.and_then(|text| text.strip_suffix("\n</untrusted_context>"));
        text.expect("it marks what others say").to_owned()
    });
    let expected = "The user answered.\n\n1. Framework: Which framework?\n   Selected: Vue";
    assert_eq!(answered, expected);
    assert_eq!(dismissed, CLOSED);
}
