//! Kimi's `AskUserQuestion`: the tool's input, the request of Kimi CLI's wire, and what Kimi Code's
//! server and client send.
//!
//! Detected by the types of the request and the event, by the ids beside the questions, or by what a
//! question says about the Other box; else it may be what has `multi_select` and a header. Answers go
//! by the question's text, several labels joined by a comma; to the server by the ids of questions
//! and options. An ending without an answer has none, which Kimi reads as dismissed, and a `note` that
//! tells why. It has no place for notes on an answer, so its dialogs take none.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has, says},
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "kimi",
    about: "Kimi's AskUserQuestion: like Claude's, with `multi_select`; its QuestionRequest; or Kimi Code's event.question.requested",
    agent: Some("Kimi"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason],
    rules: Rules { questions: 1..=4, options: 2..=4, unique_texts: true, ..Rules::OPEN },
    schema: Some(include_str!("kimi.schema.json")),
    detect: |payload| {
        let inside = inside(payload);
        let is_request = |it: &Value| says(it, "type", &["QuestionRequest", EVENT]);
        let is_clients = has(inside, "turnId") && has(inside, "toolCallId");
        is_request(payload)
            || payload.get("params").is_some_and(is_request)
            || MARKS.iter().any(|mark| questions::have(inside, mark))
            || has(inside, "questions")
                && (is_clients || has(inside, "question_id") || has(inside, "background"))
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            if !is_sent_event(sent) {
                return read(payload, fields, inside(sent));
            }
            fields.ignore(&["type", "seq", "epoch", "volatile", "offset"]);
            fields.ignore(&["session_id", "timestamp"]);
            if let Some(event) = fields.need("payload", "an object").and_then(Field::object) {
                read(payload, &event, inside(sent));
                event.advise_unknown();
            }
        })
    },
    write,
    refuse: |_| None,
    fits: |payload| {
        let inside = inside(payload);
        questions::have(inside, "multi_select") && questions::have(inside, "header")
            || questions::lack_headers(inside)
            || is_call_of_either(payload)
    },
};

/// A call as models of several vendors make it, in which nothing tells Kimi's tool from Claude's of
/// the same name.
pub(super) fn is_call_of_either(payload: &Value) -> bool {
    let input = payload.get("arguments").or_else(|| payload.get("args"));
    let is_plain = |input: &Value| {
        has(input, "questions") && !MULTI.iter().any(|name| questions::have(input, name))
    };
    says(payload, "name", CALL.tools) && input.is_some_and(is_plain)
}

/// The event in which Kimi Code's server asks.
const EVENT: &str = "event.question.requested";

const CALL: Call = Call {
    dialect: "kimi",
    methods: &["request"],
    tools: &["AskUserQuestion"],
    events: &[("QuestionRequest", "payload")],
    ..BARE
};

/// The server's event has everything in itself; as it is sent, it is the payload of another that
/// has the same type.
fn is_sent_event(sent: &Value) -> bool {
    says(sent, "type", &[EVENT]) && sent.get("payload").is_some_and(Value::is_object)
}

fn inside(sent: &Value) -> &Value {
    if is_sent_event(sent) { &sent["payload"] } else { CALL.inside(sent) }
}

const MULTI: [&str; 2] = ["multi_select", "multiSelect"];
const OTHER_LABEL: [&str; 2] = ["other_label", "otherLabel"];
const OTHER_DESCRIPTION: [&str; 2] = ["other_description", "otherDescription"];
/// What only questions of Kimi say.
const MARKS: [&str; 5] =
    ["allow_other", OTHER_LABEL[0], OTHER_LABEL[1], OTHER_DESCRIPTION[0], OTHER_DESCRIPTION[1]];

const STYLE: Style = Style {
    header: Need::May,
    description: Need::May,
    multi: &MULTI,
    other: Some(("allow_other", true)),
    ..questions::CLAUDE
};
/// The server's, whose options have ids.
const SERVED: Style = Style { value: Some("id"), ..STYLE };

/// Only the tool's input has limits: a plan is approved with up to five options.
static WIRE: Rules = Rules { unique_texts: true, ..Rules::OPEN };

fn read(payload: &mut Payload, fields: &Fields, sent: &Value) {
    fields.ignore(&["agentId", "agent_id", "background", "created_at", "type"]);
    fields.ignore(&["toolCallId", "tool_call_id", "turnId", "turn_id"]);
    let session = ["session_id", "sessionId"].map(|name| fields.get(name));
    payload.session = session.into_iter().flatten().next().and_then(Field::name);
    if ["id", "question_id", "tool_call_id", "toolCallId"].iter().any(|name| has(sent, name)) {
        payload.rules = Some(&WIRE);
    }
    let id = fields.get("id").filter(|_| !has(sent, "toolCallId"));
    if let Some(id) = id {
        payload.metadata["kimi"]["request_id"] = id.value.clone();
    }
    let is_served = fields.get("question_id").is_some();
    if is_served {
        payload.metadata["kimi"]["by_id"] = true.into();
    }
    let style = if is_served { &SERVED } else { &STYLE };
    questions::read_each(payload, fields.need("questions", "an array"), style, complete);
}

fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    question.id = fields.get("id").and_then(Field::name);
    question.details = fields.text("body").filter(|body| !text::is_blank(body));
    approve_plan(fields, question);
    let other = [OTHER_LABEL, OTHER_DESCRIPTION].map(|names| fields.any(&names)?.text());
    questions::explain_other(fields, question, other);
}

/// Kimi CLI has its plans approved by a question like any other, and shows the plan elsewhere.
fn approve_plan(fields: &Fields, question: &mut PayloadQuestion) {
    let PayloadKind::Choice { options, .. } = &mut question.kind else { return };
    let has_label = |label: &str| options.iter().any(|it| it.label.as_deref() == Some(label));
    if !has_label("Reject") || !has_label("Reject and Exit") {
        return;
    }
    for option in options.iter_mut() {
        // Not the other one: words beside it would go as a wish to revise the plan.
        option.refuses = option.label.as_deref() == Some("Reject");
    }
    question.consent = true;
    if question.details.is_none() {
        question.details = Some(fields.findings.say("plan_not_shown", []));
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut body = Map::new();
    if let Some(id) = answers::kept(dialog, DIALECT.name, "request_id") {
        body.insert("request_id".into(), id.clone());
    }
    let mut given = Map::new();
    match outcome {
        Outcome::Answered { answers } if answers::kept(dialog, DIALECT.name, "by_id").is_some() => {
            let pairs = dialog.questions.iter().zip(answers);
            given.extend(pairs.map(|(it, answer)| (it.id.clone(), by_id(it, answer))));
        }
        Outcome::Answered { answers } => {
            for (_, question, answer) in answers::given(dialog, answers) {
                let text = Value::from(answers::texts(question, answer).join(", "));
                answers::insert(&mut given, &question.text, text);
            }
        }
        _ => {}
    }
    body.insert("answers".into(), given.into());
    let note = match outcome {
        Outcome::Answered { .. } => None,
        Outcome::Dismissed => Some("User dismissed the question without answering.".into()),
        _ => Some(answers::told(outcome)),
    };
    body.extend(note.map(|note| ("note".into(), json!(note))));
    CALL.answer(dialog, body.into())
}

/// An answer as Kimi Code's server takes it.
fn by_id(question: &Question, answer: &Answer) -> Value {
    let chosen = answer.selected.iter().filter_map(|&place| question.options().get(place));
    let ids: Vec<_> = chosen.filter_map(|option| option.value.as_ref()).collect();
    match (&ids[..], &answer.other) {
        ([], None) => json!({ "kind": "skipped" }),
        ([], Some(text)) => json!({ "kind": "other", "text": text }),
        (ids, Some(text)) => {
            json!({ "kind": "multi_with_other", "option_ids": ids, "other_text": text })
        }
        (ids, None) if question.is_multi() => json!({ "kind": "multi", "option_ids": ids }),
        (ids, None) => json!({ "kind": "single", "option_id": ids[0] }),
    }
}
