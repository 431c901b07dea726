//! Pydantic AI's deferred tools: the `DeferredToolRequests` with which a run ended, or the event
//! that announces them. Its `approvals` wait for a decision, its `calls` for a result.
//!
//! Detected by calls with the `part_kind` `tool-call` in either list, or by the event. The answer is
//! a `DeferredToolResults` for the next run. A note to an approval is in its `metadata`, where the
//! tool finds it; a note to a denial is its `message`.

use serde_json::{Value, json};

use super::{
    Carry, Dialect,
    action::{Decision, May, Words},
    approvals::{self, Verdict, Waiting, YES_OR_NO},
    call::BARE,
    fields::{Field, Fields, says},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "pydantic-ai",
    about: "Pydantic AI's DeferredToolRequests: `approvals` to decide, and `calls` that need a result",
    agent: Some("Pydantic AI"),
    carries: &[Carry::Notes, Carry::Reason],
    rules: Rules::OPEN,
    schema: Some(include_str!("pydantic_ai.schema.json")),
    detect: |payload| {
        let requests = inside(payload);
        [APPROVALS, CALLS]
            .into_iter()
            .filter_map(|list| requests.get(list)?.as_array())
            .any(|list| list.iter().any(|call| says(call, "part_kind", &["tool-call"])))
    },
    read,
    write,
    refuse: |_| None,
};

const APPROVALS: &str = "approvals";
const CALLS: &str = "calls";

const WORDS: Words = Words { approve: "action_approve", reject: "action_deny" };

fn inside(payload: &Value) -> &Value {
    let is_event = says(payload, "event_kind", &["deferred_tool_requests"]);
    payload.get("requests").filter(|_| is_event).unwrap_or(payload)
}

fn read(value: &Value) -> Payload {
    let is_event = !std::ptr::eq(inside(value), value);
    BARE.read(value, |fields, payload| {
        if !is_event {
            return ask(payload, fields);
        }
        fields.ignore(&["event_kind"]);
        if let Some(requests) = fields.need("requests", "an object").and_then(Field::object) {
            ask(payload, &requests);
            requests.advise_unknown();
        }
    })
}

fn ask(payload: &mut Payload, fields: &Fields) {
    let list = |name| fields.get(name).and_then(Field::list).unwrap_or_default();
    let metadata = fields.get("metadata").map(|metadata| metadata.value);
    let approvals = list(APPROVALS).into_iter().map(|item| call(item, APPROVALS, metadata));
    let calls = list(CALLS).into_iter().map(|item| call(item, CALLS, metadata));
    payload.questions_at = Some(fields.at(APPROVALS));
    let all: Vec<_> = approvals.chain(calls).collect();
    approvals::ask(payload, DIALECT.name, WORDS, all, fields.findings);
}

fn call<'a>(
    field: Field<'a>,
    list: &'static str,
    metadata: Option<&'a Value>,
) -> Option<Waiting<'a>> {
    let fields = field.object()?;
    fields.ignore(&["part_kind", "tool_kind", "id", "provider_name", "provider_details"]);
    let (name, id) = (fields.need_text("tool_name"), fields.need_text("tool_call_id"));
    let args = approvals::arguments(fields.get("args").map(|args| args.value));
    fields.advise_unknown();
    let (name, id) = (name?, id?);
    let is_approval = list == APPROVALS;
    let may = if is_approval {
        May { edit: args.is_object(), ..YES_OR_NO }
    } else {
        May { respond: true, ..May::default() }
    };
    Some(Waiting {
        name,
        args,
        args_at: fields.at("args"),
        description: metadata.and_then(|all| all.get(&id)).map(Value::to_string),
        may,
        notes: is_approval,
        id,
        kept: list.into(),
        at: fields.at,
    })
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let Some(verdicts) = approvals::verdicts(DIALECT.name, dialog, outcome) else {
        return approvals::undecided(dialog, outcome).to_string();
    };
    let mut results = json!({ CALLS: {}, APPROVALS: {}, "metadata": {} });
    for verdict in verdicts {
        let Some(list) = verdict.kept.as_str() else { continue };
        let id = verdict.id;
        if let (true, Some(words)) = (verdict.approves(), &verdict.words) {
            results["metadata"][id] = json!({ "note": words });
        }
        results[list][id] = if list == CALLS { returned(&verdict) } else { decided(&verdict) };
    }
    results.to_string()
}

fn decided(verdict: &Verdict) -> Value {
    match (&verdict.decision, &verdict.words) {
        (Decision::Approve, _) => true.into(),
        (Decision::Edit(args), _) => json!({ "kind": "tool-approved", "override_args": args }),
        (_, Some(words)) => json!({ "kind": "tool-denied", "message": words }),
        (_, None) => false.into(),
    }
}

fn returned(verdict: &Verdict) -> Value {
    match (&verdict.decision, &verdict.words) {
        (Decision::Respond(text), _) => (*text).into(),
        (_, words) => json!({ "kind": "tool-failed", "message": words }),
    }
}
