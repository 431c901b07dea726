//! `can_use_tool`: what the Agent SDK asks its host for, also that of Qwen Code and of Letta, and a
//! permission prompt tool of Claude Code: whether a tool may run. Of `AskUserQuestion` it is the
//! questions.
//!
//! A `control_request` is answered by a `control_response`, what stood in it by the bare result. A
//! yes has the input as it came. Asking a question back about questions is their `response`, for
//! which there is a place here and not in a hook.

use serde_json::{Map, Value, json};

use super::{TOOL, answered, has_begun, read_input, read_list, refusal, so_far, unanswered};
use crate::{
    dialect::{
        action::MOST_WORDS,
        answers,
        fields::{Field, Fields, Findings, has, says},
        permission::{Permission, allow, refuse},
    },
    dialog::Dialog,
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadOption},
    text,
    tool::{self, FileChange, PlanDecision},
};

const PLAN: &str = "ExitPlanMode";
/// Qwen Code's tool for questions, which takes the answers by their place and nothing else.
const QWENS: &str = "ask_user_question";

/// The request, if the payload is one or has one.
pub(super) fn request(payload: &Value) -> Option<&Value> {
    let is_one = |request: &&Value| says(request, "subtype", &["can_use_tool"]);
    if says(payload, "type", &["control_request"]) {
        return payload.get("request").filter(is_one);
    }
    let is_pair = has(payload, "tool_name") && has(payload, "input") && !has(payload, "tool_input");
    Some(payload).filter(|payload| is_one(payload) || is_pair)
}

pub(super) fn read(sent: &Value) -> Payload {
    let findings = Findings::default();
    let mut payload = Payload::default();
    if let Some(fields) = Field::root(sent, &findings).object() {
        if says(sent, "type", &["control_request"]) {
            if let Some(id) = fields.need("request_id", "a string") {
                payload.metadata["claude"]["can_use_tool"]["request_id"] = id.value.clone();
            }
            let request = fields.need("request", "an object").and_then(Field::object);
            if let Some(request) = request {
                read_request(&mut payload, &request);
            }
        } else {
            read_request(&mut payload, &fields);
        }
    }
    findings.put_into(payload)
}

fn read_request(payload: &mut Payload, fields: &Fields) {
    // What hosts decide by, and what is shown in another way.
    fields.ignore(&[
        "subtype",
        "display_name",
        "tool_use_id",
        "tool_call_id",
        "agent_id",
        "mcp_server",
        "decision_reason_type",
        "classifier_approvable",
        "matched_ask_rule",
        "default_to_no",
        "requires_user_interaction",
    ]);
    let name = fields.need_text("tool_name");
    let input = fields.need("input", "an object");
    if let (Some(name), Some(input)) = (name, input) {
        payload.metadata["claude"]["can_use_tool"]["input"] = input.value.clone();
        payload.metadata["claude"]["can_use_tool"]["tool"] = name.clone().into();
        if let Some(members) = input.clone().object() {
            if name == TOOL || name == QWENS {
                fields.ignore(&SAID);
                fields.ignore(&["permission_suggestions", "suppress_always_allow_rule"]);
                fields.ignore(&["blocked_path", "diffs"]);
                let list = read_input(payload, &members);
                read_list(payload, list);
                members.advise_unknown();
                let has_notes = name == TOOL;
                payload.questions.iter_mut().for_each(|question| question.notes &= has_notes);
            } else {
                permission(fields, &name, input.value, payload).put(payload, fields);
            }
        }
    }
    fields.advise_unknown();
}

/// What is said about the call, in the order in which it matters.
const SAID: [&str; 3] = ["decision_reason", "title", "description"];

fn permission(fields: &Fields, name: &str, input: &Value, payload: &mut Payload) -> Permission {
    let say = |word: &str| fields.findings.say(word, []);
    let suppressed = fields.flag("suppress_always_allow_rule").unwrap_or(false);
    let offered = fields.get("permission_suggestions").filter(|_| !suppressed);
    if name == PLAN {
        fields.ignore(&SAID);
        fields.ignore(&["blocked_path", "diffs"]);
        // Without a file for the plan, the request has none.
        let plan = input.get("plan").and_then(Value::as_str);
        let rest = tool::without(input, &["plan", "planFilePath"]);
        let shown: Vec<_> = plan.map(str::to_owned).into_iter().chain(rest).collect();
        return Permission {
            text: say("hook_plan"),
            shown: (!shown.is_empty()).then(|| shown.join("\n\n")),
            details: plan.is_none().then(|| say("permission_unseen")),
            verbs: vec![allow(say("hook_approve"), true), refuse(say("hook_keep"), false)],
            own_words: true,
        };
    }
    let suggestions = tool::suggestions(offered.map(|field| field.value));
    let granted: Vec<_> = suggestions.iter().map(|suggestion| suggestion.value.clone()).collect();
    payload.metadata["claude"]["can_use_tool"]["suggestions"] = granted.into();
    let mut verbs = vec![allow(say("hook_once"), true)];
    verbs.extend(suggestions.into_iter().map(|suggestion| PayloadOption {
        description: suggestion.place.map(|place| fields.findings.word(place)),
        ..allow(fields.findings.word(suggestion.label), suggestion.value)
    }));
    verbs.push(refuse(say("hook_deny"), false));
    Permission {
        text: fields.findings.word(tool::question(name, input)),
        shown: Some(shown(fields, name, input)),
        details: None,
        verbs,
        own_words: true,
    }
}

/// The whole input, then the rest that the request tells of the call, and then what is said about it.
fn shown(fields: &Fields, name: &str, input: &Value) -> String {
    let change = FileChange::of_input(name, input);
    let mut shown = vec![tool::to_markdown(name, input, change.as_ref())];
    let rest = ["blocked_path", "diffs"].into_iter();
    let rest = rest.filter_map(|name| Some((name.to_owned(), fields.get(name)?.value.clone())));
    let rest: Value = rest.collect::<Map<_, _>>().into();
    if rest.as_object().is_some_and(|rest| !rest.is_empty()) {
        shown.push(tool::rows(&rest));
    }
    for said in SAID.into_iter().filter_map(|name| fields.text(name)) {
        let said = text::quoted(&said, MOST_WORDS)
            .filter(|said| !shown.iter().any(|it| it.ends_with(said)));
        shown.extend(said);
    }
    shown.join("\n\n")
}

pub(super) fn write(dialog: &Dialog, outcome: &Outcome, request: &Value) -> Value {
    let result = result(dialog, outcome, request);
    match request.get("request_id") {
        Some(id) => json!({
            "type": "control_response",
            "response": { "subtype": "success", "request_id": id, "response": result },
        }),
        None => result,
    }
}

fn result(dialog: &Dialog, outcome: &Outcome, request: &Value) -> Value {
    let input = &request["input"];
    let allowed = |input: Value| json!({ "behavior": "allow", "updatedInput": input });
    let denied = |message: &str| json!({ "behavior": "deny", "message": message });
    let nobody = match outcome {
        Outcome::TimedOut { .. } => "The user did not decide in time. This is not allowed.",
        Outcome::Withdrawn => "The request was withdrawn before the user decided.",
        _ => "The user closed the request without deciding. This is not allowed.",
    };
    if request["tool"] == TOOL || request["tool"] == QWENS {
        return match outcome {
            Outcome::Answered { answers } if request["tool"] == QWENS => {
                allowed(by_place(input.clone(), dialog, answers).into())
            }
            Outcome::Answered { answers } => {
                allowed(answered(input.clone(), dialog, answers).into())
            }
            Outcome::Clarify { text, .. } if request["tool"] == TOOL => {
                let so_far =
                    if has_begun(outcome) { so_far(dialog, outcome) } else { String::new() };
                let mut body = unanswered(input.clone());
                body.insert("answers".into(), json!({}));
                body.insert("response".into(), format!("{text}{so_far}").into());
                allowed(body.into())
            }
            _ => denied(&refusal(dialog, outcome)),
        };
    }
    let Some(suggestions) = request.get("suggestions").and_then(Value::as_array) else {
        return match PlanDecision::of(outcome) {
            Some(PlanDecision::Approve { .. }) => allowed(input.clone()),
            Some(PlanDecision::Refuse(told)) => denied(&told),
            None => denied(nobody),
        };
    };
    let mut decided = tool::decided(outcome, suggestions).unwrap_or_else(|| denied(nobody));
    if decided["behavior"] == "allow" {
        decided["updatedInput"] = input.clone();
    }
    decided
}

fn by_place(input: Value, dialog: &Dialog, given: &[Answer]) -> Map<String, Value> {
    let given = answers::given(dialog, given);
    let given = given.map(|(index, question, answer)| {
        (index.to_string(), Value::from(answers::texts(question, answer).join(", ")))
    });
    let mut body = unanswered(input);
    body.insert("answers".into(), given.collect::<Map<_, _>>().into());
    body
}
