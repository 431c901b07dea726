//! Augment's `ask-user`: one question, or up to ten, each with one to four suggested responses.
//!
//! Detected by `suggested_responses`, or by the tool's name. The answer is a JSON string, to several
//! questions a list of them. The tool has words of its own for a user who declines or wants to talk
//! about it, and no place for theirs; every other ending is an object, which nobody takes for an
//! answer.

use serde_json::Value;

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has},
    questions,
    single::{self, OwnWords},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "augment",
    about: "Augment's ask-user: one or up to ten questions with `suggested_responses`",
    agent: Some("Augment"),
    carries: &[Carry::Other],
    rules: Rules { questions: 1..=10, options: 1..=4, ..Rules::OPEN },
    schema: Some(include_str!("augment.schema.json")),
    detect: |payload| {
        let inside = CALL.inside(payload);
        CALL.wraps(payload) || has(inside, RESPONSES) || questions::have(inside, RESPONSES)
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            let list = fields.get("questions");
            if let Some(list) = list {
                read_list(payload, list);
            } else {
                read_one(payload, fields);
            }
            payload.message = fields.text("context");
        })
    },
    write,
    refuse: |_| None,
};

const CALL: Call = Call { dialect: "augment", tools: &["ask-user"], ..BARE };

const RESPONSES: &str = "suggested_responses";

const DECLINED: &str = "[User declined to answer]";
const CHAT: &str = "[User wants to chat about this]";

fn read_one(payload: &mut Payload, fields: &Fields) {
    single::read(payload, fields, &[RESPONSES], OwnWords::Beside, single::text);
}

fn read_list(payload: &mut Payload, list: Field) {
    let at = list.at.clone();
    let Some(items) = list.list() else { return };
    let asked = items.len();
    for fields in items.into_iter().filter_map(Field::object) {
        let mut one = Payload::default();
        read_one(&mut one, &fields);
        fields.advise_unknown();
        payload.questions.append(&mut one.questions);
    }
    payload.questions_at = Some(at);
    payload.question_count = asked;
    payload.metadata["augment"]["list"] = true.into();
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let is_list = answers::kept(dialog, DIALECT.name, "list").is_some();
    let is_list = is_list || dialog.questions.len() > 1;
    let each = |text: &str| -> Value {
        if is_list { vec![text; dialog.questions.len()].into() } else { text.into() }
    };
    let body = match outcome {
        Outcome::Answered { .. } if is_list => {
            let given = answers::all(dialog, outcome).map(|(question, answer)| {
                answer.map(|answer| answers::texts(question, answer).join(", ")).unwrap_or_default()
            });
            given.collect::<Vec<String>>().into()
        }
        Outcome::Answered { .. } => {
            return single::write(&CALL, dialog, outcome, Into::into, answers::told);
        }
        Outcome::Declined { .. } => each(DECLINED),
        Outcome::Clarify { .. } => each(CHAT),
        _ => {
            let told = answers::told(outcome);
            return CALL.fail(dialog, answers::failure(&told, outcome, Value::Null));
        }
    };
    CALL.answer(dialog, body)
}
