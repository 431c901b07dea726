//! AG-UI: the interrupts with which a run finished, and the `resume` of the next run.
//!
//! Detected by `RUN_FINISHED`, or by `interrupts` that have a `reason` and no name. The schema of an
//! interrupt decides what the person sees (see `form`); without one, an approval is a yes or no and
//! everything else a text. An interrupt that was not answered is `cancelled`, and its `metadata`
//! tells how the dialog ended. There is no place for notes, so its dialogs take none.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    fields::{Field, Fields, Findings, has, says},
    form,
};
use crate::{
    dialog::{Dialog, Form, Kind, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
};

pub static DIALECT: Dialect = Dialect {
    name: "ag-ui",
    about: "AG-UI's interrupts: the RUN_FINISHED event, its outcome, or a list of `interrupts`",
    agent: Some("AG-UI"),
    carries: &[Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("ag_ui.schema.json")),
    detect: |payload| {
        let interrupts = payload.get("interrupts").and_then(Value::as_array);
        // Those of Strands have a name.
        let is_ours = |one: &Value| has(one, "reason") && !has(one, "name");
        says(payload, "type", &["RUN_FINISHED"])
            || interrupts.is_some_and(|list| list.iter().any(is_ours))
    },
    read,
    write,
    refuse: |_| None,
};

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    if let Some(fields) = Field::root(value, &findings).object() {
        if says(value, "type", &["RUN_FINISHED"]) {
            fields.ignore(&["type", "runId", "timestamp", "result", "rawEvent"]);
            payload.session = fields.text("threadId");
            payload.metadata["ag-ui"]["threadId"] = json!(payload.session);
            let outcome = fields.need("outcome", "an object").and_then(Field::object);
            fields.advise_unknown();
            if let Some(outcome) = outcome {
                read_outcome(&mut payload, &outcome);
            }
        } else {
            read_outcome(&mut payload, &fields);
        }
    }
    findings.put_into(payload)
}

fn read_outcome(payload: &mut Payload, fields: &Fields) {
    if let Some(name) = fields.text("type").filter(|name| name != "interrupt") {
        let fault = Fault::UnknownValue { found: name, expected: "`interrupt`" };
        fields.findings.refuse(fields.at("type"), fault);
        return;
    }
    let list = fields.need("interrupts", "an array").and_then(Field::list);
    fields.advise_unknown();
    let Some(list) = list else { return };
    payload.questions_at = Some(fields.at("interrupts"));
    let asked = list.len();
    let is_alone = asked == 1;
    let mut kept = Vec::new();
    for interrupt in list.into_iter().filter_map(Field::object) {
        kept.extend(read_interrupt(payload, &interrupt, is_alone));
    }
    payload.question_count = payload.questions.len().max(asked);
    payload.metadata["ag-ui"]["interrupts"] = kept.into();
}

/// An interrupt as it was sent.
struct Interrupt<'a> {
    at: String,
    id: String,
    message: Option<String>,
    message_at: String,
    schema: Option<Field<'a>>,
    /// Whether it only waits for a yes, as far as no schema says otherwise.
    approves: bool,
    expiry: Option<String>,
}

/// Adds an interrupt's questions, and tells what the answer needs to know of it.
fn read_interrupt(payload: &mut Payload, fields: &Fields, is_alone: bool) -> Option<Value> {
    let interrupt = interrupt(fields)?;
    let schema = interrupt.schema.as_ref();
    let properties = schema.filter(|schema| is_alone || is_plain(schema.value));
    let properties = properties.map(form::properties).unwrap_or_default();
    let id = interrupt.id.clone();
    if properties.is_empty() {
        let approves = interrupt.approves && interrupt.schema.is_none();
        payload.questions.push(whole(interrupt));
        return Some(json!({ "id": id, "approves": approves }));
    }
    let names: Vec<_> = properties.iter().filter_map(|question| question.id.clone()).collect();
    let kept = json!({ "id": id, "names": names });
    let mut details = interrupt.expiry;
    if is_alone {
        payload.message = interrupt.message;
        if let Some(schema) = interrupt.schema {
            payload.form = Some(Form::Object(schema.value.clone()));
            payload.form_at = schema.at;
        }
    } else {
        details = paragraphs([interrupt.message, details]);
    }
    let name = |name| if is_alone { name } else { format!("{id}.{name}") };
    payload.questions.extend(properties.into_iter().map(|question| PayloadQuestion {
        id: question.id.clone().map(name),
        details: details.clone(),
        consent: interrupt.approves,
        ..question
    }));
    Some(kept)
}

fn interrupt<'a>(fields: &Fields<'a>) -> Option<Interrupt<'a>> {
    fields.ignore(&["toolCallId", "metadata"]);
    let (id, reason) = (fields.need_text("id"), fields.need_text("reason"));
    let message = fields.text("message");
    let expiry = fields.get("expiresAt").and_then(|field| {
        field.advise(Fault::Rule("shown only, does not end the question; set --timeout".into()));
        Some(field.findings.say("expires", [("time", field.text()?)]))
    });
    let schema = fields.get("responseSchema").and_then(|field| {
        field.clone().object()?;
        let is_empty = field.value.as_object().is_none_or(Map::is_empty);
        (!is_empty).then_some(field)
    });
    fields.advise_unknown();
    Some(Interrupt {
        at: fields.at.clone(),
        id: id?,
        approves: matches!(reason.as_deref(), Some("tool_call" | "confirmation")),
        message: message.or(reason),
        message_at: fields.at("message"),
        schema,
        expiry,
    })
}

/// The one question of an interrupt that is answered as a whole.
fn whole(interrupt: Interrupt) -> PayloadQuestion {
    let schema = interrupt.schema.as_ref();
    let mut question = form::whole(schema, interrupt.message, interrupt.message_at);
    if interrupt.schema.is_none() && interrupt.approves {
        question.kind = PayloadKind::Plain(Kind::Confirm { yes: None, no: None, default: None });
    }
    PayloadQuestion {
        path: interrupt.at,
        id: Some(interrupt.id),
        details: paragraphs([question.details, interrupt.expiry]),
        consent: interrupt.approves,
        ..question
    }
}

fn paragraphs<const N: usize>(texts: [Option<String>; N]) -> Option<String> {
    texts.into_iter().flatten().reduce(|above, below| format!("{above}\n\n{below}"))
}

/// Whether each property can be checked by itself. Several interrupts have no schema in common, so
/// what says more than this is asked for as a whole.
fn is_plain(schema: &Value) -> bool {
    const PLAIN: [&str; 7] = [
        "$schema",
        "type",
        "title",
        "description",
        "properties",
        "required",
        "additionalProperties",
    ];
    schema.as_object().is_some_and(|schema| schema.keys().all(|key| PLAIN.contains(&key.as_str())))
        && !form::refers(schema)
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut body = Map::new();
    if let Some(thread) = answers::kept(dialog, DIALECT.name, "threadId").filter(|id| !id.is_null())
    {
        body.insert("threadId".into(), thread.clone());
    }
    let mut pairs = dialog.questions.iter().zip(outcome.answers());
    let interrupts = answers::kept(dialog, DIALECT.name, "interrupts").and_then(Value::as_array);
    let payloads: Vec<(Option<&Value>, Option<Value>)> = match interrupts {
        Some(interrupts) => {
            interrupts.iter().map(|one| (one.get("id"), answer(one, &mut pairs))).collect()
        }
        // The questions of another dialect are one interrupt, whose id only the caller knows.
        None => vec![(None, by_name(pairs.map(|pair| (pair.0.id.as_str(), pair))))],
    };
    let resume = payloads.into_iter().map(|(id, given)| {
        let mut one = Map::new();
        one.extend(id.map(|id| ("interruptId".into(), id.clone())));
        match (outcome, given) {
            (Outcome::Answered { .. }, Some(given)) => {
                one.insert("status".into(), "resolved".into());
                one.insert("payload".into(), given);
            }
            (Outcome::Answered { .. }, None) => {
                one.insert("status".into(), "cancelled".into());
            }
            (_, given) => {
                let ending = answers::ending("outcome", outcome, given.unwrap_or_default());
                one.insert("status".into(), "cancelled".into());
                one.insert("metadata".into(), json!({ "askdeck": ending }));
            }
        }
        Value::from(one)
    });
    body.insert("resume".into(), resume.collect());
    Value::Object(body).to_string()
}

/// What was given to the next questions, those of one interrupt; `None` if nothing was.
fn answer<'a>(
    interrupt: &Value,
    pairs: &mut impl Iterator<Item = (&'a Question, &'a Answer)>,
) -> Option<Value> {
    if let Some(names) = interrupt["names"].as_array() {
        return by_name(names.iter().filter_map(Value::as_str).zip(pairs));
    }
    let (question, answer) = pairs.next()?;
    let value = question.value(answer).filter(|_| answer.is_given())?;
    Some(if interrupt["approves"] == true { json!({ "approved": value }) } else { value })
}

fn by_name<'a, 'b>(
    pairs: impl Iterator<Item = (&'b str, (&'a Question, &'a Answer))>,
) -> Option<Value> {
    let given = pairs.filter(|(_, (_, answer))| answer.is_given());
    let given: Map<_, _> = given
        .filter_map(|(name, (question, answer))| Some((name.to_owned(), question.value(answer)?)))
        .collect();
    (!given.is_empty()).then(|| given.into())
}
