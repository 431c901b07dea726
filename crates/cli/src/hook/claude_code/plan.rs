//! `ExitPlanMode`: the plan to read, and whether Claude may begin.

use askdeck_core::{
    dialect::askdeck,
    outcome::{Answer, Outcome},
};
use serde_json::{Value, json};

use crate::hook::{
    event::{Event, Question, decision, denied_use},
    inquiry::{Inquiry, Lasts},
};

/// The place of the option that approves.
const APPROVE: usize = 0;

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
    let reason = match outcome {
        Outcome::Answered { answers } => {
            let answer = answers.first()?;
            if answer.selected.contains(&APPROVE) && answer.other.is_none() {
                return Some(approve(input, answer.note.as_deref()));
            }
            keep_planning(&words(answer))
        }
        Outcome::Declined { reason, .. } => {
            format!("The user did not approve the plan.{}", because(reason.as_deref()))
        }
        Outcome::Clarify { text, .. } => format!(
            "The user has not decided about the plan yet but asks: {text}\n\
             Respond to that, then present the plan again."
        ),
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => return None,
    };
    Some(denied_use(&reason))
}

fn approve(input: &Value, note: Option<&str>) -> Value {
    let mut members = json!({ "permissionDecision": "allow", "updatedInput": input });
    if let Some(note) = note {
        members["additionalContext"] =
            format!("The user approved the plan and added: {note}").into();
    }
    decision("PreToolUse", members)
}

fn keep_planning(words: &[&str]) -> String {
    match words {
        [] => {
            "The user wants you to keep planning. They did not say what to change: ask them.".into()
        }
        words => format!("The user wants you to keep planning. They say: {}", words.join("\n")),
    }
}

/// All that the person wrote.
fn words(answer: &Answer) -> Vec<&str> {
    [&answer.other, &answer.note].into_iter().filter_map(Option::as_deref).collect()
}

fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(" Their reason: {reason}")).unwrap_or_default()
}
