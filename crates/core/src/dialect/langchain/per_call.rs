//! `tool_approval`: one tool call that waits alone. The answer is one decision.

use serde_json::{Value, json};

use super::{DIALECT, WORDS};
use crate::{
    dialect::{
        action::{Action, May},
        fields::{Field, says},
    },
    payload::Payload,
};

pub(super) fn is_one(value: &Value) -> bool {
    says(value, "type", &["tool_approval"])
}

pub(super) fn read(value: Field, schema: Option<&Value>, payload: &mut Payload) {
    let Some(fields) = value.object() else { return };
    fields.ignore(&["type", "tool_call_id"]);
    payload.questions_at = Some(fields.at.clone());
    payload.question_count = 1;
    let name = fields.need_text("name");
    let args = fields.need("args", "an object");
    let description = fields.text("description");
    fields.advise_unknown();
    let (Some(name), Some(args)) = (name, args) else { return };
    if args.clone().object().is_none() {
        return;
    }
    let (may, edited) = schema.map_or((USUAL, None), allowed);
    payload.metadata[DIALECT.name] = json!({
        "per_call": true,
        "actions": [{ "name": name, "reject": may.reject, "respond": may.respond }],
    });
    let action = Action {
        at: fields.at.clone(),
        name,
        args: args.value,
        args_at: args.at,
        schema: edited.as_ref(),
        schema_at: fields.at.clone(),
        description,
        may,
        may_at: fields.at.clone(),
        words: WORDS,
        notes: may.reject,
    };
    payload.questions = action.questions(0, fields.findings);
}

/// What may be decided where nothing tells.
const USUAL: May = May { approve: true, edit: false, reject: true, respond: false, always: false };

/// The decisions that the schema of the answer knows, and the schema of edited arguments.
fn allowed(schema: &Value) -> (May, Option<Value>) {
    let mut may = May::default();
    let mut edited = None;
    let branches = ["oneOf", "anyOf"].into_iter().find_map(|name| schema.get(name)?.as_array());
    for branch in branches.map_or(std::slice::from_ref(schema), Vec::as_slice) {
        let branch = resolved(schema, branch);
        let of = &branch["properties"]["type"];
        match of["const"].as_str().or_else(|| of["enum"][0].as_str()) {
            Some("approve") => may.approve = true,
            Some("reject") => may.reject = true,
            Some("respond") => may.respond = true,
            Some("edit") => {
                may.edit = true;
                let action = resolved(schema, &branch["properties"]["edited_action"]);
                edited = action["properties"].get("args").cloned();
            }
            _ => {}
        }
    }
    // What its arguments refer to stands beside the decisions.
    if let (Some(edited), Some(defs)) =
        (edited.as_mut().and_then(Value::as_object_mut), schema.get("$defs"))
    {
        edited.entry("$defs").or_insert_with(|| defs.clone());
    }
    (may, edited)
}

/// The part of the schema that another one refers to.
fn resolved<'a>(schema: &'a Value, part: &'a Value) -> &'a Value {
    let place = part.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
    place.and_then(|place| schema.pointer(place)).unwrap_or(part)
}
