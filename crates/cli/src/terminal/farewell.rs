//! What stays on the screen when the dialog is gone: a line for each question.

use askdeck_core::outcome::Outcome;

use super::{draw, sheet::QuestionSheet, terminal_view::TerminalView, wrap};

/// Longer lines are shortened: the caller has the answers in full.
const LONGEST: usize = 78;

/// How it ended here.
pub(super) fn lines(terminal: &TerminalView, outcome: &Outcome) -> Vec<String> {
    let word = match outcome {
        Outcome::Answered { .. } => return answers(terminal),
        Outcome::Declined { .. } => "declined",
        Outcome::Clarify { .. } => "clarify_sent",
        Outcome::TimedOut { .. } => "timed_out",
        Outcome::Withdrawn => "withdrawn",
        Outcome::Dismissed => "past_dismissed",
    };
    vec![terminal.sheet.say(word)]
}

/// What the person agreed to open, for them to do it: only an app opens a browser.
pub(super) fn addresses(terminal: &mut TerminalView, outcome: &Outcome) -> Vec<String> {
    let dialog = terminal.session().dialog().clone();
    let line =
        |address: &str| terminal.sheet.say_with("open_yourself", [("address", address.into())]);
    dialog.agreed(outcome).map(line).collect()
}

/// The word for how it ended, if that was not here.
pub(super) fn elsewhere(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Answered { .. } => "answered_elsewhere",
        Outcome::Declined { .. } | Outcome::Clarify { .. } | Outcome::Dismissed => {
            "ended_elsewhere"
        }
        Outcome::TimedOut { .. } => "timed_out",
        Outcome::Withdrawn => "withdrawn",
    }
}

fn answers(terminal: &TerminalView) -> Vec<String> {
    let questions = terminal.sheet.questions.iter().enumerate();
    let line = |(index, question): (usize, &QuestionSheet)| {
        let given: Vec<_> =
            draw::given(terminal, index).into_iter().map(|(line, _)| line).collect();
        let asked = question.header.as_ref().unwrap_or(&question.headline);
        let asked = wrap::shortened(asked, LONGEST / 2);
        wrap::shortened(&format!("✓ {asked}: {}", given.join(", ")), LONGEST)
    };
    questions.map(line).collect()
}
