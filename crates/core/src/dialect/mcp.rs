//! MCP's elicitation, in all revisions of the protocol: the request `elicitation/create` or only its
//! params, as it comes or as Codex hands it on, and since 2026-07-28 the `inputRequests` in the result
//! of a call.
//!
//! Detected by the methods, `requestedSchema`, `inputRequests`, or the mode `url`. The schema decides
//! what the person sees (see `form`), and the content must satisfy it. Free text beside a choice has
//! a field of its own (see `side_fields`). An address is opened when the person agrees to it, and not
//! before. An answer is accepted, declined or cancelled; there is no room for a reason. Codex also
//! asks this way whether a server's tool may run, see `approval`.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    elicitation::{self, Asked, Elicitation},
    fields::{Field, Fields, has, says},
    permission,
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
    problem::{self, Fault},
};

mod approval;

pub static DIALECT: Dialect = Dialect {
    name: "mcp",
    about: "MCP's elicitation: elicitation/create, its params, or the inputRequests of a call",
    agent: Some("MCP server"),
    carries: &[Carry::Other, Carry::Notes, Carry::Multi],
    rules: Rules::OPEN,
    schema: Some(include_str!("mcp.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(result(payload));
        let asks = CALL.wraps(payload)
            || has(inside, "requestedSchema")
            || has(inside, "inputRequests")
            || says(inside, "mode", &["url"]) && has(inside, "url");
        // ACP asks the same way, but always within a session or a request of its own.
        asks && !has(inside, "sessionId") && !has(inside, "requestId")
    },
    read: |sent| CALL.read(result(sent), read),
    write,
    refuse: |_| None,
    fits: |_| false,
};

const METHOD: &str = "elicitation/create";
/// MCP's own, and that by which Codex hands it to its client.
const METHODS: &[&str] = &[METHOD, "mcpServer/elicitation/request"];
// Codex says in which of its threads a server asks.
const CALL: Call = Call { dialect: "mcp", methods: METHODS, session: Some("threadId"), ..BARE };

/// What a call resulted in, if the payload is the response to one that requires input.
fn result(payload: &Value) -> &Value {
    payload.get("result").filter(|result| has(result, "inputRequests")).unwrap_or(payload)
}

fn read(fields: &Fields, payload: &mut Payload) {
    let mut of_call = None;
    let asked: Vec<Asked> = if let Some(requests) = fields.get("inputRequests") {
        fields.get("resultType");
        if let Some(state) = fields.get("requestState") {
            payload.metadata["mcp"]["requestState"] = state.value.clone();
        }
        read_requests(&requests)
    } else {
        payload.agent = fields.text("serverName");
        let call = approval::call(fields);
        if let Some(call) = call.as_ref().filter(|_| approval::is_all(fields)) {
            return approval::read(payload, fields, call);
        }
        of_call = call;
        elicitation::read(fields).into_iter().collect()
    };
    payload.metadata["mcp"]["asked"] = asked.iter().map(|asked| json!(asked.elicitation)).collect();
    payload.questions_at = (!asked.is_empty()).then(|| fields.at.clone());
    let put = if asked.len() == 1 { Asked::put_alone } else { Asked::put_among_others };
    for asked in asked {
        put(asked, payload);
    }
    if let Some(call) = of_call {
        approval::put_before(payload, &call);
    }
    payload.question_count = payload.questions.len();
}

fn read_requests(requests: &Field) -> Vec<Asked> {
    let Some(members) = requests.clone().object().and(requests.value.as_object()) else {
        return Vec::new();
    };
    let one = |(key, value): (&String, &Value)| {
        let at = format!("{}.{}", requests.at, problem::cut(key));
        let fields = Field { at, value, findings: requests.findings }.object()?;
        let method = fields.need_text("method")?;
        if method != METHOD {
            let expected = "`elicitation/create`, since only that asks a person";
            let fault = Fault::UnknownValue { found: method, expected };
            fields.findings.refuse(fields.at("method"), fault);
            return None;
        }
        let params = fields.need("params", "an object")?.object()?;
        let mut asked = elicitation::read(&params)?;
        asked.elicitation.key = Some(key.clone());
        params.advise_unknown();
        fields.advise_unknown();
        Some(asked)
    };
    members.iter().filter_map(one).collect()
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if answers::kept(dialog, DIALECT.name, "approval").is_some() {
        let response = permission::chosen(dialog, outcome).unwrap_or_else(|| match outcome {
            Outcome::Declined { .. } | Outcome::Clarify { .. } => json!({ "action": "decline" }),
            _ => json!({ "action": "cancel" }),
        });
        return CALL.answer(dialog, response);
    }
    let asked = answers::kept(dialog, DIALECT.name, "asked").cloned();
    let asked: Vec<Elicitation> =
        asked.and_then(|asked| serde_json::from_value(asked).ok()).unwrap_or_default();
    let mut given = answers::all(dialog, outcome);
    let mut responses = Map::new();
    for elicitation in asked {
        let response = elicitation.response(outcome, &mut given);
        match elicitation.key {
            Some(key) => responses.insert(key, response),
            None => return CALL.answer(dialog, response),
        };
    }
    if responses.is_empty() {
        // A dialog of another dialect.
        return CALL.answer(dialog, Elicitation::of(dialog).response(outcome, &mut given));
    }
    let mut body = json!({ "inputResponses": responses });
    if let Some(state) = answers::kept(dialog, DIALECT.name, "requestState") {
        body["requestState"] = state.clone();
    }
    body.to_string()
}
