//! One question: its text, its control, its error and its note.

use askdeck_core::{
    dialog::Layout,
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
/// Those before a verb.
const VERB_INDENT: usize = 4;

pub(super) fn content(terminal: &mut TerminalView, width: usize, with_preview: bool) -> Content {
    let mut content = Content::default();
    let page = terminal.page();
    if page.start == 0 {
        intro(&mut content, terminal, width);
    }
    for step in page.start..page.end {
        content.gap();
        question(&mut content, terminal, step, width);
    }
    if with_preview && let Some(preview) = preview(terminal) {
        content.gap();
        content.push(Span::styled(terminal.say("preview"), terminal.palette.secondary));
        content.prose(&preview, 2, width);
    }
    content
}

fn question(content: &mut Content, terminal: &mut TerminalView, step: usize, width: usize) {
    let sheet = &terminal.sheet.questions[step];
    let palette = terminal.palette;
    let is_field = terminal.sheet.layout == Layout::Fill;
    let header = sheet.header.as_ref().filter(|_| is_field || terminal.sheet.questions.len() == 1);
    if let Some(header) = header {
        let style = if is_field { STRONG } else { palette.primary };
        content.push(Span::styled(wrap::shortened(header, width), style));
    }
    let asked = content.rows.len();
    if !is_field || sheet.header.as_ref() != Some(&terminal.headlines[step]) {
        content.prose(&sheet.text, 0, width);
    }
    content.prose(sheet.details.as_deref().unwrap_or_default(), 0, width);
    if let Some(hint) = &sheet.hint {
        content.prose(&[Block::new(Span::styled(hint.clone(), palette.secondary))], 0, width);
    }
    if !is_field {
        content.gap();
    }
    control(content, terminal, step, width);
    if has_focus(terminal, step, Focus::Panel) && content.cursor.is_none() {
        // Readers of the screen follow the cursor.
        content.cursor = Some((asked, 0));
    }
    error(content, terminal, step, width);
    note(content, terminal, step, width);
}

/// Whether this part of the question has the keyboard.
fn has_focus(terminal: &TerminalView, step: usize, focus: Focus) -> bool {
    terminal.view.step == step && terminal.view.focus == focus
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

fn control(content: &mut Content, terminal: &mut TerminalView, step: usize, width: usize) {
    let view = &terminal.view.questions[step];
    match &terminal.sheet.questions[step].control {
        Control::Box { takes, placeholder, .. } => {
            let (secret, still) = (*takes == Takes::Secret, view.text.clone());
            let placeholder = placeholder.clone().unwrap_or_default();
            let text = text(terminal, step, Focus::Text, &still);
            let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret };
            content.text_box(terminal, &text_box, width);
        }
        Control::Cards { cards, other, filter, .. } => {
            let (total, other) = (cards.len(), *other);
            if *filter {
                let (still, placeholder) = (view.filter.clone(), terminal.say("filter"));
                let text = text(terminal, step, Focus::Filter, &still);
                let text_box =
                    TextBox { text, placeholder: &placeholder, indent: 0, secret: false };
                content.text_box(terminal, &text_box, width);
            }
            let hidden = terminal.view.questions[step].hidden.clone();
            for index in (0..total).filter(|index| !hidden.contains(index)) {
                card(content, terminal, step, index, width);
            }
            if other {
                other_card(content, terminal, step, total, width);
            }
        }
    }
}

fn text<'a>(terminal: &TerminalView, step: usize, focus: Focus, still: &'a str) -> Text<'a> {
    if has_focus(terminal, step, focus) { Text::Edited } else { Text::Still(still) }
}

fn card(content: &mut Content, terminal: &TerminalView, step: usize, index: usize, width: usize) {
    let Control::Cards { cards, .. } = &terminal.sheet.questions[step].control else { return };
    let Card { label, description, recommended, .. } = &cards[index];
    let start = content.rows.len();
    let mut line = first_row(terminal, step, index, label);
    if *recommended {
        line.push_span(Span::raw("  "));
        line.push_span(Span::styled(terminal.say("recommended"), terminal.palette.success));
    }
    content.prose(&[Block { line, hang: INDENT }], 0, width);
    if let Some(description) = description {
        let description = markdown::plain(description.trim(), terminal.palette.secondary);
        content.prose(&description, INDENT, width);
    }
    if has_focus(terminal, step, Focus::Card { index }) {
        content.focus_since(start);
    } else if has_focus(terminal, step, Focus::Panel) && index == 0 {
        // The cursor is on no card, but they are to be seen.
        content.focus = Some(start..content.rows.len());
    }
}

/// Cursor, mark, number and label. A verb needs no mark: it answers at once.
fn first_row(terminal: &TerminalView, step: usize, index: usize, label: &str) -> Line<'static> {
    let palette = terminal.palette;
    let chosen = terminal.view.questions[step].chosen.contains(&index);
    let here = has_focus(terminal, step, Focus::Card { index });
    let multi =
        matches!(terminal.sheet.questions[step].control, Control::Cards { multi: true, .. });
    let mark = match (multi, chosen) {
        _ if terminal.sheet.layout == Layout::Decide => "",
        (true, true) => "[x] ",
        (true, false) => "[ ] ",
        (false, true) => "(*) ",
        (false, false) => "( ) ",
    };
    let number = if index < 9 { (index + 1).to_string() } else { " ".into() };
    let style = if chosen { palette.primary } else { Style::new() };
    let name = if here || chosen { style.patch(STRONG) } else { style };
    Line::from(vec![
        Span::styled(if here { "❯ " } else { "  " }, palette.primary.patch(STRONG)),
        Span::styled(mark, style),
        Span::styled(format!("{number} "), palette.secondary),
        Span::styled(label.to_owned(), name),
    ])
}

fn other_card(
    content: &mut Content,
    terminal: &mut TerminalView,
    step: usize,
    index: usize,
    width: usize,
) {
    let words_box = terminal.sheet.questions[step].words_box.as_ref();
    let placeholder = words_box.map(|words| words.placeholder.clone());
    let question = &terminal.view.questions[step];
    let (still, is_chosen) = (question.other.clone(), question.chosen.contains(&index));
    let is_open = has_focus(terminal, step, Focus::Other) || is_chosen || !still.is_empty();
    // Beside verbs the box is there from the start, and has no number.
    let indent = if placeholder.is_some() { VERB_INDENT } else { INDENT };
    if placeholder.is_none() {
        let line = first_row(terminal, step, index, &terminal.say("other"));
        content.prose(&[Block { line, hang: INDENT }], 0, width);
    }
    if is_open || placeholder.is_some() {
        let placeholder = placeholder.unwrap_or_else(|| terminal.say("other_placeholder"));
        let text = text(terminal, step, Focus::Other, &still);
        let text_box = TextBox { text, placeholder: &placeholder, indent, secret: false };
        content.text_box(terminal, &text_box, width);
    }
}

/// What is wrong, under the control.
fn error(content: &mut Content, terminal: &TerminalView, step: usize, width: usize) {
    let palette = terminal.palette;
    let question = &terminal.view.questions[step];
    if let Some(error) = &question.error {
        let said = terminal.say_phrase(error);
        if step == terminal.view.step {
            content.error = Some(content.rows.len());
        }
        content.prose(&[Block::new(Span::styled(said, palette.danger))], 0, width);
    }
    if let Some(fullness) = &question.fullness {
        content.push(Span::styled(terminal.say_phrase(fullness), palette.secondary));
    }
}

fn note(content: &mut Content, terminal: &mut TerminalView, step: usize, width: usize) {
    let question = &terminal.view.questions[step];
    if !question.note_open {
        return;
    }
    let still = question.note.clone();
    content.gap();
    content.push(Span::styled(terminal.say("note"), terminal.palette.secondary));
    let placeholder = terminal.say("note_placeholder");
    let text = text(terminal, step, Focus::Note, &still);
    let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret: false };
    content.text_box(terminal, &text_box, width);
}
