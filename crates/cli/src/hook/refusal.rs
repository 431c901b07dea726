//! Questions of an agent that takes no answers from a hook. What keeps it from asking is the reason
//! why it need not, and that is what its model reads in the place of the tool's result.

use askdeck_core::{
    dialect::{Dialect, text},
    dialog::Dialog,
    outcome::Outcome,
};
use serde_json::Value;

use super::{
    event::{Event, Question},
    inquiry::{Inquiry, Lasts},
};

/// The questions are read as one dialect has them, and the answers written as another, which the
/// model knows.
pub(super) fn question(
    event: &Event,
    dialect: &'static Dialect,
    result: &'static Dialect,
    refuse: fn(&str) -> Value,
) -> Question<'static> {
    let inquiry = Inquiry {
        payload: event.value["tool_input"].clone(),
        dialect: dialect.name,
        caller: event.caller.clone(),
        lasts: Lasts::Beyond,
    };
    let decide = move |dialog: &Dialog, outcome: &Outcome| {
        let told = match outcome {
            Outcome::Answered { .. } => format!(
                "The user has already answered, in Askdeck. This is the result of the tool: {}",
                (result.write)(dialog, outcome)
            ),
            Outcome::Declined { .. } | Outcome::Clarify { .. } => {
                (text::DIALECT.write)(dialog, outcome)
            }
            Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => return None,
        };
        Some(refuse(&told))
    };
    Question { inquiry, decide: Box::new(decide) }
}
