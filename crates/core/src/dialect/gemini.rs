//! Gemini CLI's `ask_user`, with questions of the types choice, text and yesno; and Qwen Code's
//! `ask_user_question`, which has Claude's questions and Gemini's answers.
//!
//! Detected by the types `choice` or `yesno`, by the messages that ask on Gemini's bus, by the details
//! of a confirmation, or by Qwen's tool with questions like Claude's. A list of texts alone is one of
//! ours, and Qwen's bare input is one of Claude's; name the dialect for these. Answers go by the question's place, several labels
//! joined by a comma. A question that got no answer is `cancelled`: there is no room for more, nor
//! for notes.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has, says},
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Dialog, Kind},
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::Fault,
};

pub static DIALECT: Dialect = Dialect {
    name: "gemini",
    about: "Gemini CLI's ask_user (choice, text, yesno), and Qwen Code's ask_user_question",
    agent: Some("Gemini CLI"),
    carries: &[Carry::Other, Carry::Multi],
    rules: Rules { questions: 1..=4, options: 2..=4, ..Rules::OPEN },
    schema: Some(include_str!("gemini.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        let is_typed = |question: &Value| {
            says(question, "type", &["choice", "yesno"])
                || CALL.wraps(payload)
                    && says(question, "type", &["text"])
                    && has(question, "header")
        };
        says(payload, "type", &[REQUEST])
            || confirms(payload)
            || is_confirmation(payload)
            || questions::any(inside, is_typed)
            || QWEN.wraps(payload) && has(inside, "metadata")
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            if !confirms(sent) {
                return read(payload, fields);
            }
            fields.ignore(&["type", "serverName", "toolAnnotations", "subagent"]);
            fields.ignore(&["forcedDecision"]);
            let id = fields.need("correlationId", "a string").map(|id| id.value.clone());
            payload.metadata["gemini"]["confirms"] = id.into();
            // The details have the questions as they are to be shown.
            let call = fields.get("toolCall").and_then(Field::object);
            let details = fields.get("details").or_else(|| call?.get("args"));
            if let Some(details) = details.and_then(Field::object) {
                read(payload, &details);
                details.advise_unknown();
            }
        })
    },
    write,
    refuse: |_| None,
    fits: |payload| {
        let is_claudes =
            |question: &Value| has(question, "header") && !has(question, "multi_select");
        QWEN.wraps(payload) && questions::any(CALL.inside(payload), is_claudes)
    },
};

const CALL: Call = Call { dialect: "gemini", tools: &["ask_user", "ask_user_question"], ..BARE };
const QWEN: Call = Call { dialect: "gemini", tools: &["ask_user_question"], ..BARE };

/// The messages on Gemini's bus; the first two are those of older versions.
const REQUEST: &str = "ask-user-request";
const RESPONSE: &str = "ask-user-response";
const CONFIRM: &str = "tool-confirmation-request";
const CONFIRMED: &str = "tool-confirmation-response";

/// Whether the tool, which asks, waits to be confirmed. Other tools are not approved here: this
/// would not show what they do.
fn confirms(payload: &Value) -> bool {
    let asks = |member: &str, name: &str| {
        payload.get(member).is_some_and(|it| says(it, name, &["ask_user", "ask_user_question"]))
    };
    says(payload, "type", &[CONFIRM])
        && asks("toolCall", "name")
        && (!has(payload, "details") || asks("details", "type"))
}

/// Whether these are the details of such a confirmation. Others have events of these types, without
/// a title and without types of questions.
pub(super) fn is_confirmation(payload: &Value) -> bool {
    let is_typed = |question: &Value| says(question, "type", &["choice", "text", "yesno"]);
    says(payload, "type", &["ask_user", "ask_user_question"])
        && !has(payload, "tool_call_id")
        && has(payload, "title")
        && has(payload, "questions")
        || says(payload, "type", &["ask_user"])
            && questions::any(payload, |it| is_typed(it) && has(it, "header"))
}

fn read(payload: &mut Payload, fields: &Fields) {
    fields.ignore(&["title", "metadata"]);
    if fields.get("type").is_some_and(|it| it.value == REQUEST) {
        let id = fields.need("correlationId", "a string").map(|id| id.value.clone());
        payload.metadata["gemini"]["correlationId"] = id.into();
    }
    payload.message = fields.text("systemMessage");
    questions::read_each(payload, fields.need("questions", "an array"), &STYLE, complete);
}

const STYLE: Style = Style {
    short_header: 16,
    options: Need::May,
    unused: &["unconstrainedHeight"],
    ..questions::CLAUDE
};

fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    let placeholder = fields.text("placeholder").map(|text| with_lines(&text));
    match fields.text("type").as_deref() {
        None | Some("choice") => need_options(fields, question),
        Some("text") => {
            let placeholder = placeholder.clone();
            let kind = Kind::Text { multiline: true, placeholder, default: None };
            question.kind = PayloadKind::Plain(kind);
        }
        Some("yesno") => {
            question.kind = yes_or_no(fields);
            question.consent = true;
        }
        Some(found) => {
            let expected = "`choice`, `text` or `yesno`";
            let fault = Fault::UnknownValue { found: found.into(), expected };
            fields.findings.refuse(fields.at("type"), fault);
        }
    }
    unescape(question);
    if let PayloadKind::Choice { .. } = question.kind {
        questions::explain_other(fields, question, [placeholder]);
    }
}

fn need_options(fields: &Fields, question: &PayloadQuestion) {
    if let PayloadKind::Plain(_) = question.kind
        && let Some(list) = fields.need("options", "an array")
        && list.value.is_array()
    {
        let allowed = DIALECT.rules.options.clone();
        list.refuse(Fault::Count { noun: "options", found: 0, allowed });
    }
}

fn yes_or_no(fields: &Fields) -> PayloadKind {
    let option = |word: &str| PayloadOption {
        label: Some(fields.findings.say(word, [])),
        label_at: fields.at("type"),
        ..PayloadOption::default()
    };
    PayloadKind::Choice {
        options: vec![option("true"), option("false")],
        options_at: None,
        option_count: 2,
        multi: false,
        other: true,
        default: None,
    }
}

/// Gemini's models write line ends as `\n`, and Gemini itself makes lines of them.
fn unescape(question: &mut PayloadQuestion) {
    let PayloadQuestion { text, header, kind, .. } = question;
    let mut texts = vec![text, header];
    match kind {
        PayloadKind::Choice { options, .. } => {
            for PayloadOption { label, description, .. } in options {
                texts.extend([label, description]);
            }
        }
        PayloadKind::Plain(_) => {}
    }
    for text in texts.into_iter().flatten() {
        *text = with_lines(text);
    }
}

fn with_lines(text: &str) -> String {
    text.replace("\\r\\n", "\n").replace("\\n", "\n")
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut body = Map::new();
    if let Some(id) = answers::kept(dialog, DIALECT.name, "correlationId") {
        body.insert("type".into(), RESPONSE.into());
        body.insert("correlationId".into(), id.clone());
    }
    if let Outcome::Answered { answers } = outcome {
        let given: Map<_, _> = by_place(dialog, answers).collect();
        body.insert("answers".into(), given.into());
    } else {
        body.insert("answers".into(), json!({}));
        body.insert("cancelled".into(), true.into());
    }
    match answers::kept(dialog, DIALECT.name, "confirms") {
        Some(id) => confirmed(id, outcome, body).to_string(),
        None => CALL.answer(dialog, body.into()),
    }
}

fn confirmed(id: &Value, outcome: &Outcome, body: Map<String, Value>) -> Value {
    let is_answered = matches!(outcome, Outcome::Answered { .. });
    let mut response = json!({
        "type": CONFIRMED,
        "correlationId": id,
        "confirmed": is_answered,
        "outcome": if is_answered { "proceed_once" } else { "cancel" },
    });
    if is_answered {
        response["payload"] = body.into();
    }
    response
}

/// The answers as Gemini and Qwen read them.
pub(super) fn by_place<'a>(
    dialog: &'a Dialog,
    answers: &'a [Answer],
) -> impl Iterator<Item = (String, Value)> {
    answers::given(dialog, answers).map(|(index, question, answer)| {
        (index.to_string(), answers::texts(question, answer).join(", ").into())
    })
}
