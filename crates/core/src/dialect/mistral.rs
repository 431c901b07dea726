//! Mistral Vibe's `ask_user_question`, and the callback `user_input` of its app server.
//!
//! Detected by the callback's kind, by `footerNote`, or by a question with `hideOther`; also as
//! `footer_note` and `hide_other`, since Vibe takes both spellings. Without these a call of the tool
//! could as well be Qwen's or Grok's. The answers are a list, several labels joined by a comma;
//! `isOther` tells that own words are among them. Every ending without an answer is `cancelled`:
//! there is no room for more, nor for notes.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has, says},
    questions::{self, Need, Style},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{MANY, Payload, PayloadKind, PayloadQuestion, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "mistral",
    about: "Mistral Vibe's ask_user_question, with `hideOther` or `footerNote`, and its callback `user_input`",
    agent: Some("Mistral Vibe"),
    carries: &[Carry::Other, Carry::Multi],
    rules: Rules { options: 2..=MANY, header: 0..=20, ..Rules::OPEN },
    schema: Some(include_str!("mistral.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        is_callback(payload)
            || HIDE_OTHER.iter().any(|mark| questions::have(inside, mark))
            || has(inside, "questions") && FOOTER.iter().any(|mark| has(inside, mark))
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            if !is_callback(sent) {
                return read(payload, fields);
            }
            fields.ignore(&["kind", "relatedEntryId", "related_entry_id"]);
            payload.metadata["mistral"]["callback"] = true.into();
            if let Some(request) = fields.need("request", "an object").and_then(Field::object) {
                read(payload, &request);
                request.advise_unknown();
            }
        })
    },
    write,
    refuse: |_| None,
    fits: |payload| {
        let inside = CALL.inside(payload);
        let is_groks =
            questions::have(inside, "multi_select") && !questions::have(inside, "header");
        CALL.wraps(payload) && has(inside, "questions") && !is_groks
            || questions::lack_headers(inside)
    },
};

const CALL: Call = Call { dialect: "mistral", tools: &["ask_user_question"], ..BARE };

const FOOTER: [&str; 2] = ["footerNote", "footer_note"];
const HIDE_OTHER: [&str; 2] = ["hideOther", "hide_other"];

const STYLE: Style = Style {
    header: Need::May,
    short_header: usize::MAX,
    description: Need::May,
    multi: &["multiSelect", "multi_select"],
    ..questions::CLAUDE
};

fn is_callback(payload: &Value) -> bool {
    says(payload, "kind", &["user_input"]) && has(payload, "request")
}

fn read(payload: &mut Payload, fields: &Fields) {
    payload.message = fields.any(&FOOTER).and_then(Field::text);
    let list = fields.need("questions", "an array");
    questions::read_each(payload, list, &STYLE, complete);
}

fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    let hides = fields.any(&HIDE_OTHER).and_then(Field::flag);
    if let PayloadKind::Choice { other, .. } = &mut question.kind {
        *other = hides != Some(true);
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let is_callback = answers::kept(dialog, DIALECT.name, "callback").is_some();
    // The tool's result is read in both spellings, by older versions only in the second.
    let is_other = if is_callback { "isOther" } else { "is_other" };
    let answers: Vec<Value> = match outcome {
        Outcome::Answered { answers } => answers::given(dialog, answers)
            .map(|(_, question, answer)| {
                json!({
                    "question": question.text,
                    "answer": answers::texts(question, answer).join(", "),
                    is_other: answer.other.is_some() || answer.value.is_some(),
                })
            })
            .collect(),
        _ => Vec::new(),
    };
    let cancelled = !matches!(outcome, Outcome::Answered { .. });
    let result = json!({ "answers": answers, "cancelled": cancelled });
    let output = json!({ "type": "user_input", "result": result });
    CALL.answer(dialog, if is_callback { output } else { result })
}
