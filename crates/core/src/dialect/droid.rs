//! Factory Droid: the requests `droid.ask_user` and `droid.request_permission`, or their params.
//!
//! Detected by the methods; by questions with an `index` and a `topic`; or by `toolUses` beside
//! `options`. Answers go by the question's index, several labels joined by a comma; `cancelled` is
//! the word for all other endings. A permission is one of the options that were sent, with a note as
//! its `comment`. Declining and asking a question cancel it, with the words; in all other endings
//! nobody decided, and it gets an error.

use serde_json::{Map, Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has},
    questions, single,
};
use crate::{
    dialog::Dialog,
    diff,
    outcome::Outcome,
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion, Rules},
    problem::Fault,
    text,
};

pub static DIALECT: Dialect = Dialect {
    name: "droid",
    about: "Factory Droid's droid.ask_user and droid.request_permission: the requests, or their params",
    agent: Some("Droid"),
    carries: &[Carry::Other, Carry::Notes, Carry::Multi, Carry::Reason],
    rules: Rules::OPEN,
    schema: Some(include_str!("droid.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        let asks = |question: &Value| has(question, "index") && has(question, "topic");
        CALL.wraps(payload) || questions::any(inside, asks) || is_permission(inside)
    },
    read: |sent| {
        let mut payload = CALL.read(sent, |fields, payload| {
            fields.ignore(&["toolCallId", "associatedSessionIds"]);
            if is_permission(CALL.inside(sent)) {
                read_permission(payload, fields);
            } else {
                read_questions(payload, fields);
            }
        });
        let request = payload.metadata.pointer_mut("/droid/request");
        if let Some(request) = request.and_then(Value::as_object_mut) {
            // What the response has to say besides.
            request.insert("type".into(), "response".into());
            let versions = ["factoryApiVersion", "factoryProtocolVersion"];
            let versions = versions.iter().filter_map(|name| Some((*name, sent.get(name)?)));
            request.extend(versions.map(|(name, version)| (name.into(), version.clone())));
        }
        payload
    },
    write,
    refuse: |_| None,
};

const CALL: Call = Call {
    dialect: "droid",
    methods: &[
        "droid.ask_user",
        "droid.request_permission",
        "daemon.ask_user",
        "daemon.request_permission",
    ],
    session: Some("sessionId"),
    ..BARE
};

const CANCEL: &str = "cancel";

/// It would need what the user wrote in place of the plan.
const EDIT: &str = "proceed_edit";

fn is_permission(params: &Value) -> bool {
    has(params, "toolUses") && has(params, "options")
}

fn read_questions(payload: &mut Payload, fields: &Fields) {
    // Nothing but the answers goes back.
    payload.no_reason = true;
    let list = fields.need("questions", "an array");
    payload.questions_at = list.as_ref().map(|list| list.at.clone());
    let Some(items) = list.and_then(Field::list) else { return };
    payload.question_count = items.len();
    let mut kept = Vec::new();
    for fields in items.into_iter().filter_map(Field::object) {
        kept.push(fields.need("index", "a number").map(|index| index.value.clone()));
        let list = fields.need("options", "an array").and_then(Field::list);
        let options_at = list.is_some().then(|| fields.at("options"));
        let list = list.unwrap_or_default();
        payload.questions.push(PayloadQuestion {
            path: fields.at.clone(),
            id: None,
            header: fields.text("topic").filter(|topic| !topic.is_empty()),
            text: fields.need_text("question"),
            text_at: fields.at("question"),
            details: None,
            kind: PayloadKind::Choice {
                option_count: list.len(),
                options: list.into_iter().map(single::text).collect(),
                options_at,
                multi: fields.flag("multiSelect").unwrap_or(false),
                other: true,
                default: None,
            },
            required: true,
            notes: false,
            consent: false,
            schema: None,
            schema_at: String::new(),
        });
        fields.advise_unknown();
    }
    payload.metadata["droid"]["indexes"] = json!(kept);
}

fn read_permission(payload: &mut Payload, fields: &Fields) {
    let uses = fields.need("toolUses", "an array").and_then(Field::list).unwrap_or_default();
    let list = fields.need("options", "an array").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("options"));
    let options: Vec<_> = list.unwrap_or_default().into_iter().filter_map(option).collect();
    let uses: Vec<_> = uses.into_iter().filter_map(Field::object).collect();
    let names: Vec<String> = uses.iter().filter_map(name).collect();
    let details: Vec<String> = uses.iter().flat_map(details).collect();
    if names.is_empty() {
        let expected = "the calls, so that the user sees what would run";
        fields.findings.refuse(fields.at("toolUses"), Fault::Missing { expected });
    }
    let shown = text::name(&names.join(", "));
    payload.metadata["droid"]["permission"] = true.into();
    payload.questions_at = Some(fields.at.clone());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: Some("action-0".into()),
        header: None,
        text: Some(fields.findings.say("action_run", [("tool", shown)])),
        text_at: fields.at("toolUses"),
        details: Some(details.join("\n\n")),
        kind: PayloadKind::Choice {
            option_count: options.len(),
            options,
            options_at,
            multi: false,
            other: false,
            default: None,
        },
        required: true,
        notes: true,
        consent: true,
        schema: None,
        schema_at: String::new(),
    }];
}

fn option(field: Field) -> Option<PayloadOption> {
    let fields = field.object()?;
    fields.ignore(&["selectedColor", "selectedPrefix"]);
    let value = fields.need_text("value");
    let option = PayloadOption {
        label: fields.need_text("label"),
        label_at: fields.at("label"),
        refuses: value.as_deref() == Some(CANCEL),
        value: value.map(Value::from),
        ..PayloadOption::default()
    };
    fields.advise_unknown();
    if option.value.as_ref().is_some_and(|value| value == EDIT) {
        let fault = Fault::Rule("needs an editor for the plan, so it is not offered".into());
        fields.findings.advise(fields.at("value"), fault);
        return None;
    }
    Some(option)
}

fn name(tool_use: &Fields) -> Option<String> {
    let call = tool_use.need("toolUse", "an object").and_then(Field::object)?;
    call.need_text("name")
}

/// What a call would do: its name and input, and how Droid itself would show it.
fn details(tool_use: &Fields) -> Vec<String> {
    let call = tool_use.get("toolUse").map(|call| call.value);
    let input = call.and_then(|call| call.get("input")).unwrap_or(&Value::Null);
    let name = call.and_then(|call| call.get("name")).and_then(Value::as_str).unwrap_or_default();
    let mut shown = vec![format!("`{}`", text::name(name))];
    shown.push(text::fenced("json", &text::json(input)));
    let Some(more) = tool_use.get("details") else { return shown };
    let member = |name: &str| more.value.get(name).and_then(Value::as_str);
    match member("type") {
        Some("exit_spec_mode") => shown.extend(member("plan").map(str::to_owned)),
        Some("edit" | "apply_patch") if member("newContent").is_some() => {
            let [old, new] = ["oldContent", "newContent"].map(|it| member(it).unwrap_or_default());
            shown.push(text::fenced("", member("filePath").unwrap_or_default()));
            shown.push(text::fenced("diff", &diff::text(old, new)));
        }
        _ => shown.push(text::fenced("json", &text::json(more.value))),
    }
    shown
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if answers::kept(dialog, DIALECT.name, "permission").is_some() {
        return permission(dialog, outcome);
    }
    let Outcome::Answered { answers } = outcome else {
        return CALL.answer(dialog, json!({ "cancelled": true, "answers": [] }));
    };
    let indexes = answers::kept(dialog, DIALECT.name, "indexes");
    let given = answers::given(dialog, answers).map(|(place, question, answer)| {
        let index = indexes.and_then(|indexes| indexes.get(place)).cloned();
        json!({
            "index": index.unwrap_or_else(|| (place + 1).into()),
            "question": question.text,
            "answer": answers::texts(question, answer).join(", "),
        })
    });
    CALL.answer(dialog, json!({ "answers": given.collect::<Vec<_>>() }))
}

fn permission(dialog: &Dialog, outcome: &Outcome) -> String {
    let given = dialog.questions.first().zip(outcome.answers().first());
    let chosen = given.and_then(|(question, answer)| question.value(answer));
    let (option, comment) = match (outcome, chosen) {
        (Outcome::Answered { .. }, Some(chosen)) => {
            (chosen, given.and_then(|(_, answer)| answer.note.clone()))
        }
        (Outcome::Declined { .. } | Outcome::Clarify { .. }, _) => {
            (CANCEL.into(), Some(answers::told(outcome)))
        }
        _ => {
            let told = answers::told(outcome);
            return CALL.fail(dialog, answers::failure(&told, outcome, Value::Null));
        }
    };
    let mut body = Map::from_iter([("selectedOption".into(), option)]);
    body.extend(comment.map(|comment| ("comment".into(), comment.into())));
    CALL.answer(dialog, body.into())
}
