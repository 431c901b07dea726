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
    let palette = terminal.sheet.palette;
    let mut content = Content::default();
    content.push(Span::styled(terminal.sheet.say("review_title"), STRONG));
    content.gap();
    for (index, sheet) in terminal.sheet.questions.iter().enumerate() {
        let start = content.rows.len();
        let here = terminal.view.focus == (Focus::Row { index });
        let number = if index < 9 { (index + 1).to_string() } else { " ".into() };
        let asked = if sheet.headline == sheet.name { "" } else { &sheet.headline };
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
    let palette = terminal.sheet.palette;
    let (sheet, question) = (&terminal.sheet.questions[index], &terminal.view.questions[index]);
    let mut lines: Vec<_> = question
        .summary
        .iter()
        .flat_map(|given| match given {
            SummaryLine::Card { index } => vec![(sheet.label(*index).to_owned(), STRONG)],
            SummaryLine::Text { text } => vec![(text::clean_line(text), STRONG)],
            SummaryLine::Changes { lines } => {
                lines.iter().map(|line| changed(line, &palette)).collect()
            }
            SummaryLine::Secret => vec![("********".into(), STRONG)],
        })
        .collect();
    if lines.is_empty() {
        lines.push(if sheet.required {
            (terminal.sheet.say("not_answered"), palette.danger)
        } else {
            (terminal.sheet.say("skipped"), palette.secondary)
        });
    }
    let note = text::clean_line(&question.note);
    if !note.is_empty() {
        lines.push((format!("{}: {note}", terminal.sheet.say("note")), palette.secondary));
    }
    lines
}

fn changed(line: &Line, palette: &Palette) -> (String, Style) {
    let (mark, style) = match line.mark {
        Mark::Same | Mark::Gap => (' ', palette.secondary),
        Mark::Removed => ('-', palette.danger),
        Mark::Added => ('+', palette.success),
    };
    (format!("{mark} {}", text::clean(&line.text)), style)
}
