//! What the SDK of Copilot hands to a host: `user_input.requested`, one question with choices;
//! `elicitation.requested`, a form or an address as MCP has them; and `exit_plan_mode.requested`, a
//! plan to approve. The event, what it tells, the request by JSON-RPC, or a call of the tool `ask_user`.
//!
//! Detected by the events, the methods and that tool with `choices` or `allow_freeform`; by
//! `allowFreeform` or `requestId` beside `question`; by `summary`, `actions` and `recommendedAction`; or
//! by a form that has a `sessionId` or `requestId` but no `mode`, which ACP would have. An answer tells
//! whether it is a choice or the person's own words. Hosts say an empty answer for a question that
//! was closed; here every ending without an answer is an `error`, since an empty answer is one. It
//! has no place for notes, so its dialogs take none.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    elicitation::{self, Elicitation},
    fields::{Field, Fields, has, says},
    single::{self, OwnWords},
};
use crate::{
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, Rules},
};

mod plan;

pub static DIALECT: Dialect = Dialect {
    name: "copilot",
    about: "GitHub Copilot's user_input.requested (one question with `choices` and `allowFreeform`), elicitation.requested and exit_plan_mode.requested",
    agent: Some("GitHub Copilot"),
    carries: &[Carry::Other, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules { questions: 1..=1, ..Rules::OPEN },
    schema: Some(include_str!("copilot.schema.json")),
    detect: |payload| {
        let call = call(payload);
        let inside = call.inside(payload);
        call.wraps(payload)
            || has(inside, "question") && (has(inside, "allowFreeform") || has(inside, "requestId"))
            || is_form(inside)
            || plan::is_one(inside)
    },
    read: |sent| {
        let call = call(sent);
        call.read(sent, |fields, payload| {
            fields.ignore(&["requestId", "toolCallId"]);
            if plan::is_one(call.inside(sent))
                || says(sent, "method", PLAN)
                || says(sent, "type", PLAN)
            {
                plan::read(payload, fields);
            } else if is_elicitation(call.inside(sent)) || says(sent, "type", FORM) {
                read_elicitation(payload, fields);
            } else {
                read_question(payload, fields);
            }
        })
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const PLAN: &[&str] = &["exitPlanMode.request", "exit_plan_mode.requested"];
const FORM: &[&str] = &["elicitation.requested"];

const CALL: Call = Call {
    dialect: "copilot",
    methods: &["userInput.request", PLAN[0]],
    events: &[("user_input.requested", "data"), (FORM[0], "data"), (PLAN[1], "data")],
    session: Some("sessionId"),
    ..BARE
};

/// A tool of this name is also that of others, who ask in other words.
const TOOL: Call = Call { tools: &["ask_user"], ..CALL };

fn call(payload: &Value) -> &'static Call {
    let inside = TOOL.inside(payload);
    let is_tool = TOOL.wraps(payload)
        && has(inside, "question")
        && ["choices", "allow_freeform", "allowFreeform"].iter().any(|name| has(inside, name));
    if is_tool { &TOOL } else { &CALL }
}

fn is_elicitation(inside: &Value) -> bool {
    has(inside, "message") && (has(inside, "requestedSchema") || has(inside, "url"))
}

/// Where nothing but its fields tells whose it is: others have a mode.
fn is_form(inside: &Value) -> bool {
    let scoped = has(inside, "sessionId") || has(inside, "requestId");
    scoped && has(inside, "message") && has(inside, "requestedSchema") && !has(inside, "mode")
}

fn read_question(payload: &mut Payload, fields: &Fields) {
    let freeform = fields.any(&["allowFreeform", "allow_freeform"]).and_then(Field::flag);
    let own_words = if freeform == Some(false) { OwnWords::Never } else { OwnWords::Alone };
    single::read(payload, fields, &["choices"], own_words, single::text);
}

fn read_elicitation(payload: &mut Payload, fields: &Fields) {
    static FORM: Rules = Rules::OPEN;
    payload.rules = Some(&FORM);
    // The person must see which server asks.
    payload.agent = fields.text("elicitationSource");
    payload.no_reason = true;
    let Some(asked) = elicitation::read(fields) else { return };
    payload.metadata["copilot"]["elicitation"] = json!(asked.elicitation);
    payload.questions_at = Some(fields.at.clone());
    asked.put_alone(payload);
    payload.question_count = payload.questions.len();
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    if answers::kept(dialog, DIALECT.name, "plan").is_some() {
        return plan::write(dialog, outcome);
    }
    let asked = answers::kept(dialog, DIALECT.name, "elicitation").cloned();
    if let Some(asked) = asked.and_then(|asked| serde_json::from_value::<Elicitation>(asked).ok()) {
        let given = &mut answers::all(dialog, outcome);
        return CALL.answer(dialog, asked.response(outcome, given));
    }
    let typed =
        outcome.answers().iter().any(|given| given.other.is_some() || given.value.is_some());
    let say = |answer: String| json!({ "answer": answer, "wasFreeform": typed });
    single::write(&CALL, dialog, outcome, say, answers::told)
}
