//! Google's Agent Development Kit: the calls `adk_request_confirmation` and `adk_request_input`, bare,
//! as parts of a message, or in the event of a run.
//!
//! Detected by these names. Each call gets a function response; calls in parts or an event get them
//! as the content of the user's next message. A confirmation has no place for words, so declining it
//! says only that, and in all other endings there is no response. To a request for input, `error`
//! tells every ending. A sign-in (`adk_request_credential`) is no question and is refused.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect,
    action::Words,
    answers,
    approvals::{self, Verdict, Waiting, YES_OR_NO},
    fields::{Field, Fields, Findings, has, says},
    form,
};
use crate::{
    dialog::{Dialog, Kind},
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "adk",
    about: "Google ADK's adk_request_confirmation and adk_request_input: calls, parts, or the event with them",
    agent: Some("ADK"),
    carries: &[Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("adk.schema.json")),
    detect: |payload| approvals::any(payload, is_one),
    read,
    write,
    refuse: |_| None,
};

const CONFIRMATION: &str = "adk_request_confirmation";
const INPUT: &str = "adk_request_input";
const CREDENTIAL: &str = "adk_request_credential";

/// As Python and as JSON spell it.
const CALL: [&str; 2] = ["functionCall", "function_call"];

const WORDS: Words = Words { approve: "action_approve", reject: "action_reject" };

fn is_one(payload: &Value) -> bool {
    let is_call = |it: &Value| says(it, "name", &[CONFIRMATION, INPUT, CREDENTIAL]);
    let is_part = |it: &Value| CALL.iter().any(|name| it.get(name).is_some_and(is_call));
    let parts = payload.pointer("/content/parts").and_then(Value::as_array);
    is_call(payload) || is_part(payload) || parts.is_some_and(|parts| parts.iter().any(is_part))
}

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload { questions_at: Some(String::new()), ..Payload::default() };
    let root = Field::root(value, &findings);
    let is_bare = approvals::any(value, |it| has(it, "name"));
    let calls: Vec<_> = approvals::one_or_list(root).into_iter().flat_map(calls).collect();
    if calls.is_empty() {
        let expected = "a call of `adk_request_confirmation` or `adk_request_input`";
        findings.refuse("", Fault::Missing { expected });
    }
    let asked = calls.len();
    for call in calls.into_iter().filter_map(Field::object) {
        read_call(&mut payload, &call, asked == 1);
        call.advise_unknown();
    }
    payload.question_count = payload.questions.len().max(asked);
    payload.no_reason = payload.metadata["adk"]["inputs"].is_null();
    payload.metadata["adk"]["bare"] = is_bare.into();
    payload.metadata["adk"]["list"] = value.is_array().into();
    findings.put_into(payload)
}

/// The calls in an event, in a part or by themselves.
fn calls(field: Field<'_>) -> Vec<Field<'_>> {
    let value = field.value;
    let Some(fields) = field.clone().object() else { return Vec::new() };
    if let Some(content) = fields.get("content") {
        let parts = content.object().and_then(|content| content.need("parts", "an array")?.list());
        return parts.unwrap_or_default().into_iter().flat_map(calls).collect();
    }
    let call = fields.any(&CALL).unwrap_or(field);
    let is_ours = is_one(call.value) || is_one(value);
    if is_ours { vec![call] } else { Vec::new() }
}

fn read_call(payload: &mut Payload, call: &Fields, is_alone: bool) {
    let (name, id) = (call.need_text("name"), call.need_text("id"));
    let args = call.need("args", "an object").and_then(Field::object);
    let (Some(name), Some(id), Some(args)) = (name, id, args) else { return };
    match name.as_str() {
        CONFIRMATION => read_confirmation(payload, &args, id),
        INPUT => read_input(payload, &args, id, is_alone),
        _ => {
            let fault = "asks for a sign-in, which nobody can answer or approve here";
            return call.findings.refuse(call.at("name"), Fault::Rule(fault.into()));
        }
    }
    args.advise_unknown();
}

fn read_confirmation(payload: &mut Payload, args: &Fields, id: String) {
    let original = args.need("originalFunctionCall", "an object").and_then(Field::object);
    let (mut hint, mut data) = (None, None);
    if let Some(confirmation) = args.get("toolConfirmation").and_then(Field::object) {
        confirmation.ignore(&["confirmed"]);
        hint = confirmation.text("hint");
        data = confirmation.get("payload");
        confirmation.advise_unknown();
    }
    let Some(original) = original else { return };
    original.ignore(&["id"]);
    let (name, sent) = (original.need_text("name"), original.get("args"));
    original.advise_unknown();
    let Some(name) = name else { return };
    let call = Waiting {
        name,
        args: approvals::arguments(sent.map(|sent| sent.value)),
        args_at: original.at("args"),
        description: hint,
        may: YES_OR_NO,
        notes: false,
        id,
        kept: CONFIRMATION.into(),
        at: args.at.clone(),
    };
    let data = data.map(|data| data_question(&data, &call));
    approvals::ask_one(payload, DIALECT.name, WORDS, call, args.findings);
    payload.questions.extend(data);
}

/// What the tool wants to know besides: it sent what it would take, for the person to change.
fn data_question(data: &Field, call: &Waiting) -> PayloadQuestion {
    PayloadQuestion {
        path: data.at.clone(),
        id: Some(data_id(&call.id)),
        header: Some(data.findings.say("action_data", [])),
        text: Some(data.findings.say("action_data_text", [("tool", text::name(&call.name))])),
        text_at: data.at.clone(),
        details: None,
        kind: PayloadKind::Plain(Kind::Json { default: Some(data.value.clone()) }),
        required: true,
        notes: false,
        consent: false,
        schema: None,
        schema_at: String::new(),
    }
}

fn data_id(call: &str) -> String {
    format!("data-{call}")
}

fn read_input(payload: &mut Payload, args: &Fields, id: String, is_alone: bool) {
    args.ignore(&["interruptId"]);
    let message = args.text("message");
    let schema = args.get("response_schema").filter(|schema| schema.clone().object().is_some());
    let data = args.get("payload");
    if let Some(sent) = &data
        && let Some(call) = confirmed_call(sent, schema.as_ref())
    {
        let call = Waiting { description: message, id, at: args.at.clone(), ..call };
        let data = sent.clone().object().and_then(|data| data.get("confirmation_payload"));
        let data = data.map(|data| data_question(&data, &call));
        approvals::ask_one(payload, DIALECT.name, WORDS, call, args.findings);
        payload.questions.extend(data);
        return;
    }
    let message = message.filter(|message| !text::is_blank(message));
    let message = message.unwrap_or_else(|| args.findings.say("input_requested", []));
    let details = data.map(|data| text::fenced("json", &text::json(data.value)));
    if is_alone {
        form::ask(payload, schema.as_ref(), Some(message), args.at("message"));
        form::mark_consent(payload);
        let texts = [payload.message.take(), details];
        payload.message = texts.into_iter().flatten().reduce(|a, b| format!("{a}\n\n{b}"));
        payload.metadata["adk"]["inputs"] = json!([{ "id": id }]);
        return;
    }
    let question = form::whole(schema.as_ref(), Some(message), args.at("message"));
    payload.questions.push(PayloadQuestion {
        path: args.at.clone(),
        id: Some(id.clone()),
        details: details.or(question.details),
        ..question
    });
    form::mark_consent(payload);
    let mut inputs = payload.metadata["adk"]["inputs"].as_array().cloned().unwrap_or_default();
    inputs.push(json!({ "id": id, "among": true }));
    payload.metadata["adk"]["inputs"] = inputs.into();
}

/// A workflow asks for the confirmation of a tool as it asks for any input.
fn confirmed_call<'a>(data: &Field<'a>, schema: Option<&Field>) -> Option<Waiting<'a>> {
    let asks_for_it = schema?.value.pointer("/properties/confirmed").is_some();
    let name = data.value.get("tool_name").filter(|_| asks_for_it)?.as_str()?;
    Some(Waiting {
        name: name.into(),
        args: approvals::arguments(data.value.get("args")),
        args_at: format!("{}.args", data.at),
        description: None,
        may: YES_OR_NO,
        notes: false,
        id: String::new(),
        kept: INPUT.into(),
        at: data.at.clone(),
    })
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let kept = |name| answers::kept(dialog, DIALECT.name, name);
    let inputs = kept("inputs").and_then(Value::as_array);
    let verdicts = match outcome {
        // It has no place for the question.
        Outcome::Clarify { .. } => None,
        _ => approvals::verdicts(DIALECT.name, dialog, outcome),
    };
    if verdicts.is_none() && (kept("calls").is_some() || inputs.is_none()) {
        return approvals::undecided(dialog, outcome).to_string();
    }
    let verdicts = verdicts.unwrap_or_default();
    let confirmations = verdicts
        .iter()
        .map(|verdict| (verdict.id, verdict.kept.clone(), confirmation(dialog, outcome, verdict)));
    let inputs = inputs.into_iter().flatten().filter_map(|input| {
        Some((input["id"].as_str()?, INPUT.into(), input_response(dialog, outcome, input)))
    });
    let responses = confirmations
        .chain(inputs)
        .map(|(id, name, response)| json!({ "id": id, "name": name, "response": response }));
    let responses: Vec<Value> = responses.collect();
    if kept("bare").is_some_and(|bare| *bare == false) {
        let part = |response| json!({ "functionResponse": response });
        let parts: Vec<Value> = responses.into_iter().map(part).collect();
        return json!({ "role": "user", "parts": parts }).to_string();
    }
    let is_list = kept("list").is_some_and(|list| *list == true);
    approvals::like_sent(responses, is_list).to_string()
}

fn confirmation(dialog: &Dialog, outcome: &Outcome, verdict: &Verdict) -> Value {
    let mut response = Map::from_iter([("confirmed".into(), verdict.approves().into())]);
    let asked = dialog.questions.iter().zip(outcome.answers());
    let data = asked.into_iter().find(|(question, _)| question.id == data_id(verdict.id));
    let data = data.filter(|_| verdict.approves());
    let data = data.and_then(|(question, answer)| question.value(answer));
    response.extend(data.map(|data| ("payload".into(), data)));
    response.into()
}

fn input_response(dialog: &Dialog, outcome: &Outcome, input: &Value) -> Value {
    let given = if input["among"] == true {
        let mut asked = dialog.questions.iter().zip(outcome.answers());
        let asked = asked.find(|(question, _)| input["id"] == question.id);
        asked.and_then(|(question, answer)| question.value(answer)).unwrap_or_default()
    } else {
        form::given(dialog, outcome)
    };
    match outcome {
        Outcome::Answered { .. } if given.is_object() => given,
        Outcome::Answered { .. } => json!({ "result": given }),
        _ => {
            let failure = answers::failure(&answers::told(outcome), outcome, given);
            answers::apart(failure, dialog, |question| [question.id.as_str()])
        }
    }
}
