//! Where something is allowed, approved or confirmed, no card has the cursor that nobody named.

use serde_json::{Value, json};

use super::{
    answered,
    person::{Person, dialog, read},
};
use crate::{
    dialect::{self, Dialect},
    dialog::{Dialog, Kind},
    session::{Action, Focus},
};

fn confirm() -> Value {
    json!([{ "question": "Go?", "type": "confirm" }])
}

#[test]
fn enter_says_what_to_do_and_chooses_nothing() {
    for optional in [false, true] {
        let mut ask = confirm();
        ask[0]["required"] = (!optional).into();
        let person = Person::at(ask).rests_at(Focus::Panel);
        let person = person.press(&["Enter", " "]).goes_on().press(&["Enter"]);
        let person = person.goes_on().hears("choose_first").rests_at(Focus::Panel);
        assert_eq!(person.view.questions[0].chosen, [0; 0]);
        person.press(&["2", "Enter"]).ends_with(answered(json!([{ "value": false }])));
    }
}

#[test]
fn the_arrows_go_to_the_first_card_and_to_the_last() {
    Person::at(confirm()).press(&["ArrowDown"]).rests_at(Focus::Card { index: 0 });
    Person::at(confirm())
        .press(&["ArrowUp"])
        .rests_at(Focus::Card { index: 1 })
        .press(&["Enter"])
        .ends_with(answered(json!([{ "value": false }])));
}

#[test]
fn a_default_that_was_named_has_the_cursor() {
    let ask = json!([{ "question": "Go?", "type": "confirm", "default": false }]);
    Person::at(ask)
        .rests_at(Focus::Card { index: 1 })
        .press(&["Enter"])
        .ends_with(answered(json!([{ "value": false }])));
}

#[test]
fn the_button_still_says_what_is_missing() {
    Person::at(confirm()).clicks(Action::GoOn).goes_on().hears("answer_needed");
}

#[test]
fn a_field_of_a_form_is_a_question_like_others() {
    let fields = json!([
        { "question": "Verbose?", "type": "boolean" },
        { "question": "Colours?", "type": "boolean" },
    ]);
    Person::at(fields).rests_at(Focus::Card { index: 0 });
    // Alone it confirms something.
    Person::at(json!([{ "question": "Delete it?", "type": "boolean" }])).rests_at(Focus::Panel);
}

/// How each dialect asks whether something may be done.
fn approvals() -> Vec<(&'static Dialect, Value)> {
    vec![
        (
            &dialect::acp::DIALECT,
            json!({ "jsonrpc": "2.0", "id": 1, "method": "session/request_permission", "params": {
                "sessionId": "s", "toolCall": { "toolCallId": "c", "title": "rm -rf build" },
                "options": [{ "optionId": "a", "name": "Allow", "kind": "allow_once" },
                    { "optionId": "r", "name": "Reject", "kind": "reject_once" }] } }),
        ),
        (
            &dialect::langchain::DIALECT,
            json!({ "action_requests": [{ "name": "rm", "args": {} }],
                "review_configs": [{ "action_name": "rm", "allowed_decisions": ["approve", "reject"] }] }),
        ),
        (
            &dialect::agent_inbox::DIALECT,
            json!({ "action_request": { "action": "rm", "args": {} },
                "config": { "allow_accept": true, "allow_edit": false, "allow_respond": true, "allow_ignore": true } }),
        ),
        (
            &dialect::vercel::DIALECT,
            json!({ "type": "tool-approval-request", "approvalId": "a",
                "toolCall": { "toolName": "rm", "toolCallId": "c", "input": {} } }),
        ),
        (
            &dialect::ag_ui::DIALECT,
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": { "type": "interrupt",
                "interrupts": [{ "id": "i", "reason": "tool_call", "message": "Run rm?" }] } }),
        ),
        (
            &dialect::ag_ui::DIALECT,
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": { "type": "interrupt",
                "interrupts": [{ "id": "i", "reason": "tool_call", "message": "Run rm?",
                    "responseSchema": { "type": "object", "properties": {
                        "approved": { "type": "boolean" }, "always": { "type": "boolean" } },
                        "required": ["approved", "always"] } }] } }),
        ),
        (
            &dialect::deepagents::DIALECT,
            json!({ "type": "confirm_action", "action": "rm -rf build" }),
        ),
        (
            &dialect::gemini::DIALECT,
            json!({ "questions": [{ "question": "Delete it?", "header": "Delete", "type": "yesno" }] }),
        ),
        (
            &dialect::mcp::DIALECT,
            json!({ "mode": "url", "message": "Sign in?", "url": "https://a.example/", "elicitationId": "e" }),
        ),
        (
            &dialect::mcp::DIALECT,
            json!({ "message": "Delete it?", "requestedSchema": { "type": "object", "properties": {} } }),
        ),
    ]
}

/// How those ask whose runs wait for it.
fn approvals_of_runs() -> Vec<(&'static Dialect, Value)> {
    vec![
        (
            &dialect::openai_agents::DIALECT,
            json!([{ "type": "tool_approval_item",
                "raw_item": { "type": "function_call", "call_id": "c", "name": "rm", "arguments": "{}" } }]),
        ),
        (
            &dialect::pydantic_ai::DIALECT,
            json!({ "approvals": [{ "tool_name": "rm", "args": {}, "tool_call_id": "c", "part_kind": "tool-call" }] }),
        ),
        (
            &dialect::adk::DIALECT,
            json!({ "name": "adk_request_confirmation", "id": "c",
                "args": { "originalFunctionCall": { "name": "rm", "args": {} } } }),
        ),
        (
            &dialect::adk::DIALECT,
            json!({ "name": "adk_request_input", "id": "c", "args": { "message": "Delete it?",
                "response_schema": { "type": "object", "properties": {
                    "approved": { "type": "boolean" }, "why": { "type": "string" } }, "required": ["approved"] } } }),
        ),
        (
            &dialect::mastra::DIALECT,
            json!({ "type": "tool-call-approval", "payload": { "toolCallId": "c", "toolName": "rm", "args": {} } }),
        ),
        (
            &dialect::mastra::DIALECT,
            json!({ "type": "tool-call-suspended", "payload": { "toolCallId": "c", "toolName": "submit_plan",
                "suspendPayload": { "path": "plan.md" } } }),
        ),
        (
            &dialect::agent_framework::DIALECT,
            json!({ "type": "function_approval_request", "id": "c",
                "function_call": { "name": "rm", "arguments": "{}" } }),
        ),
        (
            &dialect::pi::DIALECT,
            json!({ "type": "extension_ui_request", "id": "c", "method": "select", "title": "Run rm?",
                "options": ["Allow", "Block"] }),
        ),
        (
            &dialect::pi::DIALECT,
            json!({ "type": "extension_ui_request", "id": "c", "method": "confirm", "title": "Run rm?" }),
        ),
        (
            &dialect::droid::DIALECT,
            json!({ "toolUses": [{ "toolUse": { "name": "rm", "input": {} } }],
                "options": [{ "label": "Yes", "value": "proceed_once" }, { "label": "No", "value": "cancel" }] }),
        ),
        (
            &dialect::a2a::DIALECT,
            json!({ "id": "t", "status": { "state": "input-required", "message": { "parts": [{ "data": {
                "type": "object", "properties": { "approved": { "type": "boolean" }, "why": { "type": "string" } },
                "required": ["approved"] } }] } } }),
        ),
        (
            &dialect::strands::DIALECT,
            json!({ "interrupts": [{ "id": "i", "name": "steering_input_rm", "reason": { "message": "Run rm?" } }] }),
        ),
        (
            &dialect::crewai::DIALECT,
            json!({ "flow_class": "Flow", "method_name": "review", "message": "Publish?",
                "emit": ["approved", "rejected"] }),
        ),
    ]
}

#[test]
fn every_dialect_that_asks_for_an_approval_starts_on_no_card() {
    for (dialect, payload) in approvals().into_iter().chain(approvals_of_runs()) {
        let dialog = read(dialect, &payload);
        assert!(dialog.questions[0].asks_consent(), "{}", dialect.name);
        Person::at_dialog(dialog).rests_at(Focus::Panel).press(&["Enter"]).goes_on();
    }
}

#[test]
fn stored_rows_of_older_versions_are_read() {
    let mut kept = serde_json::to_value(dialog(confirm())).unwrap();
    assert_eq!(kept["questions"][0].get("consent"), None);
    kept["questions"][0]["kind"] = json!({ "type": "boolean", "default": null });
    let dialog: Dialog = serde_json::from_value(kept).unwrap();
    assert!(matches!(dialog.questions[0].kind, Kind::Boolean { .. }));
    assert!(!dialog.questions[0].asks_consent());
}
