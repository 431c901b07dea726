//! `pick:option:request`: a form of choices and texts, all of which may be left open unless they are
//! required. The answers are one text for the model, with a line for each question.

use serde_json::{Map, Value, json};

use crate::{
    dialect::{
        answers,
        fields::{Field, Fields, has, says},
        questions, single,
    },
    dialog::{Dialog, Kind, Question},
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadQuestion, Rules},
    problem::Fault,
};

pub(super) const REQUEST: &str = "pick:option:request";
pub(super) const RESPONSE: &str = "pick:option:response";

const TYPES: &[&str] = &["radio", "checkbox", "select", "text", "textarea"];

static RULES: Rules = Rules { questions: 1..=7, options: 2..=10, ..Rules::OPEN };

/// Whether this is the data of such an event.
pub(super) fn is_one(data: &Value) -> bool {
    let is_typed = |question: &Value| says(question, "type", TYPES) && has(question, "label");
    has(data, "agentId") && questions::any(data, is_typed)
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    payload.metadata["sema"]["picks"] = true.into();
    payload.rules = Some(&RULES);
    let said = [fields.text("intro"), fields.text("estimatedTime")];
    let said: Vec<_> = said.into_iter().flatten().collect();
    payload.message = (!said.is_empty()).then(|| said.join("\n\n"));
    let Some(list) = fields.need("questions", "an array") else { return };
    payload.questions_at = Some(list.at.clone());
    let list = list.list().unwrap_or_default();
    payload.question_count = list.len();
    payload.questions =
        list.into_iter().filter_map(|item| Some(question(&item.object()?))).collect();
}

fn question(fields: &Fields) -> PayloadQuestion {
    let most = fields.get("maxSelections").and_then(Field::size);
    let question = PayloadQuestion {
        path: fields.at.clone(),
        id: fields.get("id").and_then(Field::name),
        header: None,
        text: fields.need_text("label"),
        text_at: fields.at("label"),
        details: None,
        kind: kind(fields),
        required: fields.flag("required").unwrap_or(false),
        notes: false,
        consent: false,
        schema: most.map(|most| json!({ "maxItems": most })),
        schema_at: fields.at("maxSelections"),
    };
    fields.advise_unknown();
    question
}

fn kind(fields: &Fields) -> PayloadKind {
    let text = |multiline| {
        PayloadKind::Plain(Kind::Text {
            multiline,
            placeholder: fields.text("placeholder"),
            default: fields.text("defaultValue"),
        })
    };
    match fields.need_text("type").as_deref() {
        Some("text") => text(false),
        Some("textarea") | None => text(true),
        Some("radio" | "select") => single::choice(fields, false),
        Some("checkbox") => single::choice(fields, true),
        Some(found) => {
            let expected = "`radio`, `checkbox`, `select`, `text` or `textarea`";
            let fault = Fault::UnknownValue { found: found.into(), expected };
            fields.findings.refuse(fields.at("type"), fault);
            text(true)
        }
    }
}

/// The data of the event that asks.
pub(super) fn request(dialog: &Dialog) -> Value {
    let question = |question: &Question| {
        let kind = match &question.kind {
            Kind::Multi { .. } => "checkbox",
            Kind::Single { .. } => "radio",
            kind if kind.takes_lines() => "textarea",
            _ => "text",
        };
        let mut data = json!({
            "type": kind,
            "id": question.id,
            "label": question.text,
            "required": question.required,
        });
        let options: Vec<_> = question.options().iter().map(|option| &option.label).collect();
        if !options.is_empty() {
            data["options"] = json!(options);
        }
        data
    };
    json!({
        "agentId": answers::kept(dialog, super::DIALECT.name, "agentId"),
        "questions": dialog.questions.iter().map(question).collect::<Vec<_>>(),
    })
}

/// The data of the event that answers. `answers` is null if the form was not sent.
pub(super) fn response(dialog: &Dialog, outcome: &Outcome) -> Value {
    let mut data = Map::new();
    if let Some(agent) = answers::kept(dialog, super::DIALECT.name, "agentId") {
        data.insert("agentId".into(), agent.clone());
    }
    let told = told(dialog, outcome);
    if let Outcome::Answered { .. } = outcome {
        data.insert("answers".into(), told.into());
    } else {
        data.insert("answers".into(), Value::Null);
        let partial = answers::given(dialog, outcome.answers()).next().map(|_| told);
        data.extend(answers::ending("status", outcome, partial.into()));
    }
    data.into()
}

fn told(dialog: &Dialog, outcome: &Outcome) -> String {
    let lines = answers::all(dialog, outcome).map(|(question, answer)| {
        let texts = answer.map(|answer| answers::texts(question, answer)).unwrap_or_default();
        let said = if texts.is_empty() { "(skipped)".to_owned() } else { texts.join("; ") };
        // Only a question begins a line.
        format!("- {}: {}", question.text, said.replace('\n', "\n  "))
    });
    lines.collect::<Vec<_>>().join("\n")
}
