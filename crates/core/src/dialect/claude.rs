//! Claude Code's `AskUserQuestion`: the tool's input, alone or inside the tool call or hook event
//! that carries it; or only its list of questions. And what its SDK asks a host for about any tool,
//! see `can_use_tool`.
//!
//! Detected by `questions`, a bare list, the tool's name, or that request; tried last, so a list of
//! questions that bears no other dialect's mark is Claude's. A long header is no mistake: it is cut
//! only on the screen. Endings without an answer take the shape of a denied tool call.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, Findings, has, says},
    kimi,
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Choice, Dialog, Kind, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
};

mod can_use_tool;

pub static DIALECT: Dialect = Dialect {
    name: "claude",
    about: "Claude Code's AskUserQuestion: a `questions` list, or the tool call or hook event with it; and the Agent SDK's can_use_tool, about any tool",
    agent: Some("Claude Code"),
    carries: &[
        Carry::Other,
        Carry::Notes,
        Carry::Multi,
        Carry::Previews,
        Carry::Reason,
        Carry::Partial,
    ],
    rules: Rules { questions: 1..=4, options: 2..=4, unique_texts: true, ..Rules::OPEN },
    schema: Some(include_str!("claude.schema.json")),
    detect: |payload| {
        payload.is_array()
            || has(payload, "questions")
            || CALL.wraps(payload)
            || can_use_tool::request(payload).is_some()
    },
    read,
    write,
    refuse: |_| None,
    fits: |payload| {
        kimi::is_call_of_either(payload) && questions::have(CALL.inside(payload), "header")
    },
};

const STYLE: Style =
    Style { multi_select: Need::Should, previews: true, notes: true, plain, ..questions::CLAUDE };

const TOOL: &str = "AskUserQuestion";
const CALL: Call = Call { dialect: "claude", tools: &[TOOL], ..BARE };

/// The members of the input that the host fills in, not the model.
const FILLED: [&str; 4] = ["answers", "annotations", "response", "followUp"];

/// The kinds of an extended question, which hosts may switch on.
const KINDS: [&str; 3] = ["choice", "text", "number"];

/// Whether a payload has extended questions: they look much like our own.
pub(super) fn is_extended(payload: &Value) -> bool {
    let extended = |question: &Value| says(question, "kind", &KINDS) && has(question, "header");
    !has(payload, "askdeck") && questions::any(payload, extended)
}

fn read(sent: &Value) -> Payload {
    if can_use_tool::request(sent).is_some() {
        return can_use_tool::read(sent);
    }
    if !sent.is_array() {
        return CALL.read(sent, |fields, payload| {
            let list = read_input(payload, fields);
            read_list(payload, list);
        });
    }
    let findings = Findings::default();
    let mut payload = Payload::default();
    read_list(&mut payload, Some(Field::root(sent, &findings)));
    findings.put_into(payload)
}

fn read_list(payload: &mut Payload, list: Option<Field>) {
    if let Some(list) = &list {
        payload.metadata["claude"]["questions"] = list.value.clone();
    }
    questions::read_each(payload, list, &STYLE, complete);
}

/// What an extended question asks for, if that is no choice.
fn plain(fields: &Fields) -> Option<Kind> {
    let field = fields.get("kind")?;
    let name = field.clone().text()?;
    let kind = match name.as_str() {
        "text" => {
            Kind::Text { multiline: true, placeholder: fields.text("placeholder"), default: None }
        }
        "number" => Kind::Number {
            integer: ["min", "step"].into_iter().all(|name| whole(fields, name)),
            default: fields.get("defaultValue").and_then(Field::number),
        },
        "choice" => return None,
        _ => {
            let expected = "`choice`, `text` or `number`";
            field.refuse(Fault::UnknownValue { found: name, expected });
            return None;
        }
    };
    if let Some(options) = fields.get("options")
        && options.value.as_array().is_none_or(|options| !options.is_empty())
    {
        options.refuse(Fault::Rule(format!("not allowed for a question of the kind `{name}`")));
    }
    fields.get("multiSelect");
    Some(kind)
}

fn whole(fields: &Fields, name: &'static str) -> bool {
    fields.get(name).is_some_and(|field| field.value.is_i64())
}

/// What only extended questions have. Any of them may be left open.
fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    if fields.get("kind").is_none() {
        return;
    }
    question.required = false;
    let mut details: Vec<String> = fields.text("description").into_iter().collect();
    if let PayloadKind::Plain(kind) = &question.kind {
        // The answer is text alone: there is nothing that a note could stand beside.
        question.notes = false;
        if let Kind::Number { integer, .. } = kind {
            let limit = |name| fields.need(name, "a number").and_then(Field::number);
            let (min, max) = (limit("min"), limit("max"));
            fields.get("step").and_then(Field::number);
            let unit = fields.text("unit");
            if let (Some(min), Some(max)) = (min, max) {
                let of = if *integer { "integer" } else { "number" };
                question.schema = Some(json!({ "type": of, "minimum": min, "maximum": max }));
                question.schema_at = fields.at("min");
                details.push(
                    [format!("{min} – {max}")]
                        .into_iter()
                        .chain(unit)
                        .collect::<Vec<_>>()
                        .join(" "),
                );
            }
        }
    }
    question.details = (!details.is_empty()).then(|| details.join("\n\n"));
}

fn read_input<'a>(payload: &mut Payload, fields: &Fields<'a>) -> Option<Field<'a>> {
    let list = fields.need("questions", "an array");
    payload.title = fields.text("title");
    if let Some(metadata) = fields.get("metadata") {
        payload.metadata["claude"]["metadata"] = metadata.value.clone();
    }
    for name in FILLED {
        if let Some(field) = fields
            .get(name)
            .filter(|field| field.value.as_object().is_none_or(|map| !map.is_empty()))
        {
            field.advise(Fault::Rule("ignored: the user is asked".into()));
        }
    }
    list
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if let Some(request) = answers::kept(dialog, DIALECT.name, "can_use_tool") {
        return can_use_tool::write(dialog, outcome, request).to_string();
    }
    match outcome {
        Outcome::Answered { answers } => {
            let sent = answers::kept(dialog, DIALECT.name, "questions").cloned();
            let questions = sent.unwrap_or_else(|| dialog.questions.iter().map(as_asked).collect());
            Value::Object(answered(json!({ "questions": questions }), dialog, answers)).to_string()
        }
        _ => json!({ "behavior": "deny", "message": refusal(dialog, outcome) }).to_string(),
    }
}

/// The tool's input with the answers. What came along in their place is not the person's.
pub fn answered(input: Value, dialog: &Dialog, given: &[Answer]) -> Map<String, Value> {
    let mut chosen = Map::new();
    let mut annotations = Map::new();
    for (question, answer) in dialog.questions.iter().zip(given) {
        let mut annotation = Map::new();
        if answer.is_given() {
            answers::insert(&mut chosen, &question.text, joined(question, answer).into());
            if let Some(preview) = answers::preview(question, answer) {
                annotation.insert("preview".into(), preview.into());
            }
        }
        if let Some(note) = &answer.note {
            annotation.insert("notes".into(), note.clone().into());
        }
        if !annotation.is_empty() {
            answers::insert(&mut annotations, &question.text, annotation.into());
        }
    }
    let mut body = unanswered(input);
    body.insert("answers".into(), chosen.into());
    if !annotations.is_empty() {
        body.insert("annotations".into(), annotations.into());
    }
    body
}

/// The tool's input as it was asked.
fn unanswered(input: Value) -> Map<String, Value> {
    let Value::Object(mut body) = input else { return Map::new() };
    body.retain(|name, _| !FILLED.contains(&name.as_str()));
    body
}

/// Claude takes the list apart again: a text that could be taken for several is in quotes.
fn joined(question: &Question, answer: &Answer) -> String {
    let texts = answers::texts(question, answer).into_iter();
    let is_unclear =
        |text: &String| question.is_multi() && (text.contains(", ") || text.contains('"'));
    let texts =
        texts.map(|text| if is_unclear(&text) { Value::from(text).to_string() } else { text });
    texts.collect::<Vec<_>>().join(", ")
}

/// A question of another dialect, as Claude would have asked it.
fn as_asked(question: &Question) -> Value {
    let option = |option: &Choice| {
        let mut body = json!({ "label": option.label, "description": option.description.as_deref().unwrap_or_default() });
        if let Some(preview) = &option.preview {
            body["preview"] = preview.clone().into();
        }
        body
    };
    json!({
        "question": question.text,
        "header": question.header.as_deref().unwrap_or_default(),
        "options": question.options().iter().map(option).collect::<Vec<_>>(),
        "multiSelect": question.is_multi(),
    })
}

/// Why there is no answer, so that the model cannot take it for one.
fn refusal(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut message = match outcome {
        Outcome::Declined { reason: Some(reason), .. } => {
            format!("The user declined to answer these questions. Their reason: {reason}")
        }
        Outcome::Declined { reason: None, .. } => {
            "The user declined to answer these questions.".into()
        }
        Outcome::Clarify { text, .. } => format!(
            "The user wants to clarify these questions before answering them. They say: {text}\n\
             Respond to that first, then ask again, in other words if needed."
        ),
        Outcome::TimedOut { .. } => {
            "The user did not answer these questions in time. Do not assume an answer.".into()
        }
        Outcome::Withdrawn => {
            return "The questions were withdrawn before the user answered them.".into();
        }
        _ => {
            return "The user closed the questions without answering them. Do not assume an answer."
                .into();
        }
    };
    if matches!(outcome, Outcome::Clarify { .. }) || has_begun(outcome) {
        message.push_str(&so_far(dialog, outcome));
    }
    message
}

fn has_begun(outcome: &Outcome) -> bool {
    outcome.answers().iter().any(|answer| answer.is_given() || answer.note.is_some())
}

fn so_far(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut message =
        "\n\nThe questions and what the user had chosen so far, but not sent:".to_owned();
    for (index, question) in dialog.questions.iter().enumerate() {
        let answer = outcome.answers().get(index).filter(|answer| answer.is_given());
        let chosen = answer
            .map_or("(no answer)".into(), |answer| answers::texts(question, answer).join(", "));
        // Writing to a string cannot fail.
        let _ = write!(message, "\n- \"{}\"\n  {chosen}", question.text);
        if let Some(note) = outcome.answers().get(index).and_then(|answer| answer.note.as_ref()) {
            let _ = write!(message, "\n  note: {note}");
        }
    }
    message
}
