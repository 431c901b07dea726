//! `Elicitation`: an MCP server wants something from the person: a form to fill in, or a page to
//! open. Claude Code tells it in its own words; the rest is as MCP has it.

use askdeck_core::{
    dialect::mcp,
    dialog::{Caller, Dialog},
    outcome::Outcome,
};
use serde_json::{Map, Value};

use crate::hook::{
    event::{Event, Question, decision},
    inquiry::{Inquiry, Lasts},
};

/// The members of an event, and what MCP calls them.
const MEMBERS: [(&str, &str); 5] = [
    ("mode", "mode"),
    ("message", "message"),
    ("requested_schema", "requestedSchema"),
    ("url", "url"),
    ("elicitation_id", "elicitationId"),
];

pub(super) fn question(event: &Event) -> Question<'static> {
    let inquiry = Inquiry {
        payload: payload(event.value).into(),
        dialect: mcp::DIALECT.name,
        caller: server(event),
        lasts: Lasts::Beyond,
    };
    Question { inquiry, decide: Box::new(decide) }
}

fn decide(dialog: &Dialog, outcome: &Outcome) -> Option<Value> {
    match outcome {
        Outcome::Answered { .. } | Outcome::Declined { .. } | Outcome::Clarify { .. } => {
            let written = (mcp::DIALECT.write)(dialog, outcome);
            Some(decision("Elicitation", serde_json::from_str(&written).unwrap_or_default()))
        }
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => None,
    }
}

fn payload(event: &Value) -> Map<String, Value> {
    let given = |(ours, theirs): (&str, &str)| {
        let value = event.get(ours).filter(|value| !value.is_null())?;
        Some((theirs.to_owned(), value.clone()))
    };
    MEMBERS.into_iter().filter_map(given).collect()
}

/// The person must see which server asks.
fn server(event: &Event) -> Caller {
    let agent = match event.text("mcp_server_name") {
        "" => event.caller.agent.clone(),
        server => format!("{server} ({})", event.caller.agent),
    };
    Caller { agent, ..event.caller.clone() }
}
