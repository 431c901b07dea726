//! The last step of several questions: all answers, each a key from being changed.

use askdeck_core::{
    diff::{Line, Mark},
    session::{Focus, SummaryLine},
    text,
};
use ratatui::{style::Style, text::Span};

use super::content::Content;
use crate::terminal::{
    palette::{Palette, STRONG},
    terminal_view::TerminalView,
    wrap::{self, Block},
};

const INDENT: usize = 4;

pub(super) fn content(terminal: &TerminalView, width: usize) -> Content {
    let palette = terminal.palette;
    let mut content = Content::default();
    content.push(Span::styled(terminal.say("review_title"), STRONG));
    content.gap();
    for (index, sheet) in terminal.sheet.questions.iter().enumerate() {
        let start = content.rows.len();
        let here = terminal.view.focus == (Focus::Row { index });
        let number = if index < 9 { (index + 1).to_string() } else { " ".into() };
        let headline = &terminal.headlines[index];
        let asked = if *headline == sheet.name { "" } else { headline };
        let room = width.saturating_sub(INDENT + wrap::width(&sheet.name) + 2);
        let line = vec![
            Span::styled(if here { "❯ " } else { "  " }, palette.primary.patch(STRONG)),
            Span::styled(format!("{number} "), palette.secondary),
            Span::styled(sheet.name.clone(), palette.primary),
            Span::styled(format!("  {}", wrap::shortened(asked, room)), palette.secondary),
        ];
        content.prose(&[Block { line: line.into(), hang: INDENT }], 0, width);
        for (line, style) in given(terminal, index) {
            content.prose(&[Block::new(Span::styled(line, style))], INDENT, width);
        }
        if here {
            content.focus_since(start);
        }
    }
    content
}

/// What was given for a question, a line each.
pub(in crate::terminal) fn given(terminal: &TerminalView, index: usize) -> Vec<(String, Style)> {
    let palette = terminal.palette;
    let sheet = &terminal.sheet.questions[index];
    let line = |line: &SummaryLine| match line {
        SummaryLine::Card { index } => vec![(sheet.label(*index).to_owned(), STRONG)],
        SummaryLine::Text { text } => vec![(text::clean_line(text), STRONG)],
        SummaryLine::Changes { lines } => {
            lines.iter().map(|line| changed(line, &palette)).collect()
        }
        SummaryLine::Secret => vec![("********".into(), STRONG)],
        SummaryLine::NotAnswered => vec![(terminal.say("not_answered"), palette.danger)],
        SummaryLine::Skipped => vec![(terminal.say("skipped"), palette.secondary)],
        SummaryLine::Note { text } => {
            let note = format!("{}: {}", terminal.say("note"), text::clean_line(text));
            vec![(note, palette.secondary)]
        }
    };
    terminal.view.questions[index].summary.iter().flat_map(line).collect()
}

fn changed(line: &Line, palette: &Palette) -> (String, Style) {
    let (mark, style) = match line.mark {
        Mark::Same | Mark::Gap => (' ', palette.secondary),
        Mark::Removed => ('-', palette.danger),
        Mark::Added => ('+', palette.success),
    };
    (format!("{mark} {}", text::clean(&line.text)), style)
}
