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

/// What the dialog remembers of it.
pub(super) const ASKS: &str = "permission";

pub(super) fn is_one(payload: &Value) -> bool {
    let options = payload.get("options").and_then(Value::as_array);
    let has_ids = options.is_some_and(|options| options.iter().any(|it| has(it, "optionId")));
    says(payload, "method", &[METHOD])
        || has(payload, "sessionId")
            && has(payload, "options")
            && (has(payload, "toolCall") || has(payload, "title") && has_ids)
}

pub(super) fn read(payload: &mut Payload, fields: &Fields) {
    payload.metadata["acp"]["asks"] = ASKS.into();
    let list = fields.need("options", "an array").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("options"));
    let list = list.unwrap_or_default();
    let option_count = list.len();
    let options = list.into_iter().filter_map(option).collect();
    let Some(subject) = subject(fields) else { return };
    let title = subject.title.filter(|title| !text::is_blank(title));
    // One line: what would happen comes next, and no title can look like that.
    let title = title.map(|title| text::shortened(&text::clean_line(&title), TITLE).into_owned());
    let of_call = |id: String| fields.findings.say("permission_call", [("call", text::name(&id))]);
    let mut details = subject.acts;
    if details.is_empty() {
        details = subject.texts;
    } else {
        // Beside what would be done, what is said about it cannot look like that.
        details.extend(subject.texts.iter().filter_map(|said| text::quoted(said, MOST_WORDS)));
    }
    if details.is_empty() {
        details.push(fields.findings.say("permission_unseen", []));
    }
    payload.questions_at = Some(fields.at.clone());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: subject.kind,
        text: title.or_else(|| subject.id.map(of_call)),
        text_at: subject.title_at,
        details: Some(details.join("\n\n")),
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

/// What is to be allowed.
#[derive(Default)]
struct Subject {
    title: Option<String>,
    title_at: String,
    id: Option<String>,
    kind: Option<String>,
    /// What would be done: changes to files, a command, the tool's input.
    acts: Vec<String>,
    /// What is said about it.
    texts: Vec<String>,
}

/// Version 1 has a call, version 2 a title and perhaps a subject, which may be a call.
fn subject(fields: &Fields) -> Option<Subject> {
    let title = fields.get("title");
    if title.is_none() || fields.get("toolCall").is_some() {
        return Some(call(&fields.need("toolCall", "an object")?.object()?));
    }
    let subject = match fields.get("subject") {
        None => Subject {
            acts: vec![fields.findings.say("permission_unseen", [])],
            ..Subject::default()
        },
        Some(sent) => {
            let inside = sent.clone().object()?;
            match inside.need_text("type")?.as_str() {
                "tool_call" => call(&inside.need("toolCall", "an object")?.object()?),
                "command" => command(&inside),
                _ => Subject {
                    acts: vec![text::fenced("json", &text::json(sent.value))],
                    ..Subject::default()
                },
            }
        }
    };
    let texts = [fields.text("description"), subject.title];
    Some(Subject {
        title: title.and_then(Field::text),
        title_at: fields.at("title"),
        texts: texts.into_iter().flatten().chain(subject.texts).collect(),
        ..subject
    })
}

fn command(fields: &Fields) -> Subject {
    let parts = [("sh", fields.need_text("command")), ("", fields.need_text("cwd"))];
    let acts = parts.into_iter().filter_map(|(kind, text)| Some(text::fenced(kind, &text?)));
    Subject { acts: acts.collect(), ..Subject::default() }
}

fn call(call: &Fields) -> Subject {
    let mut subject = Subject {
        id: call.need_text("toolCallId"),
        title: call.text("title"),
        title_at: call.at("title"),
        kind: call.text("kind"),
        ..Subject::default()
    };
    for item in call.get("content").and_then(Field::list).unwrap_or_default() {
        if let Some(item) = item.object() {
            content(&mut subject, &item);
        }
    }
    if let Some(input) = call.get("rawInput") {
        subject.acts.push(text::fenced("json", &text::json(input.value)));
    }
    subject
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

fn content(subject: &mut Subject, item: &Fields) {
    match item.text("type").as_deref() {
        Some("content") => {
            let Some(block) = item.get("content").and_then(Field::object) else { return };
            match block.text("type").as_deref() {
                None | Some("text") => subject.texts.extend(block.text("text")),
                Some(other) => subject.acts.push(not_shown(&block, other)),
            }
        }
        Some("diff") if item.get("changes").is_some() => subject.acts.extend(patch(item)),
        Some("diff") => subject.acts.push(changes(item)),
        Some(other) => subject.acts.push(not_shown(item, other)),
        None => {}
    }
}

/// Tells the sender and the person.
fn not_shown(content: &Fields, name: &str) -> String {
    let fault = Fault::Rule(format!("`{name}` cannot be shown here"));
    content.findings.advise(&content.at, fault);
    content.findings.say("part_not_shown", [("what", text::name(name))])
}

/// The changes of version 1: one file, as it was and as it will be.
fn changes(item: &Fields) -> String {
    let member = |name| item.text(name).unwrap_or_default();
    let change = diff::text(&member("oldText"), &member("newText"));
    format!("{}\n\n{}", text::fenced("", &member("path")), text::fenced("diff", &change))
}

/// Those of version 2: what happens to which files, and perhaps a patch.
fn patch(item: &Fields) -> [String; 2] {
    let list = item.get("changes").and_then(Field::list).unwrap_or_default();
    let line = |change: Field| {
        let change = change.object()?;
        let parts = ["operation", "oldPath", "path"].map(|name| change.text(name));
        Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    };
    let files: Vec<_> = list.into_iter().filter_map(line).collect();
    let patch = item.get("patch").and_then(Field::object).and_then(|patch| patch.text("text"));
    let patch = match patch {
        Some(patch) => text::fenced("diff", &patch),
        None => not_shown(item, "diff"),
    };
    [text::fenced("", &files.join("\n")), patch]
}

/// `cancelled` is the format's only word for everything but a choice.
pub(super) fn result(dialog: &Dialog, outcome: &Outcome) -> Value {
    let given = dialog.questions.first().zip(outcome.answers().first());
    let chosen = given.and_then(|(question, answer)| question.value(answer));
    if let (Outcome::Answered { .. }, Some(id)) = (outcome, chosen) {
        return json!({ "outcome": { "outcome": "selected", "optionId": id } });
    }
    cancelled(outcome)
}

pub(super) fn cancelled(outcome: &Outcome) -> Value {
    let ending = answers::ending("outcome", outcome, Value::Null);
    json!({ "outcome": { "outcome": "cancelled" }, "_meta": { "askdeck": ending } })
}
