//! The Agent Client Protocol: `elicitation/create`, a form or an address to open, and
//! `session/request_permission`; the JSON-RPC request, or only its `params`.
//!
//! Detected by these methods, the first only with the `sessionId` or `requestId` that MCP's has not;
//! or by such `params`. Otherwise it asks as MCP does (see `elicitation`). `decline` and `cancel` say
//! little, so `_meta` tells how the dialog ended. Permissions are read as of versions 1 and 2; Qwen
//! Code asks its questions by one (see `user_question`).

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    elicitation::{self, Elicitation},
    fields::{Fields, has},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
};

mod permission;
mod user_question;

pub static DIALECT: Dialect = Dialect {
    name: "acp",
    about: "the Agent Client Protocol's elicitation/create and session/request_permission",
    agent: Some("ACP agent"),
    carries: &[
        Carry::Other,
        Carry::Notes,
        Carry::Multi,
        Carry::Previews,
        Carry::Reason,
        Carry::Partial,
    ],
    rules: Rules::OPEN,
    schema: Some(include_str!("acp.schema.json")),
    detect: |payload| {
        permission::is_one(payload) || is_elicitation(payload.get("params").unwrap_or(payload))
    },
    read: |sent| CALL.read(sent, |fields, payload| read(fields, payload, sent)),
    write,
    refuse: |_| None,
    fits: |_| false,
};

const METHODS: &[&str] = &["elicitation/create", permission::METHOD];
const CALL: Call = Call { dialect: "acp", methods: METHODS, session: Some("sessionId"), ..BARE };

fn is_elicitation(params: &Value) -> bool {
    let scoped = has(params, "sessionId") || has(params, "requestId");
    scoped && has(params, "mode") && (has(params, "requestedSchema") || has(params, "url"))
}

fn read(fields: &Fields, payload: &mut Payload, sent: &Value) {
    fields.ignore(&["_meta"]);
    if user_question::is_one(CALL.inside(sent)) {
        return user_question::read(payload, fields);
    }
    if permission::is_one(sent) {
        return permission::read(payload, fields);
    }
    fields.ignore(&["requestId", "toolCallId"]);
    // What it may be is looked at there.
    fields.need("mode", "`form` or `url`");
    let Some(asked) = elicitation::read(fields) else { return };
    payload.metadata["acp"]["asks"] = json!(asked.elicitation);
    payload.questions_at = Some(fields.at.clone());
    asked.put_alone(payload);
    payload.question_count = payload.questions.len();
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let asks = answers::kept(dialog, DIALECT.name, "asks");
    let result = match asks.and_then(Value::as_str) {
        Some(permission::ASKS) => permission::result(dialog, outcome),
        Some(user_question::ASKS) => user_question::result(dialog, outcome),
        _ => {
            let asked = asks.and_then(|asks| serde_json::from_value(asks.clone()).ok());
            elicited(&asked.unwrap_or_else(|| Elicitation::of(dialog)), dialog, outcome)
        }
    };
    CALL.answer(dialog, result)
}

fn elicited(asked: &Elicitation, dialog: &Dialog, outcome: &Outcome) -> Value {
    let given = || answers::all(dialog, outcome);
    let mut response = asked.response(outcome, &mut given());
    if !matches!(outcome, Outcome::Answered { .. }) {
        let ending = answers::ending("outcome", outcome, asked.content(&mut given()));
        response["_meta"] = json!({ "askdeck": ending });
    }
    response
}
