//! Agno's `ask_user_question`: the questions as JSON inside `questions_json`, and the answers by
//! header. And what its newer tools pause a run for: see `paused` and `confirmation`.
//!
//! Detected by `questions_json`, by the field with what a run is paused for, by a tool that
//! `requires_confirmation`, or by a call of `ask_user` whose questions have no type. `user_answers`
//! resumes a call that was answered elsewhere: nothing is left to ask. What the tool demands is
//! demanded here, what it recommends is advice. It has no place for notes, so its dialogs take none.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, Findings, has},
    questions,
};
use crate::{
    dialog::Dialog,
    outcome::{Answer, Outcome},
    payload::{ANY, Payload, PayloadKind, PayloadQuestion, Rules},
    problem::{Fault, Problem},
};

mod confirmation;
mod paused;

pub static DIALECT: Dialect = Dialect {
    name: "agno",
    about: "Agno's ask_user_question (`questions_json`, stricter: 1–4 questions of 2–4 options) and what a run is paused for: `user_feedback_schema`, `user_input_fields`, `requires_confirmation`, or the call of `ask_user`",
    agent: Some("Agno"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("agno.schema.json")),
    detect: |payload| {
        has(payload, "questions_json")
            || paused::form(payload).is_some()
            || confirmation::is_one(payload)
            || is_call(payload)
    },
    read,
    write,
    refuse: |problems| {
        Some(json!({ "error": in_agnos_words(problems), "status": "failed" }).to_string())
    },
    fits: |_| false,
};

const CALL: Call = Call { dialect: "agno", tools: &["ask_user"], ..BARE };

/// Others have a tool of this name, and say what each question is.
fn is_call(payload: &Value) -> bool {
    let inside = CALL.inside(payload);
    CALL.wraps(payload) && has(inside, "questions") && !questions::have(inside, "type")
}

static ASK_USER_QUESTION: Rules = Rules {
    questions: 1..=4,
    options: 2..=4,
    header: 1..=12,
    label: ANY,
    description: ANY,
    unique_texts: false,
    unique_headers: true,
};

fn read(value: &Value) -> Payload {
    if is_call(value) {
        return CALL.read(value, |fields, payload| paused::read(payload, fields, paused::ASKED));
    }
    let findings = Findings::default();
    let mut payload = Payload::default();
    let fields = Field::root(value, &findings).object();
    if let (Some(fields), Some(form)) = (&fields, paused::form(value)) {
        paused::read(&mut payload, fields, form);
    } else if let (Some(fields), true) = (&fields, confirmation::is_one(value)) {
        confirmation::read(&mut payload, fields);
    } else if let Some(fields) = fields {
        payload.rules = Some(&ASK_USER_QUESTION);
        let questions = unpacked(&fields, "questions_json");
        let list = fields.need("questions_json", "an array of questions as JSON");
        let list = list.and_then(|list| Some(Field { value: questions.as_ref()?, ..list }));
        questions::read(&mut payload, list, &questions::STRICT);
        payload.questions.iter().for_each(|question| recommend(question, &findings));
        if let Some(given) = unpacked(&fields, "user_answers") {
            let field = Field { at: fields.at("user_answers"), value: &given, findings: &findings };
            payload.answered = field.object().map(|field| resume(&field, &payload.questions));
            payload.metadata["agno"]["user_answers"] = given;
        }
        fields.advise_unknown();
    }
    findings.put_into(payload)
}

/// A value that may have been sent as JSON in a text; an empty text is no value.
fn unpacked(fields: &Fields, name: &'static str) -> Option<Value> {
    let field = fields.get(name)?;
    match field.value {
        Value::String(text) if text.trim().is_empty() && name == "user_answers" => None,
        Value::String(text) => serde_json::from_str(text)
            .map_err(|error| {
                fields.findings.refuse("", Fault::Rule(format!("Invalid {name} format: {error}")));
            })
            .ok(),
        value => Some(value.clone()),
    }
}

fn recommend(question: &PayloadQuestion, findings: &Findings) {
    const WORDS: usize = 5;
    if question.text.as_ref().is_some_and(|text| !text.trim_end().ends_with(['?', '？'])) {
        findings.advise(&question.text_at, Fault::Rule("should end with `?`".into()));
    }
    let PayloadKind::Choice { options, .. } = &question.kind else { return };
    for option in options {
        let found = option.label.as_ref().map_or(0, |label| label.split_whitespace().count());
        if found > WORDS {
            let fault = Fault::Rule(format!("{found} words, but a label should have 1 to {WORDS}"));
            findings.advise(&option.label_at, fault);
        }
    }
}

/// The answers that came along, one for each question.
fn resume(given: &Fields, questions: &[PayloadQuestion]) -> Vec<Answer> {
    // The format knows no more than four questions; a fifth is refused anyway.
    const KEYS: [&str; 4] = ["question_0", "question_1", "question_2", "question_3"];
    let answers = questions.iter().zip(KEYS).map(|(question, key)| {
        let field = given.need(key, "an array of labels");
        field.and_then(|field| resumed(field, question)).unwrap_or_default()
    });
    let answers = answers.collect();
    given.advise_unknown();
    answers
}

fn resumed(field: Field, question: &PayloadQuestion) -> Option<Answer> {
    let PayloadKind::Choice { options, multi, .. } = &question.kind else { return None };
    let place = field.clone();
    let labels: Vec<String> = match field.value {
        Value::String(label) => vec![label.clone()],
        _ => field.list()?.into_iter().filter_map(Field::text).collect(),
    };
    if labels.is_empty() || (labels.len() > 1 && !multi) {
        let allowed = if *multi { 1..=usize::MAX } else { 1..=1 };
        place.refuse(Fault::Count { noun: "labels", found: labels.len(), allowed });
    }
    let place_of =
        |label: &String| options.iter().position(|option| option.label.as_ref() == Some(label));
    let other: Vec<&str> =
        labels.iter().filter(|label| place_of(label).is_none()).map(String::as_str).collect();
    Some(Answer {
        selected: labels.iter().filter_map(place_of).collect(),
        other: (!other.is_empty()).then(|| other.join(", ")),
        ..Answer::default()
    })
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if let Some(form) = answers::kept(dialog, DIALECT.name, "paused") {
        return paused::write(dialog, outcome, form).to_string();
    }
    if let Some(kept) = answers::kept(dialog, DIALECT.name, "confirmation").and_then(Value::as_str)
    {
        return confirmation::write(dialog, outcome, kept).to_string();
    }
    let mut by_header = Map::new();
    for (index, question, answer) in answers::given(dialog, outcome.answers()) {
        let given = given_elsewhere(dialog, index)
            .unwrap_or_else(|| answers::texts(question, answer).into());
        answers::insert(&mut by_header, answers::name(question), given);
    }
    let mut body = match outcome {
        Outcome::Answered { .. } => {
            let asked = dialog.questions.len();
            Map::from_iter([
                ("answers".into(), by_header.into()),
                ("questions_asked".into(), asked.into()),
                ("status".into(), "completed".into()),
            ])
        }
        _ => answers::ending("status", outcome, by_header.into()),
    };
    answers::add_notes(&mut body, dialog, outcome.answers());
    Value::Object(body).to_string()
}

/// The list that came along for this question goes back as it came.
fn given_elsewhere(dialog: &Dialog, index: usize) -> Option<Value> {
    let given = answers::kept(dialog, DIALECT.name, "user_answers")?;
    given.get(format!("question_{index}")).filter(|list| list.is_array()).cloned()
}

/// All problems in one text, in the tool's own words where it has some.
fn in_agnos_words(problems: &[Problem]) -> String {
    let mut told: Vec<String> = Vec::new();
    for problem in problems {
        let words = match &problem.fault {
            Fault::Count { noun: "questions", found, allowed } => {
                format!("Must ask {}-{} questions, got {found}", allowed.start(), allowed.end())
            }
            Fault::Missing { .. } => match question_index(&problem.path) {
                Some(index) => format!("Question {index} missing required fields"),
                None => problem.to_string(),
            },
            _ => problem.to_string(),
        };
        // Several missing fields make the same sentence.
        if !told.contains(&words) {
            told.push(words);
        }
    }
    told.join("; ")
}

/// The question whose own field this path names: `questions_json[1].header`.
fn question_index(path: &str) -> Option<usize> {
    let (index, field) = path.strip_prefix("questions_json[")?.split_once("].")?;
    if field.contains('.') { None } else { index.parse().ok() }
}
