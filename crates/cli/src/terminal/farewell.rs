//! What stays on the screen when the dialog is gone: a line for each question.

use askdeck_core::{outcome::Outcome, session::Phase};

use super::{draw, sheet::QuestionSheet, terminal_view::TerminalView, wrap};

/// Longer lines are shortened: the caller has the answers in full.
const LONGEST: usize = 78;

/// How it ended here.
pub(super) fn lines(terminal: &TerminalView, outcome: &Outcome) -> Vec<String> {
    match outcome {
        Outcome::Answered { .. } => answers(terminal),
        outcome => {
            let word = Phase::of(outcome, false).farewell().unwrap_or("past_dismissed");
            vec![terminal.say(word)]
        }
    }
}

/// What the person agreed to open, for them to do it: only an app opens a browser.
pub(super) fn addresses(terminal: &mut TerminalView, outcome: &Outcome) -> Vec<String> {
    let dialog = terminal.session().dialog().clone();
    let line = |address: &str| terminal.say_with("open_yourself", [("address", address.into())]);
    dialog.agreed(outcome).map(line).collect()
}

/// The word for how it ended, if that was not here.
pub(super) fn elsewhere(outcome: &Outcome) -> &'static str {
    Phase::of(outcome, true).farewell().unwrap_or("ended_elsewhere")
}

fn answers(terminal: &TerminalView) -> Vec<String> {
    let questions = terminal.sheet.questions.iter().enumerate();
    let line = |(index, question): (usize, &QuestionSheet)| {
        let given: Vec<_> =
            draw::given(terminal, index).into_iter().map(|(line, _)| line).collect();
        let asked = question.header.as_ref().unwrap_or(&terminal.headlines[index]);
        let asked = wrap::shortened(asked, LONGEST / 2);
        wrap::shortened(&format!("✓ {asked}: {}", given.join(", ")), LONGEST)
    };
    questions.map(line).collect()
}
