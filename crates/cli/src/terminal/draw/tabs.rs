//! The tabs: one for each question, with a check once answered, and the review.

use askdeck_core::session::Progress;
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
    // The review comes after all pages.
    let progress = |page: usize| terminal.view.pages.get(page).copied().unwrap_or(Progress::Open);
    let names = terminal.sheet.pages.iter().map(|page| page.name.as_str());
    let tabs: Vec<_> = names
        .chain([review.as_str()])
        .enumerate()
        .map(|(page, name)| {
            let name = wrap::shortened(name, LONGEST.min(width / 2));
            let mark = match progress(page) {
                Progress::Answered => "✓ ",
                Progress::Skipped => "– ",
                Progress::Open => "",
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
        let style = match progress(step) {
            _ if step == current => CURRENT.patch(STRONG).patch(palette.primary),
            Progress::Answered => palette.success,
            Progress::Open | Progress::Skipped => palette.secondary,
        };
        row.push_span(Span::styled(tab.clone(), style));
    }
    if terminal.sheet.pages.get(current).is_none_or(|page| page.numbered) {
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
