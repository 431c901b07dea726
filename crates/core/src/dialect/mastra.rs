//! Mastra: the chunk with which an agent's run stops for the user, `tool-call-approval` or
//! `tool-call-suspended`.
//!
//! Detected by these types. What goes back is the data to resume the run with. The tools `ask_user`
//! and `submit_plan` have shapes of their own; any other tool says by its `resumeSchema` what it
//! needs. An approval and a plan can be rejected, with the words as the reason.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect,
    action::Words,
    answers,
    approvals::{self, Waiting, YES_OR_NO},
    call::BARE,
    fields::{Field, Fields, says},
    form,
    single::{self, OwnWords},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::Fault,
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "mastra",
    about: "Mastra's chunks `tool-call-approval` and `tool-call-suspended`, such as by ask_user",
    agent: Some("Mastra"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("mastra.schema.json")),
    detect: |payload| says(payload, "type", &[APPROVAL, SUSPENDED]),
    read,
    write,
    refuse: |_| None,
    fits: |_| false,
};

const APPROVAL: &str = "tool-call-approval";
const SUSPENDED: &str = "tool-call-suspended";

const ASK_USER: &str = "ask_user";
const SUBMIT_PLAN: &str = "submit_plan";

const WORDS: Words = Words { approve: "action_approve", reject: "action_reject" };

fn read(sent: &Value) -> Payload {
    BARE.read(sent, |fields, payload| {
        fields.ignore(&["type", "from", "metadata"]);
        payload.session = fields.text("runId");
        let inside = fields.need("payload", "an object").and_then(Field::object);
        let Some(inside) = inside else { return };
        let name = inside.need_text("toolName");
        let id = inside.need_text("toolCallId");
        let (Some(name), Some(id)) = (name, id) else { return };
        if says(sent, "type", &[SUSPENDED]) {
            inside.ignore(&["args"]);
            payload.metadata["mastra"]["tool"] = name.as_str().into();
            read_suspended(payload, &inside, &name);
        } else {
            inside.ignore(&["resumeSchema"]);
            let args = inside.get("args").map(|args| args.value);
            let call = Waiting {
                name,
                args: approvals::arguments(args),
                args_at: inside.at("args"),
                description: None,
                may: YES_OR_NO,
                // The run is resumed with nothing but the approval.
                notes: false,
                id,
                kept: Value::Null,
                at: inside.at.clone(),
            };
            payload.questions_at = Some(inside.at.clone());
            approvals::ask(payload, DIALECT.name, WORDS, [Some(call)], inside.findings);
        }
        inside.advise_unknown();
    })
}

fn read_suspended(payload: &mut Payload, fields: &Fields, tool: &str) {
    let reason = fields.get("suspendPayload");
    match tool {
        ASK_USER => {
            fields.ignore(&["resumeSchema"]);
            let reason = fields.need("suspendPayload", "an object").and_then(Field::object);
            if let Some(reason) = reason {
                read_question(payload, &reason);
                reason.advise_unknown();
            }
        }
        SUBMIT_PLAN => {
            fields.ignore(&["resumeSchema"]);
            let reason = fields.need("suspendPayload", "an object").and_then(Field::object);
            if let Some(reason) = reason {
                read_plan(payload, &reason);
                reason.advise_unknown();
            }
        }
        _ => {
            let is_empty = |field: &Field| field.value.as_object().is_some_and(Map::is_empty);
            let shown = [fields.get("args"), reason].into_iter().flatten();
            let shown = shown.filter(|shown| !is_empty(shown));
            let shown = shown.map(|shown| text::fenced("json", &text::json(shown.value)));
            let shown: Vec<String> = shown.collect();
            let asked = fields.findings.say("action_resume", [("tool", text::name(tool))]);
            let parsed = fields.get("resumeSchema").as_ref().and_then(schema);
            let at = fields.at("resumeSchema");
            let schema = parsed.as_ref().map(|value| Field {
                at: at.clone(),
                value,
                findings: fields.findings,
            });
            form::ask(payload, schema.as_ref(), Some(asked), at.clone());
            form::mark_consent(payload);
            let texts = payload.message.take().into_iter().chain(shown);
            payload.message = texts.reduce(|above, below| format!("{above}\n\n{below}"));
        }
    }
}

/// The schema, which is sent as JSON in a text.
fn schema(field: &Field) -> Option<Value> {
    let parsed = approvals::arguments(Some(field.value)).into_owned();
    if !parsed.is_object() {
        field.refuse(Fault::Rule("not the JSON Schema of an answer".into()));
        return None;
    }
    Some(parsed)
}

fn read_question(payload: &mut Payload, fields: &Fields) {
    let multi = match fields.text("selectionMode").as_deref() {
        None | Some("single_select") => false,
        Some("multi_select") => true,
        Some(found) => {
            let expected = "`single_select` or `multi_select`";
            let fault = Fault::UnknownValue { found: found.into(), expected };
            fields.findings.refuse(fields.at("selectionMode"), fault);
            false
        }
    };
    single::read(payload, fields, &["options"], OwnWords::Alone, |field| {
        let Some(fields) = field.object() else { return PayloadOption::default() };
        let option = PayloadOption {
            label: fields.need_text("label"),
            label_at: fields.at("label"),
            description: fields.text("description"),
            description_at: fields.at("description"),
            ..PayloadOption::default()
        };
        fields.advise_unknown();
        option
    });
    for question in &mut payload.questions {
        if let PayloadKind::Choice { multi: may, .. } = &mut question.kind {
            *may = multi;
        }
    }
}

fn read_plan(payload: &mut Payload, fields: &Fields) {
    fields.ignore(&["toolId"]);
    let path = fields.need_text("path");
    let title = fields.text("title");
    let plan = fields.text("plan").unwrap_or_else(|| {
        let expected = "the plan, so that the user sees it";
        fields.findings.advise(fields.at("plan"), Fault::Missing { expected });
        fields.findings.say("plan_not_shown", [])
    });
    let path = path.map(|path| text::fenced("", &path));
    let details: Vec<String> = path.into_iter().chain([plan]).collect();
    let option = |word, value: &str| PayloadOption {
        label: Some(fields.findings.say(word, [])),
        value: Some(value.into()),
        refuses: value == "rejected",
        ..PayloadOption::default()
    };
    let options = vec![option("hook_approve", "approved"), option("hook_keep", "rejected")];
    payload.questions_at = Some(fields.at.clone());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: Some("action-0".into()),
        header: title,
        text: Some(fields.findings.say("hook_plan", [])),
        text_at: fields.at.clone(),
        details: Some(details.join("\n\n")),
        kind: PayloadKind::Choice {
            option_count: options.len(),
            options,
            options_at: None,
            multi: false,
            // Words are what to change.
            other: true,
            default: None,
        },
        required: true,
        notes: false,
        consent: true,
        schema: None,
        schema_at: String::new(),
    }];
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if let Some([verdict]) = approvals::verdicts(DIALECT.name, dialog, outcome).as_deref() {
        let mut body = Map::from_iter([("approved".into(), verdict.approves().into())]);
        body.extend(verdict.words.as_ref().map(|words| ("reason".into(), json!(words))));
        return Value::Object(body).to_string();
    }
    match answers::kept(dialog, DIALECT.name, "tool").and_then(Value::as_str) {
        None => approvals::undecided(dialog, outcome),
        Some(SUBMIT_PLAN) => plan(dialog, outcome),
        Some(ASK_USER) => answer(dialog, outcome, texts(dialog, outcome)),
        Some(_) => answer(dialog, outcome, form::given(dialog, outcome)),
    }
    .to_string()
}

fn answer(dialog: &Dialog, outcome: &Outcome, given: Value) -> Value {
    if matches!(outcome, Outcome::Answered { .. }) {
        return given;
    }
    let failure = answers::failure(&answers::told(outcome), outcome, given);
    answers::apart(failure, dialog, |question| [question.id.as_str()])
}

/// One text, or the list of what was chosen where several may be.
fn texts(dialog: &Dialog, outcome: &Outcome) -> Value {
    let pairs = answers::given(dialog, outcome.answers()).next();
    let Some((_, question, answer)) = pairs else { return Value::Null };
    let texts = answers::texts(question, answer);
    if question.is_multi() { texts.into() } else { texts.concat().into() }
}

fn plan(dialog: &Dialog, outcome: &Outcome) -> Value {
    let rejected = |feedback: Option<&str>| {
        let mut body = Map::from_iter([("action".into(), "rejected".into())]);
        body.extend(feedback.map(|words| ("feedback".into(), words.into())));
        Value::from(body)
    };
    match outcome {
        Outcome::Answered { answers } => {
            let given = dialog.questions.first().zip(answers.first());
            let chosen = given.and_then(|(question, answer)| question.value(answer));
            match given.and_then(|(_, answer)| answer.other.as_deref()) {
                None if chosen.is_some_and(|chosen| chosen == "approved") => {
                    json!({ "action": "approved" })
                }
                words => rejected(words),
            }
        }
        Outcome::Declined { .. } | Outcome::Clarify { .. } => {
            rejected(Some(&answers::told(outcome)))
        }
        _ => answers::failure(&answers::told(outcome), outcome, Value::Null).into(),
    }
}
