//! gencode's `ask_user` event, the `ask_user_question` result of its tool, and the tool of today,
//! `AskUserQuestion` with texts for options.
//!
//! Detected by these types, or by a call of that tool with such options. The event is the strictest of
//! the formats that follow Claude's: every field is required and has a length. Its answer keeps labels
//! and free text apart. The tool's answer has both in a list, by the question's place. Neither has a
//! place for notes, so their dialogs take none; one that comes with another dialect's dialog goes back
//! as `note`.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    deepagents,
    fields::{Field, Fields, Findings, says},
    gemini, questions, single,
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadQuestion, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "gencode",
    about: "gencode's ask_user event, with strict limits, and its AskUserQuestion with texts for options",
    agent: Some("gencode"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules {
        questions: 1..=4,
        options: 2..=4,
        header: 1..=12,
        label: 1..=50,
        description: 1..=200,
        unique_texts: false,
        unique_headers: false,
    },
    schema: Some(include_str!("gencode.schema.json")),
    // Others have events of these types, too.
    detect: |payload| {
        says(payload, "type", TYPES)
            && !(deepagents::DIALECT.detect)(payload)
            && !gemini::is_confirmation(payload)
            || CALL.wraps(payload) && has_texts(CALL.inside(payload))
    },
    read: |sent| {
        if !says(sent, "type", TYPES) && has_texts(CALL.inside(sent)) {
            return CALL.read(sent, read_tool);
        }
        read_event(sent)
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const TYPES: &[&str] = &["ask_user", "ask_user_question"];
const CALL: Call = Call { dialect: "gencode", tools: &["AskUserQuestion"], ..BARE };

/// The limits of the tool.
static TOOL: Rules = Rules { questions: 1..=8, options: 2..=8, ..Rules::OPEN };

/// Whether the options, of one question or several, are texts.
fn has_texts(input: &Value) -> bool {
    let are_texts = |asked: &Value| {
        let options = asked.get("options").and_then(Value::as_array);
        options.is_some_and(|options| options.iter().any(Value::is_string))
    };
    are_texts(input) || questions::any(input, are_texts)
}

fn read_tool(fields: &Fields, payload: &mut Payload) {
    payload.metadata["gencode"]["tool"] = true.into();
    payload.rules = Some(&TOOL);
    let Some(list) = fields.get("questions") else {
        // What the tool itself asks then.
        let asked = fields.text("question").unwrap_or_else(|| "Please choose:".into());
        payload.questions = vec![question(fields, Some(asked))];
        payload.question_count = 1;
        payload.questions_at = Some(fields.at.clone());
        return;
    };
    payload.questions_at = Some(list.at.clone());
    let list = list.list().unwrap_or_default();
    payload.question_count = list.len();
    let read = |item: Field| {
        let fields = item.object()?;
        let question = question(&fields, fields.need_text("question"));
        fields.advise_unknown();
        Some(question)
    };
    payload.questions = list.into_iter().filter_map(read).collect();
}

fn question(fields: &Fields, text: Option<String>) -> PayloadQuestion {
    PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: None,
        text,
        text_at: fields.at("question"),
        details: None,
        kind: single::choice(fields, false),
        required: true,
        notes: false,
        consent: false,
        schema: None,
        schema_at: String::new(),
    }
}

fn read_event(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    if let Some(fields) = Field::root(value, &findings).object() {
        fields.get("type");
        if let Some(id) = fields.get("id") {
            payload.metadata["gencode"]["id"] = id.value.clone();
        }
        questions::read(&mut payload, fields.need("questions", "an array"), &questions::STRICT);
        fields.advise_unknown();
    }
    findings.put_into(payload)
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if answers::kept(dialog, DIALECT.name, "tool").is_some() {
        return CALL.answer(dialog, tool_answer(dialog, outcome));
    }
    let mut body = Map::new();
    if let Some(id) = answers::kept(dialog, DIALECT.name, "id") {
        body.insert("id".into(), id.clone());
    }
    let given = answers::given(dialog, outcome.answers());
    let given: Value = given.map(|(_, question, answer)| one(question, answer)).collect();
    match outcome {
        Outcome::Answered { .. } => {
            body.insert("answers".into(), given);
        }
        _ => body.extend(answers::ending("status", outcome, given)),
    }
    Value::Object(body).to_string()
}

/// As the program has it in itself; it has no other form of it.
fn tool_answer(dialog: &Dialog, outcome: &Outcome) -> Value {
    let given: Map<_, _> = answers::given(dialog, outcome.answers())
        .map(|(index, question, answer)| {
            (index.to_string(), answers::texts(question, answer).into())
        })
        .collect();
    if let Outcome::Answered { .. } = outcome {
        return json!({ "Answers": given, "Cancelled": false });
    }
    let mut body =
        Map::from_iter([("Answers".into(), json!({})), ("Cancelled".into(), json!(true))]);
    body.extend(answers::ending("status", outcome, given.into()));
    body.into()
}

fn one(question: &Question, answer: &Answer) -> Value {
    let mut body = json!({
        "question": question.text,
        "header": question.header.as_deref().unwrap_or_default(),
        "selectedOptions": question.labels(answer).collect::<Vec<_>>(),
    });
    if let Some(text) = answers::typed(question, answer).into_iter().next() {
        body["customInput"] = text.into();
    }
    if let Some(note) = &answer.note {
        body["note"] = note.clone().into();
    }
    body
}
