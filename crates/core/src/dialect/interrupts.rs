//! What `LangGraph` hands out when a graph waits: `{"value", "id"}`, several of them in a list, or as
//! `__interrupt__` in the state. The value is a dialect's own, and so is the answer; it goes back under
//! the id, as `Command(resume=…)` takes it for one and for several.
//!
//! Each interrupt keeps its questions and its metadata, so that a dialect writes the answer to each as
//! if it had come alone.

use std::slice;

use serde_json::{Map, Value, json};

use super::{
    answers,
    fields::{Field, Findings, has},
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadQuestion},
    problem::Fault,
};

const STATE: &str = "__interrupt__";

/// How a dialect takes a value, and its answer back.
pub(super) struct Interrupts {
    pub(super) dialect: &'static str,
    /// Whether a value is of this dialect.
    pub(super) is_one: fn(&Value) -> bool,
    /// Reads the value; with the schema of its answer, if the graph has told one.
    pub(super) read: fn(Field, Option<&Value>, &mut Payload),
    pub(super) write: fn(&Dialog, &Outcome) -> Value,
}

impl Interrupts {
    pub(super) fn detect(&self, payload: &Value) -> bool {
        (self.is_one)(payload) || self.envelopes(payload).is_some()
    }

    /// The interrupts, if one of them has a value of this dialect.
    fn envelopes<'a>(&self, payload: &'a Value) -> Option<&'a [Value]> {
        let list = payload.get(STATE).unwrap_or(payload);
        let list = list.as_array().map_or(slice::from_ref(list), Vec::as_slice);
        let of_this = |envelope: &Value| envelope.get("value").is_some_and(self.is_one);
        list.iter().any(of_this).then_some(list)
    }

    pub(super) fn read(&self, sent: &Value) -> Payload {
        let findings = Findings::default();
        let mut payload = Payload::default();
        match self.envelopes(sent) {
            None => (self.read)(Field::root(sent, &findings), None, &mut payload),
            Some(list) => {
                payload.questions_at = Some(String::new());
                let mut kept = Vec::new();
                for (index, value) in list.iter().enumerate() {
                    let at = match (sent.is_object(), has(sent, STATE)) {
                        (true, true) => format!("{STATE}[{index}]"),
                        (true, false) => String::new(),
                        (false, _) => format!("[{index}]"),
                    };
                    if list[..index]
                        .iter()
                        .any(|other| has(value, "id") && other["id"] == value["id"])
                    {
                        let value = value["id"].to_string();
                        findings.refuse(format!("{at}.id"), Fault::Duplicate { value });
                    }
                    let field = Field { at, value, findings: &findings };
                    kept.extend(self.read_one(field, index, list.len(), &mut payload));
                }
                payload.metadata = json!({ self.dialect: { "interrupts_by_id": kept } });
            }
        }
        findings.put_into(payload)
    }

    /// Adds the questions of one interrupt, and returns what the answer needs to know of it.
    fn read_one(&self, field: Field, index: usize, of: usize, all: &mut Payload) -> Option<Value> {
        let fields = field.object()?;
        // Older graphs tell where they wait, too.
        fields.ignore(&["ns", "resumable", "when", "interrupt_id"]);
        let id = if of > 1 { fields.need("id", "a string") } else { fields.get("id") };
        let id = id.and_then(Field::text);
        let schema = fields.get("response_schema").map(|schema| schema.value);
        let mut payload = Payload::default();
        (self.read)(fields.need("value", "an object")?, schema, &mut payload);
        fields.advise_unknown();
        let count = payload.questions.len();
        all.question_count += payload.question_count;
        all.rules = all.rules.or(payload.rules);
        let named = payload.questions.into_iter().enumerate().map(|(place, question)| {
            let id = question.id.clone().unwrap_or_else(|| format!("question-{place}"));
            PayloadQuestion { id: Some(id + &suffix(index, of)), ..question }
        });
        all.questions.extend(named);
        Some(json!({ "id": id, "questions": count, "metadata": payload.metadata }))
    }

    pub(super) fn write(&self, dialog: &Dialog, outcome: &Outcome) -> String {
        let kept = answers::kept(dialog, self.dialect, "interrupts_by_id");
        let Some(kept) = kept.and_then(Value::as_array) else {
            return (self.write)(dialog, outcome).to_string();
        };
        let mut by_id = Map::new();
        let mut start = 0;
        for (index, interrupt) in kept.iter().enumerate() {
            let count = interrupt["questions"].as_u64().and_then(|count| count.try_into().ok());
            let end = start + count.unwrap_or(0_usize);
            let of_this = |question: &Question| {
                let suffix = suffix(index, kept.len());
                let id = question.id.strip_suffix(&suffix).unwrap_or(&question.id).to_owned();
                Question { id, ..question.clone() }
            };
            let questions = dialog.questions.iter().skip(start).take(end - start).map(of_this);
            let one = Dialog {
                questions: questions.collect(),
                metadata: interrupt["metadata"].clone(),
                ..dialog.clone()
            };
            let written = (self.write)(&one, &part(outcome, start, end));
            match interrupt["id"].as_str() {
                Some(id) => by_id.insert(id.to_owned(), written),
                None => return written.to_string(),
            };
            start = end;
        }
        Value::Object(by_id).to_string()
    }
}

/// Among several, ids are told apart by the place of their interrupt.
fn suffix(index: usize, of: usize) -> String {
    if of > 1 { format!("@{index}") } else { String::new() }
}

fn part(outcome: &Outcome, start: usize, end: usize) -> Outcome {
    let part = |given: &[Answer]| given.iter().skip(start).take(end - start).cloned().collect();
    match outcome {
        Outcome::Answered { answers } => Outcome::Answered { answers: part(answers) },
        Outcome::Declined { reason, partial } => {
            Outcome::Declined { reason: reason.clone(), partial: part(partial) }
        }
        Outcome::TimedOut { partial } => Outcome::TimedOut { partial: part(partial) },
        Outcome::Clarify { text, partial } => {
            Outcome::Clarify { text: text.clone(), partial: part(partial) }
        }
        Outcome::Dismissed => Outcome::Dismissed,
        Outcome::Withdrawn => Outcome::Withdrawn,
    }
}
