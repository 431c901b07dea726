//! The tabs: one for each question, with a check once answered, and the review.

use ratatui::text::{Line, Span};

use crate::terminal::{
    palette::{CURRENT, STRONG},
    terminal_view::TerminalView,
    wrap,
};

/// Longer names are shortened, so that others can be seen beside them.
const LONGEST: usize = 16;

pub(super) fn rows(terminal: &TerminalView, width: usize) -> Vec<Line<'static>> {
    let total = terminal.sheet.pages.len();
    if total < 2 {
        return Vec::new();
    }
    let palette = terminal.palette;
    let review = terminal.say("review");
    let is_answered = |page: usize| {
        let Some(page) = terminal.sheet.pages.get(page) else { return false };
        terminal.view.questions[page.start..page.end].iter().all(|question| question.answered)
    };
    let is_left = |page: usize| {
        let Some(page) = terminal.sheet.pages.get(page) else { return false };
        let mut questions = terminal.view.questions[page.start..page.end].iter();
        questions.all(|question| question.answered || question.skipped)
    };
    let names = terminal.sheet.pages.iter().map(|page| page.name.as_str());
    let tabs: Vec<_> = names
        .chain([review.as_str()])
        .enumerate()
        .map(|(page, name)| {
            let name = wrap::shortened(name, LONGEST.min(width / 2));
            let mark = match (is_answered(page), is_left(page)) {
                (true, _) => "✓ ",
                (false, true) => "– ",
                (false, false) => "",
            };
            format!(" {mark}{name} ")
        })
        .collect();
    let start = terminal.page().start;
    let current = terminal.sheet.pages.iter().position(|page| page.start == start).unwrap_or(total);
    let mut row = Line::default();
    for (step, tab) in tabs.iter().enumerate().skip(first(&tabs, current, width)) {
        if row.width() + wrap::width(tab) > width {
            break;
        }
        let style = match (step == current, is_answered(step)) {
            (true, _) => CURRENT.patch(STRONG).patch(palette.primary),
            (false, true) => palette.success,
            (false, false) => palette.secondary,
        };
        row.push_span(Span::styled(tab.clone(), style));
    }
    if current == total {
        return vec![row];
    }
    let numbers = [("n", (current + 1).to_string()), ("total", total.to_string())];
    let progress = Span::styled(terminal.say_with("question_of", numbers), palette.secondary);
    let free = width.saturating_sub(row.width() + progress.width());
    if free > 1 {
        row.push_span(Span::raw(" ".repeat(free)));
        row.push_span(progress);
        vec![row]
    } else {
        vec![row, progress.into()]
    }
}

/// The first tab in sight, so that the current one is.
fn first(tabs: &[String], current: usize, width: usize) -> usize {
    let mut room = width;
    let mut first = current;
    // Backwards as far as there is room.
    for (step, tab) in tabs.iter().enumerate().take(current + 1).rev() {
        let Some(left) = room.checked_sub(wrap::width(tab)) else { break };
        (room, first) = (left, step);
    }
    first
}
