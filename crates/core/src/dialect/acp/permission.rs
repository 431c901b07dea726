//! `session/request_permission`: a tool call, and the ways to allow or reject it.

use serde_json::{Value, json};

use crate::{
    dialect::{
        action::MOST_WORDS,
        answers,
        fields::{Field, Fields, has, says},
    },
    dialog::Dialog,
    diff,
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion},
    problem::Fault,
    text,
};

/// As many characters of a title are shown.
const TITLE: usize = 200;

pub(super) const METHOD: &str = "session/request_permission";

pub(super) fn is_one(payload: &Value) -> bool {
    says(payload, "method", &[METHOD])
        || (has(payload, "sessionId") && has(payload, "toolCall") && has(payload, "options"))
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    let call = fields.need("toolCall", "an object").and_then(Field::object);
    let list = fields.need("options", "an array").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("options"));
    let list = list.unwrap_or_default();
    let option_count = list.len();
    let options = list.into_iter().filter_map(option).collect();
    let Some(call) = call else { return };
    let id = call.need_text("toolCallId");
    let title = call.text("title").filter(|title| !text::is_blank(title));
    // One line: what would happen comes next, and no title can look like that.
    let title = title.map(|title| text::shortened(&text::clean_line(&title), TITLE).into_owned());
    let details = details(&call);
    payload.questions_at = Some(fields.at.clone());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: call.text("kind"),
        text: title
            .or_else(|| Some(fields.findings.say("permission_call", [("call", text::name(&id?))]))),
        text_at: call.at("title"),
        details: (!details.is_empty()).then(|| details.join("\n\n")),
        kind: PayloadKind::Choice {
            options,
            options_at,
            option_count,
            multi: false,
            other: false,
            default: None,
        },
        required: true,
        notes: false,
        consent: true,
        schema: None,
        schema_at: String::new(),
    }];
}

fn option(field: Field) -> Option<PayloadOption> {
    let fields = field.object()?;
    fields.ignore(&["_meta"]);
    let kind = fields.text("kind");
    let lasts = kind.is_some_and(|kind| kind.ends_with("_always"));
    let option = PayloadOption {
        label: fields.need_text("name"),
        label_at: fields.at("name"),
        description: lasts.then(|| fields.findings.say("permission_always", [])),
        value: fields.need_text("optionId").map(Value::from),
        ..PayloadOption::default()
    };
    fields.advise_unknown();
    Some(option)
}

/// What the call would do, its changes to files and its input, and then its texts. Beside the
/// former these cannot look like them.
fn details(call: &Fields) -> Vec<String> {
    let (mut acts, mut texts) = (Vec::new(), Vec::new());
    for item in call.get("content").and_then(Field::list).unwrap_or_default() {
        let Some(item) = item.object() else { continue };
        match item.text("type").as_deref() {
            Some("content") => {
                let Some(block) = item.get("content").and_then(Field::object) else { continue };
                match block.text("type").as_deref() {
                    None | Some("text") => texts.extend(block.text("text")),
                    Some(other) => not_shown(&block, other),
                }
            }
            Some("diff") => acts.push(changes(&item)),
            Some(other) => not_shown(&item, other),
            None => {}
        }
    }
    if let Some(input) = call.get("rawInput") {
        acts.push(text::fenced("json", &text::json(input.value)));
    }
    if acts.is_empty() {
        return texts;
    }
    acts.extend(texts.iter().filter_map(|said| text::quoted(said, MOST_WORDS)));
    acts
}

fn not_shown(content: &Fields, name: &str) {
    let fault = Fault::Rule(format!("`{name}` cannot be shown here"));
    content.findings.advise(&content.at, fault);
}

fn changes(item: &Fields) -> String {
    let member = |name| item.text(name).unwrap_or_default();
    let change = diff::text(&member("oldText"), &member("newText"));
    format!("{}\n\n{}", text::fenced("", &member("path")), text::fenced("diff", &change))
}

/// `cancelled` is the format's only word for everything but a choice.
pub(super) fn result(dialog: &Dialog, outcome: &Outcome) -> Value {
    let given = dialog.questions.first().zip(outcome.answers().first());
    let chosen = given.and_then(|(question, answer)| question.value(answer));
    if let (Outcome::Answered { .. }, Some(id)) = (outcome, chosen) {
        return json!({ "outcome": { "outcome": "selected", "optionId": id } });
    }
    let ending = answers::ending("outcome", outcome, Value::Null);
    json!({ "outcome": { "outcome": "cancelled" }, "_meta": { "askdeck": ending } })
}
