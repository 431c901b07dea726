//! A2A: a task that waits for input, as versions 1 and 0.3 of the protocol have it: the task, an
//! update of its status, or the response with one of them.
//!
//! Detected by the state `TASK_STATE_INPUT_REQUIRED` or `input-required`. The question is the text
//! of the status; a JSON Schema among its data makes a form of it (see `form`). The answer is the
//! user's message to the task. The format has no word for other endings, so they are an `error`.
//! A task that waits for a sign-in (`auth-required`) is refused: that is nothing to consent to.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    call::BARE,
    fields::{Field, Fields, has, says},
    form,
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
    problem::Fault,
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "a2a",
    about: "A2A's tasks in the state `input-required`: the task, its status update, or the response",
    agent: Some("A2A"),
    carries: &[Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("a2a.schema.json")),
    detect: |payload| {
        let mut inside = payload;
        while let Some(next) = WRAPPERS.iter().find_map(|name| inside.get(name)) {
            inside = next;
        }
        let status = inside.get("status");
        status.is_some_and(|status| says(status, "state", &INPUT) || says(status, "state", &AUTH))
    },
    read: |sent| BARE.read(sent, open),
    write,
    refuse: |_| None,
    fits: |_| false,
};

const INPUT: [&str; 2] = ["TASK_STATE_INPUT_REQUIRED", "input-required"];
const AUTH: [&str; 2] = ["TASK_STATE_AUTH_REQUIRED", "auth-required"];

/// What a task or the update of its status comes in.
const WRAPPERS: [&str; 3] = ["result", "task", "statusUpdate"];

fn open(fields: &Fields, payload: &mut Payload) {
    let inside = WRAPPERS.into_iter().find_map(|name| fields.get(name));
    let Some(inside) = inside else { return read(fields, payload) };
    fields.ignore(&["jsonrpc", "id"]);
    if let Some(inside) = inside.object() {
        open(&inside, payload);
        inside.advise_unknown();
    }
}

fn read(fields: &Fields, payload: &mut Payload) {
    fields.ignore(&["kind", "final", "artifacts", "history", "metadata"]);
    let context = fields.text("contextId");
    let task = fields.any(&["taskId", "id"]).and_then(Field::text);
    let status = fields.need("status", "an object").and_then(Field::object);
    let Some(status) = status else { return };
    status.ignore(&["timestamp"]);
    let Some(state) = status.need_text("state") else { return };
    if AUTH.contains(&state.as_str()) {
        let fault = "the agent waits for a sign-in, which nobody can answer or approve here";
        return status.findings.refuse(status.at("state"), Fault::Rule(fault.into()));
    }
    if !INPUT.contains(&state.as_str()) {
        let fault = Fault::UnknownValue { found: state, expected: "a task that waits for input" };
        return status.findings.refuse(status.at("state"), fault);
    }
    let message = status.get("message").and_then(Field::object);
    let asked = message.as_ref().and_then(|message| message.text("messageId"));
    payload.session.clone_from(&context);
    payload.metadata["a2a"] = json!({
        "task": task,
        "context": context,
        "asked": asked,
        "old": state == INPUT[1],
    });
    read_parts(payload, message.as_ref().unwrap_or(&status));
}

fn read_parts(payload: &mut Payload, message: &Fields) {
    message.ignore(&["kind", "role", "taskId", "contextId", "metadata", "extensions"]);
    let parts = message.get("parts").and_then(Field::list).unwrap_or_default();
    let (mut texts, mut shown, mut schema) = (Vec::new(), Vec::new(), None);
    for part in parts.into_iter().filter_map(Field::object) {
        part.ignore(&["kind", "metadata", "mediaType", "filename"]);
        if let Some(said) = part.text("text") {
            texts.push(said);
        } else if let Some(data) = part.get("data") {
            if schema.is_none() && is_schema(data.value) {
                schema = Some(data);
            } else {
                shown.push(text::fenced("json", &text::json(data.value)));
            }
        } else {
            let fault = Fault::Rule("only texts and data can be shown here".into());
            part.findings.advise(&part.at, fault);
            let what = part.text("filename").unwrap_or_else(|| "file".into());
            shown.push(part.findings.say("part_not_shown", [("what", text::name(&what))]));
        }
    }
    message.advise_unknown();
    let said = texts.join("\n\n");
    let said =
        if text::is_blank(&said) { message.findings.say("input_requested", []) } else { said };
    form::ask(payload, schema.as_ref(), Some(said), message.at("parts"));
    form::mark_consent(payload);
    let texts = payload.message.take().into_iter().chain(shown);
    payload.message = texts.reduce(|above, below| format!("{above}\n\n{below}"));
}

fn is_schema(data: &Value) -> bool {
    says(data, "type", &["object"]) && has(data, "properties")
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let given = form::given(dialog, outcome);
    let kept = |name| answers::kept(dialog, DIALECT.name, name).filter(|value| !value.is_null());
    if !matches!(outcome, Outcome::Answered { .. }) {
        let failure = answers::failure(&answers::told(outcome), outcome, given);
        return Value::Object(failure).to_string();
    }
    let is_old = kept("old").is_some_and(|old| *old == true);
    let (name, given) = match given {
        Value::String(text) => ("text", text.into()),
        data => ("data", data),
    };
    let mut part = json!({ name: given });
    // The same answer to the same question has the same id, however often it is sent.
    let asked = kept("asked").or_else(|| kept("task")).and_then(Value::as_str);
    let mut message = json!({
        "messageId": format!("{}-answer", asked.unwrap_or(&dialog.id)),
        "role": if is_old { "user" } else { "ROLE_USER" },
    });
    if is_old {
        part["kind"] = name.into();
        message["kind"] = "message".into();
    }
    for (name, id) in [("taskId", kept("task")), ("contextId", kept("context"))] {
        if let Some(id) = id {
            message[name] = id.clone();
        }
    }
    message["parts"] = json!([part]);
    message.to_string()
}
