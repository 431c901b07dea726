//! Askdeck's own dialect: every kind of question, and the names that other agents use for the same
//! fields.
//!
//! Detected by what no other dialect has: a mark (`askdeck: 1`), a field of the dialog (`title`,
//! `agent`, `timeout` …), a question alone at the top, or a question with a field or option of
//! ours. Liberal in what it takes, but a field that it does not know is refused: it may be the one
//! that mattered.
//!
//! The answer keeps its parts apart; what was not given is absent:
//!
//! ```json
//! {"outcome": "answered", "answers": [
//!   {"id": "db", "header": "Database", "question": "Which one?", "selected": ["PostgreSQL"], "note": "16 or later"},
//!   {"id": "question-1", "question": "Which features?", "selected": ["Search"], "other": "Export to PDF"},
//!   {"id": "question-2", "question": "How many workers?", "value": 4},
//!   {"id": "question-3", "question": "Anything else?", "skipped": true}
//! ]}
//! ```
//! `selected` holds labels and is there for every choice; `value` is the answer to any other
//! question, and for options with a `value`, theirs. Every other outcome has its name, `reason`
//! (declined) or `text` (clarify), and in `partial` what had been given. `metadata` comes back as
//! it was sent.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers, claude,
    fields::{Field, Fields, Findings, has},
    questions,
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{ANY, Payload, Rules},
    problem::Fault,
};

mod question;

pub static DIALECT: Dialect = Dialect {
    name: "askdeck",
    about: "Askdeck's own: every kind of question, string options, up to 20 questions",
    agent: None,
    carries: &[
        Carry::Other,
        Carry::Notes,
        Carry::Multi,
        Carry::Previews,
        Carry::Reason,
        Carry::Partial,
    ],
    rules: Rules {
        questions: 1..=20,
        // A question without options is a text.
        options: 1..=20,
        header: ANY,
        label: ANY,
        description: ANY,
        unique_texts: false,
        unique_headers: false,
    },
    schema: Some(include_str!("askdeck.schema.json")),
    detect: is_ours,
    read,
    write,
    refuse: |_| None,
    fits: questions::lack_headers,
};

/// Fields of the dialog that no other dialect has beside `questions`.
const MARKS: [&str; 8] =
    ["askdeck", "title", "message", "agent", "session", "cwd", "form", "timeout"];

/// Whether a payload has a mark of this dialect.
pub(super) fn is_ours(payload: &Value) -> bool {
    if claude::is_extended(payload) {
        return false;
    }
    let list = payload.get("questions").unwrap_or(payload);
    match list.as_array() {
        Some(questions) => {
            MARKS.iter().any(|mark| has(payload, mark)) || questions.iter().any(question::is_ours)
        }
        None => has(payload, "askdeck") || question::TEXT.iter().any(|name| has(payload, name)),
    }
}

fn read(value: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    let root = Field::root(value, &findings);
    if value.is_array() {
        read_list(&mut payload, root);
    } else if let Some(fields) = root.object() {
        read_dialog(&mut payload, &fields);
        if let Some(list) = fields.get("questions") {
            read_list(&mut payload, list);
        } else {
            payload.questions_at = Some(String::new());
            payload.question_count = 1;
            payload.questions = vec![question::read(&fields, &question::TEXT)];
        }
        fields.refuse_unknown();
    }
    findings.put_into(payload)
}

fn read_list(payload: &mut Payload, list: Field) {
    let at = list.at.clone();
    let Some(items) = list.list() else { return };
    payload.questions_at = Some(at);
    payload.question_count = items.len();
    let question = |item: Field| {
        let fields = item.object()?;
        let question = question::read(&fields, &question::TEXT_OR_MESSAGE);
        fields.refuse_unknown();
        Some(question)
    };
    payload.questions = items.into_iter().filter_map(question).collect();
}

fn read_dialog(payload: &mut Payload, fields: &Fields) {
    if let Some(version) = fields.get("askdeck").filter(|version| version.value != 1) {
        version.refuse(Fault::UnknownValue { found: version.value.to_string(), expected: "1" });
    }
    payload.title = fields.text("title");
    payload.message = fields.text("message");
    payload.agent = fields.text("agent");
    payload.session = fields.get("session").and_then(Field::name);
    payload.cwd = fields.text("cwd");
    payload.fill = fields.flag("form").unwrap_or(false);
    payload.timeout = fields.get("timeout").and_then(|field| timeout(&field));
    if let Some(metadata) = fields.get("metadata") {
        payload.metadata["askdeck"]["metadata"] = metadata.value.clone();
    }
}

fn timeout(field: &Field) -> Option<Duration> {
    let time = match field.value {
        Value::Number(seconds) => {
            seconds.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        }
        Value::String(text) => duration(text),
        _ => None,
    };
    let time = time.filter(|time| !time.is_zero() && *time <= LONGEST);
    if time.is_none() {
        let fault = Fault::UnknownValue {
            found: field.value.to_string(),
            expected: "seconds, or a time such as `90s`, `10m` or `1h30m`, up to `30d`",
        };
        field.refuse(fault);
    }
    time
}

/// The longest time that a person may be given.
pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Reads a time such as `90s`, `10m` or `1h30m`; a bare number is seconds.
pub fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let (number, tail) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let unit_end = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let unit: u32 = match &tail[..unit_end] {
            "s" => 1,
            "m" | "min" => 60,
            "h" => 60 * 60,
            "d" => 24 * 60 * 60,
            _ => return None,
        };
        let seconds = u64::from(number.parse::<u32>().ok()?) * u64::from(unit);
        total = total.checked_add(Duration::from_secs(seconds))?;
        rest = &tail[unit_end..];
    }
    (!text.is_empty()).then_some(total)
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let pairs = dialog.questions.iter().zip(outcome.answers());
    let mut body = if let Outcome::Answered { .. } = outcome {
        let answers: Value = pairs.map(|(question, answer)| one(question, answer)).collect();
        Map::from_iter([("outcome".into(), outcome.name().into()), ("answers".into(), answers)])
    } else {
        let begun = pairs.filter(|(_, answer)| answer.is_given() || answer.note.is_some());
        answers::ending(
            "outcome",
            outcome,
            begun.map(|(question, answer)| one(question, answer)).collect(),
        )
    };
    if let Some(metadata) = answers::kept(dialog, DIALECT.name, "metadata") {
        body.insert("metadata".into(), metadata.clone());
    }
    Value::Object(body).to_string()
}

fn one(question: &Question, answer: &Answer) -> Value {
    let mut body = json!({ "id": question.id });
    if let Some(header) = &question.header {
        body["header"] = header.clone().into();
    }
    body["question"] = question.text.clone().into();
    if answer.is_given() {
        let options = question.options();
        if !options.is_empty() {
            body["selected"] = question.labels(answer).collect();
        }
        if let Some(other) = &answer.other {
            body["other"] = other.clone().into();
        }
        if options.iter().all(|option| option.value.is_none()) {
            if let Some(value) = &answer.value {
                body["value"] = value.clone();
            }
        } else if let Some(value) = question.value(answer) {
            body["value"] = value;
        }
    } else {
        body["skipped"] = true.into();
    }
    if let Some(note) = &answer.note {
        body["note"] = note.clone().into();
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        for (text, seconds) in [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("1h30m", Some(5400)),
            (" 2d ", Some(172_800)),
            ("0s", Some(0)),
            ("", None),
            ("m", None),
            ("10", Some(10)),
            ("10x", None),
            ("1h30", None),
            ("99999999999d", None),
            ("-1s", None),
        ] {
            assert_eq!(duration(text), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
