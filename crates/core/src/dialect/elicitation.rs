//! One elicitation, as MCP and ACP have it: a form to fill in, or an address to open.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    fields::{Field, Fields},
    form,
    side_fields::{self, AnswerFields},
};
use crate::{
    dialog::{Dialog, Form, Kind, Question},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadQuestion},
    problem::Fault,
};

/// How the answer goes back.
#[derive(Serialize, Deserialize)]
pub(super) struct Elicitation {
    /// Its name among the requests of a call.
    pub(super) key: Option<String>,
    content: Content,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Content {
    /// The fields of each question.
    Fields(Vec<AnswerFields>),
    /// The value of the only question.
    Value,
    /// The person agrees to the only question, or does not.
    Consent { content: Option<Value> },
}

/// What one elicitation asks.
pub(super) struct Asked {
    pub(super) elicitation: Elicitation,
    message: Option<String>,
    questions: Vec<PayloadQuestion>,
    form: Option<Form>,
    form_at: String,
}

pub(super) fn read(fields: &Fields) -> Option<Asked> {
    fields.ignore(&["_meta", "elicitationId", "turnId"]);
    let message = fields.need_text("message");
    match fields.text("mode").as_deref() {
        None | Some("form") => read_form(fields, message),
        Some("url") => read_address(fields, message),
        Some(found) => {
            let fault = Fault::UnknownValue { found: found.into(), expected: "`form` or `url`" };
            fields.findings.refuse(fields.at("mode"), fault);
            None
        }
    }
}

fn read_form(fields: &Fields, message: Option<String>) -> Option<Asked> {
    let sent = fields.need("requestedSchema", "an object")?;
    sent.clone().object()?;
    let spelled_out = spelled_out(sent.value.clone());
    let schema = Field { value: &spelled_out, ..sent };
    let mut value = schema.value.clone();
    let properties = form::properties(&schema);
    let asked = |content, message, questions, form| Asked {
        elicitation: Elicitation { key: None, content },
        message,
        questions,
        form,
        form_at: schema.at.clone(),
    };
    if !properties.is_empty() {
        let (questions, parts) = side_fields::fold(&mut value, properties).into_iter().unzip();
        let about = value.get("description").and_then(Value::as_str).map(str::to_owned);
        let said: Vec<_> = [message, about].into_iter().flatten().collect();
        let message = (!said.is_empty()).then(|| said.join("\n\n"));
        let form = Some(Form::Object(value));
        return Some(asked(Content::Fields(parts), message, questions, form));
    }
    let text_at = fields.at("message");
    let has_none =
        value.get("properties").is_none_or(|it| it.as_object().is_some_and(Map::is_empty));
    if has_none {
        // A form without a field only wants to be accepted.
        form::refuse_unknown_required(&schema);
        let kind = Kind::Confirm { yes: None, no: None, default: None };
        let question = consent(message, text_at, kind);
        let content = Content::Consent { content: Some(json!({})) };
        return Some(asked(content, None, vec![question], None));
    }
    let question = form::whole(Some(&schema), message, text_at);
    Some(asked(Content::Value, None, vec![question], Some(Form::Value(value))))
}

/// The schema with what its sender may leave out: it is that of an object, and null is as good as
/// absent.
fn spelled_out(mut schema: Value) -> Value {
    leave_nulls_out(&mut schema);
    if let Some(members) = schema.as_object_mut()
        && members.contains_key("properties")
    {
        members.entry("type").or_insert_with(|| "object".into());
    }
    schema
}

fn leave_nulls_out(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    members.retain(|key, value| key == "const" || !value.is_null());
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(Map::values_mut).for_each(leave_nulls_out);
    members.get_mut("items").into_iter().for_each(leave_nulls_out);
    for key in ["oneOf", "anyOf"] {
        let branches = members.get_mut(key).and_then(Value::as_array_mut);
        branches.into_iter().flatten().for_each(leave_nulls_out);
    }
}

fn read_address(fields: &Fields, message: Option<String>) -> Option<Asked> {
    let field = fields.need("url", "an address")?;
    let address = field.clone().text()?;
    if !Kind::can_open(&address) {
        let expected = "an https or http address without spaces, foreign letters or a user's name";
        field.refuse(Fault::UnknownValue { found: address, expected });
        return None;
    }
    let question = consent(message, fields.at("message"), Kind::Link { address });
    Some(Asked {
        elicitation: Elicitation { key: None, content: Content::Consent { content: None } },
        message: None,
        questions: vec![question],
        form: None,
        form_at: String::new(),
    })
}

fn consent(text: Option<String>, text_at: String, kind: Kind) -> PayloadQuestion {
    PayloadQuestion {
        path: String::new(),
        id: None,
        header: None,
        text,
        text_at,
        details: None,
        kind: PayloadKind::Plain(kind),
        required: true,
        notes: false,
        consent: true,
        schema: None,
        schema_at: String::new(),
    }
}

impl Asked {
    /// The only elicitation is the whole dialog.
    pub(super) fn put_alone(self, payload: &mut Payload) {
        payload.message = self.message;
        payload.form = self.form;
        payload.form_at = self.form_at;
        payload.questions = self.questions;
    }

    /// Among several, each question bears the name and the message of its elicitation.
    pub(super) fn put_among_others(self, payload: &mut Payload) {
        let key = self.elicitation.key.unwrap_or_default();
        payload.questions.extend(self.questions.into_iter().map(|question| PayloadQuestion {
            id: question.id.map(|id| format!("{key}.{id}")),
            // Where the message is the question, the details are its schema's.
            details: self.message.clone().or(question.details),
            ..question
        }));
    }
}

impl Elicitation {
    /// For a dialog of another dialect.
    pub(super) fn of(dialog: &Dialog) -> Self {
        let fields = dialog.questions.iter().map(AnswerFields::of).collect();
        Self { key: None, content: Content::Fields(fields) }
    }

    /// What was given in the fields of a form.
    pub(super) fn content<'a>(
        &self,
        given: &mut impl Iterator<Item = (&'a Question, Option<&'a Answer>)>,
    ) -> Value {
        let mut content = Map::new();
        if let Content::Fields(fields) = &self.content {
            for (parts, (question, answer)) in fields.iter().zip(given) {
                if let Some(answer) = answer {
                    parts.put(&mut content, question, answer);
                }
            }
        }
        content.into()
    }

    /// The response; takes as many answers as there are questions.
    pub(super) fn response<'a>(
        &self,
        outcome: &Outcome,
        given: &mut impl Iterator<Item = (&'a Question, Option<&'a Answer>)>,
    ) -> Value {
        let accept = |content: Value| json!({ "action": "accept", "content": content });
        let response = match &self.content {
            Content::Fields(_) => accept(self.content(given)),
            content => {
                let value = given.next().and_then(|(question, answer)| question.value(answer?));
                match (content, value) {
                    (Content::Consent { content: None }, Some(Value::Bool(true))) => {
                        json!({ "action": "accept" })
                    }
                    (Content::Consent { content: Some(content) }, Some(Value::Bool(true))) => {
                        accept(content.clone())
                    }
                    (Content::Value, Some(value)) => accept(value),
                    _ => json!({ "action": "decline" }),
                }
            }
        };
        match outcome {
            Outcome::Answered { .. } => response,
            Outcome::Declined { .. } | Outcome::Clarify { .. } => json!({ "action": "decline" }),
            _ => json!({ "action": "cancel" }),
        }
    }
}
