//! Agent Inbox: a `HumanInterrupt` of `LangGraph`, alone or in a list, and the `HumanResponse` to it.
//!
//! Detected by `action_request`. Accepting changed arguments is an `edit`, the Other box a
//! `response`. The answer is a list with one response for each interrupt, as the inbox gives it. A
//! decline is a `response` that says so, or else `ignore`, as far as they are allowed; asking a
//! question is a `response`. All other outcomes are an object, in which no graph finds a response; half
//! a decision is not reported. There is no place for notes, so its dialogs take none.

use serde_json::{Value, json};

use super::{
    Carry, Dialect,
    action::{self, Action, Decision, May, Words},
    answers,
    fields::{Field, Findings, has},
    text,
};
use crate::{
    dialog::Dialog,
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadQuestion, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "agent-inbox",
    about: "Agent Inbox's HumanInterrupt: an `action_request` to accept, edit, respond to or ignore",
    agent: Some("LangGraph"),
    carries: &[Carry::Other, Carry::Reason],
    rules: Rules::OPEN,
    schema: Some(include_str!("agent_inbox.schema.json")),
    detect: |payload| {
        let list = payload.as_array().map_or(std::slice::from_ref(payload), Vec::as_slice);
        list.iter().any(|interrupt| has(interrupt, "action_request"))
    },
    read,
    write,
    refuse: |_| None,
};

const WORDS: Words = Words { approve: "action_accept", reject: "action_ignore" };

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload { questions_at: Some(String::new()), ..Payload::default() };
    let root = Field::root(value, &findings);
    let list = if value.is_array() { root.list().unwrap_or_default() } else { vec![root] };
    let asked = list.len();
    let mut kept = Vec::new();
    for (index, interrupt) in list.into_iter().enumerate() {
        let Some((interrupt, questions)) = questions(interrupt, index) else { continue };
        payload.questions.extend(questions);
        kept.push(interrupt);
    }
    payload.question_count = payload.questions.len().max(asked);
    payload.metadata["agent-inbox"]["interrupts"] = kept.into();
    findings.put_into(payload)
}

/// An interrupt's questions, and what the answer needs to know of it.
fn questions(field: Field, index: usize) -> Option<(Value, Vec<PayloadQuestion>)> {
    let fields = field.object()?;
    let request = fields.need("action_request", "an object");
    let description = fields.text("description");
    let config = fields.need("config", "an object").and_then(Field::object);
    let mut may = May::default();
    if let Some(config) = &config {
        let allows = |name| config.flag(name).unwrap_or(false);
        may = May {
            approve: allows("allow_accept"),
            edit: allows("allow_edit"),
            reject: allows("allow_ignore"),
            respond: allows("allow_respond"),
            always: false,
        };
        config.advise_unknown();
    }
    fields.advise_unknown();
    let request = request?;
    let sent = request.value;
    let request = request.object()?;
    let (name, args) = (request.need_text("action"), request.need("args", "an object"));
    request.advise_unknown();
    let args = args?;
    args.clone().object()?;
    let kept = json!({ "request": sent, "ignore": may.reject, "respond": may.respond });
    let action = Action {
        at: fields.at.clone(),
        name: name?,
        args: args.value,
        args_at: args.at,
        schema: None,
        schema_at: String::new(),
        description,
        may,
        may_at: config?.at,
        words: WORDS,
        notes: false,
    };
    Some((kept, action.questions(index, fields.findings)))
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let interrupts = answers::kept(dialog, DIALECT.name, "interrupts").and_then(Value::as_array);
    let responses = match (interrupts, outcome) {
        (Some(interrupts), Outcome::Answered { answers }) => {
            Some(decided(dialog, interrupts, answers))
        }
        // The questions of another dialect, answered in words.
        (None, Outcome::Answered { .. }) => {
            Some(vec![response(&(text::DIALECT.write)(dialog, outcome))])
        }
        (Some(interrupts), Outcome::Declined { .. } | Outcome::Clarify { .. }) => {
            interrupts.iter().map(|interrupt| told(interrupt, outcome)).collect()
        }
        _ => None,
    };
    match responses {
        Some(responses) => Value::from(responses).to_string(),
        None => Value::Object(answers::ending("status", outcome, Value::Null)).to_string(),
    }
}

fn decided(dialog: &Dialog, interrupts: &[Value], answers: &[Answer]) -> Vec<Value> {
    let decisions = interrupts.iter().zip(action::decisions(dialog, answers));
    decisions
        .map(|(interrupt, (decision, _))| match decision {
            Decision::Approve => json!({ "type": "accept", "args": interrupt["request"] }),
            Decision::Edit(args) => {
                let edited = json!({ "action": interrupt["request"]["action"], "args": args });
                json!({ "type": "edit", "args": edited })
            }
            Decision::Reject => json!({ "type": "ignore", "args": null }),
            Decision::Respond(text) => response(text),
        })
        .collect()
}

/// The ending as a response, if the interrupt takes one.
fn told(interrupt: &Value, outcome: &Outcome) -> Option<Value> {
    if interrupt["respond"] == true {
        return Some(response(&answers::told(outcome)));
    }
    let silent = matches!(outcome, Outcome::Declined { reason: None, .. });
    (silent && interrupt["ignore"] == true).then(|| json!({ "type": "ignore", "args": null }))
}

fn response(text: &str) -> Value {
    json!({ "type": "response", "args": text })
}
