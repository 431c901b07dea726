//! What is never written.

use crate::{
    dialog::{Dialog, Kind},
    outcome::{Answer, Outcome},
};

/// The outcome as it is kept: of a secret, only whether it was given.
pub(super) fn without(dialog: &Dialog, outcome: &Outcome) -> Outcome {
    let mut kept = outcome.clone();
    let answers = match &mut kept {
        Outcome::Answered { answers: given }
        | Outcome::Declined { partial: given, .. }
        | Outcome::TimedOut { partial: given }
        | Outcome::Clarify { partial: given, .. } => given,
        Outcome::Dismissed | Outcome::Withdrawn => return kept,
    };
    for (question, answer) in dialog.questions.iter().zip(answers) {
        if matches!(question.kind, Kind::Secret) {
            *answer = Answer {
                skipped: answer.skipped,
                withheld: answer.withheld || answer.is_given(),
                ..Answer::default()
            };
        }
    }
    kept
}
