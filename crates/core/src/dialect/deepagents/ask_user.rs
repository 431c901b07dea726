//! The newer `ask_user`: texts, choices and multiple choices, answered by their place.
//!
//! Every answer is a text; that of a multiple choice is a JSON list in a text. What is left open,
//! which only an optional question may be, has the tool's own words for that: an empty text or an
//! empty list. The tool knows `cancelled`, which says nothing more, and `error` with a text for the
//! model; so an ending of which there is something to tell is an error.

use serde_json::{Map, Value, json};

use crate::{
    dialect::{
        answers,
        fields::{Field, Fields, has, says},
        gemini,
        questions::ANY_TEXT,
    },
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion},
    problem::Fault,
};

const TYPES: [&str; 3] = ["text", "multiple_choice", "multi_select"];

/// Others have an event of the same name, but not these questions.
pub(super) fn is_one(payload: &Value) -> bool {
    let questions = payload.get("questions").and_then(Value::as_array);
    let asks = |question: &Value| says(question, "type", &TYPES) || has(question, "choices");
    says(payload, "type", &["ask_user"])
        && (has(payload, "tool_call_id") || questions.is_some_and(|list| list.iter().any(asks)))
        && !gemini::is_confirmation(payload)
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    payload.metadata["deepagents"]["ask_user"] = true.into();
    fields.text("tool_call_id");
    let Some(list) = fields.need("questions", "an array").and_then(Field::list) else { return };
    payload.questions_at = Some(fields.at("questions"));
    payload.question_count = list.len();
    payload.questions =
        list.into_iter().filter_map(|item| Some(question(&item.object()?))).collect();
}

fn question(fields: &Fields) -> PayloadQuestion {
    let question = PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: None,
        text: fields.need_text("question"),
        text_at: fields.at("question"),
        details: None,
        kind: kind(fields),
        required: fields.flag("required").unwrap_or(true),
        notes: false,
        consent: false,
        schema: None,
        schema_at: String::new(),
    };
    fields.advise_unknown();
    question
}

fn kind(fields: &Fields) -> PayloadKind {
    let expected = "`text`, `multiple_choice` or `multi_select`";
    let name = fields.need("type", expected).and_then(|field| {
        let name = field.clone().text()?;
        if !TYPES.contains(&name.as_str()) {
            field.refuse(Fault::UnknownValue { found: name.clone(), expected });
        }
        Some(name)
    });
    let multi = match name.as_deref() {
        Some("multiple_choice") => false,
        Some("multi_select") => true,
        _ => return text(fields),
    };
    let list = fields.need("choices", "an array").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("choices"));
    let list = list.unwrap_or_default();
    PayloadKind::Choice {
        option_count: list.len(),
        options: list.into_iter().filter_map(option).collect(),
        options_at,
        multi,
        other: true,
        default: None,
    }
}

fn text(fields: &Fields) -> PayloadKind {
    if let Some(choices) = fields.get("choices") {
        choices.refuse(Fault::Rule("not allowed for a question of type `text`".into()));
    }
    PayloadKind::Plain(ANY_TEXT)
}

fn option(field: Field) -> Option<PayloadOption> {
    let fields = field.object()?;
    let option = PayloadOption {
        label: fields.need_text("value"),
        label_at: fields.at("value"),
        ..PayloadOption::default()
    };
    fields.advise_unknown();
    Some(option)
}

pub(super) fn write(dialog: &Dialog, outcome: &Outcome) -> Value {
    if let Outcome::Answered { answers } = outcome {
        let answers =
            dialog.questions.iter().zip(answers).map(|(question, answer)| one(question, answer));
        return json!({ "status": "answered", "answers": answers.collect::<Vec<_>>() });
    }
    let begun = outcome.answers().iter().any(Answer::is_given);
    let partial = dialog.questions.iter().zip(outcome.answers());
    let partial =
        partial.map(|(question, answer)| answer.is_given().then(|| one(question, answer)));
    let partial = if begun { partial.collect::<Vec<_>>().into() } else { Value::Null };
    let mut body = Map::new();
    match outcome {
        Outcome::Dismissed | Outcome::Withdrawn | Outcome::Declined { reason: None, .. } => {
            body.insert("status".into(), "cancelled".into());
        }
        _ => {
            body.insert("status".into(), "error".into());
            body.insert("error".into(), answers::told(outcome).into());
        }
    }
    body.extend(answers::ending("outcome", outcome, partial));
    body.into()
}

fn one(question: &Question, answer: &Answer) -> String {
    let texts = answers::texts(question, answer);
    if question.is_multi() { Value::from(texts).to_string() } else { texts.concat() }
}
