//! The Vercel AI SDK's tool approval: a `tool-approval-request` or a tool part of a message that
//! waits for one, alone or in a list such as a message's content, which also has the calls.
//!
//! Detected by that type, or by the part's `state`. The answer has the shape that belongs to the
//! request: a `tool-approval-response`, or what `addToolApprovalResponse` takes. A note is its
//! `reason`. Declining and asking a question deny, with the words as the reason. In all other endings
//! nobody approved or denied anything, so `approved` is absent; half a decision is not told.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect,
    action::{self, Action, Decision, May, Words},
    answers,
    fields::{Field, Fields, Findings, says},
    text,
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, PayloadQuestion, Rules},
    problem::Fault,
};

pub static DIALECT: Dialect = Dialect {
    name: "vercel",
    about: "the Vercel AI SDK's tool approval: `tool-approval-request`, or a part in `approval-requested`",
    agent: Some("AI SDK"),
    carries: &[Carry::Notes, Carry::Reason],
    rules: Rules::OPEN,
    schema: Some(include_str!("vercel.schema.json")),
    detect: |payload| match payload.as_array() {
        Some(list) => list.iter().any(is_one),
        None => is_one(payload),
    },
    read,
    write,
    refuse: |_| None,
    fits: |_| false,
};

const WORDS: Words = Words { approve: "action_approve", reject: "action_deny" };

fn is_one(payload: &Value) -> bool {
    says(payload, "type", &["tool-approval-request"]) || is_part(payload)
}

fn is_part(payload: &Value) -> bool {
    says(payload, "state", &["approval-requested"])
}

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload { questions_at: Some(String::new()), ..Payload::default() };
    let root = Field::root(value, &findings);
    let list = if value.is_array() { root.list().unwrap_or_default() } else { vec![root] };
    let calls: Vec<&Value> = list
        .iter()
        .map(|part| part.value)
        .filter(|part| says(part, "type", &["tool-call"]))
        .collect();
    let mut kept = Vec::new();
    let mut asked = 0;
    for (index, part) in list.into_iter().filter(|part| is_one(part.value)).enumerate() {
        asked += 1;
        let Some((id, questions)) = questions(part, index, &calls) else { continue };
        payload.questions.extend(questions);
        kept.push(id);
    }
    payload.question_count = asked;
    payload.metadata["vercel"] = json!({ "approvals": kept, "list": value.is_array() });
    findings.put_into(payload)
}

/// What is asked about one call, and under which id the answer goes back.
fn questions(
    field: Field,
    index: usize,
    calls: &[&Value],
) -> Option<(Value, Vec<PayloadQuestion>)> {
    let is_part = is_part(field.value);
    let fields = field.object()?;
    let (id, call) = if is_part { part(&fields) } else { request(&fields, calls) };
    fields.advise_unknown();
    let key = if is_part { "id" } else { "approvalId" };
    let kept = json!({ key: id? });
    let nothing = Value::Object(Map::new());
    let action = Action {
        at: fields.at.clone(),
        name: call.name?,
        args: call.input.unwrap_or(&nothing),
        args_at: String::new(),
        schema: None,
        schema_at: String::new(),
        description: call.reason,
        may: May { approve: true, reject: true, ..May::default() },
        may_at: fields.at.clone(),
        words: WORDS,
        notes: true,
    };
    Some((kept, action.questions(index, fields.findings)))
}

/// The call that waits.
struct Call<'a> {
    name: Option<String>,
    input: Option<&'a Value>,
    /// Why it has to be approved.
    reason: Option<String>,
}

fn request<'a>(fields: &Fields<'a>, calls: &[&'a Value]) -> (Option<String>, Call<'a>) {
    fields.ignore(&["type", "signature"]);
    decided_already(fields);
    let id = fields.need_text("approvalId");
    let reason = fields.text("reason");
    let call_id = fields.text("toolCallId");
    let sent = fields.get("toolCall").and_then(Field::object);
    let (name, input) = if let Some(call) = sent {
        (call.need_text("toolName"), call.get("input").map(|input| input.value))
    } else if let Some(call) = calls
        .iter()
        .find(|call| call_id.as_deref().is_some_and(|id| says(call, "toolCallId", &[id])))
    {
        (call["toolName"].as_str().map(Into::into), call.get("input"))
    } else {
        let expected = "the call, so that the user sees what would run";
        fields.findings.advise(fields.at("toolCall"), Fault::Missing { expected });
        (None, None)
    };
    (
        id,
        Call {
            name: name.or_else(|| call_id.or_else(|| fields.need_text("toolCallId"))),
            input,
            reason,
        },
    )
}

fn part<'a>(fields: &Fields<'a>) -> (Option<String>, Call<'a>) {
    fields.ignore(&[
        "state",
        "toolCallId",
        "title",
        "toolMetadata",
        "providerExecuted",
        "callProviderMetadata",
    ]);
    let approval = fields.need("approval", "an object").and_then(Field::object);
    let (mut id, mut reason) = (None, None);
    if let Some(approval) = approval {
        approval.ignore(&["signature"]);
        decided_already(&approval);
        id = approval.need_text("id");
        reason = approval.text("requestReason");
        approval.advise_unknown();
    }
    let named = fields.text("toolName");
    let name =
        fields.need_text("type").map(|of| of.strip_prefix("tool-").unwrap_or(&of).to_owned());
    let input = fields.get("input").map(|input| input.value);
    (id, Call { name: named.or(name), input, reason })
}

fn decided_already(fields: &Fields) {
    if let Some(automatic) = fields.get("isAutomatic").filter(|field| field.value == true) {
        automatic.refuse(Fault::Rule("already decided, nothing to ask".into()));
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let Some(approvals) =
        answers::kept(dialog, DIALECT.name, "approvals").and_then(Value::as_array)
    else {
        return of_another(dialog, outcome).to_string();
    };
    let responses: Vec<Value> = match outcome {
        Outcome::Answered { answers } => {
            let decisions = approvals.iter().zip(action::decisions(dialog, answers));
            decisions
                .map(|(id, (decision, note))| {
                    respond(id, matches!(decision, Decision::Approve), note.map(str::to_owned))
                })
                .collect()
        }
        Outcome::Declined { .. } | Outcome::Clarify { .. } => {
            approvals.iter().map(|id| respond(id, false, Some(answers::told(outcome)))).collect()
        }
        _ => {
            let ending = |id: &Value| {
                let mut body = id.as_object().cloned().unwrap_or_default();
                body.extend(answers::ending("status", outcome, Value::Null));
                body.into()
            };
            approvals.iter().map(ending).collect()
        }
    };
    let is_list = answers::kept(dialog, DIALECT.name, "list").is_some_and(|list| list == true);
    match &responses[..] {
        [response] if !is_list => response.to_string(),
        _ => Value::from(responses).to_string(),
    }
}

fn respond(id: &Value, approved: bool, reason: Option<String>) -> Value {
    let mut body = Map::new();
    if id.get("approvalId").is_some() {
        body.insert("type".into(), "tool-approval-response".into());
    }
    body.extend(id.as_object().cloned().unwrap_or_default());
    body.insert("approved".into(), approved.into());
    body.extend(reason.map(|reason| ("reason".into(), reason.into())));
    body.into()
}

/// The answer to another dialect's questions: what `addToolOutput` takes.
fn of_another(dialog: &Dialog, outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Answered { .. } => json!({ "output": (text::DIALECT.write)(dialog, outcome) }),
        _ => answers::ending("status", outcome, Value::Null).into(),
    }
}
