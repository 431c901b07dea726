//! `AskUserQuestion`: the answers go in with the questions, so Claude's own picker has nothing left
//! to ask.

use askdeck_core::{dialect::claude, dialog::Dialog, outcome::Outcome};
use serde_json::{Value, json};

use crate::hook::{
    event::{Event, Question, decision, denied_use},
    inquiry::{Inquiry, Lasts},
};

pub(super) fn question<'a>(event: &Event<'a>) -> Question<'a> {
    let inquiry = Inquiry {
        payload: event.value.clone(),
        dialect: claude::DIALECT.name,
        caller: event.caller.clone(),
        lasts: Lasts::Beyond,
    };
    let sent = event.value;
    let decide = move |dialog: &Dialog, outcome: &Outcome| decide(dialog, outcome, sent);
    Question { inquiry, decide: Box::new(decide) }
}

fn decide(dialog: &Dialog, outcome: &Outcome, event: &Value) -> Option<Value> {
    match outcome {
        Outcome::Answered { answers } => {
            let input = claude::answered(event["tool_input"].clone(), dialog, answers);
            Some(decision(
                "PreToolUse",
                json!({ "permissionDecision": "allow", "updatedInput": input }),
            ))
        }
        Outcome::Declined { .. } | Outcome::Clarify { .. } => {
            let written = (claude::DIALECT.write)(dialog, outcome);
            let written: Value = serde_json::from_str(&written).unwrap_or_default();
            Some(denied_use(written["message"].as_str().unwrap_or_default()))
        }
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askdeck_core::{dialog::Caller, outcome::Answer};

    #[test]
    fn hook_answer_has_only_what_the_person_gave() {
        let options = json!([
            { "label": "A", "description": "First" },
            { "label": "B", "description": "Second" },
        ]);
        let event = json!({ "tool_input": {
            "questions": [{
                "question": "Which?", "header": "Which", "options": options, "multiSelect": false,
            }],
            "answers": { "Which?": "B" },
            "annotations": { "Which?": { "notes": "sent along" } },
        }});
        let payload = (claude::DIALECT.read)(&event["tool_input"]);
        let rules = &claude::DIALECT.rules;
        let dialog = Dialog::check(payload, rules, "t".into(), "claude", Caller::default());
        let answers = vec![Answer { selected: vec![0], ..Answer::default() }];
        let decision = decide(&dialog.unwrap(), &Outcome::Answered { answers }, &event).unwrap();
        let input = &decision["hookSpecificOutput"]["updatedInput"];
        assert_eq!(input["questions"], event["tool_input"]["questions"]);
        assert_eq!(input["answers"], json!({ "Which?": "A" }));
        assert_eq!(input.get("annotations"), None);
    }
}
