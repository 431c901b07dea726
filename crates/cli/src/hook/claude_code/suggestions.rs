//! What Claude Code itself would offer beyond this once: rules, folders, a mode.

use askdeck_core::tool;
use serde_json::json;

use crate::hook::{event::Event, permission::Grant};

pub(super) fn grants(event: &Event) -> Vec<Grant> {
    let suggestions = tool::suggestions(event.value.get("permission_suggestions"));
    let grant = |suggestion: tool::Suggestion| Grant {
        label: suggestion.label.say(event.words),
        description: suggestion.place.map(|place| place.say(event.words)),
        decision: json!({ "behavior": "allow", "updatedPermissions": [suggestion.value] }),
    };
    suggestions.into_iter().map(grant).collect()
}
