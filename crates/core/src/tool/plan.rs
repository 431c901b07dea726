//! What the person decided about a plan, in words for the agent.

use crate::outcome::{Answer, Outcome};

pub enum PlanDecision<'a> {
    Approve {
        note: Option<&'a str>,
    },
    /// With what the agent shall be told.
    Refuse(String),
}

impl<'a> PlanDecision<'a> {
    /// Nothing if nobody decided. The first option approves.
    pub fn of(outcome: &'a Outcome) -> Option<Self> {
        let told = match outcome {
            Outcome::Answered { answers } => {
                let answer = answers.first()?;
                if answer.selected.first() == Some(&0) && answer.other.is_none() {
                    return Some(Self::Approve { note: answer.note.as_deref() });
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
        Some(Self::Refuse(told))
    }
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
