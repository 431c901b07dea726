//! `LangChain`'s human in the loop: tool calls that wait for a decision each, all in one request or, as
//! `tool_approval`, one alone; also as the graph hands them out, see `interrupts`.
//!
//! Detected by `action_requests` or that type. What may be decided about a `tool_approval` is in the
//! schema of its answer, and without one only to approve or to reject it. Approving changed arguments is an `edit`, the Other box a `respond`,
//! and a note to a rejection its `message`; a note to anything else goes along as `note`, which
//! `LangChain` does not read. Declining rejects, and asking a question responds, as far as that is allowed:
//! the tool does not run, and the model reads why. Nobody decided anything in the other endings, so
//! they have no `decisions`, and half a decision is not told: an approval counts when it is sent.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect,
    action::{self, Action, Decision, May, Words},
    answers,
    fields::{Field, has},
    interrupts::Interrupts,
    text,
};
use crate::{
    dialog::Dialog,
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadQuestion, Rules},
    problem::Fault,
};

mod per_call;

pub static DIALECT: Dialect = Dialect {
    name: "langchain",
    about: "LangChain's human in the loop: `action_requests`, or one `tool_approval`, to approve, edit, reject or respond to",
    agent: Some("LangChain"),
    carries: &[Carry::Other, Carry::Notes, Carry::Reason],
    rules: Rules::OPEN,
    schema: Some(include_str!("langchain.schema.json")),
    detect: |payload| INTERRUPTS.detect(payload),
    read: |sent| INTERRUPTS.read(sent),
    write: |dialog, outcome| INTERRUPTS.write(dialog, outcome),
    refuse: |_| None,
    fits: |_| false,
};

const INTERRUPTS: Interrupts = Interrupts {
    dialect: "langchain",
    is_one: |value| has(value, "action_requests") || per_call::is_one(value),
    read,
    write,
};

const WORDS: Words = Words { approve: "action_approve", reject: "action_reject" };

fn read(value: Field, schema: Option<&Value>, payload: &mut Payload) {
    if per_call::is_one(value.value) {
        per_call::read(value, schema, payload);
    } else if let Some(fields) = value.object() {
        let configs =
            fields.need("review_configs", "an array").and_then(Field::list).unwrap_or_default();
        let configs: Vec<_> = configs.into_iter().filter_map(config).collect();
        let requests = fields.need("action_requests", "an array");
        payload.questions_at = requests.as_ref().map(|requests| requests.at.clone());
        let requests = requests.and_then(Field::list).unwrap_or_default();
        let asked = requests.len();
        let mut kept = Vec::new();
        for (index, request) in requests.into_iter().enumerate() {
            let Some((name, questions)) = questions(request, index, &configs) else { continue };
            payload.questions.extend(questions);
            kept.push(name);
        }
        payload.question_count = payload.questions.len().max(asked);
        payload.metadata["langchain"]["actions"] = kept.into();
        fields.advise_unknown();
    }
}

/// What may be done about the actions of a name.
struct Config<'a> {
    name: String,
    may: May,
    may_at: String,
    schema: Option<&'a Value>,
    schema_at: String,
}

fn config(field: Field<'_>) -> Option<Config<'_>> {
    let fields = field.object()?;
    let name = fields.need_text("action_name");
    let mut may = May::default();
    for decision in
        fields.need("allowed_decisions", "an array").and_then(Field::list).unwrap_or_default()
    {
        let Some(name) = decision.clone().text() else { continue };
        match name.as_str() {
            "approve" => may.approve = true,
            "edit" => may.edit = true,
            "reject" => may.reject = true,
            "respond" => may.respond = true,
            _ => {
                let expected = "`approve`, `edit`, `reject` or `respond`";
                decision.refuse(Fault::UnknownValue { found: name, expected });
            }
        }
    }
    let schema = fields.get("args_schema").map(|field| field.value);
    let config = Config {
        name: name?,
        may,
        may_at: fields.at("allowed_decisions"),
        schema,
        schema_at: fields.at("args_schema"),
    };
    fields.advise_unknown();
    Some(config)
}

/// An action's questions, and what the answer needs to know of it.
fn questions(
    field: Field,
    index: usize,
    configs: &[Config],
) -> Option<(Value, Vec<PayloadQuestion>)> {
    let fields = field.object()?;
    let name = fields.need_text("name");
    let args = fields.need("args", "an object");
    let description = fields.text("description");
    fields.advise_unknown();
    let (name, args) = (name?, args?);
    args.clone().object()?;
    let Some(config) = configs.iter().find(|config| config.name == name) else {
        let fault = format!("`review_configs` has no entry for `{name}`");
        fields.findings.refuse(fields.at("name"), Fault::Rule(fault));
        return None;
    };
    let kept = json!({ "name": name, "reject": config.may.reject, "respond": config.may.respond });
    let action = Action {
        at: fields.at.clone(),
        name,
        args: args.value,
        args_at: args.at,
        schema: config.schema,
        schema_at: config.schema_at.clone(),
        description,
        may: config.may,
        may_at: config.may_at.clone(),
        words: WORDS,
        notes: config.may.reject,
    };
    Some((kept, action.questions(index, fields.findings)))
}

fn write(dialog: &Dialog, outcome: &Outcome) -> Value {
    let actions = answers::kept(dialog, DIALECT.name, "actions").and_then(Value::as_array);
    let decisions = match (actions, outcome) {
        (Some(actions), Outcome::Answered { answers }) => Some(decided(dialog, actions, answers)),
        // The questions of another dialect, in place of the tool that would ask them.
        (None, Outcome::Answered { .. }) => Some(vec![
            json!({ "type": "respond", "message": (text::DIALECT.write)(dialog, outcome) }),
        ]),
        (Some(actions), Outcome::Declined { .. }) => told(actions, outcome, ["reject", "respond"]),
        (Some(actions), Outcome::Clarify { .. }) => told(actions, outcome, ["respond", "reject"]),
        _ => None,
    };
    let is_alone = answers::kept(dialog, DIALECT.name, "per_call").is_some();
    match decisions {
        Some(decisions) if is_alone => decisions.into_iter().next().unwrap_or_default(),
        Some(decisions) => json!({ "decisions": decisions }),
        None => answers::ending("status", outcome, Value::Null).into(),
    }
}

fn decided(dialog: &Dialog, actions: &[Value], answers: &[Answer]) -> Vec<Value> {
    let decisions = actions.iter().zip(action::decisions(dialog, answers));
    decisions
        .map(|(action, (decision, note))| {
            let mut body = Map::new();
            let note_name = if matches!(decision, Decision::Reject) { "message" } else { "note" };
            let (name, value) = match decision {
                Decision::Approve => ("approve", None),
                Decision::Edit(args) => {
                    let edited = json!({ "name": action["name"], "args": args });
                    ("edit", Some(("edited_action", edited)))
                }
                Decision::Reject => ("reject", None),
                Decision::Respond(text) => ("respond", Some(("message", text.into()))),
            };
            body.insert("type".into(), name.into());
            body.extend(value.map(|(name, value)| (name.into(), value)));
            body.extend(note.map(|note| (note_name.into(), note.into())));
            body.into()
        })
        .collect()
}

/// The same decision about every action, if each allows one of these; the words tell how it came.
fn told(actions: &[Value], outcome: &Outcome, wanted: [&str; 2]) -> Option<Vec<Value>> {
    let decision = |action: &Value| {
        let name = wanted.into_iter().find(|name| action[*name] == true)?;
        Some(json!({ "type": name, "message": answers::told(outcome) }))
    };
    actions.iter().map(decision).collect()
}
