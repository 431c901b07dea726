//! `PermissionRequest`: what a tool is about to do, and whether it may: once, from now on, or not.
//!
//! Claude asks in its terminal at the same time, and the first answer counts. So the question goes
//! once it is decided there, and no answer to it is ever used for another request.

use askdeck_core::{dialect::askdeck, dialog::Dialog, outcome::Outcome, tool};
use askdeck_desk::store;
use serde_json::{Value, json};

use super::{Event, Question, decision};
use crate::hook::{
    cancellation::ToolUse,
    file_change,
    inquiry::{Inquiry, Lasts},
};

pub(super) fn question(event: Event) -> Question<'static> {
    let name = event.text("tool_name");
    let suggestions = tool::suggestions(event.value.get("permission_suggestions"));
    let option = |suggestion: &tool::Suggestion| {
        let place = suggestion.place.as_ref().map(|place| place.say(event.words));
        json!({ "label": suggestion.label.say(event.words), "description": place })
    };
    let mut options = vec![json!({ "label": event.word("hook_once") })];
    options.extend(suggestions.iter().map(option));
    options.push(json!({ "label": event.word("hook_deny"), "refuses": true }));
    let asked_at = store::now();
    let input = &event.value["tool_input"];
    let change = file_change::of(name, input, event.words);
    let act = tool::question(name, input).say(event.words);
    let counts = change.as_ref().and_then(tool::FileChange::counts);
    let payload = json!({
        "askdeck": 1,
        "message": tool::to_markdown(name, input, change.as_ref()),
        // There is no way to hand a note over with a yes.
        "questions": [{
            "question": counts.map_or(act.clone(), |counts| format!("{act} {counts}")),
            "options": options,
            "notes": false,
            "consent": true,
        }],
    });
    let used = ToolUse {
        transcript: event.text("transcript_path").into(),
        tool: name.into(),
        input: input.clone(),
        asked_at,
    };
    let granted: Vec<_> = suggestions.into_iter().map(|suggestion| suggestion.value).collect();
    let decide = move |_: &Dialog, outcome: &Outcome| {
        tool::decided(outcome, &granted).map(|behavior| decided(&behavior))
    };
    let inquiry = Inquiry {
        payload,
        dialect: askdeck::DIALECT.name,
        caller: event.caller,
        lasts: Lasts::UntilDecided(used),
    };
    Question { inquiry, decide: Box::new(decide) }
}

/// What needs no asking.
pub(super) fn allowed() -> Value {
    decided(&json!({ "behavior": "allow" }))
}

fn decided(behavior: &Value) -> Value {
    decision("PermissionRequest", json!({ "decision": behavior }))
}
