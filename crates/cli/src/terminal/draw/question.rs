//! One question: its text, its control, its error and its note.

use askdeck_core::{
    session::Focus,
    sheet::{Card, Control, Takes},
};
use ratatui::{
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::content::{Content, Text, TextBox};
use crate::terminal::{
    markdown,
    palette::STRONG,
    terminal_view::TerminalView,
    wrap::{self, Block},
};

/// The columns before a label: cursor, mark and number.
const INDENT: usize = 8;

pub(super) fn content(terminal: &mut TerminalView, width: usize, with_preview: bool) -> Content {
    let mut content = Content::default();
    let step = terminal.view.step;
    if step == 0 {
        intro(&mut content, terminal, width);
    }
    let sheet = &terminal.sheet.questions[step];
    let palette = terminal.palette;
    if terminal.sheet.questions.len() == 1
        && let Some(header) = &sheet.header
    {
        content.push(Span::styled(wrap::shortened(header, width), palette.primary));
    }
    let asked = content.rows.len();
    content.prose(&sheet.text, 0, width);
    content.prose(sheet.details.as_deref().unwrap_or_default(), 0, width);
    if let Some(hint) = &sheet.hint {
        content.prose(&[Block::new(Span::styled(hint.clone(), palette.secondary))], 0, width);
    }
    content.gap();
    control(&mut content, terminal, width);
    if terminal.view.focus == Focus::Panel && content.cursor.is_none() {
        // Readers of the screen follow the cursor.
        content.cursor = Some((asked, 0));
    }
    error(&mut content, terminal, width);
    note(&mut content, terminal, width);
    if with_preview && let Some(preview) = preview(terminal) {
        content.gap();
        content.push(Span::styled(terminal.say("preview"), palette.secondary));
        content.prose(&preview, 2, width);
    }
    content
}

/// The preview that is to be seen. Nothing where no option has one.
pub(super) fn preview(terminal: &TerminalView) -> Option<Vec<Block>> {
    let (sheet, view) = (&terminal.sheet, &terminal.view);
    let index = view.previewed?;
    let Control::Cards { cards, .. } = &sheet.questions[view.step].control else { return None };
    let none =
        || vec![Block::new(Span::styled(terminal.say("no_preview"), terminal.palette.secondary))];
    Some(cards.get(index).and_then(|card| card.preview.clone()).unwrap_or_else(none))
}

/// Whether every preview of the current question has room there: what is cut off cannot be scrolled.
pub(super) fn previews_fit(terminal: &TerminalView, room: Rect) -> bool {
    let Some(Control::Cards { cards, .. }) =
        terminal.sheet.questions.get(terminal.view.step).map(|question| &question.control)
    else {
        return false;
    };
    let columns = usize::from(room.width).saturating_sub(2);
    let rows = |preview: &[Block]| preview.iter().map(|block| block.rows(columns).len()).sum();
    cards.iter().filter_map(|card| card.preview.as_deref()).all(|preview| {
        let rows: usize = rows(preview);
        rows <= usize::from(room.height)
    })
}

fn intro(content: &mut Content, terminal: &TerminalView, width: usize) {
    if let Some(title) = &terminal.sheet.title {
        let style = STRONG.patch(terminal.palette.primary);
        content.prose(&[Block::new(Span::styled(title.clone(), style))], 0, width);
    }
    content.prose(terminal.sheet.message.as_deref().unwrap_or_default(), 0, width);
    content.gap();
}

fn control(content: &mut Content, terminal: &mut TerminalView, width: usize) {
    let step = terminal.view.step;
    let view = &terminal.view.questions[step];
    match &terminal.sheet.questions[step].control {
        Control::Box { takes, placeholder, .. } => {
            let (secret, still) = (*takes == Takes::Secret, view.text.clone());
            let placeholder = placeholder.clone().unwrap_or_default();
            let text = text(terminal, Focus::Text, &still);
            let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret };
            content.text_box(terminal, &text_box, width);
        }
        Control::Cards { multi, cards, other, .. } => {
            let (multi, total) = (*multi, cards.len());
            for index in 0..total {
                card(content, terminal, multi, index, width);
            }
            if *other {
                other_card(content, terminal, multi, total, width);
            }
        }
    }
}

fn text<'a>(terminal: &TerminalView, focus: Focus, still: &'a str) -> Text<'a> {
    if terminal.view.focus == focus { Text::Edited } else { Text::Still(still) }
}

fn card(content: &mut Content, terminal: &TerminalView, multi: bool, index: usize, width: usize) {
    let Control::Cards { cards, .. } = &terminal.sheet.questions[terminal.view.step].control else {
        return;
    };
    let Card { label, description, recommended, .. } = &cards[index];
    let start = content.rows.len();
    let mut line = first_row(terminal, multi, index, label);
    if *recommended {
        line.push_span(Span::raw("  "));
        line.push_span(Span::styled(terminal.say("recommended"), terminal.palette.success));
    }
    content.prose(&[Block { line, hang: INDENT }], 0, width);
    if let Some(description) = description {
        let description = markdown::plain(description.trim(), terminal.palette.secondary);
        content.prose(&description, INDENT, width);
    }
    if terminal.view.focus == (Focus::Card { index }) {
        content.focus_since(start);
    } else if terminal.view.focus == Focus::Panel && index == 0 {
        // The cursor is on no card, but they are to be seen.
        content.focus = Some(start..content.rows.len());
    }
}

/// Cursor, mark, number and label.
fn first_row(terminal: &TerminalView, multi: bool, index: usize, label: &str) -> Line<'static> {
    let palette = terminal.palette;
    let chosen = terminal.view.questions[terminal.view.step].chosen.contains(&index);
    let here = terminal.view.focus == (Focus::Card { index });
    let mark = match (multi, chosen) {
        (true, true) => "[x]",
        (true, false) => "[ ]",
        (false, true) => "(*)",
        (false, false) => "( )",
    };
    let number = if index < 9 { (index + 1).to_string() } else { " ".into() };
    let style = if chosen { palette.primary } else { Style::new() };
    let name = if here || chosen { style.patch(STRONG) } else { style };
    Line::from(vec![
        Span::styled(if here { "❯ " } else { "  " }, palette.primary.patch(STRONG)),
        Span::styled(mark, style),
        Span::styled(format!(" {number} "), palette.secondary),
        Span::styled(label.to_owned(), name),
    ])
}

fn other_card(
    content: &mut Content,
    terminal: &mut TerminalView,
    multi: bool,
    index: usize,
    width: usize,
) {
    let start = content.rows.len();
    let line = first_row(terminal, multi, index, &terminal.say("other"));
    content.prose(&[Block { line, hang: INDENT }], 0, width);
    let question = &terminal.view.questions[terminal.view.step];
    let open = terminal.view.focus == Focus::Other || question.chosen.contains(&index);
    if open || !question.other.is_empty() {
        let (still, placeholder) = (question.other.clone(), terminal.say("other_placeholder"));
        let text = text(terminal, Focus::Other, &still);
        let text_box = TextBox { text, placeholder: &placeholder, indent: INDENT, secret: false };
        content.text_box(terminal, &text_box, width);
    }
    if terminal.view.focus == (Focus::Card { index }) {
        content.focus_since(start);
    }
}

/// What is wrong, under the control.
fn error(content: &mut Content, terminal: &TerminalView, width: usize) {
    let palette = terminal.palette;
    let question = &terminal.view.questions[terminal.view.step];
    if let Some(error) = &question.error {
        let said = terminal.say_phrase(error);
        content.error = Some(content.rows.len());
        content.prose(&[Block::new(Span::styled(said, palette.danger))], 0, width);
    }
    if let Some(fullness) = &question.fullness {
        content.push(Span::styled(terminal.say_phrase(fullness), palette.secondary));
    }
}

fn note(content: &mut Content, terminal: &mut TerminalView, width: usize) {
    let question = &terminal.view.questions[terminal.view.step];
    if !question.note_open {
        return;
    }
    let still = question.note.clone();
    content.gap();
    content.push(Span::styled(terminal.say("note"), terminal.palette.secondary));
    let placeholder = terminal.say("note_placeholder");
    let text = text(terminal, Focus::Note, &still);
    let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret: false };
    content.text_box(terminal, &text_box, width);
}
