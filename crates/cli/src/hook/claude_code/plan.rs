//! `ExitPlanMode`: the plan to read, and whether Claude may begin.

use askdeck_core::{dialect::askdeck, outcome::Outcome, tool::PlanDecision};
use serde_json::{Value, json};

use crate::hook::{
    event::{Event, Question, decision, denied_use},
    inquiry::{Inquiry, Lasts},
};

pub(super) fn question<'a>(event: &Event<'a>) -> Option<Question<'a>> {
    let input = &event.value["tool_input"];
    // There is nothing to approve without a plan.
    let plan = input.get("plan")?.as_str()?;
    let options = json!([
        { "label": event.word("hook_approve") },
        { "label": event.word("hook_keep"), "refuses": true },
    ]);
    let question = event.word("hook_plan");
    let payload = json!({
        "askdeck": 1,
        "message": plan,
        "questions": [{ "question": question, "options": options, "consent": true }],
    });
    let inquiry = Inquiry {
        payload,
        dialect: askdeck::DIALECT.name,
        caller: event.caller.clone(),
        lasts: Lasts::Beyond,
    };
    Some(Question { inquiry, decide: Box::new(move |_, outcome| decide(outcome, input)) })
}

fn decide(outcome: &Outcome, input: &Value) -> Option<Value> {
    Some(match PlanDecision::of(outcome)? {
        PlanDecision::Approve { note } => approve(input, note),
        PlanDecision::Refuse(reason) => denied_use(&reason),
    })
}

fn approve(input: &Value, note: Option<&str>) -> Value {
    let mut members = json!({ "permissionDecision": "allow", "updatedInput": input });
    if let Some(note) = note {
        members["additionalContext"] =
            format!("The user approved the plan and added: {note}").into();
    }
    decision("PreToolUse", members)
}
