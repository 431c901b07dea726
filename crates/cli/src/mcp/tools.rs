//! The tools as a client sees them: names, descriptions, schemas.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool};

pub(super) const ASK: &str = "ask_user_question";
pub(super) const CONFIRM: &str = "confirm_action";
pub(super) const GET_ANSWER: &str = "get_answer";

/// Every tool by its name.
pub const NAMES: [&str; 3] = [ASK, CONFIRM, GET_ANSWER];

/// What a model should know before it sees any tool.
pub(super) const INSTRUCTIONS: &str = "Askdeck puts questions to the user in a window on their \
    desktop. Use its tools whenever you would otherwise guess at what the user wants. Only the \
    outcome `answered` is an answer; a question that is `pending` is redeemed with get_answer and \
    never asked again.";

/// All tools. What they return has the same shape for all of them.
///
/// Claude Code hides the tools of servers from its model until it searches for them, and a model does
/// not search for a way to ask: `alwaysLoad` shows them at once. `requiresUserInteraction` would make
/// it ask for permission before every question, in every mode and whatever the person has allowed.
pub(super) fn all() -> Vec<Tool> {
    let mut tools: Vec<Tool> =
        serde_json::from_str(include_str!("tools.json")).expect("a test reads the same file");
    let result: JsonObject = serde_json::from_str(include_str!("result.schema.json"))
        .expect("a test reads the same file");
    let result = Arc::new(result);
    for tool in &mut tools {
        tool.output_schema = Some(Arc::clone(&result));
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_described_and_its_schemas_are_schemas() {
        let tools = all();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, NAMES);
        for tool in tools {
            assert!(tool.description.is_some_and(|text| text.len() > 100), "{}", tool.name);
            for schema in [Some(tool.input_schema), tool.output_schema] {
                let schema = serde_json::Value::Object((*schema.unwrap()).clone());
                assert!(jsonschema::validator_for(&schema).is_ok(), "{}", tool.name);
            }
        }
    }
}
