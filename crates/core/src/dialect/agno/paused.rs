//! What a run of Agno is paused for: questions with options (`user_feedback_schema`) or the fields of
//! a form (`user_input_fields`, which the requirement of the run calls `user_input_schema`).
//!
//! The whole requirement may be sent; what is not a question is not looked at. The answer is what
//! `provide_user_feedback` and `provide_user_input` take: labels by the question's text, values by
//! the field's name.

use serde_json::{Map, Value, json};

use crate::{
    dialect::{
        answers,
        fields::{Field, Fields, has},
    },
    dialog::{Dialog, Kind},
    outcome::Outcome,
    payload::{ANY, MANY, Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::Fault,
};

const FEEDBACK: &str = "user_feedback_schema";
/// What the call of `ask_user` has, of which the feedback is made.
pub(super) const ASKED: &str = "questions";
const FORMS: [&str; 3] = [FEEDBACK, "user_input_fields", "user_input_schema"];

static FEEDBACK_RULES: Rules = Rules {
    questions: 1..=MANY,
    options: 1..=MANY,
    header: ANY,
    label: ANY,
    description: ANY,
    unique_texts: true,
    unique_headers: false,
};

/// The field with what the run is paused for.
pub(super) fn form(payload: &Value) -> Option<&'static str> {
    FORMS.into_iter().find(|name| has(payload, name))
}

fn is_feedback(form: &str) -> bool {
    form == FEEDBACK || form == ASKED
}

pub(super) fn read(payload: &mut Payload, fields: &Fields, form: &'static str) {
    payload.metadata["agno"]["paused"] = form.into();
    payload.agent = fields.text("member_agent_name");
    let Some(list) = fields.get(form).and_then(Field::list) else { return };
    payload.questions_at = Some(fields.at(form));
    payload.question_count = list.len();
    let items = list.into_iter().filter_map(Field::object);
    if is_feedback(form) {
        payload.rules = Some(&FEEDBACK_RULES);
        payload.questions = items.map(|fields| question(&fields)).collect();
    } else {
        for fields in items {
            let question = input(&fields, &payload.questions);
            payload.questions.push(question);
        }
    }
}

fn question(fields: &Fields) -> PayloadQuestion {
    let multi = fields.flag("multi_select").unwrap_or(false);
    if let Some(selected) = fields.get("selected_options") {
        selected.advise(Fault::Rule("ignored: the user is asked".into()));
    }
    let kind = match fields.get("options") {
        None => text(None),
        Some(options) => {
            let list = options.list();
            let options_at = list.is_some().then(|| fields.at("options"));
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
    };
    let question = PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: fields.text("header"),
        text: fields.need_text("question"),
        text_at: fields.at("question"),
        details: None,
        kind,
        required: true,
        notes: false,
        consent: false,
        schema: None,
        schema_at: String::new(),
    };
    fields.advise_unknown();
    question
}

fn option(field: Field) -> Option<PayloadOption> {
    let fields = field.object()?;
    // Whether it was chosen is for Agno to fill in.
    fields.get("selected");
    let option = PayloadOption {
        label: fields.need_text("label"),
        label_at: fields.at("label"),
        description: fields.text("description"),
        description_at: fields.at("description"),
        ..PayloadOption::default()
    };
    fields.advise_unknown();
    Some(option)
}

/// A field of a form, by a name that no earlier one has.
fn input(fields: &Fields, earlier: &[PayloadQuestion]) -> PayloadQuestion {
    let named = fields.need_any(&["field_name", "name"], "a string");
    let at = named.as_ref().map_or_else(|| fields.at("field_name"), |field| field.at.clone());
    let name = named.and_then(Field::text);
    if let Some(value) =
        name.clone().filter(|name| earlier.iter().any(|other| other.id.as_ref() == Some(name)))
    {
        fields.findings.refuse(&at, Fault::Duplicate { value });
    }
    let description = fields.any(&["field_description", "description"]).and_then(Field::text);
    let (kind, schema) = typed(fields);
    fields.advise_unknown();
    PayloadQuestion {
        path: fields.at.clone(),
        header: name.clone(),
        text: description.filter(|text| !text.trim().is_empty()).or_else(|| name.clone()),
        id: name.filter(|name| earlier.iter().all(|other| other.id.as_ref() != Some(name))),
        text_at: at,
        details: None,
        kind,
        required: true,
        notes: false,
        consent: false,
        schema,
        schema_at: fields.at("field_type"),
    }
}

/// The kind of question for a Python type. What else stands around its name, as in `int | None`,
/// does not matter; any other type is a text, as it is to Agno.
fn typed(fields: &Fields) -> (PayloadKind, Option<Value>) {
    let value = fields.get("value");
    let field = fields.get("field_type");
    let named = field.clone().and_then(Field::text);
    let known = |word: &&str| ["str", "int", "float", "bool", "list", "dict"].contains(word);
    let word =
        named.as_deref().and_then(|named| named.split(|c: char| !c.is_alphanumeric()).find(known));
    if let (Some(field), Some(_), None) = (field, &named, word) {
        field.advise(Fault::Rule("unknown type, asking for text".into()));
    }
    let json = |of: &str| {
        let default = value.as_ref().map(|field| field.value.clone());
        (PayloadKind::Plain(Kind::Json { default }), Some(json!({ "type": of })))
    };
    match word {
        Some(word @ ("int" | "float")) => {
            let default = value.and_then(Field::number);
            (PayloadKind::Plain(Kind::Number { integer: word == "int", default }), None)
        }
        Some("bool") => {
            (PayloadKind::Plain(Kind::Boolean { default: value.and_then(Field::flag) }), None)
        }
        Some("list") => json("array"),
        Some("dict") => json("object"),
        _ => (text(value.and_then(Field::name)), None),
    }
}

fn text(default: Option<String>) -> PayloadKind {
    PayloadKind::Plain(Kind::Text { multiline: true, placeholder: None, default })
}

pub(super) fn write(dialog: &Dialog, outcome: &Outcome, form: &Value) -> Value {
    let mut given = Map::new();
    for (_, question, answer) in answers::given(dialog, outcome.answers()) {
        if form.as_str().is_some_and(is_feedback) {
            given.insert(question.text.clone(), answers::texts(question, answer).into());
        } else if let Some(value) = question.value(answer) {
            given.insert(question.id.clone(), value);
        }
    }
    if let Outcome::Answered { .. } = outcome {
        return given.into();
    }
    let ending = answers::ending("status", outcome, given.into());
    answers::apart(ending, dialog, |question| [question.text.as_str(), &question.id])
}
