//! The interrupts of `DeepAgents`: `user_question`, one question with parallel lists for its options,
//! `confirm_action`, a yes or no, and the newer `ask_user`, a list of questions; also as the graph hands
//! them out, see `interrupts`.
//!
//! Detected by these types, the last one only with a question or a `tool_call_id` of its own kind; by
//! one question with `descriptions`, `multi_select` or `allow_custom`; or by the `action` of a tool
//! call. The answer is a bare JSON value: a string, a list, true or false; every other ending is an
//! object, which none of its callers takes for one of these. Only `ask_user` has an object for both.
//! There is no place for notes, so its dialogs take none.

use serde_json::{Map, Value};

use super::{
    Carry, Dialect, answers,
    fields::{Field, Fields, has, says},
    interrupts::Interrupts,
};
use crate::{
    dialog::{Dialog, Kind, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::Fault,
};

mod ask_user;

pub static DIALECT: Dialect = Dialect {
    name: "deepagents",
    about: "DeepAgents' user_question (string options, parallel descriptions), confirm_action and ask_user",
    agent: Some("DeepAgents"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules::OPEN,
    schema: Some(include_str!("deepagents.schema.json")),
    detect: |payload| INTERRUPTS.detect(payload),
    read: |sent| INTERRUPTS.read(sent),
    write: |dialog, outcome| INTERRUPTS.write(dialog, outcome),
    refuse: |_| None,
    fits: |_| false,
};

const INTERRUPTS: Interrupts = Interrupts { dialect: "deepagents", is_one, read, write };

/// The header is cut to this many characters, as the tool itself does.
const HEADER: usize = 12;

fn is_one(payload: &Value) -> bool {
    let parallel =
        ["descriptions", "multi_select", "allow_custom"].iter().any(|name| has(payload, name));
    says(payload, "type", &["user_question", "confirm_action"])
        || (has(payload, "question") && parallel && !has(payload, "askdeck"))
        || is_action(payload)
        || ask_user::is_one(payload)
}

fn is_action(payload: &Value) -> bool {
    // A permission of OpenCode has one, too.
    let others = ["question", "questions", "sessionID"];
    has(payload, "action") && !others.iter().any(|name| has(payload, name))
}

fn read(field: Field, _: Option<&Value>, payload: &mut Payload) {
    let value = field.value;
    if let Some(fields) = field.object() {
        fields.get("type");
        if ask_user::is_one(value) {
            ask_user::read(payload, &fields);
        } else {
            let confirms = says(value, "type", &["confirm_action"]) || is_action(value);
            payload.questions = vec![if confirms { confirm(&fields) } else { ask(&fields) }];
            payload.question_count = 1;
            payload.questions_at = Some(fields.at.clone());
        }
        fields.advise_unknown();
    }
}

fn ask(fields: &Fields) -> PayloadQuestion {
    let multi = fields.flag("multi_select").unwrap_or(false);
    let other = fields.flag("allow_custom").unwrap_or(true);
    let options = options(fields);
    let default = fields.get("default");
    let kind = if options.is_empty() {
        PayloadKind::Plain(Kind::Text {
            multiline: true,
            placeholder: None,
            default: default.and_then(Field::name),
        })
    } else {
        let labels: Vec<_> =
            options.iter().map(|option| option.label.clone().unwrap_or_default()).collect();
        let default = default.and_then(|field| cursor(&field, &labels));
        let option_count = options.len();
        PayloadKind::Choice {
            options,
            options_at: Some(fields.at("options")),
            option_count,
            multi,
            other,
            default,
        }
    };
    question(fields, fields.need_text("question"), "question", None, kind)
}

fn confirm(fields: &Fields) -> PayloadQuestion {
    for meaningless in ["multi_select", "allow_custom"] {
        fields.get(meaningless);
    }
    let options = options(fields);
    if !matches!(options.len(), 0 | 2) {
        let fault = Fault::Count { noun: "options", found: options.len(), allowed: 2..=2 };
        fields.findings.refuse(fields.at("options"), fault);
    }
    let descriptions = options.iter().filter_map(|option| option.description.clone());
    let details: Vec<String> = fields.text("details").into_iter().chain(descriptions).collect();
    let label = |index: usize, usual: &str| {
        let sent = options.get(index).and_then(|option| option.label.clone());
        sent.unwrap_or_else(|| fields.findings.say(usual, []))
    };
    let labels = [label(0, "confirm_proceed"), label(1, "confirm_cancel")];
    let default = fields.get("default").and_then(|default| match default.value {
        Value::Bool(yes) => Some(*yes),
        _ => cursor(&default, &labels).map(|index| index == 0),
    });
    let [yes, no] = labels;
    let kind = PayloadKind::Plain(Kind::Confirm { yes: Some(yes), no: Some(no), default });
    let (text, text_field) = match fields.text("action") {
        Some(action) => {
            (Some(fields.findings.say("confirm_action", [("action", action)])), "action")
        }
        None => (fields.need_text("question"), "question"),
    };
    question(fields, text, text_field, (!details.is_empty()).then(|| details.join("\n")), kind)
}

fn question(
    fields: &Fields,
    text: Option<String>,
    text_field: &str,
    details: Option<String>,
    kind: PayloadKind,
) -> PayloadQuestion {
    PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: fields.text("header").map(|header| header.chars().take(HEADER).collect()),
        text,
        text_at: fields.at(text_field),
        details,
        kind,
        required: true,
        notes: false,
        consent: false,
        schema: None,
        schema_at: String::new(),
    }
}

/// The options with their descriptions, which stand in a list of their own.
fn options(fields: &Fields) -> Vec<PayloadOption> {
    let list = |name| fields.get(name).and_then(Field::list).unwrap_or_default();
    let (labels, descriptions) = (list("options"), list("descriptions"));
    if !descriptions.is_empty() && descriptions.len() != labels.len() {
        let fault = Fault::Rule(format!(
            "{} descriptions for {} options, expected one for each",
            descriptions.len(),
            labels.len()
        ));
        fields.findings.refuse(fields.at("descriptions"), fault);
    }
    let mut descriptions = descriptions.into_iter();
    let option = |label: Field| {
        let description = descriptions.next();
        PayloadOption {
            label_at: label.at.clone(),
            label: label.text(),
            description_at: description.as_ref().map(|field| field.at.clone()).unwrap_or_default(),
            description: description.filter(|field| !field.value.is_null()).and_then(Field::text),
            ..PayloadOption::default()
        }
    };
    labels.into_iter().map(option).collect()
}

/// The option that `default` names, by its place or its label.
fn cursor(default: &Field, labels: &[String]) -> Option<usize> {
    let place = match default.value {
        Value::String(text) => labels.iter().position(|label| label == text),
        value => value
            .as_u64()
            .and_then(|index| index.try_into().ok())
            .filter(|index| *index < labels.len()),
    };
    if place.is_none() {
        default.advise(Fault::Rule("matches no option, using the first".into()));
    }
    place
}

fn write(dialog: &Dialog, outcome: &Outcome) -> Value {
    if answers::kept(dialog, DIALECT.name, "ask_user").is_some() {
        return ask_user::write(dialog, outcome);
    }
    let mut given = answers::given(dialog, outcome.answers());
    let given: Value = if dialog.questions.len() == 1 {
        given.next().map(|(_, question, answer)| value(question, answer)).unwrap_or_default()
    } else {
        // Only a dialog of another dialect has several.
        let mut by_name = Map::new();
        given.for_each(|(_, question, answer)| {
            answers::insert(&mut by_name, answers::name(question), value(question, answer));
        });
        by_name.into()
    };
    if let Outcome::Answered { .. } = outcome {
        return given;
    }
    let ending = answers::ending("status", outcome, given);
    answers::apart(ending, dialog, |question| [answers::name(question)])
}

fn value(question: &Question, answer: &Answer) -> Value {
    let texts = || answers::texts(question, answer);
    match &answer.value {
        Some(value) => value.clone(),
        None if question.is_multi() => texts().into(),
        None => texts().join(", ").into(),
    }
}
